from __future__ import annotations

import os
import signal
import sys
import textwrap
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from distrl.clock import RealClock
from distrl.run.processes.child import OwnProcess
from distrl.run.ray_cluster.inventory import birth_of
from distrl.run.ray_cluster.watchdog import descendants

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


DAEMON = """
    import os, subprocess, sys
    daemon = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"],
                              start_new_session=True)
    with open(sys.argv[1], "a") as file:
        file.write(f"{os.getppid()} {daemon.pid}\\n")
"""

OWNER = """
    import subprocess, sys, time
    from distrl.run.ray_cluster.watchdog import adopt_orphans
    adopt_orphans()
    subprocess.run([sys.executable, *sys.argv[1:]], check=True)
    time.sleep(600)
"""

OWNER_AND_OTHERS = """
    import os, subprocess, sys, time
    owner, daemon, owned, lost = sys.argv[1:]
    subprocess.Popen([sys.executable, owner, daemon, owned])
    while not (os.path.exists(owned) and os.path.getsize(owned)):
        time.sleep(0.01)
    subprocess.run([sys.executable, daemon, lost], check=True)
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


@contextmanager
def kept_scripts(folder: Path, *arguments: str, **scripts: str) -> Iterator[OwnProcess]:
    """A watchdog over the first of these scripts, whose arguments are files of this folder."""
    for name, script in scripts.items():
        (folder / name).write_text(textwrap.dedent(script))
    command = [str(folder / name) for name in (next(iter(scripts)), *arguments)]
    watchdog = ["-m", "distrl.run.ray_cluster.watchdog", sys.executable, *command]
    process = OwnProcess(watchdog, log=folder / "log")
    try:
        yield process
    finally:
        process.terminate()
        assert process.wait(DEADLINE) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans on")
def test_who_outlives_its_parent_is_ended_while_the_command_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "pids"
    scripts = {"both": TWO_FAMILIES, "one": FAMILY}
    with kept_scripts(tmp_path, "one", "pids", **scripts) as process:
        wait_for(lambda: len(lines(out)) == 2)
        (killed, orphan), (parent, child) = lines(out)
        before = set(descendants(process.pid))
        assert {killed, orphan, parent, child} < before
        os.kill(killed, signal.SIGKILL)
        wait_for(lambda: not birth_of(orphan))
        assert {pid for pid in before if birth_of(pid)} == before - {killed, orphan}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans on")
def test_a_daemon_lives_as_long_as_whoever_adopted_it(tmp_path: Path) -> None:
    scripts = {"all": OWNER_AND_OTHERS, "owner": OWNER, "daemon": DAEMON}
    with kept_scripts(tmp_path, "owner", "daemon", "owned", "lost", **scripts):
        wait_for(lambda: lines(tmp_path / "lost"))
        ((owner, daemon),), ((_, lost),) = lines(tmp_path / "owned"), lines(tmp_path / "lost")
        # The one that nobody adopted is the younger: when it is gone, both were looked at, however
        # soon each of them had left its parent.
        wait_for(lambda: not birth_of(lost))
        assert birth_of(daemon)
        assert daemon in descendants(owner)
        os.kill(owner, signal.SIGKILL)
        wait_for(lambda: not birth_of(daemon))


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
