from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest
from tests.run.conftest import small_config

from distrl.run.local import learner_process
from distrl.run.processes.cpu_affinity import learners_core, leaving_learners_core

only_where_affinity_can_be_set = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2,
    reason="needs two cores and a system that tells which",
)


def test_a_single_core_is_everybodys() -> None:
    assert learners_core(frozenset({3})) is None
    assert learners_core(frozenset()) is None
    assert learners_core(frozenset({0, 2, 5})) == 5


def cores_of_a_thread() -> set[int]:
    found: list[set[int]] = []
    thread = threading.Thread(target=lambda: found.append(os.sched_getaffinity(0)))
    thread.start()
    thread.join()
    return found[0]


@only_where_affinity_can_be_set
def test_threads_started_while_leaving_stay_away_and_others_do_not() -> None:
    before = os.sched_getaffinity(0)
    with leaving_learners_core():
        inside = cores_of_a_thread()
    assert inside == before - {max(before)}
    assert os.sched_getaffinity(0) == cores_of_a_thread() == before


@only_where_affinity_can_be_set
def test_a_learner_s_process_has_one_core() -> None:
    code = (
        "import os; from distrl.run.processes.cpu_affinity import take_learners_core;"
        "take_learners_core();"
        "print(sorted(os.sched_getaffinity(0)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == str([max(os.sched_getaffinity(0))])


def test_who_steps_back_is_nice_to_all_others() -> None:
    code = (
        "import os; from distrl.run.processes.cpu_affinity import step_back; os.setsid();"
        "before = os.nice(0);"
        "step_back(); print(os.nice(0) - before)"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import os; os.fork() and os._exit(os.wait()[1] >> 8); {code}"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.strip() == "10"


@pytest.mark.parametrize(("latency", "called"), [(0.0, "core"), (0.1, "back")])
def test_the_learner_steps_back_for_slow_devices_only(
    latency: float, called: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(learner_process, "step_back", lambda: told.append("back"))
    monkeypatch.setattr(learner_process, "take_learners_core", lambda: told.append("core"))
    learner_process.find_place(small_config(f"collect.latency={latency}"))
    assert told == [called]
