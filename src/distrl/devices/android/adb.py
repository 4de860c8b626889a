"""adb client: the only file that talks to adb. Takes argument lists, returns bytes, has deadlines.

    AdbServer   an adb server of our own, on a port of its own, ended by its process id
    Adb         what an adb server can be asked: which devices, connect, disconnect
    AdbPhone    one device: run programs on it, look at it, move files

Programs are given as lists of words. `quote` is the one place where words become a line for the
device's shell; no line is ever built otherwise, and nothing ever reaches a shell of this machine.

adb itself blocks forever when its server is stopped or a phone hangs. So every call opens its own
socket and has one deadline for the whole call; a timeout per read would let an answer that drips
byte by byte run on without end.
"""

from __future__ import annotations

import os
import re
import shlex
import socket
import struct
import subprocess
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeAlias

from distrl.devices.android import file_sync
from distrl.devices.android.dumpsys import (
    KEYBOARD_LINES,
    ROTATION_LINES,
    SERVICES,
    WINDOW_LINES,
    Windows,
    missing_for_use,
    read_keyboard,
    read_launcher_activity,
    read_rotation,
    read_size,
    read_windows,
)
from distrl.devices.android.launcher_apps import QUERY, LauncherApp, read_apps
from distrl.devices.fault_causes import Cause, DeviceFault
from distrl.errors import ActionError, ConfigError, DeviceError

Argv: TypeAlias = Sequence[str]
"""A program and its arguments."""
Pipeline: TypeAlias = Sequence[Argv]
"""Programs that each read what the one before wrote."""

DEFAULT_PORT = 5037
# A look (two screenshots, a hierarchy, dumpsys) may take seconds on a busy emulator; what takes
# longer than this is treated as a hang.
DEADLINE = 10.0
_SERVER_ANSWER_SECONDS = 2.0
"""How long a server may take to report its version before it counts as stopped."""
# A first start generates an RSA key and forks, which takes seconds on a loaded machine.
_START_SECONDS = 20.0
# After SIGKILL only the kernel has work left: if that takes longer, the machine is broken.
_END_SECONDS = 10.0
_STDOUT, _STDERR, _EXIT = 1, 2, 3
# Bounds memory against a program that prints without end; two screenshots and a hierarchy of a
# large tablet are some 20 MB.
_MAX_OUTPUT_BYTES = 256 * 2**20
_PNG = b"\x89PNG\r\n\x1a\n"
_SERIAL = re.compile(r"[\w.:\[\]%-]{1,128}")

_MAIN, _LAUNCHER = "android.intent.action.MAIN", "android.intent.category.LAUNCHER"
_BOOT_ID = re.compile(r"\s*([\w-]{1,64})\s*")
_NO_HIERARCHY = re.compile(
    r"could not get idle state|null root node|UiAutomationService \S+ already registered|Killed"
)
"""What `uiautomator dump` says of a screen that it cannot list, though the device is well."""
_DUMP = "/data/local/tmp/distrl-hierarchy.xml"
_WINDOWS: Pipeline = (("dumpsys", "window"), ("grep", "-E", WINDOW_LINES))
_ROTATION: tuple[Pipeline, ...] = tuple(
    (("dumpsys", *what), ("grep", "-E", ROTATION_LINES))
    for what in (("display",), ("input",), ("window", "displays"))
)

_FAILURES = (
    (re.compile(r"device .*not found|no devices|device not found"), Cause.ABSENT),
    (re.compile(r"unauthori[sz]ed|failed to authenticate|still authorizing"), Cause.UNAUTHORISED),
    (re.compile(r"offline|still connecting"), Cause.OFFLINE),
    (re.compile(r"closed|protocol fault|connection reset|more than one device"), Cause.OFFLINE),
)
"""Patterns of adb's error messages and the cause of each; the first match counts."""


