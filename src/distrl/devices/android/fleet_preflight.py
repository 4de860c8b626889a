"""How many emulators or containers of Android a machine can hold, and what the next would lack.

    read_machine   what the machine has and what is in use     -> Supply, one for each
    allowed        how many devices a supply is enough for
    verdict        the supply that ends first, and why

It has to answer on a broken installation, so it uses the standard library alone.
"""

from __future__ import annotations

import pwd
import shutil
import socket
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

MEMORY_MB = 2048
"""Memory of an emulator, as the settings have it unless they say more."""
# What the emulator's own process needs beyond its guest; docs/devices.md counts 3 GB for each.
_OWN_MB = 1024
# Clones share the AVD's disks and write what they change into files of their own.
_DISK_MB = 2048
# With Linux's usual 128, the 51st container of Android does not start: redroid-doc, issue 392.
_INOTIFY_INSTANCES = 2.5
# A cautious guess: Android watches some hundred folders.
_INOTIFY_WATCHES = 500
FIRST_PORT, LAST_PORT = 5586, 5680
"""Console ports of emulators, as the settings have them unless they say otherwise."""
_SCANNED = 5554
"""From here to 5585, adb servers grab what answers when they start."""
ADB_PORT = 5037
_LISTENING = "0A"
"""How /proc/net/tcp writes the state of a socket that listens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supply:
    """Something that every device takes a part of."""

    name: str
    free: float
    each: float
    """What one device takes."""
    unit: str
    get: str
    """How to get more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How many devices fit, and what the one after them would lack."""

    devices: int
    limited_by: str
    why_no_more: str
    get: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AdbOwner:
    """Who listens on the port of adb's own server."""

    port: int
    user: str
    """Empty when nobody listens."""
    pid: int | None
    """None when that is somebody else's to know."""

    def __str__(self) -> str:
        """A phrase for people."""
        if not self.user:
            return f"nobody listens on port {self.port}"
        process = f"process {self.pid}" if self.pid else "a process that this user may not see"
        return f"{process} of {self.user} listens on port {self.port}"


def allowed(supply: Supply) -> int:
    """How many devices a supply is enough for."""
    return max(0, int(supply.free / supply.each))


def verdict(supplies: Sequence[Supply], *, kvm: str) -> Verdict:
    """The devices that fit; `kvm` says why no virtual machine can be made, if none can."""
    if kvm:
        return Verdict(
            devices=0,
            limited_by="kvm",
            why_no_more=f"emulator 1 would take many minutes to start: {kvm}",
            get="see `distrl doctor`; containers of Android need no KVM, but binder",
        )
    least = min(supplies, key=allowed)
    devices = allowed(least)
    return Verdict(
        devices=devices,
        limited_by=least.name,
        why_no_more=(
            f"device {devices + 1} would lack {least.name}: each takes {least.each:g} "
            f"{least.unit}, and {least.free:g} are free"
        ),
        get=least.get,
    )


def read_machine(
    proc: Path = Path("/proc"), *, folder: Path | None = None, memory_mb: int = MEMORY_MB
) -> tuple[Supply, ...]:
    """What this machine has for devices; `folder` is where emulators write what they change."""
    instances, watches = _inotify_used(proc)
    limits = proc / "sys" / "fs" / "inotify"
    disk = shutil.disk_usage(folder or tempfile.gettempdir()).free
    return (
        Supply(
            name="inotify_instances",
            free=_number(limits / "max_user_instances") - instances,
            each=_INOTIFY_INSTANCES,
            unit="instances",
            get="sudo sysctl -w fs.inotify.max_user_instances=1024",
        ),
        Supply(
            name="inotify_watches",
            free=_number(limits / "max_user_watches") - watches,
            each=_INOTIFY_WATCHES,
            unit="watches",
            get="sudo sysctl -w fs.inotify.max_user_watches=1048576",
        ),
        Supply(
            name="memory_mb",
            free=_available_mb(proc),
            each=memory_mb + _OWN_MB,
            unit="MB",
            get="fewer devices, or less memory for each (collect.android.emulators.memory_mb)",
        ),
        Supply(
            name="disk_mb",
            free=disk // 2**20,
            each=_DISK_MB,
            unit="MB",
            get=f"free disk in {folder or tempfile.gettempdir()}, or another TMPDIR",
        ),
        Supply(
            name="console_ports",
            free=len(free_console_ports()),
            each=1,
            unit="pair of ports",
            get=f"end what listens on {FIRST_PORT} to {LAST_PORT + 1}, or use containers",
        ),
    )


def has_binder(proc: Path = Path("/proc"), dev: Path = Path("/dev")) -> bool:
    """Whether containers of Android find their binder; emulators bring their own."""
    try:
        known = (proc / "filesystems").read_text().split()
    except OSError:
        known = []
    return "binder" in known or (dev / "binder").exists() or (dev / "binderfs").exists()


def free_console_ports() -> list[int]:
    """Even ports for consoles that nobody has, nor the odd one after each."""
    taken = set(taken_ports())
    return [p for p in range(FIRST_PORT, LAST_PORT + 1, 2) if not taken & {p, p + 1}]


def taken_ports() -> list[int]:
    """Ports of emulators that somebody has, those included where adb looks for them by itself."""
    return [port for port in range(_SCANNED, LAST_PORT + 2) if not _is_free(port)]


def adb_owner(proc: Path = Path("/proc"), port: int = ADB_PORT) -> AdbOwner:
    """Who has the adb server of this machine, and with it the phones on cables."""
    for table in ("tcp", "tcp6"):
        for words in _sockets(proc / "net" / table):
            if words[3] == _LISTENING and int(words[1].rpartition(":")[2], 16) == port:
                pid = _owner_of(proc, f"socket:[{words[9]}]")
                return AdbOwner(port=port, user=_user(int(words[7])), pid=pid)
    return AdbOwner(port=port, user="", pid=None)


def _sockets(table: Path) -> Iterator[list[str]]:
    try:
        lines = table.read_text().splitlines()[1:]
    except OSError:
        return
    yield from (line.split() for line in lines)


def _user(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"


def _owner_of(proc: Path, what: str) -> int | None:
    return next((pid for pid, _, target in _open_files(proc) if target == what), None)


def _open_files(proc: Path) -> Iterator[tuple[int, str, str]]:
    """Process, number and target of all open files that this user may see."""
    for process in proc.glob("[0-9]*"):
        try:
            opened = list((process / "fd").iterdir())
        except OSError:
            continue  # somebody else's, or it has just ended
        for file in opened:
            try:
                yield int(process.name), file.name, str(file.readlink())
            except OSError:
                continue  # it was closed meanwhile


def _inotify_used(proc: Path) -> tuple[int, int]:
    """Instances and watches that are in use, as far as this user may see."""
    instances = watches = 0
    for pid, number, target in _open_files(proc):
        if target == "anon_inode:inotify":
            instances += 1
            try:
                told = (proc / str(pid) / "fdinfo" / number).read_text()
            except OSError:
                continue
            watches += told.count("inotify wd:")
    return instances, watches


def _available_mb(proc: Path) -> float:
    try:
        lines = (proc / "meminfo").read_text().splitlines()
    except OSError:
        return 0.0
    found = (line.split()[1] for line in lines if line.startswith("MemAvailable:"))
    return float(int(next(found, "0")) // 1024)


def _number(file: Path) -> int:
    try:
        return int(file.read_text())
    except (OSError, ValueError):
        return 0


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
