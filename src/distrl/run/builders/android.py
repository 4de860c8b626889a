"""Phones over adb in a run: their adb servers, and their devices behind fences."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Protocol, runtime_checkable

from distrl.clock import RealClock
from distrl.collect.evaluation.evaluate import Progress, Report, Watch, evaluate_on
from distrl.config import RunConfig
from distrl.config.devices import AndroidConfig, is_loopback
from distrl.devices.android.adb import Adb, AdbServer
from distrl.devices.android.adb_server_watchdog import AdbServerWatchdog
from distrl.devices.android.device import AndroidDevice
from distrl.devices.android.emulator import Emulator, EmulatorGroup
from distrl.devices.android.safety import GuardedDevice, guard
from distrl.devices.fleet.manual_quarantine import ManualQuarantine, default_path
from distrl.envs.device_kinds import env_on
from distrl.errors import ConfigError, DeviceError
from distrl.interfaces import Clock, Device, Policy, innermost
from distrl.run.builders.emulators import running_emulators
from distrl.tasks.android import unjudged
from distrl.tasks.android_world.suite import refuse_unplayable
from distrl.tasks.suites import is_over_adb, load_suite
from distrl.types import Task

_THERE_SECONDS = 5.0
"""How long a phone may take to be seen: adb looks for cables once a second, and a connection over
TCP is made at once or not at all."""
_POLL_SECONDS = 0.1
_ASKED_AT_ONCE = 16


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


def require_phones_there(android: AndroidConfig) -> None:
    """ConfigError that names each phone over adb that does not answer now, and why.

    They are asked through the adb server of the settings, or one that ends with this call.
    """
    if not android.serials:
        return
    with ExitStack() as opened:
        if android.adb_port is None:
            server = AdbServer(free_port())
            opened.callback(server.close)
            adb = server.adb
        else:
            adb = Adb(port=android.adb_port)
        # Side by side: an address behind a firewall takes all of its time to be given up.
        with ThreadPoolExecutor(_ASKED_AT_ONCE) as pool:
            found = list(pool.map(lambda serial: _why_absent(adb, serial), android.serials))
    absent = [
        f"{serial} ({why})" for serial, why in zip(android.serials, found, strict=True) if why
    ]
    if absent:
        raise ConfigError(
            f"these phones of collect.android.serials do not answer: {', '.join(absent)}; switch "
            "them on, or leave them out (distrl devices list shows which phones there are)"
        )


def _why_absent(adb: Adb, serial: str) -> str:
    """Why a phone cannot be used now; empty if it can."""
    deadline, state = time.monotonic() + _THERE_SECONDS, ""
    try:
        phone = adb.phone(serial)
        if phone.over_tcp:
            adb.connect(serial, deadline=_THERE_SECONDS)
        # A server that has just started, and a phone that was just connected, need a moment.
        while (state := phone.state()) != "device" and time.monotonic() < deadline:
            if state == "unauthorized":
                break
            time.sleep(_POLL_SECONDS)
    except DeviceError as error:
        return str(error)
    return "" if state == "device" else state


class Phones:
    """The phones over adb of a run, each behind the fences of its settings.

    Adb servers are there from the first phone on: one that runs already, or our own. Ours are
    watched, and started again when they end or hang; one of somebody else is left alone. The
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
        self._servers: list[AdbServer] = []
        self._watches: list[AdbServerWatchdog] = []
        self._dealt = 0
        self._made: list[GuardedDevice] = []
        self._phones: list[AndroidDevice] = []
        self.group: EmulatorGroup | None = None
        """The emulators of our own, from the moment that the phones are wanted."""

    @property
    def servers(self) -> tuple[AdbServer, ...]:
        """The adb servers of our own."""
        return tuple(self._servers)

    def _next_adb(self) -> Adb:
        """The adb server of the next phone: phones are dealt out to our servers in turn."""
        android = self._config.collect.android
        if android.adb_port is not None:
            return Adb(port=android.adb_port)
        turn = self._dealt % android.servers
        self._dealt += 1
        if turn == len(self._servers):
            self._open_server()
        return self._servers[turn].adb

    def _open_server(self) -> None:
        server = AdbServer(free_port())
        self._opened.callback(server.close)
        self._watch(server)
        self._servers.append(server)

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
        if emulator is None and not android.may_be_split(serial):
            raise ConfigError(
                f"{serial} can belong to one adb server only, and the run has {android.servers}"
            )
        phone = AndroidDevice(
            self._next_adb().phone(serial) if emulator is None else emulator.phone,
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


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port
