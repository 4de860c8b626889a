"""The phone that has the faults: what can be wrong with it, and what each should be taken for."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from distrl import actions
from distrl.clock import RealClock
from distrl.config.devices import AndroidConfig, EmulatorsConfig
from distrl.devices.android.adb import AdbServer
from distrl.devices.android.device import AndroidDevice
from distrl.devices.android.emulator import Emulator
from distrl.devices.fault_causes import Cause
from distrl.devices.phone.adbd.daemon import AdbDaemon
from distrl.devices.phone.adbd.injected_faults import InjectedFaults
from distrl.envs.device_env import DeviceEnv
from distrl.errors import ConfigError
from distrl.tasks.served import ServedReferee
from distrl.types import Action, Observation

# Shorter than a run's 15 s, so that many faults fit into minutes.
DEADLINE = 6.0
_SLOWER = 10.0
_HEAL_SECONDS = 30.0
"""How long a server may take to be started again; then the next quiet episode is not one."""

Strike = Callable[["Victim"], None]


class Closeable(Protocol):
    """Whatever holds a port until it is closed."""

    def close(self) -> None:
        """Let it go."""
        ...


class Victim:
    """A phone that is to have faults, and all that can be done to it."""

    def __init__(self, server: AdbServer, daemon: AdbDaemon, folder: Path) -> None:
        """Nothing is wrong with it yet; the folder is for what its emulator and others write."""
        self.server, self.daemon, self._folder = server, daemon, folder
        self._port_taken: Closeable | None = None
        config = AndroidConfig(screen_width=None, deadline=DEADLINE, settle_seconds=0.3)
        self.device = AndroidDevice(server.adb.phone(daemon.address), config)
        self.timed = TimedCalls(self.device)
        self.console = SnapshotConsole()
        emulator = EmulatorsConfig(avd="bench", program=sys.executable)
        self.device.restore = Emulator(
            emulator, adb=server.adb, port=self.console.port, folder=folder
        ).load_snapshot
        referee = ServedReferee(self.timed.ask_served, lambda: self.timed.reset(0))
        self.env = DeviceEnv(self.timed, referee)

    @property
    def injected_faults(self) -> InjectedFaults:
        """What is wrong with the phone."""
        return self.daemon.system.injected_faults

    def repair(self) -> None:
        """Take all that is wrong with the phone away; its server heals by its watch alone."""
        self.daemon.system.injected_faults = InjectedFaults()
        self.console.refuses = False
        if self._port_taken is not None:
            self._port_taken.close()
            self._port_taken = None
        RealClock().wait_until(self._healed, timeout=_HEAL_SECONDS, poll=0.1)

    def _healed(self) -> bool:
        return not self.server.ended and self.server.adb.answers()

    def close(self) -> None:
        """Repair it, and end its console."""
        self.repair()
        self.env.close()
        self.console.close()

    # The faults

    def go_offline(self) -> None:
        """The cable is there and nobody answers."""
        self.injected_faults.offline = True
        self.daemon.drop()

    def refuse(self) -> None:
        """The key of this machine is not accepted any more."""
        self.injected_faults.unauthorised = True
        self.daemon.drop()

    def stop_server(self) -> None:
        """The adb server stands still."""
        os.kill(self.server.pid, signal.SIGSTOP)

    def truncate(self) -> None:
        """Pictures end in the middle."""
        self.injected_faults.truncated = True

    def go_black(self) -> None:
        """Pictures are black."""
        self.injected_faults.black = True

    def freeze(self) -> None:
        """Pictures do not change."""
        self.injected_faults.stale = True

    def slow_down(self) -> None:
        """Every answer takes ten times as long."""
        self.injected_faults.delay = _SLOWER * self.device.baseline_seconds

    def reboot(self) -> None:
        """The phone starts again."""
        self.daemon.system.reboot()

    def change_serial(self) -> None:
        """Another phone is at the same address."""
        self.injected_faults.serial = "another-phone"

    def hang_app(self) -> None:
        """The app in front stops answering."""
        self.injected_faults.not_responding = "org.distrl.phone.launcher"

    def never_idle(self) -> None:
        """The screen never comes to rest."""
        self.injected_faults.never_idle = True

    def lose_root(self) -> None:
        """There is nothing to list."""
        self.injected_faults.null_root = True

    def keep_anr(self) -> None:
        """What is kept of an old ANR stands first."""
        self.injected_faults.last_anr = True

    def boot_too_early(self) -> None:
        """The phone starts again, and says that it has booted before its services answer."""
        self.injected_faults.starting = True
        self.daemon.system.reboot()

    def break_monkey(self) -> None:
        """`monkey` ends with an error; apps are started without it."""
        self.injected_faults.no_monkey = True
        self.device.phone.start_app("org.distrl.phone.clock")
        self.device.perform(actions.press("home"))

    def refuse_snapshot(self) -> None:
        """The emulator says no when it is told to load its snapshot."""
        self.console.refuses = True

    def lose_to_another_owner(self) -> None:
        """The server has ended, and one of another user is on its port, who has no phones."""
        home = self._folder / "another"
        home.mkdir(exist_ok=True)
        port = self.server.adb.port
        self._take_port(lambda: AdbServer(port, environment={"HOME": str(home)}))

    def take_port(self) -> None:
        """The server has ended, and on its port is a program that never answers."""
        port = self.server.adb.port
        self._take_port(lambda: socket.create_server(("127.0.0.1", port)))

    def _take_port(self, take: Callable[[], Closeable]) -> None:
        """End the server, and be on its port before the watch has started it again."""
        end = time.monotonic() + _HEAL_SECONDS
        while self._port_taken is None:
            if not self.server.ended:
                os.kill(self.server.pid, signal.SIGKILL)
            try:
                self._port_taken = take()
            except (OSError, ConfigError):
                if time.monotonic() > end:
                    raise


NOTHING = "nothing"
"""What a fault is taken for that costs no episode."""
FAULTS: dict[str, tuple[str, Strike]] = {
    "offline": (Cause.OFFLINE, Victim.go_offline),
    "unauthorised": (Cause.UNAUTHORISED, Victim.refuse),
    "stopped adb server": (Cause.SERVER, Victim.stop_server),
    "truncated picture": (Cause.GARBLED, Victim.truncate),
    "black frame": (Cause.BLANK, Victim.go_black),
    "stale frame": (Cause.STALE, Victim.freeze),
    "ten times slower": (Cause.SLOW, Victim.slow_down),
    "reboot": (Cause.REBOOTED, Victim.reboot),
    "another serial": (Cause.CHANGED, Victim.change_serial),
    "app not responding": (Cause.NOT_RESPONDING, Victim.hang_app),
    "never idle": (NOTHING, Victim.never_idle),
    "null root": (NOTHING, Victim.lose_root),
    "stale ANR section": (NOTHING, Victim.keep_anr),
    "booted but not ready": (Cause.REBOOTED, Victim.boot_too_early),
    "snapshot refused": (Cause.SNAPSHOT, Victim.refuse_snapshot),
    "adb server of another owner": (Cause.ABSENT, Victim.lose_to_another_owner),
    "port taken": (Cause.SERVER, Victim.take_port),
    "monkey missing": (NOTHING, Victim.break_monkey),
}
"""Every fault: what it should be taken for, and how it is made."""
AT_START = frozenset({"snapshot refused"})
"""Faults that strike before an episode begins, not after its second step."""


class TimedCalls:
    """A device that notes how long its longest call has taken."""

    def __init__(self, device: AndroidDevice) -> None:
        """Time a device's calls."""
        self._device = device
        self.kinds = device.kinds
        self.longest = 0.0

    @property
    def id(self) -> str:
        """The device's name."""
        return self._device.id

    def reset(self, seed: int) -> None:
        """Pass on, timed."""
        with self._timed():
            self._device.reset(seed)

    def observe(self) -> Observation:
        """Pass on, timed."""
        with self._timed():
            return self._device.observe()

    def perform(self, action: Action) -> None:
        """Pass on, timed."""
        with self._timed():
            self._device.perform(action)

    def prepare(self) -> None:
        """Pass on, timed."""
        with self._timed():
            self._device.prepare()

    def ask_served(self, arguments: Sequence[str]) -> str:
        """Pass on, timed."""
        with self._timed():
            return self._device.ask_served(arguments)

    def close(self) -> None:
        """Close the device."""
        self._device.close()

    @contextmanager
    def _timed(self) -> Iterator[None]:
        began = time.monotonic()
        try:
            yield
        finally:
            self.longest = max(self.longest, time.monotonic() - began)


class SnapshotConsole:
    """The console of an emulator, as far as snapshots go: it loads any, or refuses all."""

    def __init__(self) -> None:
        """Listen on a free port of this machine."""
        self.refuses = False
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, name="console", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                taken, _ = self._listening.accept()
            except OSError:
                return  # it was closed
            with taken, suppress(OSError), taken.makefile("rb") as lines:
                taken.sendall(b"OK\r\n")
                for line in lines:
                    no = self.refuses and line.startswith(b"avd snapshot load")
                    taken.sendall(b"KO: it is of another machine\r\n" if no else b"OK\r\n")

    def close(self) -> None:
        """Listen no more."""
        # A thread that waits in accept is not woken by close alone.
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join(10.0)
