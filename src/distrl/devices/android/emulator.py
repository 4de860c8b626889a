"""Headless Android emulators: clones of one AVD that share its disks, owned by process id.

    template AVD --read-only--> emulator-5554, emulator-5556, ...   each forgets what it changed
                                   |
             AdbServer of the group, on a port of its own

One `EmulatorGroup` starts several clones of one AVD. They share the AVD's disks read-only, so a
clone costs memory and no copy, and `restore` loads the snapshot that it was started from. The group
has an adb server of its own: a server that others use is never asked for anything, and never ended.

An emulator has started when `sys.boot_completed` says so, not after a fixed time. Processes are
ended by their id only, never by name.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from distrl.clock import RealClock
from distrl.config.devices import EmulatorsConfig
from distrl.devices.android.adb import Adb, AdbPhone, AdbServer
from distrl.devices.fault_causes import Cause, DeviceFault
from distrl.errors import ConfigError, DeviceError, DeviceLost
from distrl.interfaces import Clock

FIRST_PORT, LAST_PORT = 5554, 5680
"""Even ports of consoles; adb uses the odd one after each."""
# After SIGTERM an emulator writes its state, which takes seconds; then SIGKILL follows.
_STOP_SECONDS = 10.0
# Loading takes seconds; a snapshot that needs a minute is no better than a restart.
_LOAD_SECONDS = 60.0
"""How long a snapshot may take to load, and its phone to answer again."""
_OFFLINE_SECONDS = 5.0
"""How long a transport may be silent after a snapshot was loaded, before it is connected again."""
# Each poll is a shell command in the emulator, which competes with its boot.
_POLL_SECONDS = 0.5
_CONSOLE_FILE = ".emulator_console_auth_token"
"""In the user's home: what the console wants to hear first."""
_MAX_LOG_CHARACTERS = 400
"""Characters of an emulator's own words that an error repeats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BootRecord:
    """What a start cost."""

    serial: str
    seconds: float
    memory_mb: float
    """Memory that the emulator's process held when it had started."""


class Recovery(StrEnum):
    """How an emulator returns to a known state."""

    NONE = "none"
    """It stays as it is."""
    LOAD_SNAPSHOT = "load"
    RESTART = "restart"


def cheapest_recovery(*, runs: bool, failed: bool, snapshot: str) -> Recovery:
    """The cheapest recovery that can work; `failed` says that the last one did not.

    Without a snapshot only a restart recovers, and it takes minutes. So an emulator that runs is
    left as it is.
    """
    if not runs or failed:
        return Recovery.RESTART
    return Recovery.LOAD_SNAPSHOT if snapshot else Recovery.NONE


def command_line(
    config: EmulatorsConfig, program: str, port: int, *, template: bool = False
) -> list[str]:
    """The words by which a clone is started on a console port, or the AVD itself as a `template`.

    Both have the same memory, cores and renderer: a snapshot loads only where these are as they
    were when it was saved.
    """
    words = [program, "-avd", config.avd, *([] if template else ["-read-only"])]
    words += ["-port", str(port)]
    words += ["-no-window", "-no-audio", "-no-boot-anim", "-gpu", config.gpu]
    words += ["-memory", str(config.memory_mb), "-cores", str(config.cores)]
    # A clone must not write the snapshot that all of them start from.
    words += ["-no-snapshot-save"]
    if config.snapshot and not template:
        # Forced: a snapshot that is refused must be an error, not a start from nothing.
        words += ["-snapshot", config.snapshot, "-force-snapshot-load"]
    else:
        words += ["-no-snapshot-load"]
    return [*words, *config.options]


def find_emulator(program: str | None = None) -> str:
    """The emulator program; ConfigError when there is none."""
    sdk = os.environ.get("ANDROID_HOME") or os.environ.get("ANDROID_SDK_ROOT")
    places = [str(Path(sdk) / "emulator")] if sdk else []
    found = shutil.which(program or "emulator")
    for place in places:
        found = found or shutil.which(program or "emulator", path=place)
    if found is None:
        raise ConfigError(
            f"cannot find {program or 'the Android emulator'}: install the Android SDK emulator "
            "and set ANDROID_HOME; docs/devices.md says how"
        )
    return found


