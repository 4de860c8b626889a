"""`distrl devices`: the phones that adb knows, how they are, and which are kept out of runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from distrl.cli.arguments import Commands, run_subcommand
from distrl.cli.output import print_json, print_table
from distrl.clock import RealClock
from distrl.devices.android.adb import Adb, shared_adb
from distrl.devices.fleet.manual_quarantine import ManualQuarantine, default_path
from distrl.errors import ConfigError, DeviceError, unknown_name

if TYPE_CHECKING:
    from distrl.interfaces import Policy
    from distrl.web.runs import Run

_WATCH_SECONDS = 1.0


@dataclass(frozen=True, kw_only=True)
class ListArguments:
    """List the devices that a running adb server knows, with their states."""

    adb_port: int = field(default_factory=lambda: shared_adb().port)
    """Port of the adb server; that of `adb` itself by default."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class WatchArguments:
    """Print a line for every device that appears, disappears or changes its state."""

    adb_port: int = field(default_factory=lambda: shared_adb().port)
    """Port of the adb server; that of `adb` itself by default."""
    seconds: float | None = None
    """Seconds to watch for; until Ctrl-C by default."""


@dataclass(frozen=True, kw_only=True)
class ProbeArguments:
    """Take a screen and the elements of a device as a run does, and say what is wrong with it.

    The exit code is 1 if anything is wrong.
    """

    serial: Annotated[str, tyro.conf.Positional]
    """As `adb devices` shows it, or HOST:PORT."""
    adb_port: int = field(default_factory=lambda: shared_adb().port)
    """Port of the adb server; that of `adb` itself by default."""
    deadline: float = 15.0
    """Seconds that one call to the device may take."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class QuarantineArguments:
    """Keep a device out of all runs of this user, running ones included."""

    serial: Annotated[str, tyro.conf.Positional]
    """As `adb devices` shows it, or HOST:PORT."""
    reason: str = "a person asked for it"
    """Why; it is shown with the device."""


@dataclass(frozen=True, kw_only=True)
class ReleaseArguments:
    """Let a device that was quarantined take part in runs again."""

    serial: Annotated[str, tyro.conf.Positional]
    """As `adb devices` shows it, or HOST:PORT."""


@dataclass(frozen=True, kw_only=True)
class JoinArguments:
    """Add a phone to a running run, under the run's own safety settings."""

    run: Annotated[Path, tyro.conf.Positional]
    """The run's folder."""
    serial: Annotated[str, tyro.conf.Positional]
    """As `adb devices` shows it, or HOST:PORT."""
    opt_in: bool = False
    """Allow agents to operate this phone although the run's settings do not name it. Phones that
    `distrl adbd` serves on this machine need no permission."""
    seconds: float = 60.0
    """Seconds to wait for the run to take it."""


@dataclass(frozen=True, kw_only=True)
class LeaveArguments:
    """Remove a device from a running run, as soon as its episode has ended."""

    run: Annotated[Path, tyro.conf.Positional]
    """The run's folder."""
    device: Annotated[str, tyro.conf.Positional]
    """Name of the device in the run: a serial, or a name such as phone-3."""
    seconds: float = 60.0
    """Seconds to wait for its episode to end."""


@dataclass(frozen=True, kw_only=True)
class ReplayArguments:
    """Replay the episodes of a cassette, with the recorded actions or with another policy.

    The exit code is 1 if an episode ends with another outcome than the recorded one.
    """

    file: Annotated[Path, tyro.conf.Positional]
    """A cassette, as a run with collect.cassettes=DIR writes them."""
    policy: str | None = None
    """`random`, or the folder of a run, whose newest policy plays greedily; by default the recorded
    actions are repeated. An episode is lost at the first action that was not recorded."""
    json: bool = False
    """Print one JSON object instead of a table."""


def _list(arguments: ListArguments) -> int:
    adb, withheld = Adb(port=arguments.adb_port), ManualQuarantine(default_path()).all()
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
    from distrl.config.devices import AndroidConfig
    from distrl.config.load import checked
    from distrl.devices.android.device import AndroidDevice

    config = checked(AndroidConfig, {"deadline": arguments.deadline, "screen_width": None})
    device = AndroidDevice(Adb(port=arguments.adb_port).phone(arguments.serial), config)
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
    found["quarantined"] = ManualQuarantine(default_path()).reason(arguments.serial) or ""
    if arguments.json:
        print_json(found)
    else:
        print_table(("figure", "value"), list(found.items()))
    return 0 if found["well"] else 1


def _quarantine(arguments: QuarantineArguments) -> int:
    serial = shared_adb().phone(arguments.serial).serial
    ManualQuarantine(default_path()).add(serial, arguments.reason)
    print(f"{serial} is kept out of runs: {arguments.reason}")
    return 0


def _release(arguments: ReleaseArguments) -> int:
    withheld = ManualQuarantine(default_path())
    if not withheld.remove(arguments.serial):
        held = ", ".join(sorted(withheld.all())) or "none"
        raise ConfigError(f"{arguments.serial!r} is not kept out of runs (those that are: {held})")
    print(f"{arguments.serial} may take part in runs again")
    return 0


