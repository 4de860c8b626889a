from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.devices.adb_tools import free_port, needs_adbutils, own_server, served
from tests.devices.hostile import CANARY, hostile_strings

from distrl.devices.android import adb
from distrl.devices.android.adb import (
    Adb,
    AdbPhone,
    AdbServer,
    CommandResult,
    Pipeline,
    parse_screen_dump,
    quote,
    quote_pipelines,
    split_png,
)
from distrl.devices.fault_causes import Cause, DeviceFault
from distrl.devices.phone.adbd.daemon import AdbDaemon
from distrl.errors import ActionError, ConfigError, DeviceError

_BATCH = 50


# Quoting


def test_no_hostile_string_changes_its_meaning_or_runs_anything(tmp_path: Path) -> None:
    shell = shutil.which("sh")
    assert shell is not None
    strings = hostile_strings(10_000, seed=1)
    for start in range(0, len(strings), _BATCH):
        words = strings[start : start + _BATCH]
        # As adb does it: the line is one argument of the device's `sh -c`.
        line = quote(["printf", "%s\\0", *words])
        done = subprocess.run([shell, "-c", line], cwd=tmp_path, capture_output=True, timeout=20)
        assert done.stdout.split(b"\0")[:-1] == [word.encode() for word in words]
    assert not list(tmp_path.iterdir())


def test_the_canary_dies_where_nothing_is_quoted(tmp_path: Path) -> None:
    shell = shutil.which("sh")
    assert shell is not None
    for word in hostile_strings(40, seed=1):
        line = f"echo {word}"
        subprocess.run([shell, "-c", line], cwd=tmp_path, capture_output=True, timeout=20)
    assert (tmp_path / CANARY).exists()


def test_pipes_are_quoted_word_by_word() -> None:
    pipelines = [[["a", "b c"], ["grep", "x|y"]], [["d", "$(e)"]]]
    assert quote_pipelines(pipelines) == "a 'b c' | grep 'x|y'; d '$(e)'"


@pytest.mark.parametrize("word", ["a\0b", "\ud800"])
def test_what_no_shell_can_be_told_is_refused(word: str) -> None:
    with pytest.raises(ActionError, match="cannot be said"):
        quote(["echo", word])


@pytest.mark.parametrize("serial", ["", "a b", "x;reboot", "x\n", "host:transport\0"])
def test_serial_cannot_hold_a_request(serial: str) -> None:
    with pytest.raises(ConfigError, match="serial"):
        Adb().phone(serial)


# Reading


def _png(daemon: AdbDaemon) -> bytes:
    return daemon.system.run("screencap -p").stdout


def test_picture_is_cut_out_of_what_follows() -> None:
    with served(scale=1) as daemon:
        png = _png(daemon)
    assert split_png(png + b"<?xml", "x") == (png, b"<?xml")
    for broken in (
        png[:-1],
        png[: len(png) // 2],
        b"",
        b"error: closed",
        png[:60] + b"x" + png[61:],
    ):
        with pytest.raises(DeviceFault) as caught:
            split_png(broken, "x")
        assert caught.value.cause is Cause.GARBLED


def test_answer_without_a_part_is_garbled() -> None:
    with served(scale=1) as daemon:
        png = _png(daemon)
    for rest in (b"ERROR: could not get idle state.\n", b"<?xml?><hierarchy></hierarchy>=windows"):
        with pytest.raises(DeviceFault, match="garbled"):
            parse_screen_dump(png + rest, hierarchy=True, serial="x")


class Held(AdbPhone):
    """A phone that says only what `dumpsys` and `wm size` print."""

    said = ""

    def run_pipelines(
        self, pipelines: Sequence[Pipeline], doing: str, *, deadline: float = 1.0
    ) -> CommandResult:
        return CommandResult(self.said.encode(), b"", 0)


@pytest.mark.parametrize(
    ("said", "rotation", "size"),
    [
        ("Physical size: 1080x2340\n  SurfaceOrientation: 0\n", 0, (1080, 2340)),
        ("Physical size: 1080x2340\n  SurfaceOrientation: 1\n", 1, (2340, 1080)),
        ("Physical size: 1080x2340\nOverride size: 540x1170\nmRotation=3\n", 3, (1170, 540)),
        ("Physical size: 1080x2340\nmRotation=ROTATION_180\n", 2, (1080, 2340)),
        ("Physical size: 1080x2340\n", 0, (1080, 2340)),
    ],
)
def test_size_is_turned_with_the_screen(said: str, rotation: int, size: tuple[int, int]) -> None:
    phone = Held(Adb(port=1), "x")
    phone.said = said
    assert (phone.rotation(), phone.held_size()) == (rotation, size)


def test_screen_without_a_size_is_an_error() -> None:
    with pytest.raises(DeviceError, match="wm size says"):
        Held(Adb(port=1), "x").held_size()


# Against the real adb


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdbServer]:
    with own_server(tmp_path_factory.mktemp("home")) as started:
        yield started


