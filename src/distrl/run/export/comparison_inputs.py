"""What a trained policy comes to see: the material by which an exported one is compared with it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from distrl.clock import RealClock
from distrl.collect.evaluation.evaluate import Progress
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


class Counted:
    """Tells how far an export is: so many screens of several passes over all of them."""

    def __init__(
        self, screens: int = 0, *, passes: int = 1, progress: Progress | None = None
    ) -> None:
        """Expect `passes` passes over at most `screens` screens."""
        self._total, self._done = passes * screens, 0
        self._progress = progress

    def add(self, screens: int) -> None:
        """So many more are done."""
        self._done += screens
        if self._progress is not None:
            self._progress(min(self._done, self._total), self._total)


class _Gathering:
    """A policy that keeps what it was shown and what it did."""

    def __init__(self, policy: Policy, most: int, counted: Counted) -> None:
        self._policy, self._most, self._counted = policy, most, counted
        self.seen: list[tuple[Situation, Choice]] = []

    def begin(self, seed: int) -> None:
        self._policy.begin(seed)

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        choices = self._policy.act(situations)
        new = list(zip(situations, choices, strict=True))[: self._most - len(self.seen)]
        self.seen += new
        self._counted.add(len(new))
        return choices


def gather(
    policy: Policy, config: RunConfig, most: int, counted: Counted
) -> list[tuple[Situation, Choice]]:
    """What a policy comes to see on its training tasks and does there, `most` times at the most."""
    tasks = load_suite(config.tasks.suite).tasks(config.tasks.split)
    factory = device_factory(config.tasks.suite, phone=config.phone, pictures=config.policy.pixels)
    gathering = _Gathering(policy, most, counted)
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
