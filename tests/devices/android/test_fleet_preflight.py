from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from distrl.config.devices import EmulatorsConfig
from distrl.devices.android import emulator, fleet_preflight
from distrl.devices.android.fleet_preflight import (
    AdbOwner,
    Supply,
    adb_owner,
    allowed,
    has_binder,
    read_machine,
    taken_ports,
    verdict,
)

HEADER = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid"
ME = os.getuid()


def machine(folder: Path, *, instances: int = 128, watches: int = 65536) -> Path:
    """A /proc of somebody with two inotify instances, one of them with three watches."""
    limits = folder / "sys" / "fs" / "inotify"
    limits.mkdir(parents=True)
    (limits / "max_user_instances").write_text(f"{instances}\n")
    (limits / "max_user_watches").write_text(f"{watches}\n")
    (folder / "meminfo").write_text("MemTotal: 16000000 kB\nMemAvailable: 12582912 kB\n")
    for part in ("fd", "fdinfo"):
        (folder / "77" / part).mkdir(parents=True)
    for number, target in enumerate(("anon_inode:inotify", "anon_inode:inotify", "socket:[4242]")):
        (folder / "77" / "fd" / str(number)).symlink_to(target)
    lines = "".join(f"inotify wd:{n} ino:1 sdev:1\n" for n in range(3))
    (folder / "77" / "fdinfo" / "0").write_text(f"pos: 0\n{lines}")
    (folder / "78").mkdir()  # a process of somebody else, whose files cannot be seen
    (folder / "net").mkdir()
    return folder


def listening(proc: Path, port: int, *, uid: int = ME, table: str = "tcp") -> None:
    row = f"   0: 0100007F:{port:04X} 00000000:0000 0A 0:0 0:0 0 {uid} 0 4242 1 0"
    (proc / "net" / table).write_text(f"{HEADER}\n{row}\n")


def test_machine_is_read_as_far_as_it_tells(tmp_path: Path) -> None:
    found = {s.name: s for s in read_machine(machine(tmp_path), folder=tmp_path)}
    assert found["inotify_instances"].free == 126
    assert found["inotify_watches"].free == 65536 - 3
    assert found["memory_mb"].free == 12288
    assert allowed(found["memory_mb"]) == 4
    assert found["disk_mb"].free > 0


def test_machine_that_tells_nothing_holds_nothing(tmp_path: Path) -> None:
    found = read_machine(tmp_path, folder=tmp_path)
    assert verdict(found, kvm="").devices == 0


def test_the_51st_container_fails_with_the_usual_limit_of_inotify(tmp_path: Path) -> None:
    found = [s for s in read_machine(machine(tmp_path)) if s.name.startswith("inotify")]
    said = verdict(found, kvm="")
    assert (said.devices, said.limited_by) == (50, "inotify_instances")
    assert said.why_no_more.startswith("device 51 would lack inotify_instances")
    assert "max_user_instances" in said.get


@pytest.mark.parametrize(
    ("free", "each", "devices"), [(10, 2.5, 4), (9.9, 2.5, 3), (0, 1, 0), (-4, 1, 0)]
)
def test_the_table_of_what_is_allowed(free: float, each: float, devices: int) -> None:
    assert allowed(Supply(name="x", free=free, each=each, unit="", get="")) == devices


def test_without_kvm_no_emulator_fits() -> None:
    said = verdict((), kvm="absent: there is no /dev/kvm")
    assert (said.devices, said.limited_by) == (0, "kvm")


def test_binder_is_a_file_system_or_a_device(tmp_path: Path) -> None:
    (tmp_path / "filesystems").write_text("nodev\tsysfs\n\text4\n")
    assert not has_binder(tmp_path, tmp_path)
    (tmp_path / "filesystems").write_text("nodev\tsysfs\nnodev\tbinder\n")
    assert has_binder(tmp_path, tmp_path)
    (tmp_path / "binderfs").mkdir()
    assert has_binder(tmp_path / "none", tmp_path)


@pytest.mark.parametrize("table", ["tcp", "tcp6"])
def test_owner_of_the_adb_server_is_told(tmp_path: Path, table: str) -> None:
    proc = machine(tmp_path)
    listening(proc, 5037, table=table)
    found = adb_owner(proc)
    assert found.pid == 77
    assert str(found).startswith("process 77 of ")


def test_adb_server_of_another_user_is_told_without_its_process(tmp_path: Path) -> None:
    proc = machine(tmp_path)
    listening(proc, 5037, uid=54321)
    (proc / "77" / "fd" / "2").unlink()
    assert str(adb_owner(proc)) == (
        "a process that this user may not see of user 54321 listens on port 5037"
    )


def test_port_that_nobody_listens_on_has_no_owner(tmp_path: Path) -> None:
    proc = machine(tmp_path)
    listening(proc, 5038)
    assert adb_owner(proc) == AdbOwner(port=5037, user="", pid=None)
    assert str(adb_owner(proc)) == "nobody listens on port 5037"


def test_real_listener_is_found() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert adb_owner(port=server.getsockname()[1]).pid == os.getpid()


def test_port_that_is_taken_is_no_console_s() -> None:
    port = fleet_preflight.free_console_ports()[-1]
    with socket.create_server(("127.0.0.1", port + 1)):
        assert port + 1 in taken_ports()
        assert port not in fleet_preflight.free_console_ports()


def test_ports_and_memory_are_those_of_the_settings() -> None:
    config = EmulatorsConfig()
    assert (
        config.first_port,
        config.memory_mb,
    ) == (fleet_preflight.FIRST_PORT, fleet_preflight.MEMORY_MB)
    assert fleet_preflight.LAST_PORT == emulator.LAST_PORT
