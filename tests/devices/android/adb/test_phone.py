from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

import pytest
from tests.devices import scripted_sockets as scripted
from tests.devices.adb_tools import needs_adbutils, own_server, served
from tests.devices.hostile import hostile_strings
from tests.devices.scripted_sockets import OKAY, shell_packet

from distrl.devices.android.adb import (
    Adb,
    AdbPhone,
    AdbServer,
    CommandResult,
    Pipeline,
)
from distrl.devices.android.adb import phone as phone_module
from distrl.devices.fault_causes import Cause, DeviceFault
from distrl.devices.phone.adbd.daemon import AdbDaemon
from distrl.errors import ActionError, ConfigError, DeviceError

DEVICE = "R58M12"


@pytest.mark.parametrize("serial", ["", "a b", "x;reboot", "x\n", "host:transport\0"])
def test_serial_cannot_hold_a_request(serial: str) -> None:
    with pytest.raises(ConfigError, match="serial"):
        Adb().phone(serial)


@pytest.mark.parametrize(
    "serial", ["R58M12", "emulator-5554", "10.0.0.7:5555", "[fe80::1%eth0]:5555", "a_b.c"]
)
def test_serials_that_adb_gives_are_taken(serial: str) -> None:
    assert Adb().phone(serial).over_tcp is (":" in serial)


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
    monkeypatch.setattr(phone_module, "_MAX_OUTPUT_BYTES", 100)
    endless = shell_packet(1, bytes(60)) * 3
    scripted.serve(monkeypatch, [OKAY + OKAY + endless])
    with pytest.raises(DeviceFault, match="more than 100 bytes"):
        Adb().phone(DEVICE).run(["yes"])


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
    assert phone.screencap() == daemon.system.run("screencap -p").stdout
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
    assert look.png == look.png_after == daemon.system.run("screencap -p").stdout
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
