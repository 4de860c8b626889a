"""Phones over adb in a run: their adb servers, and their devices behind fences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Protocol, runtime_checkable

from distrl.clock import RealClock
from distrl.collect.evaluation.evaluate import Progress, Report, Watch, evaluate_on
from distrl.config import RunConfig
from distrl.config.devices import is_loopback
from distrl.devices.android.adb import AdbServer
from distrl.devices.android.adb_server_watchdog import AdbServerWatchdog
from distrl.devices.android.device import AndroidDevice
from distrl.devices.android.emulator import Emulator, EmulatorGroup
from distrl.devices.android.safety import GuardedDevice, guard
from distrl.devices.fleet.manual_quarantine import ManualQuarantine, default_path
from distrl.envs.device_kinds import env_on
from distrl.errors import ConfigError
from distrl.interfaces import Clock, Device, Policy, innermost
from distrl.run.builders.adb_servers import AdbServers, free_port
from distrl.run.builders.emulators import running_emulators
from distrl.tasks.android import unjudged
from distrl.tasks.android_world.suite import refuse_unplayable
from distrl.tasks.suites import is_over_adb, load_suite
from distrl.types import Task


def check_phones(config: RunConfig, *, by_hand: bool = False) -> None:
    """Refuse a suite that the phones of a run cannot play, or that nobody can judge.

    A person who plays `by_hand` knows whether a goal is reached.
    """
    suite = config.tasks.suite
    if not is_over_adb(suite):
        if config.collect.android.emulators.count:
            raise ConfigError(
                f"emulators cannot play {suite!r}, whose tasks are for embedded phones: write "
                "goals of your own, and name them with tasks.suite=FILE.yaml (docs/devices.md)"
            )
        return
    goals = load_suite(suite)  # first: a file that cannot be read has no goals to speak of
    if config.collect.devices or not config.collect.android.phones:
        raise ConfigError(
            f"the goals in {suite} are for phones over adb: name them with "
            "collect.android.serials or collect.android.emulators, and set collect.devices to 0"
        )
    if config.init == "warm_start":
        raise ConfigError(
            f"nobody can show how the goals in {suite} are reached: set init to scratch, "
            "pretrained or the folder of a run"
        )
    refuse_unplayable(goals, config.collect.android)
    open_goals = unjudged(goals, config.tasks.split)
    if open_goals and not by_hand:
        raise ConfigError(f"nobody can judge {open_goals[0]!r} in {suite}: give it a check")


class Phones:
    """The phones over adb of a run, each behind the fences of its settings.

    Adb servers are there from the first phone on: ones that run already, or our own. Ours are
    watched, and started again when they end or hang; those of others are left alone. The
    emulators that a run owns have another, and are returned to their snapshot by every reset.
    """

    def __init__(
        self, config: RunConfig, clock: Clock, *, logs: Path | None = None, by_hand: bool = False
    ) -> None:
        """Refuse what the phones cannot play; nothing is started yet.

        Emulators write into the folder `logs`, or else into one that nobody keeps.
        """
        check_phones(config, by_hand=by_hand)
        self._config, self._clock, self._logs = config, clock, logs
        self._opened = ExitStack()
        self._watches: list[AdbServerWatchdog] = []
        self._servers = AdbServers(self._opened, config.collect.android, self._watch)
        self._made: list[GuardedDevice] = []
        self._phones: list[AndroidDevice] = []
        self.group: EmulatorGroup | None = None
        """The emulators of our own, from the moment that the phones are wanted."""

    @property
    def servers(self) -> tuple[AdbServer, ...]:
        """The adb servers of our own."""
        return self._servers.own

    def _watch(self, server: AdbServer) -> None:
        watch = AdbServerWatchdog(server)
        self._opened.callback(watch.close)
        self._watches.append(watch)

    def make(
        self, serial: str, *, opted_in: bool = False, emulator: Emulator | None = None
    ) -> GuardedDevice:
        """A phone, which is connected to when it is first used; in an emulator, if one is given.

        ConfigError when nobody has opted in to it, here or in the settings.
        """
        android = self._config.collect.android
        named = {*android.safety.opt_in, *((serial,) if opted_in else ())}
        rules = android.safety.changed(opt_in=[*named, *((serial,) if is_loopback(serial) else ())])
        phone = AndroidDevice(
            self._servers.of(serial).phone(serial) if emulator is None else emulator.phone,
            android,
            elements=self._config.phone.elements,
            clock=self._clock,
            manual_quarantine=ManualQuarantine(default_path()),
            only_served=serial not in named,
        )
        if emulator is not None:
            phone.restore = emulator.restore
        self._made.append(guard(phone, rules))
        self._phones.append(phone)
        return self._made[-1]

    def all(self) -> list[GuardedDevice]:
        """The phones that the settings name, and those in the emulators that are started here."""
        named = [self.make(serial) for serial in self._config.collect.android.serials]
        return [*named, *(self.make(e.serial, opted_in=True, emulator=e) for e in self._start())]

    def _start(self) -> list[Emulator]:
        wanted = self._config.collect.android.emulators
        if not wanted.count:
            return []
        owned = running_emulators(wanted, adb_port=free_port(), logs=self._logs)
        self.group = self._opened.enter_context(owned)
        self._watch(self.group.server)
        return self.group.emulators

    def gauges(self) -> dict[str, float]:
        """Actions not carried out, screens that were not listed, failures of our adb servers."""
        if not self._made:
            return {}
        return {
            "safety/refused": sum(phone.refused.total() for phone in self._made),
            "adb/unlisted": sum(phone.unlisted.total() for phone in self._phones),
            "adb/restarts": sum(watch.restarts for watch in self._watches),
        }

    def close(self) -> None:
        """End the emulators and the adb servers that are our own."""
        self._opened.close()


@contextmanager
def opened_phone(config: RunConfig) -> Iterator[GuardedDevice]:
    """The first phone over adb of these settings, for a person, with fences and adb server."""
    with phone_maker(config) as make, closing(make()) as device:
        yield device


@contextmanager
def phone_maker(config: RunConfig) -> Iterator[Callable[[], GuardedDevice]]:
    """Makes the phone of `opened_phone`, as often as it is asked; whoever asks closes it.

    The adb server is there as long as the `with`.
    """
    with closing(Phones(config, RealClock(), by_hand=True)) as phones:
        serials = config.collect.android.serials
        yield lambda: phones.make(serials[0]) if serials else phones.all()[0]


@runtime_checkable
class ReportsSlow(Protocol):
    """A device that knows when its own calls take many times as long as they did."""

    @property
    def slow(self) -> bool:
        """Whether they do now."""
        ...


def is_slow(device: Device) -> bool:
    """Whether a device, inside whatever is around it, says that it has become slow."""
    inside = innermost(device)
    return isinstance(inside, ReportsSlow) and inside.slow


def evaluate_on_android(
    config: RunConfig,
    policy: Policy,
    tasks: Sequence[Task],
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> Report:
    """The figures of a policy on the phones of a run."""
    with ExitStack() as opened:
        phones = Phones(config, RealClock())
        opened.callback(phones.close)
        envs = [env_on(phone)[0] for phone in phones.all()]
        for env in envs:
            opened.callback(env.close)
        return evaluate_on(envs, policy, tasks, progress=progress, watch=watch)
