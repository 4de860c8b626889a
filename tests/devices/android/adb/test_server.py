from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.devices.adb_tools import free_port, needs_adbutils, own_server, served

from distrl.devices.android.adb import (
    AdbServer,
)
from distrl.devices.android.adb import server as server_module
from distrl.devices.fault_causes import Cause, DeviceFault
from distrl.devices.phone.adbd.daemon import AdbDaemon
from distrl.errors import ConfigError


def write_program(path: Path, *lines: str) -> str:
    path.write_text("\n".join(("#!/bin/sh", *lines, "")))
    path.chmod(0o755)
    return str(path)


def test_what_a_server_says_goes_into_its_log(tmp_path: Path) -> None:
    program = write_program(
        tmp_path / "adb", 'echo "$ADB_MDNS $ADB_EMU $ADB_USB $HOUSE $*"; echo wrong >&2; exit 3'
    )
    log = tmp_path / "adb.log"
    port = free_port()
    for cables in (False, True):
        with pytest.raises(ConfigError, match=f"on port {port} ended with 3"):
            AdbServer(port, program=program, environment={"HOUSE": "red"}, log=log, cables=cables)
    said = f"red -P {port} nodaemon server\nwrong\n"
    # Cables are claimed where they are wanted, emulators and the network never looked for.
    assert log.read_text() == f"0 0 0 {said}0 0 1 {said}"


def test_server_that_does_not_come_up_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "_START_SECONDS", 0.1)
    program = write_program(tmp_path / "adb", f"echo $$ > {tmp_path}/pid", "exec sleep 600")
    started: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *given: object, **named: object) -> None:
            super().__init__(*given, **named)  # type: ignore[call-overload]
            started.append(self)

    monkeypatch.setattr("distrl.devices.android.adb.server.subprocess.Popen", Noted)
    with pytest.raises(ConfigError, match=r"does not answer within 0\.1 s"):
        AdbServer(free_port(), program=program)
    assert [process.returncode is not None for process in started] == [True]


def test_adb_without_its_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "adbutils", None)
    with pytest.raises(ConfigError, match=r"pip install 'distrl\[android\]'"):
        server_module.find_adb()


@pytest.fixture
def daemon() -> Iterator[AdbDaemon]:
    with served(scale=1) as phone:
        yield phone


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdbServer]:
    with own_server(tmp_path_factory.mktemp("home")) as started:
        yield started


@needs_adbutils
def test_stopped_server_is_given_up_at_the_deadline(daemon: AdbDaemon, tmp_path: Path) -> None:
    with own_server(tmp_path) as own:
        own.adb.connect(daemon.address)
        phone = own.adb.phone(daemon.address)
        os.kill(own.pid, signal.SIGSTOP)
        try:
            began = time.monotonic()
            with pytest.raises(DeviceFault) as caught:
                phone.run(["true"], deadline=0.5)
            assert caught.value.cause is Cause.SERVER
            assert time.monotonic() - began < 0.5 + 5
        finally:
            os.kill(own.pid, signal.SIGCONT)
        assert phone.run(["true"]).code == 0
        os.kill(own.pid, signal.SIGSTOP)  # a stopped server can be ended all the same
    with pytest.raises(ProcessLookupError):
        os.kill(own.pid, 0)
    with pytest.raises(DeviceFault, match="there is no adb server"):
        phone.run(["true"])


@needs_adbutils
def test_port_of_another_server_is_not_taken_over(server: AdbServer) -> None:
    with pytest.raises(ConfigError, match="listens on port"):
        AdbServer(server.adb.port)
    assert server.adb.answers()


@needs_adbutils
def test_server_that_is_started_again_is_another_process_on_the_same_port(
    daemon: AdbDaemon, tmp_path: Path
) -> None:
    with own_server(tmp_path) as own:
        own.adb.connect(daemon.address)
        before, port = own.pid, own.adb.port
        os.kill(before, signal.SIGSTOP)
        own.restart()
        with pytest.raises(ProcessLookupError):
            os.kill(before, 0)
        assert own.adb.port == port
        assert own.adb.phone(daemon.address).state() == "absent"
        own.adb.connect(daemon.address)
        assert own.adb.phone(daemon.address).run(["true"]).code == 0
    own.restart()
    assert own.ended  # a server that was closed stays so


def test_program_that_is_no_adb_is_found_out() -> None:
    program = shutil.which("false")
    assert program is not None
    with pytest.raises(ConfigError, match="ended with 1"):
        AdbServer(free_port(), program=program)


def test_adb_s_package_is_imported_in_one_file() -> None:
    source = Path(server_module.__file__).parents[3]
    users = [
        path
        for path in source.rglob("*.py")
        if re.search(r"^ *(from|import) adbutils\b", path.read_text(), re.MULTILINE)
    ]
    assert users == [Path(server_module.__file__)]
