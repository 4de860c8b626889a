"""`distrl.evaluate`: how well a policy does, whatever it is and wherever it comes from."""

from __future__ import annotations

from pathlib import Path

from distrl.checks import require_seed, require_text
from distrl.collect.evaluation.evaluate import (
    PolicyFactory,
    Report,
    evaluate_policy,
    evaluate_tasks,
    select_tasks,
)
from distrl.config.devices import PhoneConfig
from distrl.envs.device_kinds import NoOracle
from distrl.errors import ConfigError
from distrl.run.builders.action_kinds import suite_kinds
from distrl.run.named_policy import is_trained, policy_factory


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
