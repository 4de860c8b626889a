"""What a trained policy comes to see: the material by which an exported one is compared with it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from distrl.clock import RealClock
from distrl.collect.vectorized_rollout import run_episodes
from distrl.config import RunConfig
from distrl.envs.device_kinds import device_factory, env_on
from distrl.errors import ConfigError
from distrl.interfaces import Policy
from distrl.tasks.suites import load_suite
from distrl.types import Choice, Situation

_DEVICES = 16
# Exporting traces three examples: sizes of 1 and 2 would be taken for constants.
_FEWEST = 3


def check_export(out: Path, observations: int) -> None:
    """ConfigError when there would be too little to compare, or something would be overwritten."""
    if observations < _FEWEST:
        raise ConfigError(
            f"the number of observations must be at least {_FEWEST}, got {observations}"
        )
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError(f"{out} is there already, and is no empty folder")


class _Gathering:
    """A policy that keeps what it was shown and what it did."""

    def __init__(self, policy: Policy, most: int) -> None:
        self._policy, self._most = policy, most
        self.seen: list[tuple[Situation, Choice]] = []

    def begin(self, seed: int) -> None:
        self._policy.begin(seed)

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        choices = self._policy.act(situations)
        self.seen += list(zip(situations, choices, strict=True))[: self._most - len(self.seen)]
        return choices


def gather(policy: Policy, config: RunConfig, most: int) -> list[tuple[Situation, Choice]]:
    """What a policy comes to see on its training tasks and does there, `most` times at the most."""
    tasks = load_suite(config.tasks.suite).tasks(config.tasks.split)
    factory = device_factory(config.tasks.suite, phone=config.phone, pictures=config.policy.pixels)
    gathering = _Gathering(policy, most)
    with ExitStack() as open_envs:
        envs = [env_on(factory.make_device(f"export-{n}"))[0] for n in range(_DEVICES)]
        for env in envs:
            open_envs.callback(env.close)
        for start in range(0, len(tasks), _DEVICES):
            some = tasks[start : start + _DEVICES]
            for _ in run_episodes(envs, gathering, some, clock=RealClock()):
                continue
            if len(gathering.seen) >= most:
                break
    return gathering.seen
