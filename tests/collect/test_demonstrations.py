from collections.abc import Sequence
from dataclasses import replace

from tests.envs.fakes import FakeDevice, FakeReferee, make_task

from distrl import actions
from distrl.clock import VirtualClock
from distrl.collect.demonstrations import (
    any_to_clone,
    express_episode,
    express_successes,
    situations_of,
    survey,
)
from distrl.collect.episode import run_episode
from distrl.envs.device_env import DeviceEnv
from distrl.types import Action, Choice, Episode, Situation

TAP = actions.tap(0.5, 0.5)


class Remembering:
    """Plays a fixed line and keeps what it was shown."""

    def __init__(self, *line: Action) -> None:
        self._line = list(line)
        self.shown: list[Situation] = []

    def begin(self, seed: int) -> None:
        self.shown.clear()

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        self.shown.extend(situations)
        return [Choice(action=self._line.pop(0), log_prob=-1.0) for _ in situations]


def play(*line: Action, episode_id: str = "e-1") -> tuple[Episode, list[Situation]]:
    policy = Remembering(*line)
    env = DeviceEnv(FakeDevice(), FakeReferee())
    clock = VirtualClock()
    episode = run_episode(env, policy, make_task(5), clock=clock, episode_id=episode_id)
    return episode, policy.shown


def express(situation: Situation, action: Action) -> tuple[tuple[int, ...] | None, bytes]:
    """A policy that can say everything but a press."""
    said = None if action == actions.press("back") else (situation.steps_left,)
    return said, action.kind.encode()


def test_each_step_is_seen_again_as_whoever_acted_saw_it() -> None:
    episode, shown = play(TAP, actions.type_text("milk"), actions.wait(), actions.complete())
    assert list(situations_of(episode)) == shown
    assert [situation.steps_left for situation in shown] == [5, 4, 3, 2]


def test_steps_are_said_in_the_terms_of_the_policy_without_a_probability() -> None:
    episode, _ = play(TAP, actions.press("back"), actions.complete())
    stored = express_episode(episode, express)
    assert (stored.id, stored.task, stored.outcome) == (episode.id, episode.task, episode.outcome)
    assert [step.decision for step in stored.steps] == [(5,), None, (3,)]
    assert [step.inputs for step in stored.steps] == [b"tap", b"press", b"complete"]
    assert [step.log_prob for step in stored.steps] == [None] * 3
    assert [step.reward for step in stored.steps] == [step.reward for step in episode.steps]


def test_successes_are_taken_but_not_those_on_tasks_that_are_kept_for_later() -> None:
    good, _ = play(TAP, actions.complete())
    failed, _ = play(actions.infeasible(), episode_id="e-2")
    assert good.succeeded
    assert not failed.succeeded
    split = replace(good, id="e-3", task=replace(good.task, split="test"))
    suite = replace(good, id="e-4", task=replace(good.task, suite="other", split="test"))
    found = express_successes(
        (good, failed, split, suite), express, suite=good.task.suite, split=good.task.split
    )
    assert [episode.id for episode in found] == ["e-1", "e-4"]
    assert found[0] == express_episode(good, express)
    place = {"suite": good.task.suite, "split": good.task.split}
    counted = survey((good, failed, split, suite), **place)
    assert counted.in_words("demos") == (
        "cloning 2 of 4 episodes in demos (1 failed, 1 of another split); "
        "1 of them of another suite"
    )
    assert survey((good,), **place).in_words("demos") == "cloning 1 of 1 episodes in demos"
    assert any_to_clone((failed, good), **place)
    assert not any_to_clone((failed, split), **place)
