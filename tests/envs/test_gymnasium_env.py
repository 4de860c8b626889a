import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from tests.devices.browser.browsers import needs_chromium
from tests.envs.coins import install_coins
from tests.envs.fakes import BUTTON

from distrl import actions, make
from distrl.envs import PHONE_ENV, register
from distrl.envs.device_env import DeviceEnv
from distrl.envs.gymnasium_env import (
    CHARACTERS,
    MOST_CHARACTERS,
    MOST_ELEMENTS,
    ROLES,
    SuiteEnv,
    action_space,
    clean,
    decode_action,
    encode_action,
    encode_elements,
)
from distrl.errors import ActionError, ConfigError
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.suites import load_suite
from distrl.types import Action, Element

WEBAPP = Path(__file__).resolve().parents[2] / "examples" / "webapp" / "suite.yaml"
ALL_KINDS = (
    actions.tap(0.25, 0.5),
    actions.long_press(0.5, 0.125),
    actions.swipe(0.5, 0.75, 0.5, 0.25),
    actions.type_text("oat milk"),
    actions.press("enter"),
    actions.wait(),
    actions.complete(),
    actions.infeasible(),
    actions.answer("7:30 PM"),
    actions.open_app("Clock"),
    actions.double_tap(0.25, 0.5),
    actions.drag(0.5, 0.75, 0.5, 0.25),
    actions.press("recents"),
)


def timer_task() -> str:
    return next(t.id for t in load_suite("general").tasks("train") if t.template == "start_timer")


def oracle_of(env: SuiteEnv) -> PhoneOracle:
    assert isinstance(env._env, DeviceEnv)
    referee = env._env._referee
    assert isinstance(referee, PhoneReferee)
    return PhoneOracle(referee)


def test_gymnasium_s_own_checks_pass_without_a_warning() -> None:
    env = gymnasium.make(PHONE_ENV, render_mode="rgb_array")
    check_env(env.unwrapped)  # warnings are errors here
    env.close()


@pytest.mark.parametrize(
    "code",
    [
        "import distrl, gymnasium; gymnasium.make('distrl/Phone-v0')",
        "import gymnasium, distrl; gymnasium.make('distrl/Phone-v0')",
        "import gymnasium; gymnasium.make('distrl:distrl/Phone-v0')",
        "import distrl.envs.gymnasium_env, gymnasium; gymnasium.make('distrl/Phone-v0')",
    ],
)
def test_the_id_is_known_whoever_is_imported_first(code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_registering_twice_changes_nothing() -> None:
    spec = gymnasium.spec(PHONE_ENV)
    register()
    assert gymnasium.spec(PHONE_ENV) is spec


def test_the_oracle_succeeds_through_encoded_actions() -> None:
    env = make(split="val")
    observation, info = env.reset(options={"task": timer_task()})
    assert observation["goal"] == info["task"].goal
    assert info["outcome"] == ""
    oracle = oracle_of(env)
    ended, rewards = False, []
    while not ended:
        left = observation["steps_left"]
        observation, reward, ended, truncated, info = env.step(encode_action(oracle.action()))
        rewards.append(reward)
        assert observation["steps_left"] == left - 1
        assert observation in env.observation_space
        assert not truncated
    assert sum(rewards) == rewards[-1] == 1.0
    assert info["outcome"] == "succeeded"
    assert info["side_effects"] == ()


def test_a_plain_action_is_taken_too_and_side_effects_are_told() -> None:
    env = make(split="val", nuisance_rate=0.0)
    env.reset(options={"task": timer_task()})
    phone = oracle_of(env)._referee.device.phone
    phone.state = {**phone.state, "system": {**phone.state["system"], "dark": True}}
    _, _, terminated, _, info = env.step(actions.complete())
    assert terminated
    assert info["outcome"] == "false_complete"
    assert info["side_effects"] == ("system.dark",)


def test_the_arrays_say_what_the_elements_say() -> None:
    env = make(nuisance_rate=0.0)
    observation, info = env.reset(seed=5)
    for index, element in enumerate(info["elements"]):
        assert ROLES[observation["roles"][index]] == element.role
        assert observation["texts"][index] == element.text
        assert observation["bounds"][index] == pytest.approx(element.bounds)
    assert not observation["roles"][len(info["elements"]) :].any()


def test_the_same_seed_draws_the_same_task_and_another_one_another() -> None:
    env = make()
    ids = [env.reset(seed=seed)[1]["task"].id for seed in (1, 1, 2)]
    assert ids[0] == ids[1] != ids[2]


def test_the_screen_has_the_size_that_was_asked_for() -> None:
    env = make(size=(90, 200), render_mode="rgb_array")
    assert env.render() is None
    observation, _ = env.reset(seed=0)
    assert observation["screen"].shape == (200, 90, 3)
    drawn = env.render()
    assert drawn is not None
    assert np.array_equal(drawn, observation["screen"])


def test_users_may_write_into_what_they_were_given() -> None:
    env = make()
    observation, _ = env.reset(seed=0)
    before = env.step(actions.wait())[0]["screen"].copy()
    observation["screen"][:] = 0
    assert before.any()


@pytest.mark.parametrize("action", ALL_KINDS, ids=lambda action: str(action.kind))
def test_an_action_survives_encoding(action: Action) -> None:
    encoded = encode_action(action)
    assert action_space().contains(encoded)
    assert decode_action(encoded) == action


@pytest.mark.parametrize(
    "encoded",
    [
        {},
        {"kind": 99},
        {"kind": 0},
        {"kind": 0, "start": [0.5]},
        {"kind": 0, "start": [0.5, 2.0]},
        {"kind": 4, "key": 9},
    ],
    ids=str,
)
def test_what_is_not_an_action_is_refused(encoded: dict[str, Any]) -> None:
    with pytest.raises(ActionError):
        decode_action(encoded)


def test_too_many_elements_and_unknown_roles_fit_the_space() -> None:
    strange = Element("hologram", "?" * 1000, "", (0.0, 0.0, 1.0, 1.0))
    encoded = encode_elements((strange, *[BUTTON] * 100))
    assert ROLES[encoded["roles"][0]] == "other"
    assert len(encoded["texts"]) == len(encoded["roles"]) == MOST_ELEMENTS
    assert len(encoded["texts"][0]) == MOST_CHARACTERS


def test_texts_keep_to_the_characters_of_the_space() -> None:
    assert clean("Crème brûlée – 5 €") == "Crème brûlée – 5 €"  # noqa: RUF001
    assert clean("two\nlines ☃") == "two?lines ?"
    assert set(clean("".join(map(chr, range(0x3000))))) <= CHARACTERS


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ({"suite": "generl"}, "'general'"),
        ({"split": "trian"}, "'train'"),
        ({"render_mode": "rgb_aray"}, "'rgb_array'"),
        ({"suite": str(WEBAPP), "layout": 2}, "layout can be set for embedded phones only"),
        ({"size": (0, 400)}, "width .* got 0"),
        ({"size": (10**6, 400)}, "width .* from 1 to 4096, got 1000000"),
        ({"layout": 7}, "layout must be less than or equal to 2"),
        ({"observation": 3}, "unknown observation 3 .allowed: dict"),
        ({"action": None}, "unknown action None .allowed: candidates"),
        ({"sise": (90, 200)}, "unknown option of make 'sise'; did you mean 'size'"),
    ],
    ids=str,
)
def test_a_wrong_argument_is_answered_with_the_right_one(wrong: dict[str, Any], hint: str) -> None:
    with pytest.raises(ConfigError, match=hint):
        make(**wrong)


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"taks": "general/val/0"}, "'task'"),
        ({"task": 3}, "the task of options must be text, such as 'general/val/0', got 3"),
        ("general/val/0", "options must be such as .*, got 'general/val/0'"),
        ({"task": "general/vla/0"}, "'val'"),
        ({"task": "general/val/100000"}, "0 to"),
        ({"task": "clock"}, "SUITE/SPLIT/NUMBER"),
    ],
    ids=str,
)
def test_a_wrong_reset_option_is_answered_with_the_right_one(options: Any, hint: str) -> None:
    env = make()
    with pytest.raises(ConfigError, match=hint):
        env.reset(options=options)


