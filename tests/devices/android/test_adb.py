from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.devices import scripted_sockets as scripted
from tests.devices.adb_tools import free_port, needs_adbutils, own_server, served
from tests.devices.hostile import CANARY, hostile_strings
from tests.devices.scripted_sockets import OKAY, block, fail, shell_output, shell_packet

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
    for rest in (b"ERROR: the dumper is gone.\n", b"<?xml?><hierarchy></hierarchy>=windows"):
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


# The protocol of the adb server, without one


DEVICE = "R58M12"


@pytest.mark.parametrize("port", [-1, 0, 65536])
def test_port_that_cannot_be_is_refused(port: int) -> None:
    with pytest.raises(ConfigError, match=f"from 1 to 65535, got {port}"):
        Adb(port=port)


@pytest.mark.parametrize(
    "serial", ["R58M12", "emulator-5554", "10.0.0.7:5555", "[fe80::1%eth0]:5555", "a_b.c"]
)
def test_serials_that_adb_gives_are_taken(serial: str) -> None:
    assert Adb().phone(serial).over_tcp is (":" in serial)


def test_devices_are_listed_with_their_states(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = "R58M12\tdevice\nemulator-5554\toffline\r\n\n10.0.0.7:5555\tunauthorized\nnoise\n"
    server = scripted.serve(monkeypatch, [OKAY + block(listed)])
    assert Adb().devices() == {
        "R58M12": "device",
        "emulator-5554": "offline",
        "10.0.0.7:5555": "unauthorized",
    }
    assert server.opened[0].requests == ["host:devices"]
    assert server.opened[0].closed
    scripted.serve(monkeypatch, [OKAY + block(listed)])
    assert Adb().phone(DEVICE).state() == "device"
    scripted.serve(monkeypatch, [OKAY + block("")])
    assert Adb().phone(DEVICE).state() == "absent"


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("device 'R58M12' not found", Cause.ABSENT),
        ("device not found", Cause.ABSENT),
        ("no devices/emulators found", Cause.ABSENT),
        ("device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set", Cause.UNAUTHORISED),
        ("device still authorizing", Cause.UNAUTHORISED),
        ("Device Unauthorised", Cause.UNAUTHORISED),
        ("device offline", Cause.OFFLINE),
        ("device still connecting", Cause.OFFLINE),
        ("closed", Cause.OFFLINE),
        ("more than one device/emulator", Cause.OFFLINE),
        ("words that no adb has said so far", Cause.OFFLINE),
        ("", Cause.OFFLINE),
    ],
)
def test_what_adb_says_when_it_refuses_has_a_cause(
    monkeypatch: pytest.MonkeyPatch, said: str, cause: Cause
) -> None:
    scripted.serve(monkeypatch, [fail(said)])
    with pytest.raises(DeviceFault) as caught:
        Adb().phone(DEVICE).run(["true"])
    assert caught.value.cause is cause
    assert str(caught.value) == f"{cause}: {DEVICE}: true: {said}"


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("connected to 10.0.0.7:5555", None),
        ("already connected to 10.0.0.7:5555", None),
        ("failed to connect to '10.0.0.7:5555': Connection refused", Cause.ABSENT),
        ("cannot connect to 10.0.0.7:5555: No route to host (113)", Cause.ABSENT),
        ("failed to authenticate to 10.0.0.7:5555", Cause.UNAUTHORISED),
        ("unable to connect: device offline", Cause.OFFLINE),
    ],
)
def test_connect_succeeds_only_when_adb_says_so(
    monkeypatch: pytest.MonkeyPatch, said: str, cause: Cause | None
) -> None:
    server = scripted.serve(monkeypatch, [OKAY + block(said)])
    if cause is None:
        Adb().connect("10.0.0.7:5555")
    else:
        with pytest.raises(DeviceFault) as caught:
            Adb().connect("10.0.0.7:5555")
        assert caught.value.cause is cause
    assert server.opened[0].requests == ["host:connect:10.0.0.7:5555"]


def test_disconnecting_what_is_not_connected_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    server = scripted.serve(monkeypatch, [fail("no such device '10.0.0.7:5555'")])
    Adb().disconnect("10.0.0.7:5555")
    assert server.opened[0].requests == ["host:disconnect:10.0.0.7:5555"]