def quote(words: Argv) -> str:
    """Quote an argument list as one shell line; ActionError for NUL and lone surrogates."""
    line = " ".join(shlex.quote(word) for word in words)
    if "\0" in line or any("\ud800" <= character <= "\udfff" for character in line):
        raise ActionError(f"this cannot be said to a device's shell: {line[:80]!a}")
    return line


def quote_pipelines(pipelines: Sequence[Pipeline]) -> str:
    """One shell line that runs all pipelines in order, even if some of them fail."""
    return "; ".join(" | ".join(quote(words) for words in pipe) for pipe in pipelines)


def find_adb() -> str:
    """The adb inside adbutils; ConfigError without it."""
    try:
        from adbutils import adb_path
    except ImportError:
        raise ConfigError("adb needs the package adbutils: pip install 'distrl[android]'") from None
    return str(adb_path())


@dataclass(frozen=True, slots=True)
class CommandResult:
    """Output and exit code of a program that ran on a device."""

    stdout: bytes
    stderr: bytes
    code: int

    @property
    def text(self) -> str:
        """What it printed, without the last line's end."""
        return self.stdout.decode("utf-8", "replace").strip()


@dataclass(frozen=True, slots=True)
class ScreenDump:
    """Everything that one look at a device returned, as raw bytes and parsed windows."""

    png: bytes
    xml: bytes
    """Empty when it was not asked for, or `unlisted` says why there is none."""
    windows: Windows
    keyboard: bool
    serial: str
    """The device's own serial number, whatever adb calls it."""
    boot: str
    """The kernel's boot id: it changes with every reboot."""
    png_after: bytes
    """A second screenshot after the hierarchy: if both are equal, the hierarchy fits them."""
    unlisted: str = ""
    """Why a screen that is well has no hierarchy: it never came to rest, for example."""


