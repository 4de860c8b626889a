"""Which action kinds a run's policy may choose: those that its devices can carry out."""

from __future__ import annotations

from distrl.config import RunConfig
from distrl.envs.device_kinds import DEVICE_KINDS, device_factory
from distrl.errors import ConfigError
from distrl.tasks.suites import is_file
from distrl.types import Kind


def fit_kinds(config: RunConfig) -> RunConfig:
    """The same settings with `policy.kinds` narrowed to what the devices can carry out.

    ConfigError when nothing is left.

    Only devices of plug-ins can lack a kind, so only one of those is made and asked; those that
    name no kinds at all, such as environments of Gymnasium, restrict nothing. Kinds that end the
    episode are the environment's business and always stay.
    """
    if not config.collect.devices or is_file(config.tasks.suite):
        return config
    factory = device_factory(config.tasks.suite, options=config.collect.options)
    if factory.kind in DEVICE_KINDS.built_in:
        return config
    device = factory.make_device("kinds")
    offered = device.kinds
    device.close()
    wanted = tuple(Kind(name) for name in config.policy.kinds or Kind)
    fitting = [kind for kind in wanted if kind in offered or kind.ends_episode]
    if not offered or len(fitting) == len(wanted):
        return config
    if not fitting:
        raise ConfigError(
            f"policy.kinds is [{', '.join(wanted)}], and devices of the kind {factory.kind} can do "
            f"none of it (they can: {', '.join(sorted(offered))})"
        )
    return config.changed(policy=config.policy.changed(kinds=[kind.value for kind in fitting]))