@pytest.fixture
def daemon() -> Iterator[AdbDaemon]:
    with served(scale=1) as phone:
        yield phone


@needs_adbutils
def test_phone_is_asked_and_told(server: AdbServer, daemon: AdbDaemon) -> None:
    server.adb.connect(daemon.address)
    phone = server.adb.phone(daemon.address)
    assert phone.state() == "device"
    assert phone.size() == phone.held_size() == (180, 400)
    assert phone.rotation() == 0
    assert phone.prop("ro.serialno") == "distrl-0"
    phone.start_app("org.distrl.phone.clock")
    assert phone.current_app() == "org.distrl.phone.clock"
    phone.stop_app("org.distrl.phone.clock")
    phone.start_app("org.distrl.phone.notes", ".MainActivity")
    assert phone.focus().startswith("org.distrl.phone.notes/")
    assert "org.distrl.phone.clock" in phone.packages()
    phone.put_setting("global", "wifi_on", "0")
    assert phone.setting("global", "wifi_on") == "0"
    assert phone.read_file("/none") is None
    assert phone.screencap() == _png(daemon)
    assert phone.over_tcp
    ran = phone.run(["cat", "/none"])
    assert ran.code == 1
    assert b"No such file" in ran.stderr
    with pytest.raises(DeviceError, match="cat ended with 1"):
        phone.check(["cat", "/none"])


@needs_adbutils
def test_hostile_strings_reach_a_phone_as_they_are(server: AdbServer, daemon: AdbDaemon) -> None:
    server.adb.connect(daemon.address)
    phone = server.adb.phone(daemon.address)
    for word in hostile_strings(120, seed=2):
        phone.put_setting("system", "note", word)
        assert daemon.system.extra_settings["system", "note"] == word


@needs_adbutils
def test_keys_type_what_keys_can(server: AdbServer, daemon: AdbDaemon) -> None:
    phone = server.adb.phone(daemon.address)
    for text in ("a%sb", "é", "a\nb"):
        with pytest.raises(ActionError, match="cannot type"):
            phone.text(text)


@needs_adbutils
def test_look_is_one_call_with_everything(server: AdbServer, daemon: AdbDaemon) -> None:
    server.adb.connect(daemon.address)
    look = server.adb.phone(daemon.address).look()
    assert look.png == look.png_after == _png(daemon)
    assert look.xml.endswith(b"</hierarchy>")
    assert (look.windows.owner, look.keyboard, look.serial) == (
        "org.distrl.phone.launcher",
        False,
        "distrl-0",
    )
    assert len(look.boot) == 36


@needs_adbutils
def test_device_that_is_not_there_is_absent(server: AdbServer) -> None:
    phone = server.adb.phone("127.0.0.1:1")
    assert phone.state() == "absent"
    for call in (lambda: phone.run(["true"]), lambda: server.adb.connect("127.0.0.1:1")):
        with pytest.raises(DeviceFault) as caught:
            call()
        assert caught.value.cause is Cause.ABSENT
    server.adb.disconnect("127.0.0.1:1")


@needs_adbutils
def test_phone_that_hangs_is_given_up_at_the_deadline(server: AdbServer, daemon: AdbDaemon) -> None:
    server.adb.connect(daemon.address)
    daemon.system.injected_faults.hung = True
    began = time.monotonic()
    with pytest.raises(DeviceFault) as caught:
        server.adb.phone(daemon.address).run(["true"], deadline=0.5)
    assert caught.value.cause is Cause.TIMEOUT
    assert time.monotonic() - began < 0.5 + 5


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


def test_answer_that_drips_does_not_stretch_the_deadline() -> None:
    with socket.create_server(("127.0.0.1", 0)) as dripping:
        stop = threading.Event()

        def drip() -> None:
            taken, _ = dripping.accept()
            with taken:
                taken.recv(100)
                for byte in b"OKAY" + b"0" * 100:
                    if stop.wait(0.2):
                        return
                    try:
                        taken.send(bytes([byte]))
                    except OSError:
                        return

        thread = threading.Thread(target=drip)
        thread.start()
        try:
            began = time.monotonic()
            with pytest.raises(DeviceFault):
                Adb(port=dripping.getsockname()[1]).devices(deadline=0.7)
            assert time.monotonic() - began < 0.7 + 5
        finally:
            stop.set()
            thread.join(5)


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


def test_every_call_to_adb_is_in_one_file() -> None:
    source = Path(adb.__file__).parents[2]
    others = [
        path
        for path in source.rglob("*.py")
        if path != Path(adb.__file__) and "import adbutils" in path.read_text()
    ]
    assert others == []
