from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from gymnasium import Env
from tests.packages import write_example

from distrl.envs.gymnasium_env import SuiteEnv, make
from distrl.errors import ConfigError
from distrl.run.evaluate import evaluate
from distrl.run.gymnasium_policy import GymnasiumPolicy, load_policy
from distrl.run.state.folder import RunFolder
from distrl.run.train import TrainResult
from distrl.tasks.suites import load_suite
from distrl.types import Choice

TASKS = 10


@pytest.fixture
def env() -> SuiteEnv:
    return make("starter", "val")


def play(env: Env[Any, Any], policy: GymnasiumPolicy, *, told: bool) -> list[tuple[float, int]]:
    """Reward and steps of the first tasks, as a user would play them."""
    played = []
    for task in load_suite("starter").tasks("val")[:TASKS]:
        observation, info = env.reset(options={"task": task.id})
        reward, steps, done = 0.0, 0, False
        while not done:
            action = policy.act(observation, info if told else None)
            assert env.action_space.contains(action)
            observation, last, terminated, truncated, info = env.step(action)
            reward, steps, done = float(last), steps + 1, terminated or truncated
        played.append((reward, steps))
    return played


@pytest.mark.parametrize("told", [False, True])
def test_the_pretrained_policy_plays_as_it_is_evaluated(env: SuiteEnv, told: bool) -> None:
    played = play(env, load_policy("pretrained"), told=told)
    report = evaluate("pretrained", "starter", "val", tasks=TASKS)
    assert sum(reward for reward, _ in played) / TASKS == report.overall.success
    assert sum(steps for _, steps in played) / TASKS == report.overall.mean_steps
    assert report.overall.success is not None and report.overall.success > 0.5


def test_a_run_plays_as_it_is_evaluated(
    env: SuiteEnv, small_run: tuple[RunFolder, TrainResult]
) -> None:
    folder, result = small_run
    played = play(env, load_policy(result.run), told=False)
    report = evaluate(folder.root, "starter", "val", tasks=TASKS)
    assert sum(reward for reward, _ in played) / TASKS == report.overall.success
    assert sum(steps for _, steps in played) / TASKS == report.overall.mean_steps


def test_a_policy_of_a_plug_in_plays_as_it_is_evaluated(env: SuiteEnv, site: Path) -> None:
    name = write_example(site, "policy")
    played = play(env, load_policy(name), told=True)
    report = evaluate(name, "starter", "val", tasks=TASKS)
    assert sum(steps for _, steps in played) / TASKS == report.overall.mean_steps


def test_draws_follow_from_the_task_as_in_an_evaluation(env: SuiteEnv) -> None:
    played = play(env, load_policy("random", seed=3), told=True)
    report = evaluate("random", "starter", "val", tasks=TASKS, seed=3)
    assert sum(steps for _, steps in played) / TASKS == report.overall.mean_steps


def test_draws_differ_with_the_seed_and_not_with_the_time(env: SuiteEnv) -> None:
    first, again, other = (
        play(env, load_policy("random", seed=seed), told=False) for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_a_trained_policy_draws_if_it_is_not_greedy() -> None:
    env, policy = make("general", "val"), load_policy("pretrained", greedy=False)

    def chosen(observation: Mapping[str, Any], seed: int) -> Choice:
        policy.reset(seed)
        policy.act(observation)
        assert policy.choice is not None
        return policy.choice

    screens = [env.reset(options={"task": f"general/val/{number}"})[0] for number in range(24)]
    doubtful = max(screens, key=lambda screen: chosen(screen, 0).entropy or 0.0)
    assert len({chosen(doubtful, seed).action for seed in range(40)}) > 1
    assert len({chosen(doubtful, 3).action for _ in range(3)}) == 1, "draws follow from the seed"


def test_the_scripted_policy_looks_into_its_environment(env: SuiteEnv) -> None:
    played = play(env, load_policy("scripted", env=env), told=False)
    assert {reward for reward, _ in played} == {1.0}


def test_policies_that_cheat_ask_for_their_environment() -> None:
    with pytest.raises(ConfigError, match=r"load_policy\('scripted', env=env\)"):
        load_policy("scripted")
    with pytest.raises(ConfigError, match="env must be an environment of distrl"):
        load_policy("scripted", env="general")  # type: ignore[arg-type]


def test_a_mistyped_policy_is_told_with_the_nearest_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="did you mean 'pretrained'"):
        load_policy("pretrainde")
    with pytest.raises(ConfigError, match="there is no run in"):
        load_policy(tmp_path / "none")


def test_an_observation_of_another_kind_is_refused() -> None:
    policy = load_policy("random")
    pixels, _ = make("starter", observation="pixels").reset(seed=1)
    with pytest.raises(ConfigError, match="the dictionary that reset and step return; got ndarray"):
        policy.act(pixels)
    with pytest.raises(ConfigError, match=r"got \['goal'\]"):
        policy.act({"goal": "Open the clock"})
