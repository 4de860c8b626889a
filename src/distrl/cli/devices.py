"""`distrl devices`: the phones that adb knows, how they are, and which are kept out of runs."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

import tyro

from distrl.cli.arguments import choose, parse
from distrl.cli.output import print_json, print_table
from distrl.devices.adb import DEFAULT_PORT, Adb
from distrl.devices.withheld import Withheld, default_path
from distrl.errors import ConfigError, DeviceError

COMMANDS = {
    "list": "the devices that adb knows, and their states",
    "watch": "tell of every change, until it is interrupted",
    "probe": "look at one device and say what is wrong with it",
    "quarantine": "keep a device out of all runs of this user",
    "release": "let it take part again",
}
_WATCH_SECONDS = 1.0


@dataclass(frozen=True, kw_only=True)
class ListArguments:
    """List the devices of an adb server that runs already."""

    adb_port: int = DEFAULT_PORT
    """Port of the adb server."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class WatchArguments:
    """Print a line for every device that comes, goes or changes its state."""

    adb_port: int = DEFAULT_PORT
    """Port of the adb server."""
    seconds: float | None = None
    """How long to watch; without it, until interrupted."""


@dataclass(frozen=True, kw_only=True)
class ProbeArguments:
    """Connect to a device, look at it as a run does, and say how long that took.

    The exit code is 1 if anything is wrong with it.
    """

    serial: Annotated[str, tyro.conf.Positional]
    """As `adb devices` shows it, or HOST:PORT."""
    adb_port: int = DEFAULT_PORT
    """Port of the adb server."""
    deadline: float = 15.0
    """Seconds that one call may take."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class QuarantineArguments:
    """Keep a device out of all runs of this user, also of those that are going on."""

    serial: Annotated[str, tyro.conf.Positional]
    """As `adb devices` shows it, or HOST:PORT."""
    reason: str = "a person asked for it"
    """Why; shown wherever the device is missed."""


@dataclass(frozen=True, kw_only=True)
class ReleaseArguments:
    """Let a device take part again."""

    serial: Annotated[str, tyro.conf.Positional]
    """As `adb devices` shows it, or HOST:PORT."""


def main(argv: Sequence[str]) -> int:
    """Run one of the sub-commands."""
    about = "Phones over adb: which there are, how they are, which are kept out of runs."
    name, rest = choose(argv, COMMANDS, prog="distrl devices", about=about)
    prog = f"distrl devices {name}"
    match name:
        case "list":
            return _list(parse(ListArguments, rest, prog=prog))
        case "watch":
            return _watch(parse(WatchArguments, rest, prog=prog))
        case "probe":
            return _probe(parse(ProbeArguments, rest, prog=prog))
        case "quarantine":
            return _quarantine(parse(QuarantineArguments, rest, prog=prog))
        case _:
            return _release(parse(ReleaseArguments, rest, prog=prog))


def _list(arguments: ListArguments) -> int:
    adb, withheld = Adb(port=arguments.adb_port), Withheld(default_path()).all()
    with _told_plainly():
        states = adb.devices()
    rows = []
    for serial in sorted({*states, *withheld}):
        state = states.get(serial, "absent")
        row = {"serial": serial, "state": state, "model": "", "android": "", "size": ""}
        if state == "device":
            row.update(_about(adb, serial))
        rows.append({**row, "quarantined": withheld.get(serial, "")})
    if arguments.json:
        ready = sum(row["state"] == "device" and not row["quarantined"] for row in rows)
        print_json({"devices": len(rows), "ready": ready, "rows": rows})
    elif rows:
        print_table(tuple(rows[0]), [tuple(row.values()) for row in rows])
    else:
        print("adb knows no devices; `adb connect HOST:PORT` or plug one in")
    return 0


def _about(adb: Adb, serial: str) -> dict[str, str]:
    """What a device says of itself; nothing where it does not answer."""
    phone = adb.phone(serial)
    try:
        width, height = phone.size(deadline=5.0)
        return {
            "model": phone.prop("ro.product.model", deadline=5.0),
            "android": phone.prop("ro.build.version.release", deadline=5.0),
            "size": f"{width}x{height}",
        }
    except DeviceError as error:
        return {"state": f"device, but {str(error).partition(':')[0]}"}


def _watch(arguments: WatchArguments) -> int:
    adb = Adb(port=arguments.adb_port)
    end = None if arguments.seconds is None else time.monotonic() + arguments.seconds
    before: dict[str, str] = {}
    while True:
        with _told_plainly():
            now = adb.devices()
        for serial in sorted({*before, *now}):
            if before.get(serial) != now.get(serial):
                print(f"{serial}  {now.get(serial, 'absent')}", flush=True)
        before = now
        if end is not None and time.monotonic() >= end:
            return 0
        time.sleep(_WATCH_SECONDS if end is None else min(_WATCH_SECONDS, arguments.seconds or 0))


def _probe(arguments: ProbeArguments) -> int:
    if not arguments.deadline > 0:
        raise ConfigError(f"--deadline must be above 0, got {arguments.deadline}")
    from distrl.devices.android import AndroidDevice, AndroidSettings

    phone = Adb(port=arguments.adb_port).phone(arguments.serial)
    device = AndroidDevice(phone, AndroidSettings(deadline=arguments.deadline))
    began = time.monotonic()
    found: dict[str, object] = {"serial": arguments.serial, "well": True, "fault": ""}
    try:
        seen = device.observe()
        height, width, _ = seen.screen.shape
        found |= {"app": seen.app, "size": f"{width}x{height}"}
        found["elements"] = len(seen.elements or ())
    except DeviceError as error:
        found |= {"well": False, "fault": str(error)}
    found["seconds"] = round(time.monotonic() - began, 3)
    found["quarantined"] = Withheld(default_path()).reason(arguments.serial) or ""
    if arguments.json:
        print_json(found)
    else:
        print_table(("figure", "value"), list(found.items()))
    return 0 if found["well"] else 1


def _quarantine(arguments: QuarantineArguments) -> int:
    serial = Adb().phone(arguments.serial).serial
    Withheld(default_path()).add(serial, arguments.reason)
    print(f"{serial} is kept out of runs: {arguments.reason}")
    return 0


def _release(arguments: ReleaseArguments) -> int:
    withheld = Withheld(default_path())
    if not withheld.remove(arguments.serial):
        held = ", ".join(sorted(withheld.all())) or "none"
        raise ConfigError(f"{arguments.serial!r} is not kept out of runs (those that are: {held})")
    print(f"{arguments.serial} may take part in runs again")
    return 0


@contextmanager
def _told_plainly() -> Iterator[None]:
    """A server that is not there, or does not answer, is the user's to start."""
    try:
        yield
    except DeviceError as error:
        raise ConfigError(f"{error}; start one with `adb start-server`") from error
