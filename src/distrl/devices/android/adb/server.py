"""An adb server of our own: started on a port of its own, and ended by its process id."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

from distrl.devices.android.adb.client import Adb
from distrl.errors import ConfigError

# A first start generates an RSA key and forks, which takes seconds on a loaded machine.
_START_SECONDS = 20.0
# After SIGKILL only the kernel has work left: if that takes longer, the machine is broken.
_END_SECONDS = 10.0


def find_adb() -> str:
    """The adb inside adbutils; ConfigError without it."""
    try:
        from adbutils import adb_path
    except ImportError:
        raise ConfigError("adb needs the package adbutils: pip install 'distrl[android]'") from None
    return str(adb_path())


class AdbServer:
    """An adb server of our own: started here, owned by its process id, ended here."""

    def __init__(
        self,
        port: int,
        *,
        program: str | None = None,
        environment: Mapping[str, str] | None = None,
        log: Path | None = None,
        cables: bool = False,
    ) -> None:
        """Start it and wait until it answers; ConfigError when the port is taken.

        With `cables` it claims all phones on cables that no other server has claimed.
        """
        self.adb = Adb(port=port)
        self._command = [program or find_adb(), "-P", str(port), "nodaemon", "server"]
        # Nothing is looked for, on the network or on this machine's ports 5555 to 5585, where
        # somebody else's emulators and served phones are: phones are named, never found.
        off = {"ADB_MDNS": "0", "ADB_EMU": "0", "ADB_USB": "1" if cables else "0"}
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
