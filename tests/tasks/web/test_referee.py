from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from distrl.devices.browser.device import BrowserDevice
from distrl.devices.browser.site import Site
from distrl.errors import DeviceLost, TaskError
from distrl.tasks.suites import find_task
from distrl.tasks.web import referee as module
from distrl.tasks.web.referee import PageReferee
from distrl.tasks.web.suite import PageGoal, PageSuite, PageTask
from distrl.types import Outcome, Task

PAGE = PageTask(
    name="add",
    site=Site(start="http://made.test/"),
    begin="app.begin();",
    goals=(PageGoal("Add tea"),),
    judged_by_page=True,
    stays=True,
    step_limit=7,
)


class FakePage:
    """A browser that answers probes as it is told, and notes what was done to it."""

    def __init__(self, **told: Any) -> None:
        self.probe: Any = {"ended": False, "success": False, **told}
        self.visits: list[tuple[Site, int, bool]] = []
        self.scripts: list[str] = []

    def visit(self, site: Site, *, seed: int, stays: bool) -> None:
        self.visits.append((site, seed, stays))

    def run(self, script: str) -> None:
        self.scripts.append(script)


def _begun(
    monkeypatch: pytest.MonkeyPatch, page: PageTask = PAGE, **told: Any
) -> tuple[PageReferee, FakePage, Task]:
    suite = PageSuite("made", [page], {"train": 2})
    monkeypatch.setattr(module, "load_suite", lambda name: suite)
    device = FakePage(**told)
    referee = PageReferee(cast(BrowserDevice, device))
    task = suite.tasks("train")[1]
    referee.begin(task)
    return referee, device, task


def test_a_task_is_posed_by_a_visit_and_its_script(monkeypatch: pytest.MonkeyPatch) -> None:
    _, device, task = _begun(monkeypatch)
    assert device.visits == [(PAGE.site, task.seed, True)]
    assert device.scripts == [PAGE.script(task)]


def test_before_a_task_there_is_no_page() -> None:
    with pytest.raises(TaskError, match="no task has been started"):
        _ = PageReferee(cast(BrowserDevice, FakePage())).judged_by_page


def test_a_task_of_a_phone_is_refused() -> None:
    with pytest.raises(TaskError, match="general is no suite of web pages"):
        PageReferee(cast(BrowserDevice, FakePage())).begin(find_task("general/val/0"))


@pytest.mark.parametrize(
    ("told", "outcome"),
    [
        ({"ended": False, "success": False}, None),
        ({"ended": False, "success": True}, None),
        ({"ended": True, "success": True}, Outcome.SUCCEEDED),
        ({"ended": True, "success": False}, Outcome.FAILED),
    ],
)
def test_the_page_ends_its_episode_and_says_how(
    monkeypatch: pytest.MonkeyPatch, told: dict[str, Any], outcome: Outcome | None
) -> None:
    referee, _, _ = _begun(monkeypatch, **told)
    assert referee.ended() is outcome
    assert referee.holds() is told["success"]


def test_a_page_that_does_not_judge_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    page = replace(PAGE, judged_by_page=False)
    referee, _, _ = _begun(monkeypatch, page, ended=True, success=True)
    assert referee.ended() is None
    assert referee.holds()


@pytest.mark.parametrize("done", [True, False])
def test_a_check_in_python_decides_instead_of_the_probe(
    monkeypatch: pytest.MonkeyPatch, done: bool
) -> None:
    asked: list[Task] = []

    def check(device: BrowserDevice, task: Task) -> bool:
        asked.append(task)
        return done

    referee, _, task = _begun(monkeypatch, replace(PAGE, check=check), ended=True, success=not done)
    assert referee.holds() is done
    assert referee.ended() is (Outcome.SUCCEEDED if done else None)
    assert asked == [task, task]


def test_the_page_may_word_the_goal(monkeypatch: pytest.MonkeyPatch) -> None:
    for said, goal in ((None, "Add tea"), ("", "Add tea"), ("Add oolong", "Add oolong")):
        referee, _, _ = _begun(monkeypatch, goal=said)
        assert referee.goal == goal


@pytest.mark.parametrize("told", [None, 3, [], {}, {"ended": True}, {"success": True}])
def test_a_probe_that_tells_nothing_is_an_error(
    monkeypatch: pytest.MonkeyPatch, told: object
) -> None:
    referee, device, _ = _begun(monkeypatch)
    device.probe = told
    with pytest.raises(TaskError, match="the check of add gave"):
        referee.ended()


@pytest.mark.parametrize("outcome", list(Outcome))
def test_the_verdict_is_the_page_s_own(monkeypatch: pytest.MonkeyPatch, outcome: Outcome) -> None:
    verdict = _begun(monkeypatch)[0].verdict(outcome)
    assert (verdict.judge, verdict.reason) == ("page", outcome.value)
    assert verdict.success is (outcome is Outcome.SUCCEEDED)


def test_a_check_that_throws_is_an_error_of_the_task_with_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = replace(PAGE, where="made.yaml, line 9")
    referee, _, _ = _begun(monkeypatch, page, error="ReferenceError: ap is not defined")
    said = (
        r"add \(made.yaml, line 9\) fails on http://made.test/: ReferenceError: ap is not defined"
    )
    for ask in (referee.ended, referee.holds, lambda: referee.goal):
        with pytest.raises(TaskError, match=said):
            ask()


def test_a_check_in_python_that_throws_is_one_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(device: BrowserDevice, task: Task) -> bool:
        raise KeyError("item")

    referee, _, _ = _begun(monkeypatch, replace(PAGE, check=check))
    with pytest.raises(TaskError, match=r"add fails on http://made.test/: KeyError\('item'\)"):
        referee.holds()


def test_a_device_that_is_lost_during_a_check_is_not_the_task_s_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def check(device: BrowserDevice, task: Task) -> bool:
        raise DeviceLost("gone")

    referee, _, _ = _begun(monkeypatch, replace(PAGE, check=check))
    with pytest.raises(DeviceLost):
        referee.holds()


def test_a_reset_that_throws_is_told_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(self: FakePage, script: str) -> None:
        raise TaskError("a script failed")

    monkeypatch.setattr(FakePage, "run", run)
    with pytest.raises(TaskError, match=r"add \(made.yaml, line 9\) fails on .*a script failed"):
        _begun(monkeypatch, replace(PAGE, where="made.yaml, line 9"))
