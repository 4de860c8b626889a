from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest
from tests.devices.browser.browsers import needs_chromium

from distrl.bench.browser import Side, tree_bytes
from distrl.cli.main import main
from distrl.clock import RealClock

KEYS = {"over_official_1", "over_official_8", "memory_mb", "official_memory_mb"}


class Counting:
    """An instance that does nothing, and counts."""

    def __init__(self, number: int) -> None:
        self.seeds: list[int] = []
        self.closed = False

    def episode(self, seed: int) -> int:
        self.seeds.append(seed)
        RealClock().sleep(0.002)
        return 4

    def close(self) -> None:
        self.closed = True


class Failing(Counting):
    def episode(self, seed: int) -> int:
        if len(self.seeds) == 2:
            raise RuntimeError("out of ink")
        return super().episode(seed)


def test_instances_play_side_by_side_from_the_first_seed() -> None:
    made: list[Counting] = []

    def make(number: int) -> Counting:
        made.append(Counting(number))
        return made[-1]

    side = Side(make)
    assert side.open(3)["memory"] > 0
    assert side.open(3)["memory"] > 0
    told = side.run(0.05)
    side.close()
    assert len(made) == 3
    assert all(one.closed and one.seeds[2] == 0 for one in made)
    assert told["steps"] == 4 * sum(len(one.seeds) - 2 for one in made)
    assert told["seconds"] >= 0.05


def test_instance_that_fails_fails_the_measurement() -> None:
    side = Side(Failing)
    side.open(1)
    with pytest.raises(RuntimeError, match="out of ink"):
        side.run(5.0)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
def test_memory_is_that_of_a_process_and_all_below_it() -> None:
    alone = tree_bytes(os.getpid())
    hold = "import sys; kept = bytearray(50_000_000); print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None and child.stdin is not None
        child.stdout.readline()
        together = tree_bytes(os.getpid())
        child.stdin.close()
        child.wait(10)
    assert together - alone > 45_000_000


def test_time_must_be_above_zero(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "browser", "--seconds", "0"]) == 2
    assert "--seconds must be above 0" in capsys.readouterr().err


@pytest.mark.browser
@pytest.mark.slow
@needs_chromium
@pytest.mark.timeout(900)
@pytest.mark.skipif(shutil.which("chromedriver") is None, reason="chromedriver is missing")
def test_both_sides_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("miniwob")
    assert main(["bench", "browser", "--seconds", "1", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures.keys() >= KEYS
    assert all(value > 0 for value in figures.values())
