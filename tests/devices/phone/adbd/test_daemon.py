from __future__ import annotations

import io
import os
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.devices.adb_tools import (
    SECONDS,
    RealAdb,
    adb_programs,
    eventually,
    needs_adb,
    needs_adbutils,
    own_server,
    real_adb,
    served,
)
from tests.devices.phone.adbd.pairs import Pair, pair_of

from distrl.devices.phone.adbd.daemon import AdbDaemon, Packet, find_service
from distrl.devices.phone.adbd.system import AndroidSystem
from distrl.devices.phone.device import PhoneDevice
from distrl.errors import ConfigError

_NAMES = {name: int.from_bytes(name, "little") for name in (b"CNXN", b"AUTH", b"OPEN", b"OKAY",
                                                             b"CLSE", b"WRTE")}  # fmt: skip


class Host:
    """The host's side of the protocol, to say what the real adb never would."""

    def __init__(self, daemon: AdbDaemon, *, version: int = 0x01000001) -> None:
        self._socket = socket.create_connection((daemon.host, daemon.port), timeout=10)
        self.version = version
        self.send(b"CNXN", version, 4096, b"host::features=shell_v2")

    def send(self, name: bytes, first: int, second: int, payload: bytes = b"") -> None:
        packet = Packet(_NAMES[name], first, second, payload)
        self._socket.sendall(packet.packed(checked=self.version < 0x01000001))

    def send_raw(self, content: bytes) -> None:
        self._socket.sendall(content)

    def receive(self) -> tuple[bytes, int, int, bytes]:
        command, first, second, length, check, _ = struct.unpack("<6I", self._exactly(24))
        payload = self._exactly(length)
        assert check == (sum(payload) if self.version < 0x01000001 else check)
        return command.to_bytes(4, "little"), first, second, payload

    def is_over(self) -> bool:
        try:
            return self._socket.recv(1) == b""
        except ConnectionError:
            return True

    def close(self) -> None:
        self._socket.close()

    def _exactly(self, count: int) -> bytes:
        found = b""
        while len(found) < count:
            piece = self._socket.recv(count - len(found))
            assert piece, "the phone closed the connection"
            found += piece
        return found


@pytest.fixture
def phone() -> Iterator[AdbDaemon]:
    with served() as daemon:
        yield daemon


@pytest.fixture
def closing() -> Iterator[list[Host]]:
    hosts: list[Host] = []
    yield hosts
    for host in hosts:
        host.close()


def _greeted(host: Host) -> bool:
    return host.receive()[0] == b"CNXN"


# Without adb


def test_owner_of_an_allowed_key_is_let_in(closing: list[Host]) -> None:
    pair = pair_of(1)
    with served(keys=(pair_of(2).public, pair.public)) as daemon:
        host = Host(daemon)
        closing.append(host)
        name, kind, _, token = host.receive()
        assert (name, kind, len(token)) == (b"AUTH", 1, 20)
        host.send(b"AUTH", 2, 0, pair.sign(token))
        name, _, _, banner = host.receive()
        assert name == b"CNXN"
        assert banner.startswith(b"device::ro.product.name=distrl_phone;")


def test_nobody_else_is_let_in(closing: list[Host]) -> None:
    allowed, stranger = pair_of(1), pair_of(2)
    with served(keys=(allowed.public,)) as daemon:
        host = Host(daemon)
        closing.append(host)
        first = host.receive()[3]
        host.send(b"AUTH", 2, 0, stranger.sign(first))
        name, kind, _, second = host.receive()
        assert (name, kind) == (b"AUTH", 1)
        assert first != second
        host.send(b"AUTH", 2, 0, allowed.sign(first))  # overheard: it answers the old token
        assert host.receive()[:2] == (b"AUTH", 1)
        host.send(b"AUTH", 3, 0, allowed.line().encode())
        host.send(b"OPEN", 1, 0, b"shell:wm size\0")
        assert host.is_over()