def _join(arguments: JoinArguments) -> int:
    serial = shared_adb().phone(arguments.serial).serial
    with _going_on(arguments.run) as run:
        android = run.config.collect.android
        if not (arguments.opt_in or android.opted_in(serial)):
            raise ConfigError(
                f"nobody has opted in to {serial}: add --opt-in if agents may operate it"
            )
        if not android.safety.apps:
            raise ConfigError(
                f"the run {run.name} allows no apps on phones: collect.android.safety.apps is empty"
            )
        known = _names_in(run, arguments.seconds)
        if serial in known:
            raise ConfigError(f"the run {run.name} has a device {serial!r} already")
        request: dict[str, str | bool] = {
            "do": "join",
            "device": serial,
            "opt_in": arguments.opt_in,
        }
        if not _ask(run, request, lambda names: serial in names, arguments.seconds):
            print(f"{serial} has not been taken in within {arguments.seconds:g} s")
            return 1
    print(f"{serial} takes part in {run.name}, for as long as this run goes on")
    return 0


def _leave(arguments: LeaveArguments) -> int:
    name = arguments.device
    with _going_on(arguments.run) as run:
        known = _names_in(run, arguments.seconds)
        if name not in known:
            raise unknown_name(f"device of the run {run.name}", name, known)
        if len(known) == 1:
            raise ConfigError(f"{name} is the last device of {run.name}: stop the run instead")
        request = {"do": "leave", "device": name}
        if not _ask(run, request, lambda names: name not in names, arguments.seconds):
            print(f"{name} is still in use; it leaves when its episode has ended")
            return 1
    print(f"{name} has left {run.name}")
    return 0


def _replay(arguments: ReplayArguments) -> int:
    from distrl.devices.cassette import load_cassette
    from distrl.run.state.cassettes import replay

    cassette = load_cassette(arguments.file)
    played = replay(cassette, _policy(arguments.policy))
    rows = [
        {
            "task": episode.task.id,
            "recorded": take.outcome.value if take.outcome else "",
            "outcome": episode.outcome.value,
            "recorded_steps": len(take.steps),
            "steps": len(episode.steps),
            "fault": episode.fault,
        }
        for take, episode in played
    ]
    same = sum(row["recorded"] == row["outcome"] for row in rows)
    if arguments.json:
        figures = {"device": cassette.device, "episodes": len(rows), "same": same}
        print_json({**figures, "rows": rows})
    else:
        print_table(tuple(rows[0]), [tuple(row.values()) for row in rows])
    return 0 if same == len(rows) else 1


def _policy(name: str | None) -> Policy | None:
    if name is None:
        return None
    if name == "random":
        from distrl.policies.random import RandomPolicy

        return RandomPolicy()
    from distrl.run.inspection.critic_values import policy_of
    from distrl.run.state.folder import RunFolder

    folder = RunFolder(Path(name))
    if not folder.config.is_file():
        raise ConfigError(f"a policy is `random` or the folder of a run, got {name!r}")
    return policy_of(folder, folder.load_config())


@contextmanager
def _going_on(folder: Path) -> Iterator[Run]:
    """A run that is going on; ConfigError when there is none."""
    from distrl.web.runs import Run, State

    if not (folder / "config.yaml").is_file():
        raise ConfigError(f"there is no run in {folder}")
    run = Run(folder.resolve().name, folder)
    try:
        if run.state() is not State.RUNNING:
            raise ConfigError(f"the run {run.name} is not running")
        yield run
    finally:
        run.close()


def _names_in(run: Run, seconds: float) -> list[str]:
    """The devices that a run has now; ConfigError when it does not say."""
    found: list[str] = []

    def told(names: list[str]) -> bool:
        found[:] = names
        return bool(names)

    if not _wait_for(run, told, seconds):
        raise ConfigError(f"the run {run.name} does not say which devices it has: is it training?")
    return found


def _ask(
    run: Run, request: Mapping[str, str | bool], done: Callable[[list[str]], bool], seconds: float
) -> bool:
    from distrl.web import live_fleet

    live_fleet.ask(run, request)
    return _wait_for(run, done, seconds)


def _wait_for(run: Run, done: Callable[[list[str]], bool], seconds: float) -> bool:
    """Whether something becomes true in time of the devices that a run shows from now on."""
    from distrl.web import live_fleet

    began = time.time()

    def holds() -> bool:
        live_fleet.watch(run)
        wall = live_fleet.fleet(run)
        return wall["at"] > began and done([str(row["device"]) for row in wall["devices"]])

    return RealClock().wait_until(holds, timeout=seconds, poll=0.1)


@contextmanager
def _told_plainly() -> Iterator[None]:
    """A server that is not there, or does not answer, is the user's to start."""
    try:
        yield
    except DeviceError as error:
        from distrl.devices.android.adb_program import adb_to_type

        raise ConfigError(f"{error}; start one with `{adb_to_type()} start-server`") from error


COMMANDS: Commands = {
    "list": (ListArguments, _list),
    "watch": (WatchArguments, _watch),
    "probe": (ProbeArguments, _probe),
    "quarantine": (QuarantineArguments, _quarantine),
    "release": (ReleaseArguments, _release),
    "join": (JoinArguments, _join),
    "leave": (LeaveArguments, _leave),
    "replay": (ReplayArguments, _replay),
}


def main(argv: Sequence[str]) -> int:
    """Run one of the sub-commands."""
    return run_subcommand(
        COMMANDS,
        argv,
        prog="distrl devices",
        about="Phones over adb: list, watch, probe, keep out of runs, add to runs.",
    )
