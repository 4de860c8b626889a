"""Which action kinds a run's policy may choose: those that its devices can carry out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from distrl.config import RunConfig
from distrl.envs.device_kinds import DEVICE_KINDS, device_factory
from distrl.errors import ConfigError
from distrl.tasks.suites import is_file
from distrl.types import Kind


def fit_kinds(config: RunConfig) -> RunConfig:
    """The same settings with `policy.kinds` narrowed to what the devices can carry out.

    ConfigError when nothing is left.
    """
    if not config.collect.devices:
        return config
    offered = offered_kinds(config.tasks.suite, config.collect.options)
    wanted = tuple(Kind(name) for name in config.policy.kinds or Kind)
    fitting = [kind for kind in wanted if kind in offered]
    if len(fitting) == len(wanted):
        return config
    if not fitting:
        able = sorted(kind for kind in offered if not kind.ends_episode)
        raise ConfigError(
            f"policy.kinds is [{', '.join(wanted)}], and the devices of {config.tasks.suite} "
            f"can do none of it (they can: {', '.join(able)})"
        )
    return config.changed(policy=config.policy.changed(kinds=[kind.value for kind in fitting]))


def offered_kinds(suite: str, options: Mapping[str, Any] | None = None) -> frozenset[Kind]:
    """Action kinds that make sense on the devices of a suite.

    Only devices of plug-ins can lack a kind, so only one of those is made and asked; those that
    name no kinds at all, such as environments of Gymnasium, restrict nothing. Kinds that end the
    episode are the environment's business and always stay.
    """
    every = frozenset(Kind)
    if is_file(suite):
        return every
    factory = device_factory(suite, options=options)
    if factory.kind in DEVICE_KINDS.built_in:
        return every
    device = factory.make_device("kinds")
    offered = device.kinds
    device.close()
    return every if not offered else offered | {kind for kind in Kind if kind.ends_episode}