@pytest.mark.parametrize("call", [Adb.connect, Adb.disconnect])
@pytest.mark.parametrize("address", ["", "10.0.0.7:5555;reboot", "a b"])
def test_address_cannot_hold_a_request(
    call: Callable[[Adb, str], None], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = scripted.serve(monkeypatch, [OKAY])
    with pytest.raises(ConfigError, match="serial"):
        call(Adb(), address)
    assert server.opened == []


@pytest.mark.parametrize(
    ("answers", "cause"),
    [((OKAY, block("0029")), Cause.TIMEOUT), ((fail("no"),), Cause.SERVER), ((), Cause.SERVER)],
    ids=["the server answers", "the server refuses", "the server hangs up"],
)
def test_silence_is_the_phones_if_the_server_still_says_its_version(
    monkeypatch: pytest.MonkeyPatch, answers: tuple[bytes, ...], cause: Cause
) -> None:
    for call in (Adb().devices, lambda: Adb().disconnect("10.0.0.7:5555")):
        server = scripted.serve(monkeypatch, [TimeoutError()], answers)
        with pytest.raises(DeviceFault, match="within 10 s") as caught:
            call()
        assert caught.value.cause is cause
        assert [one.closed for one in server.opened] == [True, True]
        assert server.opened[1].requests == ["host:version"]
        assert server.opened[1].timeouts[0] <= 2.0  # found out soon, whatever the deadline was


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ConnectionRefusedError(), "there is no adb server on 127.0.0.1:5037"),
        (ConnectionResetError(104, "reset by peer"), "reset by peer"),
        (OSError(24, "too many open files"), "too many open files"),
    ],
)
def test_connection_that_fails_is_the_servers_fault(
    monkeypatch: pytest.MonkeyPatch, error: OSError, said: str
) -> None:
    for script in (error, [error]):
        scripted.serve(monkeypatch, script)
        with pytest.raises(DeviceFault, match=said) as caught:
            Adb().phone(DEVICE).run(["true"])
        assert caught.value.cause is Cause.SERVER


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"WHAT", "protocol fault: b'WHAT'"),
        (b"OK", "closed"),
        (b"", "closed"),
        (OKAY + b"zzzz", "protocol fault: b'zzzz'"),
        (OKAY + b"00ff" + b"too short", "closed"),
        (b"FAIL" + b"\xff\xfe\xfd\xfc", "protocol fault"),
    ],
)
def test_answer_that_is_no_answer_of_adb_is_a_fault(
    monkeypatch: pytest.MonkeyPatch, answer: bytes, said: str
) -> None:
    scripted.serve(monkeypatch, [answer])
    with pytest.raises(DeviceFault, match=said) as caught:
        Adb().devices()
    assert caught.value.cause is Cause.OFFLINE


@given(
    stdout=st.binary(max_size=60),
    stderr=st.binary(max_size=20),
    code=st.integers(0, 255),
    cuts=st.lists(st.integers(1, 7), min_size=1, max_size=40),
)
@settings(max_examples=60)
def test_output_is_the_same_however_its_packets_are_torn(
    stdout: bytes, stderr: bytes, code: int, cuts: list[int]
) -> None:
    middle = len(stdout) // 2
    packets = (
        shell_packet(1, stdout[:middle])
        + shell_packet(2, stderr)
        + shell_packet(9, b"from a later version")
        + shell_packet(1, stdout[middle:])
        + shell_packet(3, bytes([code]))
    )
    whole, pieces = OKAY + OKAY + packets, list[bytes]()
    while whole:
        size = cuts[len(pieces) % len(cuts)]
        pieces.append(whole[:size])
        whole = whole[size:]
    with pytest.MonkeyPatch.context() as monkeypatch:
        server = scripted.serve(monkeypatch, pieces)
        ran = Adb().phone(DEVICE).run(["cat", "a b"])
    assert ran == CommandResult(stdout, stderr, code)
    assert server.opened[0].requests == [f"host:transport:{DEVICE}", "shell,v2,raw:cat 'a b'"]


