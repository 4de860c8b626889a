"""Which adb server each phone of a run is reached through, and which phones do not answer."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from distrl.config.devices import AndroidConfig
from distrl.devices.android.adb import Adb, AdbServer, shared_adb
from distrl.errors import ConfigError, DeviceError

_THERE_SECONDS = 5.0
"""How long a phone may take to be seen: adb looks for cables once a second, and a connection over
TCP is made at once or not at all."""
_POLL_SECONDS = 0.1
_SHARED_SECONDS = 2.0
"""How long the machine's own adb server may take to list its phones; one that stands still takes
no longer."""
_ASKED_AT_ONCE = 16


def require_phones_there(android: AndroidConfig) -> None:
    """ConfigError that names each phone over adb that does not answer now, and why.

    They are asked through the adb server that a run would use, or one that ends with this call.
    """
    if not android.serials:
        return
    with ExitStack() as opened:
        servers = AdbServers(opened, android)
        asked = [(servers.of(serial), serial) for serial in android.serials]
        # Side by side: an address behind a firewall takes all of its time to be given up.
        with ThreadPoolExecutor(_ASKED_AT_ONCE) as pool:
            found = list(pool.map(lambda pair: _why_absent(*pair), asked))
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
    if state == "absent" and not phone.over_tcp:
        return f"absent: {_where_cables_are(adb)}"
    return "" if state == "device" else state


def _where_cables_are(asked: Adb) -> str:
    """Why a phone on a cable may be absent from one adb server, though it is plugged in."""
    shared = shared_adb()
    told = "does not have it" if shared.answers() else "is not there or does not answer"
    where = "" if asked.port == shared.port else f", nor does one on port {asked.port} see it"
    return (
        f"a phone on a cable belongs to one adb server; that on port {shared.port} {told}{where}; "
        "if another has it, name its port with collect.android.adb_port"
    )


def has_phone(adb: Adb, serial: str) -> bool:
    """Whether a server answers soon and lists a phone, in whatever state."""
    try:
        return serial in adb.devices(deadline=_SHARED_SECONDS)
    except DeviceError:
        return False


class AdbServers:
    """The adb servers of a run's phones: one that runs already, or our own.

    named by the settings      -> that one, for all phones
    a phone over HOST:PORT     -> servers of our own in turn, which claim no cables
    any other phone            -> the machine's own server if it has it: a cable belongs to
                                  whoever claimed it first; else one of our own for cables
    """

    def __init__(
        self,
        opened: ExitStack,
        android: AndroidConfig,
        started: Callable[[AdbServer], None] = lambda _: None,
    ) -> None:
        """Start none yet; those that are started end with `opened`, and `started` is told."""
        self._opened, self._android, self._started = opened, android, started
        self.dealt: list[AdbServer] = []
        """Our own for phones over HOST:PORT."""
        self._cables: AdbServer | None = None
        self._turn = 0

    @property
    def own(self) -> tuple[AdbServer, ...]:
        """All of our own."""
        return (*self.dealt, *((self._cables,) if self._cables else ()))

    def of(self, serial: str) -> Adb:
        """The server of a phone; the next one in turn if any would do."""
        if self._android.adb_port is not None:
            return Adb(port=self._android.adb_port)
        if ":" not in serial:
            return self._of_cable(serial)
        turn = self._turn % self._android.servers
        self._turn += 1
        if turn == len(self.dealt):
            self.dealt.append(self._open(cables=False))
        return self.dealt[turn].adb

    def _of_cable(self, serial: str) -> Adb:
        if has_phone(shared_adb(), serial):
            return shared_adb()
        if self._cables is None:
            self._cables = self._open(cables=True)
        return self._cables.adb

    def _open(self, *, cables: bool) -> AdbServer:
        server = AdbServer(free_port(), cables=cables)
        self._opened.callback(server.close)
        self._started(server)
        return server


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port
