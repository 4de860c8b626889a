from __future__ import annotations

import pytest
from tests.envs.fakes import FakeDevice, make_task

from distrl import actions
from distrl.clock import VirtualClock
from distrl.collect.episode import run_episode
from distrl.envs.page_env import PageEnv
from distrl.errors import DeviceLost, TaskError
from distrl.policies.random import RandomPolicy
from distrl.types import Outcome, Task, Verdict

TAP = actions.tap(0.5, 0.5)


class FakeJudge:
    """A page that ends its episodes at a step, if it does at all."""

    def __init__(
        self,
        *,
        ends: list[Outcome | None] | None = None,
        judged_by_page: bool = True,
        holds: bool | Exception = False,
        begins: Exception | None = None,
    ) -> None:
        self.judged_by_page = judged_by_page
        self.goal = "what the page asks for"
        self._ends = list(ends or [])
        self._holds, self._begins = holds, begins

    def begin(self, task: Task) -> None:
        if self._begins is not None:
            raise self._begins

    def ended(self) -> Outcome | None:
        return self._ends.pop(0) if self._ends else None

    def holds(self) -> bool:
        if isinstance(self._holds, Exception):
            raise self._holds
        return self._holds

    def verdict(self, outcome: Outcome) -> Verdict:
        return Verdict(judge="fake", success=outcome is Outcome.SUCCEEDED)


@pytest.mark.parametrize(("outcome", "reward"), [(Outcome.SUCCEEDED, 1.0), (Outcome.FAILED, 0.0)])
def test_page_ends_its_own_episode(outcome: Outcome, reward: float) -> None:
    env = PageEnv(FakeDevice(), FakeJudge(ends=[None, outcome]))
    env.reset(make_task())
    assert env.step(TAP).outcome is None
    last = env.step(TAP)
    assert (last.outcome, last.reward, last.terminated) == (outcome, reward, True)
    assert [verdict.success for verdict in env.verdicts()] == [reward == 1.0]
    with pytest.raises(TaskError, match="no episode is running"):
        env.step(TAP)


def test_declaration_does_nothing_where_the_page_is_the_judge() -> None:
    device = FakeDevice()
    env = PageEnv(device, FakeJudge(holds=True))
    env.reset(make_task(step_limit=3))
    assert env.step(actions.complete()).outcome is None
    assert env.step(actions.infeasible()).outcome is None
    assert env.step(actions.complete()).outcome is Outcome.STEP_LIMIT
    assert device.performed == []


@pytest.mark.parametrize(
    ("holds", "outcome"), [(True, Outcome.SUCCEEDED), (False, Outcome.FALSE_COMPLETE)]
)
def test_declaration_is_judged_where_the_page_does_not_end(holds: bool, outcome: Outcome) -> None:
    env = PageEnv(FakeDevice(), FakeJudge(judged_by_page=False, holds=holds))
    env.reset(make_task())
    assert env.step(TAP).outcome is None
    assert env.step(actions.complete()).outcome is outcome


def test_infeasible_is_a_failure_where_declarations_count() -> None:
    env = PageEnv(FakeDevice(), FakeJudge(judged_by_page=False, holds=True))
    env.reset(make_task())
    assert env.step(actions.infeasible()).outcome is Outcome.FAILED


def test_lost_page_cuts_the_episode_off_with_its_reason() -> None:
    env = PageEnv(FakeDevice(lost_at=1), FakeJudge())
    env.reset(make_task())
    env.step(TAP)
    cut = env.step(TAP)
    assert (cut.outcome, cut.truncated) == (Outcome.DEVICE_LOST, True)
    assert "the cable was pulled" in cut.fault
    assert env.verdicts() == ()


def test_check_that_fails_is_the_tasks_own_fault() -> None:
    env = PageEnv(FakeDevice(), FakeJudge(judged_by_page=False, holds=ZeroDivisionError("oh")))
    env.reset(make_task())
    cut = env.step(actions.complete())
    assert cut.outcome is Outcome.TASK_ERROR
    assert "judging the episode" in cut.fault and "oh" in cut.fault


@pytest.mark.parametrize(
    ("begins", "raised"), [(KeyError("x"), TaskError), (DeviceLost("gone"), DeviceLost)]
)
def test_set_up_that_fails_says_whose_fault_it_is(
    begins: Exception, raised: type[Exception]
) -> None:
    with pytest.raises(raised):
        PageEnv(FakeDevice(), FakeJudge(begins=begins)).reset(make_task())


def test_goal_of_an_episode_is_what_the_page_said() -> None:
    env = PageEnv(FakeDevice(), FakeJudge(ends=[Outcome.SUCCEEDED]))
    episode = run_episode(
        env, RandomPolicy(seed=1), make_task(), clock=VirtualClock(), episode_id="e"
    )
    assert episode.succeeded
    assert episode.task.goal == "what the page asks for"
    assert episode.task.id == make_task().id
    env.close()


def test_an_answer_ends_an_episode_where_declarations_count_and_nowhere_else() -> None:
    class Asking(FakeJudge):
        def answered(self, text: str) -> Outcome:
            return Outcome.SUCCEEDED if text == "3" else Outcome.FALSE_COMPLETE

    for judge, said, outcome in (
        (FakeJudge(judged_by_page=False, holds=True), "x", Outcome.SUCCEEDED),
        (FakeJudge(judged_by_page=False), "x", Outcome.FALSE_COMPLETE),
        (Asking(judged_by_page=False), "3", Outcome.SUCCEEDED),
        (Asking(judged_by_page=False, holds=True), "4", Outcome.FALSE_COMPLETE),
        (Asking(judged_by_page=True), "3", None),
    ):
        env = PageEnv(FakeDevice(), judge)
        env.reset(make_task())
        assert env.step(actions.answer(said)).outcome is outcome
