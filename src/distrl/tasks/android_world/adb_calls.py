"""What AndroidWorld asks of adb, carried out on a phone of the fleet.

    its tasks --AdbRequest--> AdbCalls --android_env's AdbCallParser--> _Commands --> AdbPhone
                                                                          | emu --> console

android_env's parser turns requests into the words of adb's command line. Each has a deadline, and
fails as it does there: AdbControllerError for a program that ends with an error. A phone that does
not answer is a DeviceFault. Its code catches much, so the fault is kept for whoever called it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Protocol

from distrl.devices.android.adb import CommandResult
from distrl.devices.android.device import decode
from distrl.devices.fault_causes import DeviceFault
from distrl.errors import ConfigError, DeviceError

_SECONDS = 120.0
"""For calls that name no time of their own, as in android_env."""
_CONSOLE = re.compile(r"emulator-(\d+)")


class Phone(Protocol):
    """The phone as far as calls need it."""

    serial: str

    def run(self, words: Sequence[str], *, deadline: float = ...) -> CommandResult:
        """Run one program."""
        ...

    def pull(self, path: str, *, deadline: float = ...) -> bytes:
        """What a file holds."""
        ...

    def push(self, content: bytes, path: str, *, deadline: float = ...) -> None:
        """Write a file."""
        ...

    def screencap(self, *, deadline: float = ...) -> bytes:
        """The screen as PNG."""
        ...


class AdbCalls:
    """The environment below AndroidWorld's controller, with nothing in it but adb."""

    def __init__(
        self,
        phone: Phone,
        *,
        become_root: Callable[[float], None],
        tell_console: Callable[[int, str, float], str],
    ) -> None:
        """Calls go to `phone`; ConfigError without android-env.

        `become_root` lets adb's programs run as root, within so many seconds. `tell_console` tells
        what an emulator's console, by its port, answers to a command within so many seconds.
        """
        try:
            from android_env.components.adb_call_parser import AdbCallParser
            from android_env.components.errors import AdbControllerError
        except ImportError as cause:
            raise ConfigError(
                "AndroidWorld needs android-env: pip install 'distrl[android-world]' "
                f"({cause.name} is missing)"
            ) from cause
        self._commands = _Commands(phone, AdbControllerError, become_root, tell_console)
        self._phone, self._parser = phone, AdbCallParser(self._commands)

    def execute_adb_call(self, call: Any) -> Any:
        """The answer to an AdbRequest."""
        return self._parser.parse(call)

    def step(self, action: Any) -> Any:
        """A look at the screen. Its tasks ask for nothing else: the agent acts on its own."""
        del action
        return SimpleNamespace(observation={"pixels": decode(self._phone.screencap())})

    def reset(self) -> Any:
        """The same."""
        return self.step(None)

    def close(self) -> None:
        """Nothing is held."""

    def take_fault(self) -> DeviceFault | None:
        """The first fault of the phone since this was asked last."""
        fault, self._commands.fault = self._commands.fault, None
        return fault


class _Commands:
    """Stands where android_env has its AdbController: command lines of adb on one phone."""

    def __init__(
        self,
        phone: Phone,
        failure: Callable[[str], Exception],
        become_root: Callable[[float], None],
        tell_console: Callable[[int, str, float], str],
    ) -> None:
        self._phone, self._failure = phone, failure
        self._become_root, self._tell_console = become_root, tell_console
        self.fault: DeviceFault | None = None

    def execute_command(
        self, args: list[str], timeout: float | None = None, device_specific: bool = True
    ) -> bytes:
        """What a command of adb prints."""
        del device_specific  # every command is about this phone
        try:
            return self._carry_out(args, timeout or _SECONDS)
        except DeviceFault as fault:
            self.fault = self.fault or fault
            raise
        except DeviceError as error:
            raise self._failure(str(error)) from error

    def _carry_out(self, args: list[str], seconds: float) -> bytes:
        match args:
            case ["shell", *words]:
                return self._shell(" ".join(words), seconds)
            case ["root"]:
                self._become_root(seconds)
                return b""
            case ["push", here, there]:
                self._phone.push(Path(here).read_bytes(), there, deadline=seconds)
                return b""
            case ["pull", there, here]:
                Path(here).write_bytes(self._phone.pull(there, deadline=seconds))
                return b""
            case ["emu", *words]:
                return self._emu(" ".join(words), seconds)
        raise self._failure(f"a task may not use `adb {' '.join(args)[:80]}` here")

    def _shell(self, line: str, seconds: float) -> bytes:
        # adb gives such a line to the phone's shell as it is; so does `sh`, and it arrives quoted.
        ran = self._phone.run(["sh", "-c", line], deadline=seconds)
        said = ran.stdout + ran.stderr
        if ran.code:
            told = said.decode("utf-8", "replace").strip()[:200]
            raise self._failure(f"adb shell {line[:200]} ended with {ran.code}: {told}")
        return said

    def _emu(self, command: str, seconds: float) -> bytes:
        found = _CONSOLE.fullmatch(self._phone.serial)
        if found is None:
            raise self._failure(f"{self._phone.serial} has no console that could be told {command}")
        # One line is one command: a line break would begin another.
        line = " ".join(command.splitlines())
        answer = self._tell_console(int(found[1]), line, seconds)
        if answer != "OK":
            raise self._failure(f"the console of {self._phone.serial} says {answer} to {line}")
        return answer.encode()
