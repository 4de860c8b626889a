from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from tests.envs.fakes import (
    BUTTON,
    FIELD,
    FakeDevice,
    FakeReferee,
    make_observation,
    make_task,
)

from distrl import actions
from distrl.clock import VirtualClock
from distrl.collect.episode import run_episode
from distrl.collect.penalties import penalise, shows_the_same
from distrl.config.collect import PenaltiesConfig
from distrl.envs.device_env import DeviceEnv
from distrl.errors import ActionError
from distrl.types import (
    Action,
    Choice,
    Element,
    Episode,
    Kind,
    Observation,
    Outcome,
    Picture,
    Situation,
    Step,
)

SIZES = PenaltiesConfig(invalid=0.1, repeat=0.05, repeat_max=2, false_complete=0.2)
HERE = make_observation((BUTTON,))
THERE = make_observation((FIELD,))
TAP, NOWHERE = actions.tap(*BUTTON.center), actions.tap(0.9, 0.9)


def played(*steps: tuple[Observation, Action], outcome: Outcome = Outcome.STEP_LIMIT) -> Episode:
    return Episode(
        id="e",
        task=make_task(),
        steps=tuple(Step(observation=seen, choice=Choice(action=a)) for seen, a in steps),
        final=HERE,
        outcome=outcome,
        verdicts=(),
        device="fake-0",
        started=0.0,
        ended=1.0,
    )


def penalties(episode: Episode, sizes: PenaltiesConfig = SIZES) -> list[dict[str, float]]:
    return [dict(step.penalties) for step in penalise(episode, sizes).steps]


def test_a_good_step_costs_nothing() -> None:
    assert penalties(played((HERE, TAP), (THERE, actions.type_text("Ada")))) == [{}, {}]


def test_an_action_without_any_effect_is_invalid() -> None:
    episode = played((HERE, NOWHERE), (HERE, actions.type_text("Ada")))
    assert penalties(episode) == [{"invalid": -0.1}, {"invalid": -0.1}]


def test_repeating_what_changed_nothing_costs_more_each_time_up_to_a_limit() -> None:
    episode = played(*[(HERE, TAP)] * 5)
    assert [p.get("repeat", 0.0) for p in penalties(episode)] == pytest.approx(
        [0.0, -0.05, -0.1, -0.1, -0.1]
    )


def test_an_action_that_changed_something_may_be_repeated() -> None:
    other = make_observation((BUTTON, FIELD))
    assert penalties(played((HERE, TAP), (other, TAP), (HERE, TAP))) == [{}, {}, {}]


def test_another_action_ends_the_row() -> None:
    back = actions.press("back")
    episode = played((HERE, TAP), (HERE, TAP), (HERE, back), (HERE, TAP), (HERE, TAP))
    assert [p.get("repeat", 0.0) for p in penalties(episode)] == [0.0, -0.05, 0.0, 0.0, -0.05]


def test_a_false_claim_costs_its_last_step() -> None:
    steps = ((HERE, TAP), (HERE, actions.complete()))
    false = played(*steps, outcome=Outcome.FALSE_COMPLETE)
    assert penalties(false) == [{}, {"false_complete": -0.2}]
    assert penalties(replace(false, outcome=Outcome.SUCCEEDED)) == [{}, {}]


@pytest.mark.parametrize("off", ["invalid", "repeat", "false_complete"])
def test_each_is_switched_off_by_its_own_key(off: str) -> None:
    steps = ((HERE, NOWHERE), (HERE, NOWHERE), (HERE, actions.complete()))
    episode = played(*steps, outcome=Outcome.FALSE_COMPLETE)
    found = {name for p in penalties(episode) for name in p}
    assert found == {"invalid", "repeat", "false_complete"}
    without = SIZES.model_copy(update={off: 0.0})
    assert {name for p in penalties(episode, without) for name in p} == found - {off}


def test_rewards_stay_as_they_are() -> None:
    episode = played((HERE, NOWHERE), (HERE, NOWHERE))
    assert [step.reward for step in penalise(episode, SIZES).steps] == [0.0, 0.0]


def test_screens_tell_apart_what_elements_do_not() -> None:
    def seen(shade: int, elements: tuple[Element, ...] | None = None) -> Observation:
        return Observation(Picture(np.full((4, 2, 3), shade, np.uint8)), elements, False, "a")

    assert shows_the_same(seen(1), seen(1))
    assert not shows_the_same(seen(1), seen(2))
    assert not shows_the_same(seen(1), seen(1, (BUTTON,)))


def test_screens_are_not_drawn_where_actions_differ_already() -> None:
    def draw() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        raise AssertionError("nobody needs this screen")

    unseen = [Observation(Picture(draw), (BUTTON,), False, "a") for _ in range(2)]
    assert penalties(played((unseen[0], TAP), (unseen[1], actions.wait()))) == [{}, {}]


def test_screens_are_not_drawn_where_elements_differ_already() -> None:
    def draw() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        raise AssertionError("nobody needs this screen")

    unseen = Observation(Picture(draw), (BUTTON,), False, "a")
    assert not shows_the_same(unseen, Observation(Picture(draw), (FIELD,), False, "a"))


def test_an_action_that_a_device_refuses_is_penalised_as_an_invalid_one() -> None:
    class Touchless(FakeDevice):
        def perform(self, action: Action) -> None:
            if action.kind is Kind.SWIPE:
                raise ActionError("it cannot swipe")

    class Swipes:
        def begin(self, seed: int) -> None: ...

        def act(self, situations: Sequence[Situation]) -> list[Choice]:
            left = situations[0].steps_left
            swipe = actions.swipe(0.5, 0.8, 0.5, 0.2)
            return [Choice(action=swipe if left > 1 else actions.wait())]

    env = DeviceEnv(Touchless(), FakeReferee())
    task = make_task(step_limit=2)
    episode = run_episode(env, Swipes(), task, clock=VirtualClock(), episode_id="e")
    found = [dict(step.penalties) for step in penalise(episode, SIZES).steps]
    assert found == [{"invalid": -0.1}, {}]