def test_program_that_ends_without_a_code_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.serve(monkeypatch, [OKAY + OKAY + shell_packet(3, b"")])
    assert Adb().phone(DEVICE).run(["true"]).code == 255


def test_connection_that_ends_before_the_program_is_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scripted.serve(monkeypatch, [OKAY + OKAY + shell_packet(1, b"half")])
    with pytest.raises(DeviceFault, match="true: closed"):
        Adb().phone(DEVICE).run(["true"])


def test_output_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adb, "_MAX_OUTPUT_BYTES", 100)
    endless = shell_packet(1, bytes(60)) * 3
    scripted.serve(monkeypatch, [OKAY + OKAY + endless])
    with pytest.raises(DeviceFault, match="more than 100 bytes"):
        Adb().phone(DEVICE).run(["yes"])


def test_each_read_waits_no_longer_than_what_is_left_of_the_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = SimpleNamespace(monotonic=iter(range(100)).__next__)
    monkeypatch.setattr(adb, "time", clock)
    server = scripted.serve(monkeypatch, [OKAY, OKAY, shell_output(b"done")])
    assert Adb().phone(DEVICE).run(["true"], deadline=50.0).stdout == b"done"
    waits = server.opened[0].timeouts
    assert waits == sorted(waits, reverse=True)
    assert len(set(waits)) == len(waits)
    assert max(waits) < 50.0


def test_call_ends_when_its_time_is_up_though_bytes_still_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = SimpleNamespace(monotonic=iter(range(0, 1000, 2)).__next__)
    monkeypatch.setattr(adb, "time", clock)
    drip = [bytes([byte]) for byte in OKAY + OKAY + shell_output(b"x" * 50)]
    scripted.serve(monkeypatch, drip, [OKAY, block("0029")])
    with pytest.raises(DeviceFault, match="within 20 s") as caught:
        Adb().phone(DEVICE).run(["true"], deadline=20.0)
    assert caught.value.cause is Cause.SERVER  # the clock of this test is too quick for it, too


# What the methods of a phone send


class Recorded(AdbPhone):
    """A phone that notes the lines that it is sent and the seconds that each may take."""

    def __init__(self, stdout: bytes = b"", code: int = 0, stderr: bytes = b"") -> None:
        super().__init__(Adb(port=1), DEVICE)
        self.lines: list[str] = []
        self.seconds: list[float] = []
        self._result = CommandResult(stdout, stderr, code)

    def _run_line(self, line: str, doing: str, deadline: float) -> CommandResult:
        self.lines.append(line)
        self.seconds.append(deadline)
        return self._result


PHONE_CALLS: list[tuple[Callable[[AdbPhone], object], list[str]]] = [
    (lambda p: p.tap("1.5", "2"), ["input tap 1.5 2"]),
    (lambda p: p.swipe(["1", "2", "3", "4"], 300), ["input swipe 1 2 3 4 300"]),
    (lambda p: p.swipe(["1", "2", "1", "2"], 1000), ["input swipe 1 2 1 2 1000"]),
    (lambda p: p.key("KEYCODE_BACK"), ["input keyevent KEYCODE_BACK"]),
    (lambda p: p.text("a b"), ["input text 'a b'"]),
    (lambda p: p.text("it's $(x)"), ["""input text 'it'"'"'s $(x)'"""]),
    (lambda p: p.text(""), ["input text ''"]),
    (
        lambda p: p.text_through_keyboard_app("w6k="),
        ["am broadcast -a ADB_INPUT_B64 --es msg w6k="],
    ),
    (lambda p: p.choose_keyboard("a/.B"), ["ime enable a/.B", "ime set a/.B"]),
    (lambda p: p.sleep(1.5), ["sleep 1.5"]),
    (lambda p: p.start_app("com.shop", ".Main"), ["am start -n com.shop/.Main"]),
    (lambda p: p.stop_app("com.shop"), ["am force-stop com.shop"]),
    (lambda p: p.put_setting("system", "n", "a;b"), ["settings put system n 'a;b'"]),
    (lambda p: p.setting("global", "wifi_on"), ["settings get global wifi_on"]),
    (lambda p: p.packages(), ["pm list packages"]),
    (lambda p: p.prop("ro.serialno"), ["getprop ro.serialno"]),
    (lambda p: p.read_file("/sdcard/a b"), ["cat '/sdcard/a b'"]),
    (lambda p: p.screencap(), ["screencap -p"]),
    (lambda p: p.served(["reset", "7"]), ["distrl reset 7"]),
]


