from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from tests.devices.browser.browsers import needs_chromium

from distrl import actions
from distrl.envs import FEATURES_ENV, PIXELS_ENV
from distrl.envs.gymnasium_env import make
from distrl.envs.gymnasium_wrappers import (
    FEATURES,
    CandidateActions,
    FeatureObservation,
    PixelObservation,
)
from distrl.errors import ActionError, ConfigError
from distrl.policies.pointer.decisions import MAX_CANDIDATES, Options
from distrl.types import BASIC_KINDS, Key, Kind


@pytest.fixture
def env() -> CandidateActions:
    return CandidateActions(make("general", "val"))


def number_of(env: CandidateActions, action: object) -> int:
    count = env.action_space.n  # type: ignore[attr-defined]
    return next(number for number in range(count) if env.action(number) == action)


@pytest.mark.parametrize("name", [PIXELS_ENV, FEATURES_ENV])
def test_gymnasium_s_own_checks_pass(name: str) -> None:
    env = gymnasium.make(name, suite="starter", disable_env_checker=True)
    with warnings.catch_warnings():
        # The checks are of the spaces that the wrappers have.
        warnings.filterwarnings("ignore", message=".*different from the unwrapped version.*")
        check_env(env, skip_render_check=True)
    env.close()


@pytest.mark.parametrize("name", [PIXELS_ENV, FEATURES_ENV])
def test_vector_environments_step_them_as_loops_of_cleanrl_do(name: str) -> None:
    envs = gymnasium.vector.SyncVectorEnv(
        [lambda: gymnasium.make(name, suite="starter") for _ in range(2)]
    )
    observations, _ = envs.reset(seed=1)
    ended = 0
    for _ in range(20):
        observations, rewards, terminated, truncated, _ = envs.step(envs.action_space.sample())
        assert envs.observation_space.contains(observations)
        assert rewards.shape == (2,)
        ended += int((terminated | truncated).sum())
    assert ended > 0
    envs.close()


def test_each_number_stands_for_something_on_the_screen(env: CandidateActions) -> None:
    _, info = env.reset(seed=1)
    elements = info["elements"]
    for number, element in enumerate(elements):
        assert env.action(number) == actions.tap(*element.center)
    assert env.action(len(elements)) is None
    count = env.action_space.n  # type: ignore[attr-defined]
    offered = [env.action(number) for number in range(count)]
    assert {action.kind for action in offered if action is not None} == BASIC_KINDS
    keys = {action.key for action in offered if action is not None and action.key}
    assert keys == {Key.BACK, Key.HOME, Key.ENTER}
    typed = {action.text for action in offered if action is not None and action.kind is Kind.TYPE}
    goal = Options(info["task"].goal, ())
    assert info["task"].goal.split()[0] in typed
    assert goal.span(0, min(8, len(goal.words))) in typed


def test_a_number_does_what_it_stands_for(env: CandidateActions) -> None:
    _, info = env.reset(options={"task": "general/val/0"})
    chosen = next(n for n, element in enumerate(info["elements"]) if element.role == "button")
    wanted = env.action(chosen)
    _, _, _, _, info = env.step(np.int64(chosen))
    assert info["action"] == wanted
    assert info["refused"] == ""
    home = number_of(env, actions.press("home"))
    assert env.step(home)[4]["action"] == actions.press("home")
    *_, terminated, truncated, info = env.step(number_of(env, actions.complete()))
    assert terminated and not truncated
    assert info["outcome"] == "false_complete"


def test_a_number_that_stands_for_nothing_costs_a_step(env: CandidateActions) -> None:
    before, _ = env.reset(seed=1)
    after, reward, _, _, info = env.step(MAX_CANDIDATES - 1)
    assert f"is a tap on candidate {MAX_CANDIDATES - 1}, and the screen has" in info["refused"]
    assert (reward, info["action"]) == (0.0, actions.wait())
    assert after["steps_left"] == before["steps_left"] - 1
    with pytest.raises(ActionError, match="a number from 0 to 473, got 474"):
        env.step(474)


def test_masks_allow_what_can_have_an_effect(env: CandidateActions) -> None:
    _, info = env.reset(options={"task": "general/val/0"})
    masks = env.action_masks()
    assert masks.dtype == np.bool_ and masks.shape == (env.action_space.n,)  # type: ignore[attr-defined]
    shown = len(info["elements"])
    for number, element in enumerate(info["elements"]):
        assert masks[number] == element.enabled
    assert not masks[shown:MAX_CANDIDATES].any()
    assert masks[number_of(env, actions.press("back"))]
    kinds = {action.kind for n in np.flatnonzero(masks) if (action := env.action(int(n)))}
    assert Kind.TYPE not in kinds, "no field is focused on the first screen"
    assert kinds == BASIC_KINDS - {Kind.TYPE}


