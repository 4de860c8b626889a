"""The device kinds that ship with the package: phones, web pages, and what others serve."""

from __future__ import annotations

from distrl.devices.android.device import AndroidDevice
from distrl.devices.browser.device import BrowserDevice
from distrl.devices.mobilegym.device import MobileGymDevice
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.playwright.device import PlaywrightDevice
from distrl.envs.device_env import DeviceEnv, HearsAnswers, Referee
from distrl.envs.device_kinds import DeviceSettings
from distrl.envs.env_slot import EnvSlot
from distrl.envs.openenv.connection import Connection
from distrl.envs.openenv.env import OpenEnvEnv
from distrl.envs.page_env import PageEnv
from distrl.errors import ConfigError
from distrl.interfaces import Device, Env
from distrl.tasks.android import AndroidReferee
from distrl.tasks.android_world.referee import AndroidWorldReferee
from distrl.tasks.android_world.suite import PREFIX
from distrl.tasks.browsergym.referee import BrowserGymReferee
from distrl.tasks.mobilegym.referee import MobileGymReferee
from distrl.tasks.mobilegym.suite import served_at
from distrl.tasks.openenv import OpenEnvSuite
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.served import ServedReferee
from distrl.tasks.suites import is_file, load_suite
from distrl.tasks.web.referee import PageReferee
from distrl.tasks.web.suite import PageSuite
from distrl.types import Kind, Outcome, Task, Verdict


class PhoneKind:
    """Embedded phones."""

    def make_device(self, device_id: str, settings: DeviceSettings) -> PhoneDevice:
        """A phone that is switched on."""
        return PhoneDevice(device_id, settings.phone, settings.factors)

    def make_env(self, device: Device, inside: PhoneDevice) -> tuple[DeviceEnv, PhoneOracle]:
        """Tasks of phones, and their oracle."""
        referee = PhoneReferee(inside)
        return DeviceEnv(device, referee), PhoneOracle(referee)


class PageKind:
    """Pages in tabs of Chromium."""

    def make_device(self, device_id: str, settings: DeviceSettings) -> BrowserDevice:
        """A page of the suite's site; ConfigError for a suite that has no pages."""
        suite = load_suite(settings.suite)
        if not isinstance(suite, PageSuite):
            raise ConfigError(f"the suite {settings.suite!r} has no pages")
        site = suite.page(next(iter(suite.templates))).site
        return BrowserDevice(device_id, site, pictures=settings.pictures)

    def make_env(self, device: Device, inside: BrowserDevice) -> tuple[PageEnv, None]:
        """Tasks that pages pose and may end themselves; nobody knows the way."""
        return PageEnv(device, PageReferee(inside)), None


class AndroidKind:
    """Phones over adb."""

    def make_device(self, device_id: str, settings: DeviceSettings) -> Device:
        """Refuse: which phones may be used, and through which adb server, a run's settings say."""
        del settings
        raise ConfigError(
            f"{device_id} cannot be made by its name: phones over adb are named by their serials "
            "in collect.android.serials, or started by collect.android.emulators"
        )

    def make_env(self, device: Device, inside: AndroidDevice) -> tuple[DeviceEnv, None]:
        """Actions meet the fences around the phone; the referee asks the phone itself."""
        return DeviceEnv(device, _BySuite(inside)), None


class OpenEnvKind:
    """Sessions with OpenEnv servers."""

    def make_device(self, device_id: str, settings: DeviceSettings) -> EnvSlot:
        """A slot with a session that begins at the first reset."""
        suite = load_suite(settings.suite)
        if not isinstance(suite, OpenEnvSuite):
            raise ConfigError(f"the suite {settings.suite!r} names no OpenEnv server")
        env = OpenEnvEnv(device_id, Connection(suite.url))
        return EnvSlot(device_id, env, device_kind="openenv")

    def make_env(self, device: Device, inside: EnvSlot) -> tuple[Env, None]:
        """The environment in the slot; nobody knows the way in it."""
        del device
        return inside.env, None


class BrowserGymKind:
    """Pages of Playwright, for BrowserGym's tasks."""

    def make_device(self, device_id: str, settings: DeviceSettings) -> PlaywrightDevice:
        """A page; its browser starts with the first task."""
        del settings
        return PlaywrightDevice(device_id)

    def make_env(self, device: Device, inside: PlaywrightDevice) -> tuple[PageEnv, None]:
        """The tasks say themselves how they went; nobody knows the way."""
        return PageEnv(device, BrowserGymReferee(inside)), None


class MobileGymKind:
    """Simulated phones of MobileGym."""

    def make_device(self, device_id: str, settings: DeviceSettings) -> MobileGymDevice:
        """A phone of the page that is served."""
        return MobileGymDevice(device_id, served_at(), pictures=settings.pictures)

    def make_env(self, device: Device, inside: MobileGymDevice) -> tuple[PageEnv, None]:
        """Its own tasks with its own judge; nobody knows the way."""
        return PageEnv(device, MobileGymReferee(inside)), None


class _BySuite:
    """A referee for whatever suite the next task is of.

    Goals of a file are posed and judged over adb, tasks of AndroidWorld by its own code. Tasks of
    embedded phones are posed and judged by the phone that is served as an Android one.
    """

    def __init__(self, device: AndroidDevice) -> None:
        self._served = ServedReferee(device.ask_served, device.prepare)
        self._judged = AndroidReferee(device.phone, device.reset, load_suite)
        self._world = AndroidWorldReferee(device, load_suite)
        self._running: Referee = self._served

    def begin(self, task: Task) -> None:
        if task.suite.startswith(PREFIX):
            self._running = self._world
        else:
            self._running = self._judged if is_file(task.suite) else self._served
        self._running.begin(task)

    def outcome(self, kind: Kind) -> Outcome:
        return self._running.outcome(kind)

    def answered(self, text: str) -> Outcome:
        if isinstance(self._running, HearsAnswers):
            return self._running.answered(text)
        return self._running.outcome(Kind.COMPLETE)

    def verdict(self, outcome: Outcome) -> Verdict:
        return self._running.verdict(outcome)
