"""`distrl.load_policy`: any policy, acting on what `distrl.make` shows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium

from distrl.envs.device_kinds import NoOracle
from distrl.envs.gymnasium_env import Encoded, SuiteEnv, encode_action
from distrl.envs.situations import Recall
from distrl.errors import ConfigError
from distrl.interfaces import Oracle, Policy
from distrl.run.named_policy import policy_factory
from distrl.types import Choice, Situation

_CHEATS = ("scripted", "noisy")
"""Policies that read the state of the device and not the observation."""


class GymnasiumPolicy:
    """A policy that acts on observations of one environment; `load_policy` makes it.

        observation, info = env.reset(seed=1)
        done = False
        while not done:
            action = policy.act(observation, info)
            observation, reward, terminated, truncated, info = env.step(action)
            done = terminated or truncated

    It keeps what was done so far by itself, and begins anew with every episode: `reset` says so,
    and without it another goal, or steps left that do not follow on those of before, tell.
    """

    def __init__(self, policy: Policy, *, seed: int = 0) -> None:
        """Act with `policy`; draws follow from `seed` unless the task's own seed is told."""
        self._policy, self._recall = policy, Recall(seed)
        self.situation: Situation | None = None
        """What the last choice was made on: goal, observation, history, steps left."""
        self.choice: Choice | None = None
        """The last choice: its action as a value, its log-probability, the version that chose."""

    def reset(self, seed: int | None = None) -> None:
        """The next observation is the first of an episode, whose draws follow from `seed`."""
        self._recall.reset(seed)

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any] | None = None) -> Encoded:
        """The action to take now, as `env.step` takes it.

        `observation` is what `reset` or `step` of `distrl.make(...)` returned. With the `info` of
        the same call, nothing is lost of screens with very many elements or texts of other
        scripts, and draws follow from the task as in `distrl.evaluate`. ConfigError for an
        observation of another kind.
        """
        self.situation = self._recall.situation(observation, info)
        if self._recall.fresh:
            self._policy.begin(self._recall.seed)
        (self.choice,) = self._policy.act((self.situation,))
        self._recall.remember(self.choice.action)
        return encode_action(self.choice.action)


def load_policy(
    policy: str | Path = "pretrained",
    *,
    greedy: bool = True,
    seed: int = 0,
    env: gymnasium.Env[Any, Any] | None = None,
) -> GymnasiumPolicy:
    """A policy that acts on observations of `distrl.make(...)`, one environment at a time.

        env = distrl.make("general", "test")
        policy = distrl.load_policy("pretrained")         # or the folder of a run
        observation, info = env.reset(seed=1)
        observation, reward, *_ = env.step(policy.act(observation))

    `policy` is what `distrl eval --policy` takes: `pretrained`, the folder of a run, `random`, or
    the name of a plug-in. `scripted` and `noisy` read the state of a device, and need the `env`
    that they play in. A trained policy takes its likeliest action, or draws if it is not `greedy`.
    ConfigError with the nearest name if there is no such policy.
    """
    if policy in _CHEATS and env is None:
        raise ConfigError(
            f"the policy {policy!r} reads the state of the device it plays on: "
            f"distrl.load_policy({policy!r}, env=env) with the environment of distrl.make"
        )
    build = policy_factory(policy, greedy=greedy, seed=seed)
    return GymnasiumPolicy(build(_oracle_of(env)), seed=seed)


def _oracle_of(env: gymnasium.Env[Any, Any] | None) -> Oracle:
    inside = None if env is None else getattr(env, "unwrapped", env)
    if inside is not None and not isinstance(inside, SuiteEnv):
        raise ConfigError(f"env must be an environment of distrl.make(...), got {inside!r}")
    return NoOracle("this environment") if inside is None else inside.oracle