def test_a_step_before_the_first_reset_is_refused() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        make().step(actions.wait())


def test_a_suite_of_a_plug_in_is_played_on_the_plug_in_s_own_devices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_coins(tmp_path, monkeypatch)
    env = make(suite="coins", split="val")
    observation, info = env.reset(options={"task": "coins/val/1"})
    assert (observation["goal"], info["task"].goal) == ("whatever", "whatever")
    assert observation in env.observation_space
    _, reward, terminated, _, info = env.step(actions.wait())
    assert (reward, terminated, info["outcome"]) == (1.0, True, "succeeded")


def test_screens_of_other_devices_are_scaled_to_the_size_that_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_coins(tmp_path, monkeypatch)
    env = make(suite="coins", size=(30, 50), render_mode="rgb_array")
    observation, _ = env.reset(seed=0)
    drawn = env.render()
    assert observation in env.observation_space
    assert observation["screen"].shape == (50, 30, 3)
    assert drawn is not None and drawn.shape == (50, 30, 3)


browser = [pytest.mark.browser, pytest.mark.slow, needs_chromium]


@pytest.mark.parametrize(
    "suite", [pytest.param(str(WEBAPP), marks=browser), pytest.param("miniwob", marks=browser)]
)
def test_an_environment_of_pages_passes_gymnasium_s_own_checks(suite: str) -> None:
    if suite == "miniwob":
        pytest.importorskip("miniwob")
    env = gymnasium.make(PHONE_ENV, suite=suite, render_mode="rgb_array")
    check_env(env.unwrapped)  # warnings are errors here
    env.close()


@pytest.mark.browser
@pytest.mark.slow
@needs_chromium
def test_a_task_on_a_page_is_shown_and_played_on_the_page() -> None:
    env = make(suite=str(WEBAPP), split="val")
    observation, info = env.reset(options={"task": "webapp/val/0"})
    assert observation["goal"] == "We have it all, clear the list"
    assert observation["screen"].shape == (480, 360, 3)
    (button,) = (element for element in info["elements"] if element.text == "Clear all")
    _, reward, terminated, _, info = env.step(encode_action(actions.tap(*button.center)))
    assert (reward, terminated, info["outcome"]) == (1.0, True, "succeeded")
    assert env.reset(options={"task": f"{WEBAPP}/val/0"})[1]["task"].id == "webapp/val/0"
    env.close()


@pytest.mark.browser
@pytest.mark.slow
@needs_chromium
def test_the_goal_of_a_miniwob_page_is_what_the_page_asks_for() -> None:
    pytest.importorskip("miniwob")
    env = make(suite="miniwob:click-button")
    observation, info = env.reset(seed=0)
    assert observation["goal"].startswith("Click on the")
    assert info["task"].goal == observation["goal"]
    assert observation["screen"].shape == (210, 160, 3)
    env.close()
