from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.devices.adb_tools import eventually, free_port, needs_adbutils, own_server
from tests.devices.stand_in import gone, write_stand_in

from distrl.clock import VirtualClock
from distrl.config.devices import EmulatorsConfig
from distrl.config.load import checked
from distrl.devices.android import emulator as module
from distrl.devices.android.adb import Adb, AdbPhone, AdbServer
from distrl.devices.android.device import AndroidDevice
from distrl.devices.android.emulator import (
    Emulator,
    EmulatorGroup,
    Recovery,
    cheapest_recovery,
    command_line,
    console_ports,
    find_emulator,
    memory_mb,
    send_console_commands,
)
from distrl.errors import ConfigError, DeviceError, DeviceLost


@pytest.fixture
def stand_in(tmp_path: Path) -> str:
    return write_stand_in(tmp_path)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[AdbServer]:
    (tmp_path / "home").mkdir()
    with own_server(tmp_path / "home") as started:
        yield started


def _emulator(
    stand_in: str, server: AdbServer, folder: Path, avd: str = "pixel", seconds: float = 60.0
) -> Emulator:
    settings = EmulatorsConfig(avd=avd, program=stand_in, boot_seconds=seconds)
    (port,) = console_ports(1, 5600)
    return Emulator(settings, adb=server.adb, port=port, folder=folder)


def test_clones_are_read_only_and_leave_the_snapshot_alone() -> None:
    words = command_line(EmulatorsConfig(avd="pixel", options=["-lowram"]), "/x/emulator", 5556)
    line = " ".join(words)
    assert line.startswith("/x/emulator -avd pixel -read-only -port 5556 -no-window")
    assert "-no-snapshot-save -snapshot default_boot -force-snapshot-load" in line
    assert line.endswith("-lowram")
    cold = command_line(EmulatorsConfig(avd="pixel", snapshot=""), "emulator", 5556)
    assert "-no-snapshot-load" in cold
    assert "-snapshot" not in cold


def test_template_differs_from_its_clones_in_nothing_that_a_snapshot_compares() -> None:
    config = EmulatorsConfig(avd="pixel", memory_mb=3072, cores=3, gpu="host")
    clone = command_line(config, "emulator", 5586)
    template = command_line(config, "emulator", 5586, template=True)
    left_out = {"-read-only", "-snapshot", "default_boot", "-force-snapshot-load"}
    assert [word for word in clone if word not in left_out] == template[:-1]
    assert template[-1] == "-no-snapshot-load"


@needs_adbutils
@pytest.mark.slow
def test_emulator_starts_works_and_ends(stand_in: str, server: AdbServer, tmp_path: Path) -> None:
    emulator = _emulator(stand_in, server, tmp_path)
    try:
        record = emulator.start()
        pid = emulator.pid
        assert pid is not None
        assert record.serial == emulator.serial
        assert record.seconds > 0
        assert record.memory_mb > 1
        assert AndroidDevice(emulator.phone).observe().elements
        with pytest.raises(DeviceError, match="runs already"):
            emulator.start()
        again = emulator.restart()
        assert emulator.boots == [record, again]
        assert gone(pid)
    finally:
        second = emulator.pid
        emulator.close()
        emulator.close()
    assert second is not None
    assert gone(second)
    assert emulator.pid is None


@pytest.mark.parametrize(
    ("runs", "failed", "snapshot", "recovery"),
    [
        (True, False, "default_boot", Recovery.LOAD_SNAPSHOT),
        (True, False, "", Recovery.NONE),
        (True, True, "default_boot", Recovery.RESTART),
        (True, True, "", Recovery.RESTART),
        (False, False, "default_boot", Recovery.RESTART),
        (False, False, "", Recovery.RESTART),
    ],
)
def test_cheapest_way_back_that_works_is_taken(
    runs: bool, failed: bool, snapshot: str, recovery: Recovery
) -> None:
    assert cheapest_recovery(runs=runs, failed=failed, snapshot=snapshot) is recovery


