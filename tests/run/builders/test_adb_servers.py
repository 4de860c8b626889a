from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from tests.devices.adb_tools import eventually, needs_adbutils, own_server, served

from distrl.config.devices import AndroidConfig, SafetyConfig
from distrl.devices.android.adb import AdbServer
from distrl.devices.android.emulator import console_ports
from distrl.devices.phone.adbd.daemon import AdbDaemon
from distrl.errors import ConfigError
from distrl.run.builders import adb_servers
from distrl.run.builders.adb_servers import AdbServers, has_phone, require_phones_there

pytestmark = needs_adbutils


def settings(*serials: str, servers: int = 1, adb_port: int | None = None) -> AndroidConfig:
    safety = SafetyConfig(opt_in=[*serials], apps=["*"])
    return AndroidConfig(serials=[*serials], safety=safety, servers=servers, adb_port=adb_port)


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AdbServer]:
    """The machine's own adb server, with a home for all servers of a test."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(adb_servers, "_THERE_SECONDS", 0.5)
    with own_server(tmp_path) as started:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(started.adb.port))
        yield started


@contextmanager
def plugged_into(server: AdbServer) -> Iterator[str]:
    """A phone that one server has and no other can find, as one on a cable."""
    (port,) = console_ports(1, 5640)
    with served(scale=1) as daemon:
        other = AdbDaemon(daemon.system, port=port + 1)
        server.adb.announce_emulator(port + 1)
        serial = f"emulator-{port}"
        assert eventually(lambda: server.adb.devices().get(serial) == "device")
        try:
            yield serial
        finally:
            other.close()


def test_phone_of_the_machine_s_own_server_is_used_there(shared: AdbServer) -> None:
    with plugged_into(shared) as serial, ExitStack() as opened:
        servers = AdbServers(opened, settings(serial))
        assert servers.of(serial).port == shared.adb.port
        assert servers.own == ()
        require_phones_there(settings(serial))


def test_phone_that_the_machine_s_own_server_lacks_is_looked_for_by_one_of_our_own(
    shared: AdbServer,
) -> None:
    started: list[AdbServer] = []
    with ExitStack() as opened:
        servers = AdbServers(opened, settings("R58N"), started.append)
        assert servers.of("R58N").port == servers.of("R58M").port != shared.adb.port
        assert servers.own == tuple(started)
        assert len(started) == 1
    assert all(server.ended for server in started)


def test_server_that_stands_still_is_not_waited_for(shared: AdbServer) -> None:
    os.kill(shared.pid, signal.SIGSTOP)
    try:
        began = time.monotonic()
        assert not has_phone(shared.adb, "R58N")
        assert time.monotonic() - began < 10.0
    finally:
        os.kill(shared.pid, signal.SIGCONT)


def test_phones_on_cables_are_at_one_server_beside_those_that_are_dealt_out(
    shared: AdbServer,
) -> None:
    with ExitStack() as opened:
        servers = AdbServers(opened, settings("R58N", servers=2))
        dealt = [servers.of(f"10.0.0.1:{port}").port for port in (5555, 5556, 5557)]
        assert dealt[0] == dealt[2] != dealt[1]
        assert servers.of("R58N").port not in {*dealt, shared.adb.port}


def test_server_of_the_settings_is_used_for_all_phones(shared: AdbServer) -> None:
    with plugged_into(shared) as serial, ExitStack() as opened:
        servers = AdbServers(opened, settings(adb_port=1))
        assert {servers.of(s).port for s in (serial, "10.0.0.1:5555")} == {1}


def test_phone_on_a_cable_that_nobody_has_is_told_where_it_was_looked_for(
    shared: AdbServer,
) -> None:
    port = shared.adb.port
    with pytest.raises(ConfigError) as caught:
        require_phones_there(settings("R58N"))
    assert f"that on port {port} does not have it, nor does one on port" in str(caught.value)
    assert "name its port with collect.android.adb_port" in str(caught.value)
    with pytest.raises(ConfigError) as caught:
        require_phones_there(settings("R58N", adb_port=port))
    assert f"that on port {port} does not have it; if another" in str(caught.value)


def test_machine_without_an_adb_server_is_told_so(
    shared: AdbServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "1")
    with pytest.raises(ConfigError, match="that on port 1 is not there or does not answer"):
        require_phones_there(settings("R58N"))
