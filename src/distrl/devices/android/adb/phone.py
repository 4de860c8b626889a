"""One device over adb: run programs on it, look at it, act on it."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from distrl.devices.android import file_sync
from distrl.devices.android.adb.connection import Deadline, Refused
from distrl.devices.android.adb.look import ScreenDump, parse_screen_dump
from distrl.devices.android.adb.words import Argv, Pipeline, quote, quote_pipelines
from distrl.devices.android.dumpsys import (
    KEYBOARD_LINES,
    ROTATION_LINES,
    SERVICES,
    WINDOW_LINES,
    Windows,
    missing_for_use,
    read_launcher_activity,
    read_rotation,
    read_size,
    read_windows,
)
from distrl.devices.android.launcher_apps import QUERY, LauncherApp, read_apps
from distrl.errors import ActionError, ConfigError, DeviceError

if TYPE_CHECKING:
    from distrl.devices.android.adb.client import Adb

# A look (two screenshots, a hierarchy, dumpsys) may take seconds on a busy emulator; what takes
# longer than this is treated as a hang.
DEADLINE = 10.0
_STDOUT, _STDERR, _EXIT = 1, 2, 3
# Bounds memory against a program that prints without end; two screenshots and a hierarchy of a
# large tablet are some 20 MB.
_MAX_OUTPUT_BYTES = 256 * 2**20
_SERIAL = re.compile(r"[\w.:\[\]%-]{1,128}")

_MAIN, _LAUNCHER = "android.intent.action.MAIN", "android.intent.category.LAUNCHER"
_DUMP = "/data/local/tmp/distrl-hierarchy.xml"
_WINDOWS: Pipeline = (("dumpsys", "window"), ("grep", "-E", WINDOW_LINES))
_ROTATION: tuple[Pipeline, ...] = tuple(
    (("dumpsys", *what), ("grep", "-E", ROTATION_LINES))
    for what in (("display",), ("input",), ("window", "displays"))
)


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


class AdbPhone:
    """One device, by the serial that adb knows it by. Any thread may call."""

    def __init__(self, adb: Adb, serial: str) -> None:
        """Name a device; nothing is asked of it yet."""
        check_serial(serial)
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
                    raise Refused(f"protocol fault: more than {_MAX_OUTPUT_BYTES} bytes")
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
        timer = Deadline(deadline)
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


def check_serial(serial: str) -> None:
    """A serial goes into requests of the adb server, so it must not hold one of its own."""
    if not _SERIAL.fullmatch(serial):
        raise ConfigError(f"a serial has letters, digits and . : - _ [ ] %, got {serial!r}")