def test_stream_waits_for_each_packet_to_be_taken(phone: AdbDaemon, closing: list[Host]) -> None:
    host = Host(phone)
    closing.append(host)
    assert _greeted(host)
    host.send(b"OPEN", 7, 0, b"exec:screencap -p\0")
    name, own, peer, _ = host.receive()
    assert (name, peer) == (b"OKAY", 7)
    whole = b""
    packets = 0
    while (received := host.receive())[0] == b"WRTE":
        whole += received[3]
        packets += 1
        assert len(received[3]) <= 4096
        host._socket.settimeout(0.05)
        with pytest.raises(TimeoutError):  # nothing comes before the last one is taken
            host._socket.recv(1)
        host._socket.settimeout(10)
        if packets == 3:
            break
        host.send(b"OKAY", 7, own)
    host.send(b"CLSE", 7, own)
    assert host.receive()[0] == b"CLSE"
    assert whole == phone.system.run("screencap -p").stdout[: len(whole)]


def test_old_hosts_get_checksums(phone: AdbDaemon, closing: list[Host]) -> None:
    host = Host(phone, version=0x01000000)
    closing.append(host)
    assert _greeted(host)
    host.send(b"OPEN", 1, 0, b"shell:wm size\0")
    assert host.receive()[0] == b"OKAY"
    assert host.receive()[3] == b"Physical size: 720x1600\n"


def test_unknown_service_is_closed(phone: AdbDaemon, closing: list[Host]) -> None:
    host = Host(phone)
    closing.append(host)
    assert _greeted(host)
    host.send(b"OPEN", 9, 0, b"tcp:80\0")
    assert host.receive() == (b"CLSE", 0, 9, b"")
    assert find_service("jdwp:1") is None


@pytest.mark.parametrize(
    "garbage",
    [b"GET / HTTP/1.1\r\n\r\n" + bytes(40), struct.pack("<6I", 1, 0, 0, 2**30, 0, 0xFFFFFFFE)],
)
def test_garbage_ends_the_connection_and_nothing_else(
    phone: AdbDaemon, closing: list[Host], garbage: bytes
) -> None:
    broken, whole = Host(phone), Host(phone)
    closing += [broken, whole]
    assert _greeted(broken)
    assert _greeted(whole)
    broken.send_raw(garbage)
    assert broken.is_over()
    whole.send(b"OPEN", 1, 0, b"shell:echo still here\0")
    assert whole.receive()[0] == b"OKAY"
    assert whole.receive()[3] == b"still here\n"


def test_stream_before_the_greeting_is_refused(closing: list[Host]) -> None:
    with served(keys=(pair_of(1).public,)) as daemon:
        host = Host(daemon)
        closing.append(host)
        host.receive()
        host.send(b"OPEN", 1, 0, b"shell:wm size\0")
        assert host.is_over()


def _packed(number: int, content: bytes) -> bytes:
    return struct.pack("<BI", number, len(content)) + content


def _answers(phone: AdbDaemon, closing: list[Host], service: bytes, *pieces: bytes) -> list[bytes]:
    """What a service writes until it ends, when it is sent some pieces."""
    host = Host(phone)
    closing.append(host)
    assert _greeted(host)
    host.send(b"OPEN", 1, 0, service + b"\0")
    _, own, _, _ = host.receive()
    for piece in pieces:
        host.send(b"WRTE", 1, own, piece)
    answers: list[bytes] = []
    while (received := host.receive())[0] != b"CLSE":
        if received[0] == b"WRTE":
            answers.append(received[3])
            host.send(b"OKAY", 1, own)
    return answers


def test_what_is_sent_to_a_program_is_what_it_reads(phone: AdbDaemon, closing: list[Host]) -> None:
    content = bytes(range(256))
    packets = _packed(0, content[:100]) + _packed(5, b"24x80") + _packed(0, content[100:])
    pieces = (packets[:50], packets[50:] + _packed(4, b""))
    answers = _answers(phone, closing, b"shell,v2,raw:cat > /sdcard/f; cat; exit 3", *pieces)
    assert answers == [_packed(3, b"\3")]
    assert phone.system.storage.read("/sdcard/f") == content


def test_program_that_reads_nothing_does_not_wait(phone: AdbDaemon, closing: list[Host]) -> None:
    answers = _answers(phone, closing, b"shell,v2,raw:echo a")
    assert answers == [_packed(1, b"a\n"), _packed(3, b"\0")]


