from __future__ import annotations

import os
import signal
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from distrl.clock import RealClock
from distrl.run.processes.child import OwnProcess
from distrl.run.ray_cluster.inventory import birth_of
from distrl.run.ray_cluster.watchdog import LOOK_SECONDS, descendants

DEADLINE = 60.0

FAMILY = """
    import os, subprocess, sys, time
    own = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"],
                           start_new_session=True)
    with open(sys.argv[1], "a") as file:
        file.write(f"{os.getpid()} {own.pid}\\n")
    time.sleep(600)
"""

TWO_FAMILIES = """
    import subprocess, sys, time
    for _ in range(2):
        subprocess.Popen([sys.executable, *sys.argv[1:]])
    time.sleep(600)
"""


def lines(path: Path) -> list[list[int]]:
    if not path.exists():
        return []
    return [[int(pid) for pid in line.split()] for line in path.read_text().splitlines()]


def wait_for(condition: object) -> None:
    assert callable(condition)
    assert RealClock().wait_until(condition, timeout=DEADLINE)


@pytest.fixture
def kept(tmp_path: Path) -> object:
    script = tmp_path / "family.py"
    script.write_text(textwrap.dedent(FAMILY))
    out = tmp_path / "pids"
    command = ["-m", "distrl.run.ray_cluster.watchdog", sys.executable, str(script), str(out)]
    process = OwnProcess(command, log=tmp_path / "log")
    yield process, out
    process.terminate()
    assert process.wait(DEADLINE) == 0
    assert not any(birth_of(pid) for pids in lines(out) for pid in pids)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans on")
def test_what_dies_is_started_again_and_leaves_nothing_behind(
    kept: tuple[OwnProcess, Path],
) -> None:
    process, out = kept
    wait_for(lambda: len(lines(out)) == 1)
    ((command, child),) = lines(out)
    assert set(descendants(process.pid)) == {command, child}
    os.kill(command, signal.SIGKILL)
    wait_for(lambda: len(lines(out)) == 2)
    assert not birth_of(command)
    assert not birth_of(child)
    assert set(descendants(process.pid)) == set(lines(out)[1])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans on")
def test_who_outlives_its_parent_is_ended_while_the_command_goes_on(tmp_path: Path) -> None:
    both, one, out = tmp_path / "both.py", tmp_path / "one.py", tmp_path / "pids"
    both.write_text(textwrap.dedent(TWO_FAMILIES))
    one.write_text(textwrap.dedent(FAMILY))
    command = [
        "-m",
        "distrl.run.ray_cluster.watchdog",
        sys.executable,
        str(both),
        str(one),
        str(out),
    ]
    process = OwnProcess(command, log=tmp_path / "log")
    try:
        wait_for(lambda: len(lines(out)) == 2)
        (killed, orphan), (parent, child) = lines(out)
        before = set(descendants(process.pid))
        assert {killed, orphan, parent, child} < before
        # Whoever loses its parent before anybody looked is taken for a daemon.
        RealClock().sleep(3 * LOOK_SECONDS)
        os.kill(killed, signal.SIGKILL)
        wait_for(lambda: not birth_of(orphan))
        assert {pid for pid in before if birth_of(pid)} == before - {killed, orphan}
    finally:
        process.terminate()
        assert process.wait(DEADLINE) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of a parent's death")
def test_a_command_can_die_with_whoever_started_it(tmp_path: Path) -> None:
    child = (
        "from distrl.run.ray_cluster.watchdog import die_with_parent as d; d();"
        "import time; time.sleep(600)"
    )
    parent = (
        "import subprocess, sys, time\n"
        f"p = subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        "time.sleep(1); print(p.pid, flush=True); time.sleep(600)"
    )
    process = OwnProcess(["-c", parent], log=tmp_path / "log")
    wait_for(lambda: (tmp_path / "log").read_text().strip())
    pid = int((tmp_path / "log").read_text())
    assert birth_of(pid)
    process.kill()
    wait_for(lambda: not birth_of(pid))


def test_a_process_that_is_gone_was_never_born() -> None:
    assert birth_of(os.getpid())
    assert not birth_of(2**22 + 1)
    assert threading.main_thread().is_alive()
