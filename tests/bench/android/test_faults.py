from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Sequence

import pytest
from tests.devices.adb_tools import needs_adbutils

from distrl.bench.android.faults import (
    FAULTS,
    NOTHING,
    Pace,
    TimedCalls,
    child_processes,
    measure_faults,
)
from distrl.devices.fault_causes import Cause
from distrl.types import Kind


class _Steps:
    steps = 0


def test_loss_is_what_neighbours_miss_while_there_are_faults(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    neighbour = _Steps()
    pace = Pace([neighbour])  # type: ignore[list-item]
    with pace.during(fault=False):
        now[0] += 10
        neighbour.steps += 100
    with pace.during(fault=True):
        now[0] += 10
        neighbour.steps += 80
    assert pace.loss() == pytest.approx(0.2)
    with pace.during(fault=True):
        now[0] += 1
        neighbour.steps += 100
    assert pace.loss() == 0.0


class _Lasting:
    """A phone each of whose calls takes a while; the referee's take longest."""

    id, kinds = "lasting", frozenset[Kind]()

    def __init__(self, now: list[float]) -> None:
        self._now = now

    def observe(self) -> None:
        self._now[0] += 1

    def prepare(self) -> None:
        self._now[0] += 2

    def ask_served(self, arguments: Sequence[str]) -> str:
        self._now[0] += len(arguments)
        return " ".join(arguments)


def test_what_the_referee_asks_is_timed_as_other_calls_are(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    timed = TimedCalls(_Lasting(now))  # type: ignore[arg-type]
    timed.observe()
    assert timed.longest == 1
    timed.prepare()
    assert timed.longest == 2
    assert timed.ask_served(["a", "b", "c"]) == "a b c"
    assert timed.longest == 3


def test_every_fault_of_the_list_has_a_cause_of_its_own() -> None:
    faults = {name: cause for name, (cause, _) in FAULTS.items() if cause != NOTHING}
    del faults["booted but not ready"]  # it is a reboot, and a start that takes longer
    assert len(faults) == len(set(faults.values())) == 10


def test_what_real_phones_do_every_day_costs_no_episode() -> None:
    assert {name for name, (cause, _) in FAULTS.items() if cause == NOTHING} == {
        "never idle",
        "null root",
        "stale ANR section",
        "monkey missing",
    }


def test_processes_that_were_started_here_are_known() -> None:
    before = child_processes()
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        assert child_processes() - before == {child.pid}
    finally:
        child.kill()
        child.communicate(timeout=10)
    assert child_processes() == before


@needs_adbutils
@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.timeout(600)
def test_faults_are_told_apart() -> None:
    figures = measure_faults(2)
    assert figures.tried == 2 * len(FAULTS)
    assert [(row.fault, row.taken_for) for row in figures.rows if row.misclassified] == []
    assert (figures.void_trained, figures.late, figures.leaked, figures.unrecovered) == (0, 0, 0, 0)
    assert not any(t.name == "neighbour" for t in threading.enumerate())


@needs_adbutils
@pytest.mark.slow
@pytest.mark.alone
def test_fault_that_is_taken_for_another_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    _, strike = FAULTS["black frame"]
    monkeypatch.setitem(FAULTS, "black frame", (Cause.STALE, strike))
    figures = measure_faults(1, faults=["black frame"])
    assert (figures.tried, figures.misclassified) == (1, 1)
    assert figures.rows[0].taken_for == "blank"