@pytest.mark.parametrize(("call", "lines"), PHONE_CALLS, ids=[lines[0] for _, lines in PHONE_CALLS])
def test_the_table_of_lines_that_calls_send(
    call: Callable[[AdbPhone], object], lines: list[str]
) -> None:
    phone = Recorded()
    call(phone)
    assert phone.lines == lines


def test_app_is_started_by_the_activity_that_its_icon_starts() -> None:
    phone = Recorded(b"priority=0 match=0x108000\ncom.shop/.Start\n")
    phone.start_app("com.shop")
    assert phone.lines == [
        "cmd package resolve-activity --brief -a android.intent.action.MAIN "
        "-c android.intent.category.LAUNCHER com.shop",
        "am start -n com.shop/.Start",
    ]


def test_app_without_an_icon_is_not_started() -> None:
    phone = Recorded(b"No activity found\n")
    with pytest.raises(DeviceError, match=r"com.shop has no activity to start: No activity found"):
        phone.start_app("com.shop")
    assert len(phone.lines) == 1


def test_start_that_fails_with_code_0_is_an_error() -> None:
    phone = Recorded(b"Starting: Intent { cmp=com.shop/.Old }\n", 0, b"Error type 3\n")
    with pytest.raises(DeviceError, match=r"(?s)com.shop/.Old was not started: .*Error type 3"):
        phone.start_app("com.shop", ".Old")


def test_the_time_that_a_phone_sleeps_is_added_to_the_deadline() -> None:
    phone = Recorded()
    phone.sleep(30.0, deadline=5.0)
    phone.tap("1", "2", deadline=5.0)
    assert phone.seconds == [35.0, 5.0]


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ((b"", 1, b"Error: no such package\n"), "am ended with 1: Error: no such package"),
        ((b"only on stdout\n", 2, b""), "am ended with 2: only on stdout"),
        ((b"", 127, b""), "am ended with 127: "),
        ((b"", 1, b"\xff\xfe"), "am ended with 1: \ufffd\ufffd"),
        ((b"", 1, b"x" * 1000), f"am ended with 1: {'x' * 200}"),
    ],
)
def test_program_that_fails_is_quoted_in_the_error(
    result: tuple[bytes, int, bytes], said: str
) -> None:
    with pytest.raises(DeviceError) as caught:
        Recorded(*result).stop_app("com.shop")
    assert str(caught.value) == f"{DEVICE}: {said}"
    assert not isinstance(caught.value, DeviceFault)  # the phone is there, and said no


def test_file_that_cannot_be_read_is_none_and_an_empty_one_is_empty() -> None:
    assert Recorded(b"half of it", code=1).read_file("/f") is None
    assert Recorded(b"").read_file("/f") == b""


@pytest.mark.parametrize(
    ("printed", "found"),
    [
        (b"package:com.a\npackage:com.b\n", {"com.a", "com.b"}),
        (b"package:com.a\r\npackage:com.b\r\n", {"com.a", "com.b"}),
        (b"", set()),
    ],
)
def test_packages_are_read_line_by_line(printed: bytes, found: set[str]) -> None:
    assert Recorded(printed).packages() == found


def test_output_that_is_no_text_can_still_be_shown() -> None:
    assert CommandResult(b"  caf\xc3\xa9 \xff\n", b"", 0).text == "caf\u00e9 \ufffd"


@pytest.mark.parametrize(
    ("printed", "size"),
    [
        (b"Physical size: 1080x2400\n", (1080, 2400)),
        (b"Physical size: 1080x2400\nOverride size: 720x1600\n", (720, 1600)),
        (b"Physical size:1080x2400", (1080, 2400)),
    ],
)
def test_size_that_counts_is_the_last_one(printed: bytes, size: tuple[int, int]) -> None:
    assert Recorded(printed).size() == size


