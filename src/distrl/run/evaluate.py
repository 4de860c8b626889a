"""`distrl.evaluate`: how well a policy does, whatever it is and wherever it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from distrl.checks import require_seed, require_text
from distrl.collect.evaluation.evaluate import (
    PolicyFactory,
    Progress,
    Report,
    Watch,
    evaluate_policy,
    evaluate_tasks,
    select_tasks,
)
from distrl.config.devices import PhoneConfig
from distrl.envs.device_kinds import NoOracle
from distrl.errors import ConfigError
from distrl.policies import make_policy
from distrl.run.builders.action_kinds import suite_kinds
from distrl.run.named_policy import PRETRAINED, is_trained, policy_factory, require_named
from distrl.types import Task


def evaluate(
    policy: str | Path | PolicyFactory = "scripted",
    suite: str = "general",
    split: str = "val",
    *,
    tasks: int | None = None,
    seed: int = 0,
    phone: PhoneConfig | None = None,
) -> Report:
    """Play each task of a split once, or the first `tasks` of them, and report.

        report = distrl.evaluate("pretrained", "general", "test", tasks=32)
        print(report.overall.success, report.overall.low, report.overall.high)

    `policy` is what `distrl eval --policy` takes: `scripted`, `noisy`, `random` (whose draws follow
    from `seed`), `pretrained`, the folder of a run, which acts greedily, or the name of a plug-in.
    A function from an oracle to a policy of your own is taken too. The same arguments give the same
    figures. ConfigError with the nearest name for a policy, suite or split that there is not.
    """
    require_text("suite", suite, such_as="general")
    require_text("split", split, such_as="val")
    require_seed(seed)
    if phone is not None and not isinstance(phone, PhoneConfig):
        raise ConfigError(f"phone must be a PhoneConfig, got {phone!r}")
    chosen = select_tasks(suite, split, tasks=tasks)
    if callable(policy):
        return evaluate_tasks(policy, chosen, phone=phone)
    build = policy_factory(policy, seed=seed, kinds=suite_kinds(suite))
    if is_trained(policy):
        return evaluate_policy(build(NoOracle(suite)), chosen, phone=phone)
    return evaluate_tasks(build, chosen, phone=phone)


class Play(Protocol):
    """Plays the same tasks with the same policy each time that it is called."""

    def __call__(
        self,
        *,
        phone: PhoneConfig | None,
        progress: Progress | None = None,
        watch: Watch | None = None,
    ) -> Report:
        """The figures, on phones that are made so."""
        ...


def player(
    policy: str,
    suite: str,
    tasks: Sequence[Task],
    *,
    seed: int = 0,
    error_rate: float = 0.2,
    pixels: bool | None = None,
) -> Play:
    """What plays these tasks of a suite with a policy that is named.

    Weights are loaded once. `pixels` says whether a trained policy sees the screen; by default as
    it was trained. ConfigError for a policy that there is not.
    """
    if is_trained(policy):
        from distrl.run.builders.trained_policy import load_policy

        return partial(evaluate_policy, load_policy(policy, pixels=pixels), tasks)
    require_named(policy, also=(PRETRAINED,))
    kinds = suite_kinds(suite)
    build = partial(make_policy, policy, error_rate=error_rate, seed=seed, kinds=kinds)
    return partial(evaluate_tasks, build, tasks)
