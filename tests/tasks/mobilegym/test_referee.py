"""Tasks of a stand-in for MobileGym, on a page with the same globals."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.devices.browser.browsers import find, needs_chromium
from tests.tasks.mobilegym.standin import SUITE, checkout, served

from distrl import actions
from distrl.devices.mobilegym.device import MobileGymDevice
from distrl.envs.device_kinds import device_factory, env_on
from distrl.envs.page_env import PageEnv
from distrl.errors import TaskError
from distrl.tasks.suites import load_suite
from distrl.types import Action, Observation, Outcome, Task

pytestmark = [pytest.mark.browser, needs_chromium, pytest.mark.usefixtures("checkout", "served")]
__all__ = ["checkout", "served"]


@pytest.fixture
def env() -> Iterator[PageEnv]:
    device = device_factory(SUITE).make_device("phone-0")
    assert isinstance(device, MobileGymDevice)
    made, oracle = env_on(device)
    assert isinstance(made, PageEnv)
    assert oracle is None
    yield made
    made.close()


def task_named(name: str) -> Task:
    suite = load_suite(SUITE)
    everything = (*suite.tasks("train"), *suite.tasks("test"))
    return next(task for task in everything if task.template == name)


def tap(seen: Observation, text: str) -> Action:
    return actions.tap(*find(seen, text).center)


def test_a_task_starts_in_its_app_with_the_goal_of_its_seed(env: PageEnv) -> None:
    task = task_named("notes.AddNote")
    seen = env.reset(task)
    assert env.goal == task.goal or env.goal.startswith("Write the note ")
    assert [e.text or e.description for e in seen.elements or ()] == ["Note", "Save"]
    again = env.goal
    env.reset(task)
    assert env.goal == again


def test_the_goal_counts_when_it_is_reached_and_declared(env: PageEnv) -> None:
    seen = env.reset(task_named("notes.AddNote"))
    word = env.goal.rpartition(" ")[2]
    env.step(tap(seen, "Note"))
    env.step(actions.type_text(word))
    saved = env.step(tap(seen, "Save"))
    assert saved.outcome is None
    assert find(saved.observation, word)
    ended = env.step(actions.complete())
    assert (ended.outcome, ended.reward) == (Outcome.SUCCEEDED, 1.0)
    (verdict,) = env.verdicts()
    assert (verdict.judge, verdict.success, verdict.side_effects) == ("mobilegym", True, ())


def test_what_else_was_changed_is_told_and_makes_it_no_success(env: PageEnv) -> None:
    seen = env.reset(task_named("clock.SwitchAlarm"))
    env.step(tap(seen, "Off"))
    notes = env.step(actions.open_app("Notes")).observation
    env.step(tap(notes, "Note"))
    env.step(actions.type_text("oops"))
    env.step(tap(notes, "Save"))
    ended = env.step(actions.complete())
    assert ended.outcome is Outcome.FALSE_COMPLETE
    assert env.verdicts()[0].side_effects == ("apps.notes",)


def test_an_end_that_is_declared_too_early_is_false(env: PageEnv) -> None:
    env.reset(task_named("clock.SwitchAlarm"))
    assert env.step(actions.complete()).outcome is Outcome.FALSE_COMPLETE


@pytest.mark.parametrize(
    ("said", "outcome"), [("2", Outcome.SUCCEEDED), ("3", Outcome.FALSE_COMPLETE)]
)
def test_a_question_is_answered_in_words(env: PageEnv, said: str, outcome: Outcome) -> None:
    seen = env.reset(task_named("notes.CountNotes"))
    assert {"Notes", "Uhr"} == {e.text for e in seen.elements or ()}, "it starts on the launcher"
    assert env.step(actions.answer(said)).outcome is outcome


def test_an_episode_without_a_declared_end_has_the_opinion_of_the_judge(env: PageEnv) -> None:
    task = task_named("clock.SwitchAlarm")
    seen = env.reset(task)
    env.step(tap(seen, "Off"))
    for _ in range(task.step_limit - 1):
        ended = env.step(actions.wait())
    assert (ended.outcome, ended.reward) == (Outcome.STEP_LIMIT, 0.0)
    assert not env.verdicts()[0].success


def test_a_task_that_cannot_be_set_up_says_why(env: PageEnv) -> None:
    with pytest.raises((TaskError), match=r"setting up notes\.Broken.*no such folder"):
        env.reset(task_named("notes.Broken"))
    assert env.reset(task_named("notes.AddNote")).elements


def test_a_judge_that_fails_is_the_fault_of_the_task(env: PageEnv) -> None:
    env.reset(task_named("clock.JudgeFails"))
    ended = env.step(actions.complete())
    assert (ended.outcome, ended.truncated) == (Outcome.TASK_ERROR, True)
    assert "no such contact" in ended.fault