def test_kinds_that_are_named_get_numbers_behind_the_others() -> None:
    plain = CandidateActions(make("general", "val"))
    wide = CandidateActions(make("general", "val"), kinds=tuple(Kind))
    plain.reset(options={"task": "general/val/0"})
    _, info = wide.reset(options={"task": "general/val/0"})
    count = plain.action_space.n  # type: ignore[attr-defined]
    assert [plain.action(n) for n in range(count)] == [wide.action(n) for n in range(count)]
    masks = wide.action_masks()
    behind = [wide.action(int(n)) for n in np.flatnonzero(masks) if n >= count]
    said = {action.text for action in behind if action is not None and action.kind is Kind.ANSWER}
    assert {"yes", "no", "none", "7", info["task"].goal.split()[0]} <= said
    assert {
        words for element in info["elements"] if element.text for words in element.words
    } <= said
    assert "" not in said
    assert {action.kind for action in behind if action is not None} == {
        *(Kind.ANSWER, Kind.DOUBLE_TAP, Kind.PRESS)
    }
    plain.close()
    wide.close()


def test_kinds_make_the_list_shorter() -> None:
    small = CandidateActions(make("starter"), kinds=("tap", "complete"))
    assert small.action_space == gymnasium.spaces.Discrete(MAX_CANDIDATES + 1)
    with pytest.raises(ConfigError, match="did you mean 'long_press'"):
        CandidateActions(make("starter"), kinds=("longpress",))
    with pytest.raises(ConfigError, match="at least one kind"):
        CandidateActions(make("starter"), kinds=())


def test_pixels_have_the_size_that_is_asked_for_and_show_the_goal() -> None:
    base = make("general", "val")
    env = PixelObservation(base, size=(60, 90))
    space = env.observation_space
    assert isinstance(space, gymnasium.spaces.Box)
    assert space == gymnasium.spaces.Box(0, 255, (90, 60, 3), np.uint8)
    one, _ = env.reset(options={"task": "general/val/0"})
    again, _ = env.reset(options={"task": "general/val/0"})
    assert space.contains(one) and (one == again).all()
    same_screen = PixelObservation(base, size=(180, 446))
    goals = [_band(same_screen, f"general/val/{number}") for number in (0, 1)]
    assert (goals[0] != goals[1]).any()
    assert goals[0].min() < 128
    without = PixelObservation(base, size=(180, 400), goal=False)
    image, _ = without.reset(options={"task": "general/val/0"})
    assert (image == base.reset(options={"task": "general/val/0"})[0]["screen"]).all()
    with pytest.raises(ConfigError, match="from 1 to 4096"):
        PixelObservation(base, size=(0, 10))


def _band(env: PixelObservation, task: str) -> Any:
    return env.reset(options={"task": task})[0][:40]


def test_features_follow_what_is_done() -> None:
    env = FeatureObservation(CandidateActions(make("starter", "val")))
    first, _ = env.reset(options={"task": "starter/val/0"})
    assert first.shape == (FEATURES,) and first.dtype == np.float32
    second, *_ = env.step(0)
    assert (first != second).any()
    again, _ = env.reset(options={"task": "starter/val/0"})
    assert (first == again).all(), "nothing is left of the episode before"


@needs_chromium
def test_pages_are_shown_and_played_in_the_same_spaces() -> None:
    phone = make("starter", observation="pixels", action="candidates")
    page = make("miniwob:click-test", observation="pixels", action="candidates")
    assert page.observation_space == phone.observation_space
    assert page.action_space == phone.action_space
    _, info = page.reset(seed=1)
    button = next(n for n, e in enumerate(info["elements"]) if "Click Me!" in e.text)
    observation, reward, terminated, _, info = page.step(button)
    assert page.observation_space.contains(observation)
    assert (terminated, info["outcome"]) == (True, "succeeded")
    assert reward == 1.0
    page.close()


def test_make_puts_the_wrappers_on() -> None:
    assert isinstance(make("starter", observation="pixels"), PixelObservation)
    both = make("starter", observation="features", action="candidates")
    assert isinstance(both, FeatureObservation) and isinstance(both.env, CandidateActions)
    with pytest.raises(ConfigError, match="did you mean 'pixels'"):
        make("starter", observation="pixel")
    with pytest.raises(ConfigError, match="did you mean 'candidates'"):
        make("starter", action="candidate")


def test_what_a_wrapper_cannot_show_or_do_is_told(env: CandidateActions) -> None:
    pixels = PixelObservation(env)
    for wrap in (CandidateActions, PixelObservation, FeatureObservation):
        with pytest.raises(ConfigError, match=r"for an environment of distrl\.make"):
            wrap(pixels)
    with pytest.raises(ConfigError, match=r"size must be \(width, height\), .* got 'wide'"):
        PixelObservation(env, size="wide")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=r"the height in size must be .* got 0"):
        PixelObservation(env, size=(4, 0))
    env.reset(seed=1)
    with pytest.raises(ActionError, match="an action is a number of the list, got 'tap'"):
        env.step("tap")