class Emulator:
    """One clone: started by `start`, ended by `close`, started again by `restart`."""

    def __init__(
        self,
        config: EmulatorsConfig,
        *,
        adb: Adb,
        port: int,
        folder: Path,
        clock: Clock | None = None,
        template: bool = False,
    ) -> None:
        """Name a clone by its console port; its words go into a file in `folder`, which is made.

        As a `template` it is the AVD itself: what happens on it stays, and it can be saved.
        """
        if not config.avd:
            raise ConfigError("name the AVD that emulators are started from")
        self.config, self.adb, self.port, self._template = config, adb, port, template
        self._program = find_emulator(config.program)
        folder.mkdir(parents=True, exist_ok=True)
        self._log = folder / f"emulator-{port}.log"
        self._clock: Clock = clock or RealClock()
        self._process: subprocess.Popen[bytes] | None = None
        # Held while a process is launched, so that `end` cannot miss one that is just starting.
        self._starting = threading.Lock()
        self._ended = False
        self._failed = False
        self.boots: list[BootRecord] = []
        """What every start so far has cost."""

    @property
    def serial(self) -> str:
        """What adb calls it."""
        return f"emulator-{self.port}"

    @property
    def phone(self) -> AdbPhone:
        """The phone inside."""
        return self.adb.phone(self.serial)

    @property
    def pid(self) -> int | None:
        """Its process id while it runs."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def start(self) -> BootRecord:
        """Start it and wait until its system has started; DeviceLost when it does not."""
        if self.pid is not None:
            raise DeviceError(f"{self.serial} runs already")
        began = self._clock.now()
        environment = {
            **os.environ,
            # The emulator tells this server of itself, and no other.
            "ANDROID_ADB_SERVER_PORT": str(self.adb.port),
        }
        process = self._launch(environment)
        try:
            self._wait_until_it_answers(self.config.boot_seconds)
        except BaseException:
            self.close()
            raise
        record = BootRecord(
            serial=self.serial,
            seconds=self._clock.now() - began,
            memory_mb=memory_mb(process.pid),
        )
        self.boots.append(record)
        return record

    def _launch(self, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        with self._starting:
            if self._ended:
                raise DeviceLost(f"{self.serial} has been ended for good")
            try:
                with self._log.open("wb") as log:
                    self._process = subprocess.Popen(
                        command_line(
                            self.config, self._program, self.port, template=self._template
                        ),
                        env=environment,
                        stdin=subprocess.DEVNULL,
                        stdout=log,
                        stderr=log,
                        start_new_session=True,
                    )
            except OSError as error:
                raise DeviceLost(f"{self.serial} cannot be started: {error}") from error
            return self._process

    def restore(self) -> None:
        """Return to the known start, and start what has ended again; DeviceLost when that fails.

        What fails, or has not come up after a minute, is answered by a new start the next time.
        """
        way = cheapest_recovery(
            runs=self.pid is not None, failed=self._failed, snapshot=self.config.snapshot
        )
        # Set before the attempt: if it raises anywhere below, the next call restarts.
        self._failed = True
        if way is Recovery.RESTART:
            self.restart()
        elif way is Recovery.LOAD_SNAPSHOT:
            self.load_snapshot()
            self._reconnect_if_offline()
        self._wait_until_it_answers(_LOAD_SECONDS)
        self._failed = False

    def load_snapshot(self, *, deadline: float = _LOAD_SECONDS) -> None:
        """Return to the snapshot without a new start, over the console; DeviceLost if it fails."""
        if not self.config.snapshot:
            raise ConfigError(f"{self.serial} was started without a snapshot")
        self._tell_console(f"avd snapshot load {self.config.snapshot}", "loaded", deadline)

    def save_snapshot(self, *, deadline: float = _LOAD_SECONDS) -> None:
        """Save what it is now under the snapshot's name; DeviceLost if it fails."""
        self._tell_console(f"avd snapshot save {self.config.snapshot}", "saved", deadline)

    def _tell_console(self, command: str, done: str, deadline: float) -> None:
        answer = tell_console(self.port, command, deadline)
        if answer != "OK":
            detail = f"{self.serial}: its snapshot was not {done}: {answer}"
            raise DeviceFault(Cause.SNAPSHOT, detail)

    def _reconnect_if_offline(self) -> None:
        """Let adb connect again, once, where a snapshot has left its transport behind."""
        if not self._clock.wait_until(self._answers, timeout=_OFFLINE_SECONDS, poll=_POLL_SECONDS):
            with suppress(DeviceError):
                self.adb.reconnect_offline()

    def restart(self) -> BootRecord:
        """End it, whatever state it is in, and start it again from its snapshot."""
        self.close()
        return self.start()

    def close(self) -> None:
        """End it and all that it has started; a second call does nothing."""
        process, self._process = self._process, None
        if process is None:
            return
        for number in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, number)  # a session of its own: only what it has started
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=_STOP_SECONDS)
        process.wait(timeout=_STOP_SECONDS)

    def end(self) -> None:
        """End it for good, also while another thread is about to start it."""
        with self._starting:
            self._ended = True
        self.close()

    def _wait_until_it_answers(self, seconds: float) -> None:
        if not self._clock.wait_until(self._answers, timeout=seconds, poll=_POLL_SECONDS):
            raise DeviceLost(f"{self.serial} has not come up within {seconds:g} s: {self._words()}")

    def _answers(self) -> bool:
        process = self._process
        if process is None:
            raise DeviceLost(f"{self.serial} was closed")
        code = process.poll()
        if code is not None:
            raise DeviceLost(f"{self.serial} ended with {code}: {self._words()}")
        try:
            # Short: an emulator that boots may accept the connection and never answer.
            return self.phone.prop("sys.boot_completed", deadline=5.0) == "1"
        except DeviceError:
            return False  # adb does not know it yet, or it does not answer yet

    def _words(self) -> str:
        """The last that it said."""
        said = self._log.read_text(errors="replace").strip()
        return said[-_MAX_LOG_CHARACTERS:] or "it said nothing"


