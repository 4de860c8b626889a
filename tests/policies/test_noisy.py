from collections import Counter

import pytest
from tests.envs.fakes import BUTTON, FIELD, make_observation

from distrl import actions
from distrl.errors import ConfigError
from distrl.policies.noisy import NoisyPolicy
from distrl.types import Action, Element, Kind, Situation

RIGHT = actions.tap(0.123, 0.456)


class SteadyOracle:
    def __init__(self, says: Action = RIGHT) -> None:
        self._says = says

    def action(self) -> Action:
        return self._says


def situation(
    elements: tuple[Element, ...] | None = (BUTTON, FIELD), *, keyboard: bool = False
) -> Situation:
    return Situation(
        goal="Add oat milk",
        observation=make_observation(elements, keyboard=keyboard),
        history=(),
        steps_left=9,
    )


def play(policy: NoisyPolicy, count: int, where: Situation | None = None) -> list[Action]:
    return [policy.act([where or situation()])[0].action for _ in range(count)]


def test_without_errors_it_is_the_oracle() -> None:
    policy = NoisyPolicy(SteadyOracle(), 0.0)
    policy.begin(1)
    assert play(policy, 100) == [RIGHT] * 100


def test_it_errs_at_about_its_rate() -> None:
    policy = NoisyPolicy(SteadyOracle(), 0.3)
    policy.begin(1)
    wrong = sum(action != RIGHT for action in play(policy, 2000))
    assert 500 <= wrong <= 700


def test_its_mistakes_are_of_every_kind_that_people_make() -> None:
    policy = NoisyPolicy(SteadyOracle(), 1.0)
    policy.begin(1)
    kinds = Counter(action.kind for action in play(policy, 1000, situation(keyboard=True)))
    assert set(kinds) == {Kind.TAP, Kind.SWIPE, Kind.PRESS, Kind.TYPE, Kind.COMPLETE}
    assert kinds[Kind.COMPLETE] < 100


def test_where_text_is_due_it_types_something_else_or_nothing() -> None:
    policy = NoisyPolicy(SteadyOracle(actions.type_text("oat milk")), 1.0)
    policy.begin(1)
    typed = {action.text for action in play(policy, 200, situation(keyboard=True))}
    assert typed == {"Add", "oat", "milk", "oat ", ""}


def test_the_same_seeds_give_the_same_mistakes() -> None:
    def line(own: int, episode: int) -> list[Action]:
        policy = NoisyPolicy(SteadyOracle(), 0.5, seed=own)
        policy.begin(episode)
        return play(policy, 50)

    assert line(0, 1) == line(0, 1)
    assert line(0, 1) != line(0, 2)
    assert line(0, 1) != line(5, 1)


def test_an_episode_is_the_same_whatever_was_played_before_it() -> None:
    policy = NoisyPolicy(SteadyOracle(), 0.5)
    policy.begin(3)
    first = play(policy, 20)
    policy.begin(4)
    play(policy, 7)
    policy.begin(3)
    assert play(policy, 20) == first


@pytest.mark.parametrize("elements", [None, ()])
def test_a_screen_without_elements_is_touched_anywhere(
    elements: tuple[Element, ...] | None,
) -> None:
    policy = NoisyPolicy(SteadyOracle(), 1.0)
    policy.begin(1)
    taps = [a for a in play(policy, 200, situation(elements)) if a.kind is Kind.TAP]
    assert len(set(taps)) > 50


def test_its_choices_have_no_log_probability() -> None:
    policy = NoisyPolicy(SteadyOracle(), 0.5)
    assert {choice.log_prob for choice in policy.act([situation()] * 20)} == {None}


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
def test_a_rate_that_is_no_probability_is_refused(rate: float) -> None:
    with pytest.raises(ConfigError, match="between 0 and 1"):
        NoisyPolicy(SteadyOracle(), rate)