@needs_adbutils
@pytest.mark.slow
def test_emulator_returns_to_its_snapshot_and_from_the_dead(
    stand_in: str, server: AdbServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    emulator = _emulator(stand_in, server, tmp_path)
    try:
        emulator.start()
        first = emulator.pid
        assert first is not None
        emulator.phone.put_setting("global", "wifi_on", "0")
        emulator.restore()
        assert emulator.phone.setting("global", "wifi_on") == "1"
        assert emulator.pid == first

        os.kill(first, signal.SIGKILL)
        assert eventually(lambda: emulator.pid is None)
        emulator.restore()
        assert emulator.pid not in (None, first)
        assert emulator.phone.setting("global", "wifi_on") == "1"
    finally:
        emulator.end()
    with pytest.raises(DeviceLost, match="ended for good"):
        emulator.restore()
    assert emulator.pid is None


@needs_adbutils
@pytest.mark.slow
def test_snapshot_that_is_not_loaded_is_followed_by_a_new_start(
    stand_in: str, server: AdbServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    emulator = _emulator(stand_in, server, tmp_path, avd="stubborn")
    try:
        emulator.start()
        with pytest.raises(
            DeviceLost, match=r"^snapshot: emulator-5.*was not loaded: KO: no such snapshot"
        ):
            emulator.restore()
        assert len(emulator.boots) == 1
        emulator.restore()
        assert len(emulator.boots) == 2
    finally:
        emulator.end()


def test_program_that_cannot_be_run_is_named(stand_in: str, tmp_path: Path) -> None:
    settings = EmulatorsConfig(avd="pixel", program=stand_in)
    emulator = Emulator(settings, adb=Adb(), port=5600, folder=tmp_path)
    Path(stand_in).unlink()
    with pytest.raises(DeviceLost, match=r"emulator-5600 cannot be started: .*No such file"):
        emulator.start()


@needs_adbutils
def test_emulator_that_ends_says_why(stand_in: str, server: AdbServer, tmp_path: Path) -> None:
    emulator = _emulator(stand_in, server, tmp_path, avd="broken")
    with pytest.raises(DeviceLost, match="PANIC: cannot find AVD system path"):
        emulator.start()
    assert emulator.pid is None


@needs_adbutils
@pytest.mark.slow
def test_emulator_that_does_not_start_is_ended(
    stand_in: str, server: AdbServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("distrl.devices.android.emulator._STOP_SECONDS", 1.0)
    emulator = _emulator(stand_in, server, tmp_path, avd="hangs", seconds=3.0)
    with pytest.raises(DeviceLost, match="has not come up within 3 s"):
        emulator.start()
    assert emulator.pid is None
    noted = (tmp_path / f"started-{emulator.port}").read_text()
    assert eventually(lambda: gone(int(noted[1:].partition(",")[0])), 5)


@needs_adbutils
@pytest.mark.slow
def test_group_has_a_server_of_its_own(stand_in: str, tmp_path: Path) -> None:
    settings = EmulatorsConfig(avd="pixel", program=stand_in, boot_seconds=60.0)
    folder = tmp_path / "made" / "here"
    group = EmulatorGroup(
        settings.changed(count=2, first_port=5620), adb_port=free_port(), folder=folder
    )
    try:
        records = group.start()
        assert len({record.serial for record in records}) == 2
        states = group.server.adb.devices()
        assert {states[record.serial] for record in records} == {"device"}
        pids = [emulator.pid for emulator in group.emulators]
    finally:
        group.close()
    assert all(pid is not None and gone(pid) for pid in pids)
    assert gone(group.server.pid)


class Console:
    """The console of an emulator, as far as it is used here."""

    def __init__(self, *, token: str = "", answer: str = "OK") -> None:
        self.heard: list[str] = []
        self._token, self._answer = token, answer
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        taken, _ = self._listening.accept()
        with taken:
            taken.sendall(b"Android Console: Authentication required\r\nOK\r\n")
            while line := taken.recv(1000):
                self.heard.append(line.decode().strip())
                right = line.startswith(b"avd") or line.strip() == f"auth {self._token}".encode()
                taken.sendall(f"{self._answer if right else 'KO: wrong'}\r\n".encode())

    def close(self) -> None:
        self._listening.close()
        self._thread.join(5)


@pytest.mark.parametrize("answer", ["OK", "KO: no such snapshot"])
def test_snapshot_is_loaded_over_the_console(
    stand_in: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".emulator_console_auth_token").write_text("secret\n")
    console = Console(token="secret", answer=answer)  # noqa: S106 - of a console that is no secret
    settings = EmulatorsConfig(avd="pixel", program=stand_in)
    emulator = Emulator(settings, adb=Adb(), port=console.port, folder=tmp_path)
    if answer == "OK":
        emulator.load_snapshot(deadline=5.0)
    else:
        with pytest.raises(DeviceLost, match="no such snapshot"):
            emulator.load_snapshot(deadline=5.0)
    assert console.heard == ["auth secret", "avd snapshot load default_boot"]
    console.close()


def test_console_that_does_not_answer_is_given_up(stand_in: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port: int = silent.getsockname()[1]
        settings = EmulatorsConfig(avd="pixel", program=stand_in)
        emulator = Emulator(settings, adb=Adb(), port=port, folder=tmp_path)
        with pytest.raises(DeviceLost, match="console does not answer"):
            emulator.load_snapshot(deadline=0.3)
    cold = EmulatorsConfig(avd="pixel", program=stand_in, snapshot="")
    with pytest.raises(ConfigError, match="without a snapshot"):
        Emulator(cold, adb=Adb(), port=port, folder=tmp_path).load_snapshot()


@needs_adbutils
def test_group_that_does_not_start_leaves_nothing(stand_in: str, tmp_path: Path) -> None:
    settings = EmulatorsConfig(avd="broken", program=stand_in)
    folder = tmp_path / "emulators"
    group = EmulatorGroup(
        settings.changed(count=2, first_port=5640), adb_port=free_port(), folder=folder
    )
    with pytest.raises(DeviceLost, match="PANIC"):
        group.start()
    assert gone(group.server.pid)
    assert "PANIC" in (folder / f"emulator-{group.emulators[0].port}.log").read_text()


def test_ports_are_even_and_free() -> None:
    ports = console_ports(3, 5560)
    assert len(ports) == 3
    assert all(port % 2 == 0 and port >= 5560 for port in ports)
    with socket.create_server(("127.0.0.1", ports[0] + 1)):
        assert ports[0] not in console_ports(3, 5560)
    for count, first in ((0, 5554), (1, 5555), (1, 80), (200, 5554)):
        with pytest.raises(ConfigError):
            console_ports(count, first)


def test_missing_emulator_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ANDROID_SDK_ROOT", raising=False)
    monkeypatch.setenv("ANDROID_HOME", str(tmp_path))
    with pytest.raises(ConfigError, match=r"docs/devices\.md"):
        find_emulator("no-such-emulator")
    (tmp_path / "emulator").mkdir()
    program = tmp_path / "emulator" / "no-such-emulator"
    program.touch(0o755)
    assert find_emulator("no-such-emulator") == str(program)


@pytest.mark.parametrize(
    "wrong", [{"avd": ""}, {"avd": "x", "memory_mb": 0}, {"avd": "x", "boot_seconds": 0.0}]
)
def test_settings_that_cannot_be_are_refused(wrong: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        Emulator(checked(EmulatorsConfig, wrong), adb=Adb(port=1), port=5554, folder=tmp_path)


def test_memory_of_a_process_is_known() -> None:
    assert memory_mb(os.getpid()) > 1
    assert memory_mb(2**30) == 0.0


# Decisions on a virtual clock, without a process


class Answering(AdbPhone):
    """A phone whose system has started as often as it is told; errors are raised."""

    def __init__(self, adb: Adb, serial: str, says: list[str | Exception]) -> None:
        super().__init__(adb, serial)
        self.says = says

    def prop(self, name: str, *, deadline: float = 1.0) -> str:
        assert name == "sys.boot_completed"
        said = self.says.pop(0) if len(self.says) > 1 else self.says[0]
        if isinstance(said, Exception):
            raise said
        return said


class Running:
    """A process that has not ended, or has with a code; signals are not for it."""

    def __init__(self, code: int | None = None) -> None:
        self.code, self.pid = code, 2**30

    def poll(self) -> int | None:
        return self.code

    def wait(self, timeout: float) -> int:
        return 0


class Scripted(Emulator):
    """An emulator that starts no process and loads no snapshot, and notes what it would do."""

    def __init__(
        self, folder: Path, *says: str | Exception, snapshot: str = "default_boot"
    ) -> None:
        settings = EmulatorsConfig(avd="pixel", program="sh", snapshot=snapshot, boot_seconds=30.0)
        self.clock = VirtualClock()
        super().__init__(settings, adb=Adb(), port=5600, folder=folder, clock=self.clock)
        self.answering = Answering(self.adb, self.serial, list(says))
        self.did: list[str] = []
        self.code: int | None = None
        self.refuses: Exception | None = None

    @property
    def phone(self) -> AdbPhone:
        return self.answering

    def _launch(self, environment: object) -> Running:  # type: ignore[override]
        self.did.append("launch")
        self._log.write_text("a word\n" * 200)
        self._process = Running(self.code)  # type: ignore[assignment]
        return self._process  # type: ignore[return-value]

    def load_snapshot(self, *, deadline: float = 1.0) -> None:
        self.did.append("load")
        if self.refuses is not None:
            raise self.refuses


def test_start_ends_when_the_system_says_so(tmp_path: Path) -> None:
    emulator = Scripted(tmp_path, DeviceError("not found"), "", "0", "1")
    record = emulator.start()
    assert record.seconds == pytest.approx(3 * module._POLL_SECONDS)
    assert (record.serial, record.memory_mb) == ("emulator-5600", 0.0)
    assert emulator.boots == [record]


def test_start_that_takes_too_long_is_lost_with_the_last_words(tmp_path: Path) -> None:
    emulator = Scripted(tmp_path, "")
    with pytest.raises(DeviceLost, match=r"(?s)has not come up within 30 s: .*a word$") as caught:
        emulator.start()
    assert len(str(caught.value)) < module._MAX_LOG_CHARACTERS + 100
    assert emulator.clock.now() == pytest.approx(30.0)
    assert emulator.boots == []


def test_process_that_ends_meanwhile_is_not_waited_for(tmp_path: Path) -> None:
    emulator = Scripted(tmp_path, "")
    emulator.code = 1
    with pytest.raises(DeviceLost, match="emulator-5600 ended with 1"):
        emulator.start()
    assert emulator.clock.now() == 0.0


def test_restore_loads_the_snapshot_of_an_emulator_that_runs(tmp_path: Path) -> None:
    emulator = Scripted(tmp_path, "1")
    emulator.start()
    emulator.restore()
    emulator.restore()
    assert emulator.did == ["launch", "load", "load"]


def test_restore_without_a_snapshot_leaves_an_emulator_that_runs_alone(tmp_path: Path) -> None:
    emulator = Scripted(tmp_path, "1", snapshot="")
    emulator.start()
    emulator.restore()
    assert emulator.did == ["launch"]


def test_restore_that_failed_once_is_a_new_start_the_next_time_and_only_then(
    tmp_path: Path,
) -> None:
    emulator = Scripted(tmp_path, "1")
    emulator.start()
    emulator.refuses = DeviceLost("KO")
    with pytest.raises(DeviceLost, match="KO"):
        emulator.restore()
    emulator.refuses = None
    emulator.restore()
    emulator.restore()
    assert emulator.did == ["launch", "load", "launch", "load"]


def test_snapshot_whose_phone_does_not_come_back_is_followed_by_a_new_start(
    tmp_path: Path,
) -> None:
    emulator = Scripted(tmp_path, "1")
    emulator.start()
    emulator.answering.says = [""]
    with pytest.raises(DeviceLost, match="within 60 s"):
        emulator.restore()
    emulator.answering.says = ["1"]
    emulator.restore()
    assert emulator.did == ["launch", "load", "launch"]


def test_emulator_that_was_never_started_is_closed_without_a_word(tmp_path: Path) -> None:
    emulator = Scripted(tmp_path, "1")
    emulator.close()
    assert emulator.pid is None


# The console


class Talker:
    """Sends pieces to whoever connects, and then what each command is answered by."""

    def __init__(self, *pieces: bytes) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._pieces = pieces
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        taken, _ = self._listening.accept()
        with taken:
            for number, piece in enumerate(self._pieces):
                if number:
                    taken.recv(1000)
                taken.sendall(piece)

    def close(self) -> None:
        self._listening.close()
        self._thread.join(5)


@pytest.mark.parametrize(
    ("pieces", "answers"),
    [
        ((b"hello\r\nOK\r\n", b"OK\r\n"), ["OK"]),
        ((b"OK\n", b"name: pixel\r\nOK is not the end\r\nOK\r\n"), ["OK"]),
        ((b"OK\r\n", b"KO: unknown command, try 'help'\r\n"), ["KO: unknown command, try 'help'"]),
    ],
)
def test_answer_of_the_console_is_its_last_line(
    pieces: tuple[bytes, ...], answers: list[str]
) -> None:
    console = Talker(*pieces)
    assert send_console_commands(console.port, ["avd name"], deadline=5.0) == answers
    console.close()


def test_console_that_hangs_up_is_an_error(tmp_path: Path) -> None:
    console = Talker(b"OK\r\n")
    with pytest.raises(OSError, match=r"closed|reset"):
        send_console_commands(console.port, ["avd name"], deadline=5.0)
    console.close()


def test_environment_variables_of_the_sdk_are_looked_at_in_turn(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.delenv("ANDROID_HOME", raising=False)
    monkeypatch.setenv("ANDROID_SDK_ROOT", str(tmp_path / "old"))
    for sdk in ("old", "new"):
        (tmp_path / sdk / "emulator").mkdir(parents=True)
        (tmp_path / sdk / "emulator" / "emulator").touch(0o755)
    assert find_emulator() == str(tmp_path / "old" / "emulator" / "emulator")
    monkeypatch.setenv("ANDROID_HOME", str(tmp_path / "new"))
    assert find_emulator() == str(tmp_path / "new" / "emulator" / "emulator")
    with pytest.raises(ConfigError, match="cannot find other"):
        find_emulator("other")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (EmulatorsConfig(avd="a b"), ["-avd", "a b"]),
        (EmulatorsConfig(avd="x", memory_mb=512), ["-memory", "512"]),
        (EmulatorsConfig(avd="x", cores=7), ["-cores", "7"]),
        (EmulatorsConfig(avd="x", gpu="host"), ["-gpu", "host"]),
        (EmulatorsConfig(avd="x", snapshot="clean"), ["-snapshot", "clean"]),
        (EmulatorsConfig(avd="x", options=["-http-proxy", "a b"]), ["-http-proxy", "a b"]),
    ],
)
def test_every_setting_is_a_word_of_the_command(
    settings: EmulatorsConfig, words: list[str]
) -> None:
    line = command_line(settings, "emulator", 5554)
    place = line.index(words[0])
    assert line[place : place + len(words)] == words
    for always in ("-read-only", "-no-window", "-no-snapshot-save"):
        assert line.count(always) == 1
