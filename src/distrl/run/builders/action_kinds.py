"""Which action kinds a run's policy may choose: those that its devices can carry out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from distrl.config import RunConfig
from distrl.envs.device_kinds import DEVICE_KINDS, device_factory
from distrl.errors import ConfigError
from distrl.tasks.suites import is_over_adb, load_suite
from distrl.types import BASIC_KINDS, Kind


def fit_kinds(config: RunConfig) -> RunConfig:
    """The same settings with `policy.kinds` narrowed to what the devices can carry out.

    Where nothing is said, they are the basic kinds and what the suite needs. ConfigError when
    nothing is left.
    """
    suite = config.tasks.suite
    if not config.collect.devices and not is_over_adb(suite):
        return config
    offered = offered_kinds(suite, config.collect.options)
    needed = load_suite(suite).kinds
    named = config.policy.kinds
    wanted = tuple(map(Kind, named)) if named else tuple(kind for kind in Kind if kind in needed)
    fitting = [kind for kind in wanted if kind in offered]
    if len(fitting) == len(wanted) and (named or needed == BASIC_KINDS):
        return config
    if not fitting:
        able = sorted(kind for kind in offered if not kind.ends_episode)
        raise ConfigError(
            f"policy.kinds is [{', '.join(wanted)}], and the devices of {config.tasks.suite} "
            f"can do none of it (they can: {', '.join(able)})"
        )
    return config.changed(policy=config.policy.changed(kinds=[kind.value for kind in fitting]))


def suite_kinds(suite: str) -> frozenset[Kind]:
    """Action kinds that a suite needs and its devices have."""
    return load_suite(suite).kinds & offered_kinds(suite)


def offered_kinds(suite: str, options: Mapping[str, Any] | None = None) -> frozenset[Kind]:
    """Action kinds that make sense on the devices of a suite.

    Of the built-in devices only pages lack one: they have no apps. One of a plug-in is made and
    asked; those that name no kinds at all, such as environments of Gymnasium, restrict nothing.
    Kinds that end the episode are the environment's business and always stay.
    """
    every = frozenset(Kind)
    if is_over_adb(suite):
        return every
    factory = device_factory(suite, options=options)
    if factory.kind == "page":
        return every - {Kind.OPEN_APP}
    if factory.kind in DEVICE_KINDS.built_in:
        return every
    device = factory.make_device("kinds")
    offered = device.kinds
    device.close()
    return every if not offered else offered | {kind for kind in Kind if kind.ends_episode}