def test_lines_are_run_as_they_are_typed(phone: AdbDaemon, closing: list[Host]) -> None:
    lines = (_packed(0, b"cd /data; ec"), _packed(0, b"ho a\r"), _packed(0, b"pwd\nexit 4\necho b"))
    answers = _answers(phone, closing, b"shell,v2,pty:", *lines, _packed(0, b"\r"))
    assert answers == [_packed(1, b"a\n"), _packed(1, b"/data\n"), _packed(3, b"\4")]
    answers = _answers(phone, closing, b"shell,v2:", _packed(0, b"echo last") + _packed(4, b""))
    assert answers == [_packed(1, b"last\n"), _packed(3, b"\0")]
    answers = _answers(phone, closing, b"shell:", b"cat /none\n", b"exit\n")
    assert answers == [b"cat: /none: No such file or directory\n"]


def test_more_than_a_program_can_be_sent_is_an_error(
    phone: AdbDaemon, closing: list[Host], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("distrl.devices.phone.adbd.daemon._MAX_STDIN_BYTES", 10)
    service = b"shell,v2,raw:cat > /sdcard/f"
    answers = _answers(phone, closing, service, _packed(0, b"eleven bytes"))
    assert answers[0][5:] == b"cat: a program can be sent 10 bytes, and no more\n"
    assert answers[-1] == _packed(3, b"\1")


def test_program_without_shell_v2_has_one_stream(phone: AdbDaemon, closing: list[Host]) -> None:
    for service in (b"exec:", b"shell:"):
        answers = _answers(phone, closing, service + b"echo a; cat /caf\xe9")
        assert answers == [b"a\ncat: /caf\xe9: No such file or directory\n"]


def test_checksum_is_the_sum_of_the_bytes_and_nothing_for_newer_hosts() -> None:
    packet = Packet(_NAMES[b"WRTE"], 1, 2, bytes([255, 255, 3]))
    assert struct.unpack("<6I", packet.packed(checked=True)[:24])[3:5] == (3, 513)
    assert struct.unpack("<6I", packet.packed(checked=False)[:24])[3:5] == (3, 0)
    assert packet.packed(checked=True)[24:] == packet.payload


def test_magic_is_the_command_the_other_way_round(phone: AdbDaemon, closing: list[Host]) -> None:
    packed = bytearray(Packet(_NAMES[b"OPEN"], 1, 0, b"shell:echo a\0").packed(checked=False))
    for bit in (0, 31):
        host = Host(phone)
        closing.append(host)
        assert _greeted(host)
        wrong = bytearray(packed)
        wrong[20 + bit // 8] ^= 1 << bit % 8
        host.send_raw(bytes(wrong))
        assert host.is_over()


def test_packets_may_arrive_in_pieces(phone: AdbDaemon, closing: list[Host]) -> None:
    host = Host(phone)
    closing.append(host)
    assert _greeted(host)
    packed = Packet(_NAMES[b"OPEN"], 5, 0, b"shell:echo whole\0").packed(checked=False)
    for start in range(0, len(packed), 7):
        host.send_raw(packed[start : start + 7])
    assert host.receive()[0] == b"OKAY"
    assert host.receive()[3] == b"whole\n"


def test_packet_for_a_stream_that_is_over_is_answered_by_its_end(
    phone: AdbDaemon, closing: list[Host]
) -> None:
    host = Host(phone)
    closing.append(host)
    assert _greeted(host)
    host.send(b"WRTE", 7, 99, b"to nobody")
    assert host.receive() == (b"CLSE", 0, 7, b"")
    host.send(b"OKAY", 7, 99)  # these two are late, and no reason to answer
    host.send(b"CLSE", 7, 99)
    host.send(b"OPEN", 8, 0, b"shell:echo on\0")
    assert host.receive()[0] == b"OKAY"


def test_streams_run_side_by_side(phone: AdbDaemon, closing: list[Host]) -> None:
    host = Host(phone)
    closing.append(host)
    assert _greeted(host)
    host.send(b"OPEN", 1, 0, b"shell,v2:\0")  # waits for what is typed
    _, waiting, _, _ = host.receive()
    host.send(b"OPEN", 2, 0, b"shell:echo quick\0")
    assert host.receive()[:1] == (b"OKAY",)
    name, own, peer, content = host.receive()
    assert (name, peer, content) == (b"WRTE", 2, b"quick\n")
    host.send(b"OKAY", 2, own)
    assert host.receive()[0] == b"CLSE"
    host.send(b"WRTE", 1, waiting, _packed(0, b"echo slow\n"))
    assert host.receive()[0] == b"OKAY"
    assert host.receive()[3] == _packed(1, b"slow\n")


def test_streams_of_a_connection_have_a_bound(
    phone: AdbDaemon, closing: list[Host], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("distrl.devices.phone.adbd.daemon._MAX_STREAMS", 2)
    host = Host(phone)
    closing.append(host)
    assert _greeted(host)
    answers = []
    for number in (1, 2, 3):
        host.send(b"OPEN", number, 0, b"shell,v2:\0")
        answers.append(host.receive()[0])
    assert answers == [b"OKAY", b"OKAY", b"CLSE"]


def test_connections_have_a_bound(
    phone: AdbDaemon, closing: list[Host], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("distrl.devices.phone.adbd.daemon._MAX_CONNECTIONS", 1)
    first = Host(phone)
    closing.append(first)
    assert _greeted(first)
    second = Host(phone)
    closing.append(second)
    assert second.is_over()
    first.send(b"OPEN", 1, 0, b"shell:echo still\0")
    assert first.receive()[0] == b"OKAY"


@pytest.mark.parametrize(("asked", "largest"), [(16, 1024), (4096, 4096), (2**31, 2**20)])
def test_packets_are_as_large_as_both_sides_take(
    phone: AdbDaemon, closing: list[Host], asked: int, largest: int
) -> None:
    host = Host(phone)
    closing.append(host)
    assert _greeted(host)
    host.send(b"CNXN", 0x01000001, asked, b"host::")
    assert _greeted(host)
    content = bytes(3 * largest // 2)
    phone.system.storage.write("/sdcard/f", content)
    host.send(b"OPEN", 1, 0, b"exec:cat /sdcard/f\0")
    _, own, _, _ = host.receive()
    sizes = []
    while (received := host.receive())[0] == b"WRTE":
        sizes.append(len(received[3]))
        host.send(b"OKAY", 1, own)
    assert sizes == [largest, len(content) - largest]


def test_phone_that_hangs_answers_nothing(phone: AdbDaemon, closing: list[Host]) -> None:
    host = Host(phone)
    closing.append(host)
    assert _greeted(host)
    phone.system.injected_faults.hung = True
    host.send(b"OPEN", 1, 0, b"shell:echo a\0")
    host._socket.settimeout(0.1)
    with pytest.raises(TimeoutError):
        host.receive()
    phone.system.injected_faults.hung = False
    host._socket.settimeout(10)
    host.send(b"OPEN", 2, 0, b"shell:echo a\0")
    assert host.receive()[2] == 2  # the first is lost, and not merely late


def test_phone_that_is_offline_takes_connections_and_greets_nobody(
    phone: AdbDaemon, closing: list[Host]
) -> None:
    phone.system.injected_faults.offline = True
    host = Host(phone)
    closing.append(host)
    host._socket.settimeout(0.1)
    with pytest.raises(TimeoutError):
        host.receive()


def test_phone_that_refuses_every_key_refuses_the_right_one_too(closing: list[Host]) -> None:
    pair = pair_of(1)
    with served(keys=(pair.public,)) as daemon:
        daemon.system.injected_faults.unauthorised = True
        host = Host(daemon)
        closing.append(host)
        for _ in range(2):
            name, _, _, token = host.receive()
            assert name == b"AUTH"
            host.send(b"AUTH", 2, 0, pair.sign(token))
        assert host.receive()[0] == b"AUTH"


def test_cable_that_is_pulled_ends_all_connections_and_new_ones_are_taken(
    phone: AdbDaemon, closing: list[Host]
) -> None:
    hosts = [Host(phone) for _ in range(3)]
    closing += hosts
    assert all(_greeted(host) for host in hosts)
    phone.drop()
    assert all(host.is_over() for host in hosts)
    again = Host(phone)
    closing.append(again)
    assert _greeted(again)


def test_phone_that_restarts_takes_nobody_until_it_has_started(closing: list[Host]) -> None:
    system = AndroidSystem(PhoneDevice(), serial="x")
    daemon = AdbDaemon(system, boot_seconds=3600.0)
    try:
        host = Host(daemon)
        closing.append(host)
        assert _greeted(host)
        system.reboot()
        assert host.is_over()
        early = Host(daemon)
        closing.append(early)
        assert early.is_over()
        daemon._booted = 0.0
        later = Host(daemon)
        closing.append(later)
        assert _greeted(later)
    finally:
        daemon.close()


@pytest.mark.parametrize(
    ("name", "known"),
    [("shell:", True), ("shell,v2,raw:ls", True), ("exec:ls", True), ("sync:", True),
     ("reboot:", True), ("tcp:80", False), ("jdwp:1", False), ("", False), ("shellx:", False)],
)  # fmt: skip
def test_the_table_of_services(name: str, known: bool) -> None:
    assert (find_service(name) is not None) is known


def test_closing_leaves_no_threads(closing: list[Host]) -> None:
    before = set(threading.enumerate())
    with served() as daemon:
        host = Host(daemon)
        closing.append(host)
        assert _greeted(host)
        host.send(b"OPEN", 1, 0, b"shell:\0")
        assert host.receive()[0] == b"OKAY"
    assert eventually(lambda: set(threading.enumerate()) <= before, 5)


def test_port_that_is_taken_is_an_error_with_a_name(phone: AdbDaemon) -> None:
    system = AndroidSystem(PhoneDevice(), serial="x")
    with pytest.raises(ConfigError, match=f"cannot listen on 127.0.0.1:{phone.port}"):
        AdbDaemon(system, port=phone.port)


# With every adb that is here


@pytest.fixture(params=adb_programs(), ids=lambda path: str(path).split("/")[-3])
def adb(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RealAdb]:
    with real_adb(request.param, tmp_path / "home") as found:
        yield found


@needs_adb
def test_real_adb_drives_the_phone(adb: RealAdb, phone: AdbDaemon, tmp_path: Path) -> None:
    assert "connected" in adb.out("connect", phone.address)
    on = ("-s", phone.address)
    assert "model:" in adb.out("devices", "-l")
    assert adb.out(*on, "shell", "wm", "size").strip() == "Physical size: 720x1600"
    assert adb.out(*on, "shell", "-x", "wm size").strip() == "Physical size: 720x1600"
    assert adb.run(*on, "shell", "false").returncode == 1
    failed = adb.run(*on, "shell", "cat /none")
    assert (failed.returncode, failed.stdout) == (1, b"")
    assert b"No such file" in failed.stderr

    picture = adb.run(*on, "exec-out", "screencap", "-p").stdout
    np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(picture))), phone.system.frame())
    adb.out(*on, "shell", "am", "start", "-n", "org.distrl.phone.browser/.MainActivity")
    assert phone.system.view.app == "browser"
    x, y = next(e for e in phone.system.view.elements if e.editable).center
    adb.out(*on, "shell", "input", "tap", str(x * 720), str(y * 1600))
    adb.out(*on, "shell", "input", "text", "'two words'")
    dump = adb.out(*on, "exec-out", "uiautomator dump /dev/tty")
    assert 'text="two words"' in dump
    assert "browser" in adb.out(*on, "shell", "dumpsys window | grep mCurrentFocus")
    adb.out(*on, "shell", "input keyevent KEYCODE_HOME && am force-stop org.distrl.phone.browser")
    assert phone.system.view.app == "launcher"
    assert adb.out(*on, "shell", "settings", "get", "global", "wifi_on").strip() == "1"
    assert "org.distrl.phone.clock" in adb.out(*on, "shell", "pm", "list", "packages")

    content = os.urandom(3_000_000)
    (tmp_path / "up").write_bytes(content)
    adb.out(*on, "push", str(tmp_path / "up"), "/sdcard/there")
    adb.out(*on, "pull", "/sdcard/there", str(tmp_path / "down"))
    assert (tmp_path / "down").read_bytes() == content
    assert adb.run(*on, "pull", "/sdcard/none", str(tmp_path / "none")).returncode != 0
    (tmp_path / "folder" / "in").mkdir(parents=True)
    (tmp_path / "folder" / "in" / "file").write_text("deep")
    adb.out(*on, "push", str(tmp_path / "folder"), "/sdcard/")
    assert phone.system.storage.read("/sdcard/folder/in/file") == b"deep"
    assert "folder" in adb.out(*on, "ls", "/sdcard")


@needs_adb
def test_real_adb_has_a_shell_with_two_ends(adb: RealAdb, phone: AdbDaemon) -> None:
    adb.out("connect", phone.address)
    on = ("-s", phone.address)
    assert adb.run(*on, "shell", "exit", "3").returncode == 3
    assert adb.run(*on, "shell", "sh -c 'exit 4'").returncode == 4
    assert adb.run(*on, "shell", "test -e /sdcard/f").returncode == 1
    assert adb.run(*on, "shell", "input", "text", "a" * 3000).returncode == 0
    failed = adb.run(*on, "shell", b"cat /caf\xe9")
    assert (failed.returncode, failed.stderr) == (1, b"cat: /caf\xe9: No such file or directory\n")

    content = os.urandom(300_000)
    assert adb.run(*on, "shell", "cat > /sdcard/f", given=content).returncode == 0
    assert phone.system.storage.read("/sdcard/f") == content
    assert adb.run(*on, "exec-out", "cat", "/sdcard/f").stdout == content
    assert b"No such file" in adb.run(*on, "exec-out", "cat", "/none").stdout
    adb.run(*on, "exec-in", "cat > /sdcard/g", given=content)
    assert eventually(lambda: phone.system.storage.read("/sdcard/g") == content)

    script = b"cd /sdcard\npwd\nls | wc -l\nexit 5\necho never\n"
    done = adb.run(*on, "shell", given=script)
    assert (done.returncode, done.stdout) == (5, b"/sdcard\n2\n")
    assert adb.run(*on, "shell", "sh", given=script).returncode == 5


@needs_adbutils
def test_adbutils_finds_a_phone(phone: AdbDaemon, tmp_path: Path) -> None:
    import adbutils

    with own_server(tmp_path) as server:
        client = adbutils.AdbClient(host="127.0.0.1", port=server.adb.port, socket_timeout=SECONDS)
        assert "connected" in client.connect(phone.address)
        device = client.device(phone.address)
        assert tuple(device.window_size()) == (720, 1600)
        assert device.rotation() == 0
        assert device.is_screen_on()
        assert device.battery().level == phone.system.state["system"]["battery"]
        shot = device.screenshot(display_id=0, error_ok=False)
        np.testing.assert_array_equal(np.asarray(shot), phone.system.frame())

        device.swipe(0.5, 0.8, 0.5, 0.1, 0.2)
        assert phone.system.view.page == "drawer"
        device.keyevent("HOME")
        device.app_start("org.distrl.phone.browser")
        current = device.app_current()
        assert current.package == "org.distrl.phone.browser"
        assert current.activity.endswith("MainActivity")
        device.click(*next(e for e in phone.system.view.elements if e.editable).center)
        device.send_keys("two words")
        assert 'text="two words"' in device.dump_hierarchy()
        device.app_stop("org.distrl.phone.browser")
        assert phone.system.view.app == "launcher"

        assert device.list_packages(["-3"]) == ["com.android.adbkeyboard"]
        info = device.app_info("org.distrl.phone.clock")
        assert (info.version_name, info.version_code, info.flags[0]) == ("1.0", 1, "SYSTEM")
        device.switch_wifi(False)
        assert phone.system.state["system"]["wifi"] is False

        for v2 in (True, False):
            ran = device.shell2("echo a; sh -c 'exit 3'", v2=v2)
            assert (ran.returncode, ran.output.strip()) == (3, "a")
        content = os.urandom(200_000)
        assert device.sync.push(content, "/sdcard/up") == len(content)
        assert device.sync.pull("/sdcard/up", tmp_path / "down") == len(content)
        assert (tmp_path / "down").read_bytes() == content
        assert device.sync.read_bytes("/sdcard/up") == content


@needs_adb
def test_real_adb_comes_back_after_a_reboot(adb: RealAdb, phone: AdbDaemon) -> None:
    adb.out("connect", phone.address)
    adb.out("-s", phone.address, "reboot")
    assert eventually(
        lambda: adb.run("-s", phone.address, "shell", "getprop sys.boot_completed").stdout == b"1\n"
    )


@needs_adb
def test_key_of_the_real_adb_is_checked(adb: RealAdb) -> None:
    with served(keys=(adb.key,)) as daemon:
        adb.out("connect", daemon.address)
        assert adb.out("-s", daemon.address, "shell", "echo in").strip() == "in"


@needs_adb
def test_real_adb_with_another_key_is_unauthorised(adb: RealAdb) -> None:
    stranger: Pair = pair_of(1)
    with served(keys=(stranger.public,)) as daemon:
        adb.run("connect", daemon.address)
        assert eventually(lambda: "unauthorized" in adb.out("devices"))
        refused = adb.run("-s", daemon.address, "shell", "wm size")
        assert refused.returncode != 0
        assert b"unauthorized" in refused.stderr
