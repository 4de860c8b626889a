from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest
from tests.devices.adb_tools import needs_adbutils

from distrl.bench.android.fault_victim import FAULTS
from distrl.bench.android.faults import Pace, child_processes, measure_faults
from distrl.devices.fault_causes import Cause


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