class EmulatorGroup:
    """Clones of one AVD, with an adb server of their own."""

    def __init__(
        self,
        config: EmulatorsConfig,
        *,
        adb_port: int,
        folder: Path,
    ) -> None:
        """Start the server; the clones are started by `start`. The folder is made for the logs."""
        ports = console_ports(config.count, config.first_port)
        folder.mkdir(parents=True, exist_ok=True)
        self.server = AdbServer(adb_port, log=folder / f"adb-{adb_port}.log")
        try:
            self.emulators = [
                Emulator(config, adb=self.server.adb, port=port, folder=folder) for port in ports
            ]
        except BaseException:
            self.server.close()
            raise
        self.server.after_restart = self._announce

    def _announce(self) -> None:
        for emulator in self.emulators:
            if emulator.pid is not None:
                with suppress(DeviceError):
                    self.server.adb.announce_emulator(emulator.port + 1)

    def start(self) -> tuple[BootRecord, ...]:
        """Start all clones, one after the other; when one does not start, all are ended.

        Not in parallel: booting takes all cores, and several at once run into their deadlines.
        """
        try:
            return tuple(emulator.start() for emulator in self.emulators)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the clones for good, then their server; a second call does nothing."""
        for emulator in self.emulators:
            emulator.end()
        self.server.close()


def console_ports(count: int, first: int = FIRST_PORT) -> list[int]:
    """Even ports that are free together with the odd one after each; ConfigError if too few are."""
    if count < 1:
        raise ConfigError(f"a group needs at least one emulator, got {count}")
    if first % 2 or not FIRST_PORT <= first <= LAST_PORT:
        raise ConfigError(f"ports of emulators are even, {FIRST_PORT} to {LAST_PORT}, got {first}")
    found = [port for port in range(first, LAST_PORT + 1, 2) if _free(port) and _free(port + 1)]
    if len(found) < count:
        raise ConfigError(f"only {len(found)} ports are free for {count} emulators from {first} on")
    return found[:count]


def tell_console(port: int, command: str, deadline: float) -> str:
    """What the console of an emulator of this user answers; DeviceLost when it does not."""
    token = Path(os.environ.get("HOME", "/")) / _CONSOLE_FILE
    secret = token.read_text().strip() if token.exists() else ""
    commands = [f"auth {secret}"] if secret else []
    try:
        return send_console_commands(port, [*commands, command], deadline=deadline)[-1]
    except OSError as error:
        detail = f"emulator-{port}: its console does not answer: {error}"
        raise DeviceLost(detail) from error


def send_console_commands(port: int, commands: Sequence[str], *, deadline: float) -> list[str]:
    """What an emulator's console answers to each command: OK, or KO and why."""
    end = time.monotonic() + deadline
    with socket.create_connection(("127.0.0.1", port), timeout=deadline) as console:

        def read_answer() -> str:
            said = b""
            while not re.search(rb"(?:^|\n)(OK|KO[^\r\n]*)\r?\n$", said):
                console.settimeout(max(0.001, end - time.monotonic()))
                piece = console.recv(4096)
                if not piece:
                    raise ConnectionResetError("it was closed")
                said += piece
            return said.decode("utf-8", "replace").strip().splitlines()[-1]

        read_answer()  # the greeting
        answers = []
        for command in commands:
            console.sendall(f"{command}\r\n".encode())
            answers.append(read_answer())
    return answers


def memory_mb(pid: int) -> float:
    """Memory that a process holds; 0 where the system does not say."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