def test_lines_of_pipelines_run_in_a_real_shell_as_they_are_meant(tmp_path: Path) -> None:
    shell = shutil.which("sh")
    assert shell is not None
    words = [word for word in hostile_strings(60, seed=3) if word]
    pipelines = [[["printf", "%s\\0", word], ["cat"], ["cat", "-"]] for word in words]
    # A pipeline that fails does not keep the next one from running.
    line = quote_pipelines([[["false"], ["false"]], *pipelines])
    done = subprocess.run([shell, "-c", line], cwd=tmp_path, capture_output=True, timeout=20)
    assert done.stdout.split(b"\0")[:-1] == [word.encode() for word in words]
    assert list(tmp_path.iterdir()) == []


# A look, taken apart


PNG = adb._PNG + b"".join(
    len(body).to_bytes(4, "big") + name + body + zlib.crc32(name + body).to_bytes(4, "big")
    for name, body in ((b"IHDR", bytes(13)), (b"IDAT", b"<?xml </hierarchy> =boot"), (b"IEND", b""))
)
XML = '<?xml version=\'1.0\'?><hierarchy rotation="0"><node text="é"/></hierarchy>'.encode()


def dumped(
    *, windows: bytes = b"", keyboard: bytes = b"mInputShown=false", after: bytes = PNG
) -> bytes:
    """What a phone prints that is looked at once."""
    tail = b"\n=serial\nR58M12\n=boot\n8a-4f\n"
    return (
        PNG + b"UI hierchary dumped to: /data/x\n" + XML + b"=windows\n" + windows + keyboard + tail
    ) + after


def test_a_look_is_taken_apart_into_what_was_printed() -> None:
    windows = b"  mCurrentFocus=Window{a1 u0 com.shop/.Main}\n"
    found = parse_screen_dump(dumped(windows=windows), hierarchy=True, serial="x")
    assert (found.png, found.png_after, found.xml) == (PNG, PNG, XML)
    assert (found.serial, found.boot, found.keyboard) == ("R58M12", "8a-4f", False)
    assert (found.windows.app, found.windows.focus) == ("com.shop", "com.shop/.Main")


def test_keyboard_is_shown_when_the_input_method_says_so() -> None:
    found = parse_screen_dump(dumped(keyboard=b"mInputShown=true"), hierarchy=True, serial="x")
    assert found.keyboard


def test_phone_whose_serial_and_boot_id_cannot_be_read_is_still_looked_at() -> None:
    content = PNG + b"=windows\n=serial\n\n=boot\n\n" + PNG
    found = parse_screen_dump(content, hierarchy=False, serial="x")
    assert (found.xml, found.serial, found.boot) == (b"", "", "")


def test_error_in_the_place_of_the_boot_id_is_no_boot_id() -> None:
    denied = b"cat: /proc/sys/kernel/random/boot_id: Permission denied\n"
    content = PNG + b"=windows\n=serial\nR58M12\n=boot\n" + denied + PNG
    found = parse_screen_dump(content, hierarchy=False, serial="x")
    assert (found.serial, found.boot, found.png_after) == ("R58M12", "", PNG)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"ERROR: could not get idle state.\n", "could not get idle state"),
        (b"ERROR: null root node returned by UiTestAutomationBridge.\n", "null root node"),
        (b"Killed \n", "Killed"),
    ],
)
@pytest.mark.parametrize("on_stdout", [True, False])
def test_screen_that_cannot_be_listed_keeps_its_picture(
    said: bytes, why: str, on_stdout: bool
) -> None:
    rest = b"=windows\nmInputShown=false\n=serial\nR58M12\n=boot\n8a-4f\n" + PNG
    content = PNG + (said if on_stdout else b"") + rest
    stderr = b"" if on_stdout else said
    found = parse_screen_dump(content, stderr, hierarchy=True, serial="x")
    assert (found.png, found.xml, found.unlisted, found.boot) == (PNG, b"", why, "8a-4f")


