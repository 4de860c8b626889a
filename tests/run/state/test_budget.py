from __future__ import annotations

import math
import threading

import pytest

from distrl.errors import PipelineError
from distrl.run.processes.supervisor import Supervisor
from distrl.run.state import budget as module
from distrl.run.state.budget import Budget, LearnerStatus


def status(waiting_for: str | None) -> dict[str, object]:
    return {"status": {"waiting_for": waiting_for}}


def test_the_learner_is_ready_when_it_says_so() -> None:
    heard = LearnerStatus()
    assert not heard.ready
    heard.on_message({"ready": 3})
    heard.on_message(status(None))
    assert heard.ready


def test_it_is_idle_while_it_waits_for_something() -> None:
    heard = LearnerStatus()
    assert not heard.idle
    heard.on_message(status("replay_ratio"))
    assert heard.idle
    heard.on_message(status(None))
    assert not heard.idle


def test_the_end_comes_with_the_time() -> None:
    assert Budget(0.0, Supervisor(), LearnerStatus()).is_spent()
    running = Supervisor()
    running.start("collector-0", lambda stopping: void(stopping.wait(60)))
    assert not Budget(3600.0, running, LearnerStatus()).is_spent()
    running.stop(timeout=60)


def void(_: object) -> None:
    """For lambdas that must return nothing."""


def test_when_all_is_collected_the_learner_may_finish() -> None:
    heard = LearnerStatus()
    budget = Budget(math.inf, Supervisor(), heard)
    heard.on_message(status("replay_ratio"))
    told = []
    for waiting_for in ("replay_ratio", None, None, "replay_ratio"):
        told.append(budget.is_spent())
        heard.on_message(status(waiting_for))
    assert told == [False, False, False, False]
    assert budget.is_spent()


def test_collectors_that_still_run_keep_it_open() -> None:
    heard, supervisor = LearnerStatus(), Supervisor()
    let_go = threading.Event()
    supervisor.start("collector-0", lambda _: void(let_go.wait(60)), may_end=True)
    budget = Budget(math.inf, supervisor, heard)
    for _ in range(4):
        heard.on_message(status("episodes"))
        assert not budget.is_spent()
    let_go.set()
    assert supervisor.wait(lambda: not supervisor.running("collector"), timeout=60)
    assert not budget.is_spent()
    for _ in range(2):
        heard.on_message(status("episodes"))
    assert budget.is_spent()


def test_a_learner_that_says_nothing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = LearnerStatus()
    monkeypatch.setattr(module, "SILENCE_SECONDS", 0.5)
    heard.at -= 1.0
    with pytest.raises(PipelineError, match="has said nothing"):
        Budget(math.inf, Supervisor(), heard).is_spent()


def test_no_more_is_spent_than_there_was() -> None:
    assert Budget(0.0, Supervisor(), LearnerStatus()).seconds == 0.0
