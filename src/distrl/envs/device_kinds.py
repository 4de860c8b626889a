"""Where the tasks of a suite are played: which devices it needs, and which environment on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from distrl import plugins
from distrl.devices.browser.device import BrowserDevice
from distrl.devices.cassette import Recorder
from distrl.devices.fault_injection import SlowDevice
from distrl.devices.phone.device import PhoneDevice, PhoneSettings
from distrl.envs.device_env import DeviceEnv
from distrl.envs.env_slot import EnvSlot
from distrl.envs.page_env import PageEnv
from distrl.errors import ConfigError
from distrl.interfaces import Device, Env, Oracle
from distrl.plugins import Part, Plugin
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.seed_suite import SeedSuite
from distrl.tasks.suites import load_suite
from distrl.tasks.web.referee import PageReferee
from distrl.tasks.web.suite import PageSuite
from distrl.types import Action


@dataclass(frozen=True, slots=True)
class DeviceKind:
    """What the devices of a suite are called, and how one is made."""

    kind: str
    make_device: Callable[[str], Device]
    """A device of the right kind, under a name."""


def device_kind_of(
    suite: str, *, phone: PhoneSettings | None = None, pictures: bool = True
) -> DeviceKind:
    """Where a suite is played: on phones, on pages of Chromium, or in the environment of a plug-in.

    `phone` is how phones are made; with `pictures`, screens of pages are taken along with their
    elements, for who looks at all of them anyway.
    """
    loaded = load_suite(suite)
    if isinstance(loaded, SeedSuite) and not isinstance(loaded, PageSuite):
        plugin = plugins.find(Part.ENV, loaded.name, (), what="environment for the suite")
        return DeviceKind("slot", lambda name: EnvSlot(name, _made(plugin, name)))
    if not isinstance(loaded, PageSuite):
        return DeviceKind("phone", lambda name: PhoneDevice(name, phone))
    site = loaded.page(next(iter(loaded.templates))).site
    return DeviceKind("page", lambda name: BrowserDevice(name, site, pictures=pictures))


def env_on(device: Device) -> tuple[Env, Oracle | None]:
    """The environment on a device, and who knows the way in it, if anybody does.

    A referee looks at the device itself, however slow it is made and whoever records it.
    """
    inside = device
    while isinstance(inside, SlowDevice | Recorder):
        inside = inside.inner
    if isinstance(inside, PhoneDevice):
        referee = PhoneReferee(inside)
        return DeviceEnv(device, referee), PhoneOracle(referee)
    if isinstance(inside, EnvSlot):
        return inside.env, None
    if isinstance(inside, BrowserDevice):
        return PageEnv(device, PageReferee(inside)), None
    raise ConfigError(f"no environment is known for {device.id}, a {type(inside).__name__}")


def _made(plugin: Plugin, name: str) -> Env:
    made = plugin.make(name)
    if not isinstance(made, Env):
        raise plugin.broken(f"it made {made!r}, which is no Env")
    return made


class NoOracle:
    """Stands where an oracle is asked for and there is none."""

    def __init__(self, suite: str) -> None:
        """Name the suite that nobody knows the way in."""
        self._suite = suite

    def action(self) -> Action:
        """Refuse."""
        raise ConfigError(
            f"nobody knows the way in {self._suite}: evaluate random, a run, or your own policy"
        )
