"""Device kinds by name: how a device is made, and which environment plays tasks on it.

    Suite.device --name--> DeviceKind.make_device(id) --> Device (says its `device_kind`)
                                                             |  wrapped: slow, recorded, guarded
    env_on(device) --innermost(device).device_kind--> DeviceKind.make_env(device, inside)

A suite names the kind of device that its tasks are for. A device names its kind too, because a
fleet may mix kinds: embedded phones beside phones over adb.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from distrl.config.devices import PhoneConfig
from distrl.config.factors import Factor
from distrl.config.options import refuse_options
from distrl.errors import ConfigError
from distrl.interfaces import Device, Env, Oracle, innermost
from distrl.plugins import Part, Registry
from distrl.tasks.suites import load_suite
from distrl.types import Action

_WITH_FACTORS = "phone"
"""The kind of device that factors of robustness are known of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSettings:
    """What a device is made with. Each kind uses of it what it needs."""

    suite: str
    """Whose tasks will be played."""
    phone: PhoneConfig | None = None
    """How embedded phones are made; None for the defaults."""
    factors: Sequence[Factor] = ()
    """Of which embedded phones draw one or none at every reset, by its seed."""
    pictures: bool = True
    """Whether a screen is taken at every look; off, only when somebody asks for it."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """`collect.options`, which only kinds of plug-ins read."""


@runtime_checkable
class DeviceKind(Protocol):
    """One kind of device."""

    def make_device(self, device_id: str, settings: DeviceSettings) -> Device:
        """A device with this id, whose `device_kind` is the name of this kind.

        ConfigError for options that the kind does not know.
        """
        ...

    def make_env(self, device: Device, inside: Any) -> tuple[Env, Oracle | None]:
        """The environment that plays on `device`, and who knows the way in it, if anybody does.

        `inside` is what `make_device` made; `device` is the same, or what is wrapped around it.
        Actions go to `device`. Who sets tasks up and judges them looks at `inside`, however slow
        the device is made and whoever records it.
        """
        ...


DEVICE_KINDS = Registry(
    Part.DEVICE,
    {
        "phone": "distrl.envs.built_in_kinds:PhoneKind",
        "page": "distrl.envs.built_in_kinds:PageKind",
        "android": "distrl.envs.built_in_kinds:AndroidKind",
        "openenv": "distrl.envs.built_in_kinds:OpenEnvKind",
        "mobilegym": "distrl.envs.built_in_kinds:MobileGymKind",
        "browsergym": "distrl.envs.built_in_kinds:BrowserGymKind",
    },
    DeviceKind,
)


@dataclass(frozen=True, slots=True)
class DeviceFactory:
    """Makes the devices that a suite is played on."""

    kind: str
    """Name of their kind."""
    make_device: Callable[[str], Device]
    """A device with this id."""


def device_names() -> tuple[str, ...]:
    """Names of all device kinds, those of plug-ins last."""
    return DEVICE_KINDS.names()


def device_factory(
    suite: str,
    *,
    phone: PhoneConfig | None = None,
    factors: Sequence[Factor] = (),
    pictures: bool = True,
    options: Mapping[str, Any] | None = None,
) -> DeviceFactory:
    """What makes devices of the kind that a suite is for, with these `DeviceSettings`."""
    kind = load_suite(suite).device
    if factors and kind != _WITH_FACTORS:
        raise ConfigError(
            f"factors are for embedded phones ({', '.join(factors)} are named), and {suite!r} is "
            f"played on devices of the kind {kind!r}"
        )
    DEVICE_KINDS.require(kind, what=f"device kind of the suite {suite!r},")
    refuse_options(options or {}, "collect.options", kind, DEVICE_KINDS.built_in)
    settings = DeviceSettings(
        suite=suite, phone=phone, factors=factors, pictures=pictures, options=options or {}
    )
    return DeviceFactory(kind, lambda device_id: make_device(kind, device_id, settings))


def make_device(name: str, device_id: str, settings: DeviceSettings) -> Device:
    """A device of the kind of this name; ConfigError if what is made is none."""
    made: object = _kind(name).make_device(device_id, settings)
    # Checked here, at the door: a plug-in's mistake would otherwise show up deep inside a
    # collector.
    if not isinstance(made, Device) or getattr(made, "device_kind", None) != name:
        raise ConfigError(
            f"the device kind {name!r} made {made!r}, which is no Device whose device_kind is "
            f"{name!r}"
        )
    return made


def env_on(device: Device) -> tuple[Env, Oracle | None]:
    """The environment on a device, and who knows the way in it, if anybody does."""
    # By the innermost device: wrappers that make it slow or record it have no kind of their own.
    inside = innermost(device)
    kind = getattr(inside, "device_kind", None)
    if kind is None:
        raise ConfigError(
            f"no environment is known for {device.id}, a {type(inside).__name__} without a "
            "device_kind"
        )
    return _kind(kind).make_env(device, inside)


def _kind(name: str) -> DeviceKind:
    made: DeviceKind = DEVICE_KINDS.make(name)
    return made


class NoOracle:
    """Stands where an oracle is asked for and there is none."""

    def __init__(self, suite: str) -> None:
        """Name the suite that nobody knows the way in."""
        self._suite = suite

    def action(self) -> Action:
        """Refuse."""
        raise ConfigError(
            f"nobody knows the way in {self._suite}, so nothing can be shown: evaluate random, a "
            "run, or your own policy, and train with init=scratch or from the folder of a run"
        )