class _Deadline:
    """The time that is left of one call, over all its reads and writes."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError(f"after {self.seconds:g} s")
        return left


class _ServerConnection:
    """One request to the adb server on a connection of its own.

    adbutils has such a connection, too, but it blocks without a deadline, sleeps on close, and
    starts a server on the shared port when there is none.
    """

    def __init__(self, host: str, port: int, timer: _Deadline) -> None:
        self._timer = timer
        self._socket = socket.create_connection((host, port), timeout=timer.left())
        # Requests are a few bytes: Nagle's algorithm would hold each back for up to 40 ms.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self) -> None:
        self._socket.close()

    def ask(self, request: str) -> None:
        """Send a request; DeviceError with what the server says when it refuses."""
        packed = request.encode()
        self._socket.settimeout(self._timer.left())
        self._socket.sendall(b"%04x" % len(packed) + packed)
        answer = self.read(4)
        if answer == b"FAIL":
            raise _Refused(self.block())
        if answer != b"OKAY":
            raise _Refused(f"protocol fault: {answer!r}")

    def block(self) -> str:
        """A text with its length in front."""
        length = self.read(4)
        try:
            return self.read(int(length, 16)).decode("utf-8", "replace")
        except ValueError:
            raise _Refused(f"protocol fault: {length!r}") from None

    def read(self, count: int) -> bytes:
        """Exactly so many bytes."""
        found = bytearray()
        while len(found) < count:
            self._socket.settimeout(self._timer.left())
            piece = self._socket.recv(min(count - len(found), 2**20))
            if not piece:
                raise _Refused("closed")
            found += piece
        return bytes(found)

    def rest(self) -> bytes:
        """All bytes until the other side closes, or loses, the connection."""
        found = bytearray()
        while len(found) < _MAX_OUTPUT_BYTES:
            self._socket.settimeout(self._timer.left())
            try:
                piece = self._socket.recv(2**16)
            except ConnectionResetError:
                piece = b""
            if not piece:
                break
            found += piece
        return bytes(found)

    def send(self, content: bytes) -> None:
        """Send bytes as they are."""
        self._socket.settimeout(self._timer.left())
        self._socket.sendall(content)


class _Refused(Exception):  # noqa: N818 - what adb said, before it is given a cause
    """The server or the device said no."""


class Adb:
    """An adb server, whoever has started it. Any thread may call."""

    def __init__(self, *, host: str = "127.0.0.1", port: int = DEFAULT_PORT) -> None:
        """Name a server; nothing is asked of it yet, and none is ever started by asking."""
        if not 0 < port < 2**16:
            raise ConfigError(f"the port of an adb server is from 1 to 65535, got {port}")
        self.host, self.port = host, port

    @contextmanager
    def _line(self, doing: str, deadline: float, serial: str = "") -> Iterator[_ServerConnection]:
        """A connection for one call; what goes wrong in it becomes a DeviceFault with a cause."""
        who = f"{serial}: " if serial else ""
        line: _ServerConnection | None = None
        try:
            timer = _Deadline(deadline)
            line = _ServerConnection(self.host, self.port, timer)
            yield line
        except TimeoutError:
            # Either the phone or the server hangs; only a second connection can tell them apart.
            answers = self.answers()
            cause = Cause.TIMEOUT if answers else Cause.SERVER
            what = "no answer" if answers else f"the adb server on port {self.port} has stopped"
            raise DeviceFault(cause, f"{who}{doing}: {what} within {deadline:g} s") from None
        except ConnectionRefusedError:
            detail = f"{who}{doing}: there is no adb server on {self.host}:{self.port}"
            raise DeviceFault(Cause.SERVER, detail) from None
        except OSError as error:
            raise DeviceFault(Cause.SERVER, f"{who}{doing}: {error}") from error
        except _Refused as refused:
            raise DeviceFault(_cause_of(str(refused)), f"{who}{doing}: {refused}") from None
        finally:
            if line is not None:
                line.close()

    def answers(self) -> bool:
        """Whether the server says its version soon."""
        try:
            line = _ServerConnection(self.host, self.port, _Deadline(_SERVER_ANSWER_SECONDS))
        except OSError:
            return False
        try:
            line.ask("host:version")
            return bool(line.block())
        except (OSError, _Refused):
            return False
        finally:
            line.close()

    def devices(self, *, deadline: float = DEADLINE) -> dict[str, str]:
        """State of every device by its serial, as adb calls them: device, offline, ..."""
        with self._line("devices", deadline) as line:
            line.ask("host:devices")
            listed = line.block()
        found = (entry.split("\t", 1) for entry in listed.splitlines() if "\t" in entry)
        return {serial: state.strip() for serial, state in found}

    def connect(self, address: str, *, deadline: float = DEADLINE) -> None:
        """Connect to a device over TCP; DeviceFault when that fails."""
        _check_serial(address)
        with self._line("connect", deadline, address) as line:
            line.ask(f"host:connect:{address}")
            answer = line.block()
        if not answer.startswith(("connected to", "already connected to")):
            cause = _cause_of(answer, otherwise=Cause.ABSENT)
            raise DeviceFault(cause, f"{address}: connect: {answer.strip()}")

    def disconnect(self, address: str, *, deadline: float = DEADLINE) -> None:
        """Forget a device that was connected over TCP, if it was."""
        _check_serial(address)
        try:
            with self._line("disconnect", deadline, address) as line:
                line.ask(f"host:disconnect:{address}")
                line.block()
        except DeviceFault as fault:
            # Any other refusal means that it was not connected, which is what was wanted.
            if fault.cause in (Cause.SERVER, Cause.TIMEOUT):
                raise

    def announce_emulator(self, port: int, *, deadline: float = DEADLINE) -> None:
        """Tell the server of an emulator by the port of its adb; nothing is answered.

        Servers of our own look for none by themselves, and one that was restarted has forgotten.
        """
        packed = f"host:emulator:{port}".encode()
        with self._line("emulator", deadline) as line:
            line.send(b"%04x" % len(packed) + packed)

    def reconnect_offline(self, *, deadline: float = DEADLINE) -> None:
        """Let the server drop all devices that are offline, and connect to them again."""
        with self._line("reconnect", deadline) as line:
            line.ask("host:reconnect-offline")

    def phone(self, serial: str) -> AdbPhone:
        """One device of this server."""
        return AdbPhone(self, serial)

    @contextmanager
    def transport(self, serial: str, doing: str, deadline: float) -> Iterator[_ServerConnection]:
        """A connection that has been switched to a device."""
        with self._line(doing, deadline, serial) as line:
            line.ask(f"host:transport:{serial}")
            yield line


class AdbPhone:
    """One device, by the serial that adb knows it by. Any thread may call."""

    def __init__(self, adb: Adb, serial: str) -> None:
        """Name a device; nothing is asked of it yet."""
        _check_serial(serial)
        self.adb, self.serial = adb, serial

    @property
    def over_tcp(self) -> bool:
        """Whether adb reaches it by `adb connect`."""
        return ":" in self.serial

    def state(self, *, deadline: float = DEADLINE) -> str:
        """What adb calls its state; `absent` when adb does not know it."""
        return self.adb.devices(deadline=deadline).get(self.serial, "absent")

    def run(self, words: Argv, *, deadline: float = DEADLINE) -> CommandResult:
        """Run one program, and say what it printed and how it ended."""
        return self._run_line(quote(words), words[0], deadline)

    def check(self, words: Argv, *, deadline: float = DEADLINE) -> str:
        """Standard output of a program; DeviceError when its exit code is not 0."""
        return self._succeeded(self.run(words, deadline=deadline), words[0])

    def _succeeded(self, ran: CommandResult, program: str) -> str:
        if ran.code:
            said = (ran.stderr or ran.stdout).decode("utf-8", "replace").strip()
            raise DeviceError(f"{self.serial}: {program} ended with {ran.code}: {said[:200]}")
        return ran.text

    def run_pipelines(
        self, pipelines: Sequence[Pipeline], doing: str, *, deadline: float = DEADLINE
    ) -> CommandResult:
        """Run pipelines one after the other in one call."""
        return self._run_line(quote_pipelines(pipelines), doing, deadline)

    def _run_line(self, line: str, doing: str, deadline: float) -> CommandResult:
        with self.adb.transport(self.serial, doing, deadline) as transport:
            transport.ask(f"shell,v2,raw:{line}")
            streams = {_STDOUT: bytearray(), _STDERR: bytearray()}
            size = 0
            while True:
                number, length = struct.unpack("<BI", transport.read(5))
                size += length
                if size > _MAX_OUTPUT_BYTES:
                    raise _Refused(f"protocol fault: more than {_MAX_OUTPUT_BYTES} bytes")
                content = transport.read(length)
                if number == _EXIT:
                    out, err = bytes(streams[_STDOUT]), bytes(streams[_STDERR])
                    return CommandResult(out, err, content[0] if content else 255)
                if number in streams:
                    streams[number] += content

    # Looking

    def look(self, *, hierarchy: bool = True, deadline: float = DEADLINE) -> ScreenDump:
        """Screenshot, hierarchy, windows, keyboard and identity in one round trip.

        One call instead of seven saves their latency, and all parts are of nearly one moment.
        """
        pipelines: list[Pipeline] = [[["screencap", "-p"]]]
        if hierarchy:
            # Through a file: without a terminal, not every Android has a /dev/tty to write to.
            pipelines += [[["rm", "-f", _DUMP]], [["uiautomator", "dump", _DUMP]], [["cat", _DUMP]]]
        pipelines += [
            [["echo", "=windows"]],
            _WINDOWS,
            [["dumpsys", "input_method"], ["grep", "-E", KEYBOARD_LINES]],
            [["echo", "=serial"]],
            [["getprop", "ro.serialno"]],
            [["echo", "=boot"]],
            [["cat", "/proc/sys/kernel/random/boot_id"]],
            [["screencap", "-p"]],
        ]
        ran = self.run_pipelines(pipelines, "look", deadline=deadline)
        return parse_screen_dump(ran.stdout, ran.stderr, hierarchy=hierarchy, serial=self.serial)

    def screencap(self, *, deadline: float = DEADLINE) -> bytes:
        """The screen as PNG."""
        return self.run(["screencap", "-p"], deadline=deadline).stdout

    def size(self, *, deadline: float = DEADLINE) -> tuple[int, int]:
        """Width and height of the screen as it is built, however it is held."""
        return self._read_size(self.check(["wm", "size"], deadline=deadline))

    def _read_size(self, said: str) -> tuple[int, int]:
        found = read_size(said)
        if found is None:
            raise DeviceError(f"{self.serial}: wm size says {said[:80]!r}")
        return found

    def rotation(self, *, deadline: float = DEADLINE) -> int:
        """Quarter turns by which the screen is turned from how it is built; 0 if nobody says."""
        ran = self.run_pipelines(_ROTATION, "rotation", deadline=deadline)
        return read_rotation(ran.text) or 0

    def held_size(self, *, deadline: float = DEADLINE) -> tuple[int, int]:
        """Width and height of the screen as it is held: what touches are measured in."""
        said = self.run_pipelines([[["wm", "size"]], *_ROTATION], "size", deadline=deadline).text
        width, height = self._read_size(said)
        return (height, width) if (read_rotation(said) or 0) % 2 else (width, height)

    def prop(self, name: str, *, deadline: float = DEADLINE) -> str:
        """A property of the system; empty when it is not set."""
        return self.check(["getprop", name], deadline=deadline)

    def current_app(self, *, deadline: float = DEADLINE) -> str:
        """The package in front; empty when the device does not say."""
        return self._windows(deadline).app

    def focus(self, *, deadline: float = DEADLINE) -> str:
        """The window that has the focus; empty when the device does not say."""
        return self._windows(deadline).focus

    def _windows(self, deadline: float) -> Windows:
        ran = self.run_pipelines([_WINDOWS], "dumpsys window", deadline=deadline)
        return read_windows(ran.text)

    def setting(self, space: str, name: str, *, deadline: float = DEADLINE) -> str:
        """A setting's value; `null` when it is not set."""
        return self.check(["settings", "get", space, name], deadline=deadline)

    def packages(self, *, deadline: float = DEADLINE) -> frozenset[str]:
        """All installed packages."""
        listed = self.check(["pm", "list", "packages"], deadline=deadline)
        return frozenset(line.removeprefix("package:").strip() for line in listed.splitlines())

    def read_file(self, path: str, *, deadline: float = DEADLINE) -> bytes | None:
        """What a file holds; None when there is none that can be read."""
        ran = self.run(["cat", path], deadline=deadline)
        return None if ran.code else ran.stdout

    def pull(self, path: str, *, deadline: float = DEADLINE) -> bytes:
        """What a file holds; DeviceError when there is none that can be read."""
        with self.adb.transport(self.serial, "pull", deadline) as line:
            return file_sync.pull(line, path)

    def push(self, content: bytes, path: str, *, deadline: float = DEADLINE) -> None:
        """Write a file and the folders above it; DeviceError when that is refused."""
        with self.adb.transport(self.serial, "push", deadline) as line:
            file_sync.push(line, content, path)

    def is_root(self, *, deadline: float = DEADLINE) -> bool:
        """Whether what adb runs there is run by root."""
        return self.run(["whoami"], deadline=deadline).text == "root"

    def ask_for_root(self, *, deadline: float = DEADLINE) -> str:
        """Let adbd start again as root, and return what it says; the connection is lost with it."""
        with self.adb.transport(self.serial, "root", deadline) as line:
            line.ask("root:")
            return line.rest().decode("utf-8", "replace").strip()

    # Acting

    def tap(self, x: str, y: str, *, deadline: float = DEADLINE) -> None:
        """Touch a point, given in pixels."""
        self.check(["input", "tap", x, y], deadline=deadline)

    def swipe(self, points: Sequence[str], ms: int, *, deadline: float = DEADLINE) -> None:
        """Move a finger between two points in so many milliseconds; one point is a long press."""
        self.check(["input", "swipe", *points, str(ms)], deadline=deadline)

    def double_tap(self, x: str, y: str, *, deadline: float = DEADLINE) -> None:
        """Touch a point twice, in one call: two calls would be too far apart in time."""
        tap: Pipeline = [["input", "tap", x, y]]
        self._succeeded(self.run_pipelines([tap, tap], "input", deadline=deadline), "input")

    def drag(self, points: Sequence[str], ms: int, *, deadline: float = DEADLINE) -> None:
        """Hold what is at the first point, move it to the second in so many milliseconds."""
        self.check(["input", "draganddrop", *points, str(ms)], deadline=deadline)

    def key(self, code: str, *, deadline: float = DEADLINE) -> None:
        """Press a key by its name, such as KEYCODE_BACK."""
        self.check(["input", "keyevent", code], deadline=deadline)

    def text(self, text: str, *, deadline: float = DEADLINE) -> None:
        """Type as a hardware keyboard does: printable ASCII without `%s`, which means a blank."""
        if "%s" in text or not all(" " <= character <= "~" for character in text):
            raise ActionError(f"a keyboard of keys cannot type {text[:40]!r}")
        self.check(["input", "text", text], deadline=deadline)

    def text_through_keyboard_app(self, encoded: str, *, deadline: float = DEADLINE) -> None:
        """Type base64 of any UTF-8 text through the app com.android.adbkeyboard."""
        words = ["am", "broadcast", "-a", "ADB_INPUT_B64", "--es", "msg", encoded]
        self.check(words, deadline=deadline)

    def choose_keyboard(self, name: str, *, deadline: float = DEADLINE) -> None:
        """Make an input method the one that is used."""
        self.check(["ime", "enable", name], deadline=deadline)
        self.check(["ime", "set", name], deadline=deadline)

    def sleep(self, seconds: float, *, deadline: float = DEADLINE) -> None:
        """Let the device wait; on a phone with a time of its own, in that time."""
        self.check(["sleep", f"{seconds:g}"], deadline=deadline + seconds)

    def start_app(self, package: str, activity: str = "", *, deadline: float = DEADLINE) -> None:
        """Bring an app to the front, by the activity that its icon starts if none is named."""
        timer = _Deadline(deadline)
        component = f"{package}/{activity}"
        if not activity:
            component = self.launcher_activity(package, deadline=timer.left())
        said = self.run(["am", "start", "-n", component], deadline=timer.left())
        # `am start` often ends with 0 whatever it says.
        words = f"{said.text}\n{said.stderr.decode('utf-8', 'replace')}".strip()
        if said.code or "Error" in words:
            raise DeviceError(f"{self.serial}: {component} was not started: {words[-200:]}")

    def launcher_activity(self, package: str, *, deadline: float = DEADLINE) -> str:
        """The component that an app's icon starts; DeviceError when the app has none.

        Not by `monkey`, which ends with an error on newer Androids.
        """
        words = ["cmd", "package", "resolve-activity", "--brief", "-a", _MAIN, "-c", _LAUNCHER]
        said = self.run([*words, package], deadline=deadline).text
        component = read_launcher_activity(said, package)
        if not component:
            raise DeviceError(f"{self.serial}: {package} has no activity to start: {said[-120:]}")
        return component

    def missing_for_use(self, *, deadline: float = DEADLINE) -> str:
        """What a device that says it has booted still lacks; empty when it can be operated."""
        checks: list[Pipeline] = [[["service", "check", service]] for service in SERVICES]
        ran = self.run_pipelines([*checks, _WINDOWS], "service check", deadline=deadline)
        return missing_for_use(ran.text)

    def close_dialogs(self, *, deadline: float = DEADLINE) -> None:
        """Close dialogs of the system, such as that it does not respond itself."""
        action = "android.intent.action.CLOSE_SYSTEM_DIALOGS"
        self.check(["am", "broadcast", "-a", action], deadline=deadline)

    def launcher_apps(self, *, deadline: float = DEADLINE) -> tuple[LauncherApp, ...]:
        """All apps that have an icon."""
        return read_apps(self.check(QUERY, deadline=deadline))

    def launch(self, app: LauncherApp, *, deadline: float = DEADLINE) -> None:
        """Bring an app to the front as its icon does."""
        intent = ["-a", "android.intent.action.MAIN", "-c", "android.intent.category.LAUNCHER"]
        component = f"{app.package}/{app.activity}"
        self.check(["am", "start", *intent, "-n", component], deadline=deadline)

    def stop_app(self, package: str, *, deadline: float = DEADLINE) -> None:
        """End an app."""
        self.check(["am", "force-stop", package], deadline=deadline)

    def put_setting(self, space: str, name: str, value: str, *, deadline: float = DEADLINE) -> None:
        """Change a setting."""
        self.check(["settings", "put", space, name, value], deadline=deadline)

    def served(self, arguments: Argv, *, deadline: float = DEADLINE) -> str:
        """Run the command that only phones have which this package serves."""
        return self.check(["distrl", *arguments], deadline=deadline)


