"""Learners of other packages train on the environments as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

from distrl.envs import FEATURES_ENV, PIXELS_ENV
from distrl.envs.gymnasium_env import make

stable_baselines3 = pytest.importorskip("stable_baselines3")
UPDATES, STEPS = 3, 8


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Tests run side by side: more threads than cores wait for each other."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def train(algorithm: Any, policy: str, name: str) -> None:
    """A few updates, after which every weight is another."""
    from stable_baselines3.common.env_util import make_vec_env

    envs = make_vec_env(name, n_envs=2, seed=0, env_kwargs={"suite": "starter"})
    learner = algorithm(policy, envs, n_steps=STEPS, batch_size=8, n_epochs=1, device="cpu", seed=0)
    before = [weights.detach().clone() for weights in learner.policy.parameters()]
    learner.learn(UPDATES * 2 * STEPS)
    assert learner.num_timesteps == UPDATES * 2 * STEPS
    after = list(learner.policy.parameters())
    assert all(torch.isfinite(weights).all() for weights in after)
    assert not any(torch.equal(*pair) for pair in zip(before, after, strict=True))
    envs.close()


@pytest.mark.parametrize("observation", ["pixels", "features"])
def test_stable_baselines3_s_own_checks_pass(observation: str) -> None:
    from stable_baselines3.common.env_checker import check_env

    check_env(make("starter", observation=observation, action="candidates"))


def test_ppo_trains_on_pixels() -> None:
    train(stable_baselines3.PPO, "CnnPolicy", PIXELS_ENV)


def test_ppo_trains_on_features() -> None:
    train(stable_baselines3.PPO, "MlpPolicy", FEATURES_ENV)


def test_maskable_ppo_trains_and_takes_only_what_can_have_an_effect() -> None:
    contrib = pytest.importorskip("sb3_contrib")
    train(contrib.MaskablePPO, "MlpPolicy", FEATURES_ENV)
    env = make("starter", observation="features", action="candidates")
    learner = contrib.MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=8, device="cpu", seed=0)
    observation, _ = env.reset(seed=1)
    masks = env.get_wrapper_attr("action_masks")()
    for _ in range(20):
        action, _ = learner.predict(observation, action_masks=masks)
        assert masks[int(np.asarray(action))]
