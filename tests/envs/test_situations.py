from __future__ import annotations

import pytest

from distrl import actions
from distrl.actions import words_touched
from distrl.envs.gymnasium_env import SuiteEnv, decode_observation, make
from distrl.envs.situations import Recall
from distrl.errors import ConfigError
from distrl.types import step_seed

TAP = actions.tap(0.5, 0.19)


@pytest.fixture
def env() -> SuiteEnv:
    return make("general", "val")


def test_an_observation_becomes_what_the_device_showed(env: SuiteEnv) -> None:
    observation, info = env.reset(seed=1)
    seen = decode_observation(observation)
    assert seen.elements == info["elements"]
    assert seen.app == env.step(actions.wait())[0]["app"]
    assert (seen.screen == observation["screen"]).all()


def test_what_was_done_is_kept_with_the_words_that_it_touched(env: SuiteEnv) -> None:
    recall = Recall()
    observation, info = env.reset(seed=1)
    first = recall.situation(observation, info)
    recall.remember(TAP)
    second = recall.situation(env.step(TAP)[0])
    assert (first.history, second.history) == ((), (TAP,))
    assert second.touched == (words_touched(TAP, first.observation),)
    assert second.steps_left == first.steps_left - 1
    task = info["task"]
    assert (first.goal, first.seed) == (task.goal, step_seed(task.seed, 0))
    assert second.seed == step_seed(task.seed, 1)


def test_another_episode_is_noticed_even_of_the_same_task(env: SuiteEnv) -> None:
    recall = Recall()
    for _ in range(2):
        recall.situation(env.reset(options={"task": "general/val/3"})[0])
        assert recall.fresh
        recall.remember(TAP)
        recall.situation(env.step(TAP)[0])
        assert not recall.fresh
        recall.remember(TAP)
    recall.situation(env.reset(options={"task": "general/val/4"})[0])
    assert recall.fresh


def test_another_episode_is_noticed_when_it_is_said(env: SuiteEnv) -> None:
    recall = Recall()
    recall.situation(env.reset(seed=1)[0])
    recall.remember(TAP)
    recall.reset(seed=7)
    situation = recall.situation(env.step(TAP)[0])
    assert situation.history == ()
    assert situation.seed == step_seed(7, 0)


def test_a_step_that_is_asked_again_is_not_counted_twice(env: SuiteEnv) -> None:
    recall = Recall()
    recall.situation(env.reset(seed=1)[0])
    recall.remember(TAP)
    observation = env.step(TAP)[0]
    recall.situation(observation)
    recall.remember(actions.press("back"))
    assert recall.situation(observation).history == (TAP,)


def test_a_screen_without_elements_is_one_of_a_device_without_a_tree(env: SuiteEnv) -> None:
    observation, _ = env.reset(seed=1)
    blind = {**observation, "roles": observation["roles"] * 0}
    assert decode_observation(blind).elements is None


def test_what_is_no_observation_is_refused() -> None:
    with pytest.raises(ConfigError, match="got int"):
        Recall().situation(3)  # type: ignore[arg-type]


def test_steps_that_do_not_follow_and_other_goals_begin_an_episode(env: SuiteEnv) -> None:
    first, _ = env.reset(seed=1)
    second = env.step(TAP)[0]
    third = env.step(TAP)[0]
    for later in (third, {**second, "goal": "Open the calculator"}):
        recall = Recall()
        recall.situation(first)
        recall.remember(TAP)
        assert recall.situation(later).history == ()