def test_windows_that_are_no_text_are_read_as_far_as_they_are() -> None:
    windows = b"\xff\xfe mCurrentFocus=Window{a1 u0 com.shop/.Main}\n"
    found = parse_screen_dump(dumped(windows=windows), hierarchy=True, serial="x")
    assert found.windows.app == "com.shop"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[Warning] Multiple displays were found\n" + PNG, "no picture but b'.Warning"),
        (b"/system/bin/sh: screencap: not found\n", "no picture but"),
        (PNG + b"ERROR: null root node returned by UiTestAutomationBridge.\n", "ends early"),
        (PNG + b"ERROR: out of memory\n=windows\n", "no hierarchy but 'ERROR: out of memory"),
        (PNG + b"</hierarchy> <?xml", "no hierarchy but"),
        (dumped(after=b""), "no picture but"),
        (dumped(after=PNG[:-5]), "the picture ends after"),
        (dumped(after=PNG[:20] + b"?" + PNG[21:]), "the picture is damaged"),
        (dumped().replace(b"=boot\n", b"=root\n"), "the answer ends early"),
    ],
)
def test_a_look_without_a_part_says_which_is_missing(content: bytes, said: str) -> None:
    with pytest.raises(DeviceFault, match=said) as caught:
        parse_screen_dump(content, hierarchy=True, serial="x")
    assert caught.value.cause is Cause.GARBLED


def test_a_look_that_is_cut_off_anywhere_is_garbled_and_nothing_else() -> None:
    whole = dumped()
    for end in range(len(whole)):
        with pytest.raises(DeviceFault) as caught:
            parse_screen_dump(whole[:end], hierarchy=True, serial="x")
        assert caught.value.cause is Cause.GARBLED


@given(st.integers(0, len(dumped()) - 1), st.integers(1, 255))
@settings(max_examples=150)
def test_a_look_with_a_wrong_byte_is_read_or_garbled(place: int, flipped: int) -> None:
    content = bytearray(dumped())
    content[place] ^= flipped
    try:
        found = parse_screen_dump(bytes(content), hierarchy=True, serial="x")
    except DeviceFault as fault:
        assert fault.cause is Cause.GARBLED
    else:
        assert found.png == found.png_after == PNG  # a damaged picture is never let through


@given(st.binary(max_size=60))
@settings(max_examples=60)
def test_whatever_follows_a_picture_is_handed_back(rest: bytes) -> None:
    assert split_png(PNG + rest, "x") == (PNG, rest)


def test_picture_that_claims_more_than_it_has_ends_early() -> None:
    claims = adb._PNG + (2**31).to_bytes(4, "big") + b"IDAT" + bytes(40)
    with pytest.raises(DeviceFault, match="ends after 56 bytes"):
        split_png(claims, "x")


# Servers of our own that do not come up


def write_program(path: Path, *lines: str) -> str:
    path.write_text("\n".join(("#!/bin/sh", *lines, "")))
    path.chmod(0o755)
    return str(path)


def test_what_a_server_says_goes_into_its_log(tmp_path: Path) -> None:
    program = write_program(tmp_path / "adb", 'echo "$ADB_MDNS $HOUSE $*"; echo wrong >&2; exit 3')
    log = tmp_path / "adb.log"
    port = free_port()
    for _ in range(2):
        with pytest.raises(ConfigError, match=f"on port {port} ended with 3"):
            AdbServer(port, program=program, environment={"HOUSE": "red"}, log=log)
    assert log.read_text() == f"0 red -P {port} nodaemon server\nwrong\n" * 2


def test_server_that_does_not_come_up_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adb, "_START_SECONDS", 0.1)
    program = write_program(tmp_path / "adb", f"echo $$ > {tmp_path}/pid", "exec sleep 600")
    started: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *given: object, **named: object) -> None:
            super().__init__(*given, **named)  # type: ignore[call-overload]
            started.append(self)

    monkeypatch.setattr("distrl.devices.android.adb.subprocess.Popen", Noted)
    with pytest.raises(ConfigError, match=r"does not answer within 0\.1 s"):
        AdbServer(free_port(), program=program)
    assert [process.returncode is not None for process in started] == [True]


def test_adb_without_its_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "adbutils", None)
    with pytest.raises(ConfigError, match=r"pip install 'distrl\[android\]'"):
        adb.find_adb()


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