class AdbServer:
    """An adb server of our own: started here, owned by its process id, ended here."""

    def __init__(
        self,
        port: int,
        *,
        program: str | None = None,
        environment: Mapping[str, str] | None = None,
        log: Path | None = None,
    ) -> None:
        """Start it and wait until it answers; ConfigError when the port is taken."""
        self.adb = Adb(port=port)
        self._command = [program or find_adb(), "-P", str(port), "nodaemon", "server"]
        # Nothing is looked for, on the network or on this machine's ports 5555 to 5585, where
        # somebody else's emulators and served phones are: phones are named, never found.
        off = {"ADB_MDNS": "0", "ADB_EMU": "0"}
        self._environment = {**os.environ, **off, **(environment or {})}
        self.after_restart: Callable[[], None] = lambda: None
        """Tells a server that was started anew what it has forgotten."""
        self._log = log
        self._changing = threading.Lock()
        self._closed = False
        self._process = self._start()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def ended(self) -> bool:
        """Whether its process is gone."""
        return self._process.poll() is not None

    def restart(self) -> None:
        """End it by its process id and start it anew on its port; after `close`, do nothing.

        ConfigError when that fails, as when somebody else has taken the port meanwhile.
        """
        with self._changing:
            if self._closed:
                return
            # SIGKILL at once: a stopped process (SIGSTOP) would not handle SIGTERM.
            self._process.kill()
            self._process.wait(timeout=_END_SECONDS)
            self._process = self._start()
        self.after_restart()

    def close(self) -> None:
        """End it; a second call does nothing."""
        with self._changing:
            self._closed = True
            _end(self._process)

    def _start(self) -> subprocess.Popen[bytes]:
        if self.adb.answers():
            port = self.adb.port
            raise ConfigError(f"an adb server listens on port {port} already; choose another port")
        output: int | IO[bytes] = subprocess.DEVNULL if self._log is None else self._log.open("ab")
        process = subprocess.Popen(
            self._command,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        if not isinstance(output, int):
            output.close()
        try:
            self._wait_until_it_answers(process)
        except BaseException:
            _end(process)
            raise
        return process

    def _wait_until_it_answers(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while not self.adb.answers():
            code = process.poll()
            if code is not None:
                raise ConfigError(f"the adb server on port {self.adb.port} ended with {code}")
            if time.monotonic() > deadline:
                raise ConfigError(f"the adb server does not answer within {_START_SECONDS:g} s")
            time.sleep(0.02)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a server of ours, if it has not ended yet."""
    if process.poll() is None:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=2.0)  # adb ends at once, unless it is stopped
    if process.poll() is None:  # a stopped process does not handle SIGTERM
        process.kill()
    process.wait(timeout=_END_SECONDS)


def parse_screen_dump(
    content: bytes, stderr: bytes = b"", *, hierarchy: bool, serial: str
) -> ScreenDump:
    """Split the output of `look` into its parts; DeviceFault (garbled) when one is missing.

    A hierarchy may be missing where the device says, on either stream, that it has none to give.
    """
    png, rest = split_png(content, serial)
    xml, unlisted = b"", ""
    if hierarchy:
        xml, rest = _split_hierarchy(rest)
        if not xml:
            unlisted = _why_unlisted(rest, stderr, serial)
    # Until the next picture: some devices answer with an error where the boot id should stand.
    pattern = rb"=windows\s(.*?)=serial\s+(\S*)\s+=boot\s(.*?)(?=\x89PNG|\Z)"
    found = re.search(pattern, rest, re.DOTALL)
    if found is None:
        raise DeviceFault(Cause.GARBLED, f"{serial}: the answer ends early: {rest[-80:]!r}")
    windows = found[1].decode("utf-8", "replace")
    after, _ = split_png(rest[found.end() :], serial)
    return ScreenDump(
        png=png,
        xml=xml,
        windows=read_windows(windows),
        keyboard=read_keyboard(windows),
        serial=found[2].decode("utf-8", "replace"),
        boot=read_boot_id(found[3]),
        png_after=after,
        unlisted=unlisted,
    )


def _split_hierarchy(rest: bytes) -> tuple[bytes, bytes]:
    """The hierarchy, if it is whole, and what comes after it."""
    # The picture that follows may hold any bytes, those of a hierarchy too.
    start = rest.partition(b"=windows")[0].find(b"<?xml")
    end = rest.find(b"</hierarchy>")
    if start < 0 or end < start:
        return b"", rest
    end += len(b"</hierarchy>")
    return rest[start:end], rest[end:]


def _why_unlisted(rest: bytes, stderr: bytes, serial: str) -> str:
    """What the dumper says of a screen that cannot be listed; DeviceFault when it says nothing."""
    head = rest.partition(b"=windows")[0][:400]
    said = (head + b"\n" + stderr[:400]).decode("utf-8", "replace")
    found = _NO_HIERARCHY.search(said)
    if found is None or "<?xml" in said:
        told = " ".join(said.split())[:120]
        raise DeviceFault(Cause.GARBLED, f"{serial}: no hierarchy but {told!r}")
    return found[0]


def read_boot_id(said: bytes) -> str:
    """The kernel's boot id; empty where a device does not let it be read."""
    found = _BOOT_ID.fullmatch(said.decode("utf-8", "replace"))
    return found[1] if found else ""


def split_png(content: bytes, serial: str) -> tuple[bytes, bytes]:
    """Split bytes into a complete PNG and the rest; DeviceFault (garbled) when it is damaged.

    Chunk lengths and CRCs are checked: a screenshot that was cut off must not count as a screen.
    """
    place = len(_PNG)
    if not content.startswith(_PNG):
        raise DeviceFault(Cause.GARBLED, f"{serial}: no picture but {content[:40]!r}")
    while place + 12 <= len(content):
        length, name = struct.unpack_from(">I4s", content, place)
        body, place = content[place + 4 : place + 8 + length], place + 12 + length
        if place > len(content):
            break
        if zlib.crc32(body) != int.from_bytes(content[place - 4 : place], "big"):
            raise DeviceFault(Cause.GARBLED, f"{serial}: the picture is damaged")
        if name == b"IEND":
            return content[:place], content[place:]
    raise DeviceFault(Cause.GARBLED, f"{serial}: the picture ends after {len(content)} bytes")


def _cause_of(said: str, otherwise: Cause = Cause.OFFLINE) -> Cause:
    lowered = said.lower()
    return next((cause for known, cause in _FAILURES if known.search(lowered)), otherwise)


def _check_serial(serial: str) -> None:
    """A serial goes into requests of the adb server, so it must not hold one of its own."""
    if not _SERIAL.fullmatch(serial):
        raise ConfigError(f"a serial has letters, digits and . : - _ [ ] %, got {serial!r}")
