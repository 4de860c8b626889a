"""An adb server, whoever has started it: what it can be asked, and what its refusals mean."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from distrl.devices.android.adb.connection import Deadline, Refused, ServerConnection
from distrl.devices.android.adb.phone import DEADLINE, AdbPhone, check_serial
from distrl.devices.fault_causes import Cause, DeviceFault
from distrl.errors import ConfigError

DEFAULT_PORT = 5037
_SERVER_ANSWER_SECONDS = 2.0
"""How long a server may take to report its version before it counts as stopped."""
_FAILURES = (
    (re.compile(r"device .*not found|no devices|device not found"), Cause.ABSENT),
    (re.compile(r"unauthori[sz]ed|failed to authenticate|still authorizing"), Cause.UNAUTHORISED),
    (re.compile(r"offline|still connecting"), Cause.OFFLINE),
    (re.compile(r"closed|protocol fault|connection reset|more than one device"), Cause.OFFLINE),
)
"""Patterns of adb's error messages and the cause of each; the first match counts."""


class Adb:
    """An adb server, whoever has started it. Any thread may call."""

    def __init__(self, *, host: str = "127.0.0.1", port: int = DEFAULT_PORT) -> None:
        """Name a server; nothing is asked of it yet, and none is ever started by asking."""
        if not 0 < port < 2**16:
            raise ConfigError(f"the port of an adb server is from 1 to 65535, got {port}")
        self.host, self.port = host, port

    @contextmanager
    def _line(self, doing: str, deadline: float, serial: str = "") -> Iterator[ServerConnection]:
        """A connection for one call; what goes wrong in it becomes a DeviceFault with a cause."""
        who = f"{serial}: " if serial else ""
        line: ServerConnection | None = None
        try:
            timer = Deadline(deadline)
            line = ServerConnection(self.host, self.port, timer)
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
        except Refused as refused:
            raise DeviceFault(_cause_of(str(refused)), f"{who}{doing}: {refused}") from None
        finally:
            if line is not None:
                line.close()

    def answers(self) -> bool:
        """Whether the server says its version soon."""
        try:
            line = ServerConnection(self.host, self.port, Deadline(_SERVER_ANSWER_SECONDS))
        except OSError:
            return False
        try:
            line.ask("host:version")
            return bool(line.block())
        except (OSError, Refused):
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
        check_serial(address)
        with self._line("connect", deadline, address) as line:
            line.ask(f"host:connect:{address}")
            answer = line.block()
        if not answer.startswith(("connected to", "already connected to")):
            cause = _cause_of(answer, otherwise=Cause.ABSENT)
            raise DeviceFault(cause, f"{address}: connect: {answer.strip()}")

    def disconnect(self, address: str, *, deadline: float = DEADLINE) -> None:
        """Forget a device that was connected over TCP, if it was."""
        check_serial(address)
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
    def transport(self, serial: str, doing: str, deadline: float) -> Iterator[ServerConnection]:
        """A connection that has been switched to a device."""
        with self._line(doing, deadline, serial) as line:
            line.ask(f"host:transport:{serial}")
            yield line


def shared_adb() -> Adb:
    """The server that `adb` itself asks on this machine, whether it runs or not."""
    port = os.environ.get("ANDROID_ADB_SERVER_PORT", "")
    return Adb(port=int(port) if port.isdecimal() else DEFAULT_PORT)


def _cause_of(said: str, otherwise: Cause = Cause.OFFLINE) -> Cause:
    lowered = said.lower()
    return next((cause for known, cause in _FAILURES if known.search(lowered)), otherwise)
