"""The real adb for tests: every program that is here, each with a server and a home of its own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from distrl.clock import RealClock
from distrl.config.devices import AndroidConfig, PhoneConfig
from distrl.devices.android.adb import AdbServer
from distrl.devices.android.device import AndroidDevice
from distrl.devices.phone.adbd.daemon import AdbDaemon
from distrl.devices.phone.adbd.keys import PublicKey, parse_key
from distrl.devices.phone.adbd.system import AndroidSystem
from distrl.devices.phone.device import PhoneDevice
from distrl.tasks.served import TaskConsole

SECONDS = 30.0


def adb_programs() -> list[str]:
    """The adb on PATH, and the one that adbutils brings."""
    found = [shutil.which("adb")]
    try:
        import adbutils
    except ImportError:
        pass
    else:
        inside = Path(adbutils.__file__).parent / "binaries" / "adb"
        found.append(str(inside) if inside.exists() else None)
    return [program for program in found if program]


needs_adb = pytest.mark.skipif(not adb_programs(), reason="there is no adb here")
needs_adbutils = pytest.mark.skipif(
    not any("adbutils" in program for program in adb_programs()), reason="adbutils is not here"
)


@dataclass(frozen=True)
class RealAdb:
    """One adb program with a server of its own."""

    program: str
    port: int
    home: Path

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "HOME": str(self.home), "ADB_MDNS": "0", "ADB_VENDOR_KEYS": ""}

    @property
    def key(self) -> PublicKey:
        return parse_key((self.home / ".android" / "adbkey.pub").read_text())

    def run(
        self, *arguments: str | bytes, given: bytes = b""
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a command, which reads what is given and then the end of it."""
        return subprocess.run(
            [self.program, "-P", str(self.port), *arguments],
            env=self.environment,
            input=given,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )

    def out(self, *arguments: str) -> str:
        """What a command that succeeds prints."""
        done = self.run(*arguments)
        assert done.returncode == 0, (arguments, done)
        return done.stdout.decode()


@contextmanager
def real_adb(program: str, home: Path) -> Iterator[RealAdb]:
    """A server that is started here and ended here."""
    adb = RealAdb(program, free_port(), home)
    (home / ".android").mkdir(parents=True, exist_ok=True)
    assert adb.run("keygen", str(home / ".android" / "adbkey")).returncode == 0
    assert adb.run("start-server").returncode == 0
    try:
        yield adb
    finally:
        adb.run("kill-server")


@contextmanager
def own_server(home: Path) -> Iterator[AdbServer]:
    """A server as this package starts one, with keys of its own."""
    server = AdbServer(free_port(), environment={"HOME": str(home), "ADB_VENDOR_KEYS": ""})
    try:
        yield server
    finally:
        server.close()


FULL_SIZE = AndroidConfig(screen_width=None)


@contextmanager
def android(
    server: AdbServer, config: AndroidConfig = FULL_SIZE, phone: PhoneConfig | None = None
) -> Iterator[AndroidDevice]:
    """A phone that is served here, as a device over the real adb."""
    with served(phone) as daemon:
        device = AndroidDevice(server.adb.phone(daemon.address), config)
        try:
            yield device
        finally:
            device.close()


def eventually(holds: Callable[[], bool], seconds: float = 20.0) -> bool:
    """Whether something becomes so in time."""
    return RealClock().wait_until(holds, timeout=seconds, poll=0.05)


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


@contextmanager
def served(
    settings: PhoneConfig | None = None,
    *,
    scale: int = 4,
    seed: int = 0,
    keys: tuple[PublicKey, ...] | None = None,
) -> Iterator[AdbDaemon]:
    """A phone with tasks, served in this process."""
    device = PhoneDevice("served-0", settings)
    device.reset(seed)
    system = AndroidSystem(device, serial="distrl-0", scale=scale, console=TaskConsole(device))
    daemon = AdbDaemon(system, keys=keys)
    try:
        yield daemon
    finally:
        daemon.close()
