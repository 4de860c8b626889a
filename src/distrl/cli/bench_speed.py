"""Benches of speed for the results page: `distrl bench collect`, `replay`, `train`, `mobilegym`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from distrl.cli.arguments import Commands, require_at_least
from distrl.cli.bench_virtual import make_room, write_summary
from distrl.cli.output import print_flat, print_json, print_table
from distrl.errors import ConfigError

if TYPE_CHECKING:
    from distrl.bench.replay import ReplayFigures


@dataclass(frozen=True, kw_only=True)
class CollectArguments:
    """Measure how busy slow devices are kept while a learner trains, asynchronously and in rounds.

    First a run with slow devices is measured. Then the same fleet, with the times of emulators,
    collects in real time in three ways: every device by itself, all waiting for the slowest of a
    round, and by Gymnasium's AsyncVectorEnv. It takes about twenty minutes in all, five of them for
    a fleet of 32.
    """

    devices: int = 32
    """Devices that collect while a learner trains."""
    step_ms: float = 100.0
    """Milliseconds that each step of such a device takes."""
    seconds: float = 60.0
    """Seconds that this run is measured for, after half a minute of warm-up."""
    fleets: tuple[int, ...] = (8, 32, 128)
    """Numbers of devices to compare the three ways with. The ratios are those of --devices, or of
    the first of these if it is not among them; `ratio_devices` says which."""
    seed: int = 0
    """Seed of the fleet's times and faults, and of the tasks."""
    quick: bool = False
    """Compare the three ways with 8 devices only, for half a minute each."""
    out: Path | None = None
    """Folder to write the figures to, with the command and the machine; only printed by default."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class ReplayArguments:
    """Compare prioritised replay with cpprb, from 10,000 to 1,000,000 entries.

    Both are measured in turns with the same payload. Ratios above 1 mean that distrl is faster. An
    update of priorities leaves sums to be computed by the next draw; a cycle, which is a draw and
    its update, contains all of the work.
    """

    seed: int = 0
    """Seed of the entries, the priorities and the draws."""
    quick: bool = False
    """Leave out 1,000,000 entries and take fewer rounds."""
    out: Path | None = None
    """Folder to write the figures to, with the command and the machine; only printed by default."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class TrainArguments:
    """Measure what the quickstart does per second, and which part has the processor.

    It runs the recipe as `distrl train` does, for a shorter time; warm start and evaluation are not
    counted.
    """

    seconds: float = 90.0
    """Seconds of training."""
    seed: int = 0
    """Seed of the run."""
    out: Path | None = None
    """Folder to write the figures to, with the command and the machine; only printed by default."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class MobileGymArguments:
    """Play tasks of MobileGym, and the same actions in its own runner: speeds, resets, verdicts.

    Its page is served by you; DISTRL_MOBILEGYM_URL says where. Actions are the way that a task
    names, a change of state, or a random walk. The exit code is 1 if a verdict differs.
    """

    checkout: Annotated[str, tyro.conf.Positional]
    """What follows mobilegym: in the name of the suite, such as ~/mobilegym#clock,notes."""
    episodes: int = 50
    """How many episodes both play."""
    pages: tuple[int, ...] = (1, 4)
    """How many pages one browser has while speed and memory are measured, each in turn."""
    out: Path | None = None
    """Folder to write the figures to, with the command and the machine; only printed by default."""
    json: bool = False
    """Print one JSON object instead of a table."""


def keep_figures(figures: Mapping[str, Any], out: Path | None, command: str) -> None:
    """Write figures to a folder, with the command and the machine; nothing without a folder."""
    if out is None:
        return
    from distrl.run.state.provenance import this_code, this_machine

    told = {"command": command, "code": this_code().label, "machine": this_machine().label}
    write_summary({**figures, **told}, out)


def _collect(arguments: CollectArguments, *, command: str) -> int:
    require_at_least("--devices", arguments.devices, at_least=1)
    for count in arguments.fleets:
        require_at_least("--fleets", count, at_least=1)
    for name, value in (("--step-ms", arguments.step_ms), ("--seconds", arguments.seconds)):
        if not 0 < value < math.inf:
            raise ConfigError(f"{name} must be above 0 and finite, got {value}")
    make_room(arguments.out)
    from distrl.bench.collect import measure_collecting
    from distrl.bench.modes import Budget, measure_modes, ratios

    fleets = (8,) if arguments.quick else arguments.fleets
    budget = Budget(seconds=30.0, rounds=1) if arguments.quick else Budget()
    compared = {count: measure_modes(count, budget, seed=arguments.seed) for count in fleets}
    figures = measure_collecting(
        devices=arguments.devices,
        step_seconds=arguments.step_ms / 1000,
        seconds=arguments.seconds,
    )
    rows = [asdict(row) for found in compared.values() for row in found]
    # The ratios need a fleet that was compared, and --devices may not be one of them.
    named = arguments.devices if arguments.devices in compared else next(iter(compared), None)
    told_of = {} if named is None else {"ratio_devices": named, **ratios(compared[named])}
    flat = {**asdict(figures), **told_of}
    told = {"quick": arguments.quick, "seed": arguments.seed}
    keep_figures({**told, **flat, "rows": rows}, arguments.out, command)
    if arguments.json:
        print_json({**told, **flat, "rows": rows})
        return 0
    print_flat(flat, "collecting while a learner trains", json=False)
    if rows:
        table = [tuple(row.values()) for row in rows]
        names = tuple(name.replace("_", " ") for name in rows[0])
        print_table(names, table, title="the same fleet by who waits for whom")
    return 0


def _train(arguments: TrainArguments, *, command: str) -> int:
    if not 0 < arguments.seconds < math.inf:
        raise ConfigError(f"--seconds must be above 0 and finite, got {arguments.seconds}")
    make_room(arguments.out)
    from distrl.bench.train import measure_training

    figures = asdict(measure_training(seconds=arguments.seconds, seed=arguments.seed))
    keep_figures(figures, arguments.out, command)
    if arguments.json:
        print_json(figures)
        return 0
    rows = [tuple(row.values()) for row in figures.pop("rows")]
    print_flat(figures, "a quickstart, per second of training", json=False)
    print_table(("part", "processor seconds", "share"), rows, title="who had the processor")
    return 0


def _replay(arguments: ReplayArguments, *, command: str) -> int:
    make_room(arguments.out)
    from distrl.bench.replay import QUICK_ROUNDS, SIZES, measure_replay

    if arguments.quick:
        figures = measure_replay(SIZES[:2], rounds=QUICK_ROUNDS, seed=arguments.seed)
    else:
        figures = measure_replay(seed=arguments.seed)
    keep_figures({"quick": arguments.quick, **asdict(figures)}, arguments.out, command)
    if arguments.json:
        print_json(asdict(figures))
    else:
        _print_replay(figures)
    return 0


def _print_replay(figures: ReplayFigures) -> None:
    rows = [
        (row.entries, what, *(values[f"{key}_us"], values[f"cpprb_{key}_us"]), values[ratio])
        for row in figures.rows
        for values in [asdict(row)]
        for what, key, ratio in (
            ("add", "insert", "inserts_over_cpprb"),
            (f"sample {figures.batch}", "sample", "samples_over_cpprb"),
            (f"update {figures.batch}", "update", "updates_over_cpprb"),
            ("sample and update", "cycle", "cycles_over_cpprb"),
        )
    ]
    columns = ("entries", "what", "distrl us", "cpprb us", "times as fast")
    print_table(columns, rows, title=f"replay of entries of {figures.payload_bytes} bytes")
    print(f"The best of {figures.rounds} rounds, taken in turns.")


def _mobilegym(arguments: MobileGymArguments, *, command: str) -> int:
    require_at_least("--episodes", arguments.episodes, at_least=1)
    for count in arguments.pages:
        require_at_least("--pages", count, at_least=1)
    make_room(arguments.out)
    from distrl.bench.mobilegym.measure import measure_mobilegym

    try:
        name = f"mobilegym:{arguments.checkout}"
        measured = measure_mobilegym(name, episodes=arguments.episodes, pages=arguments.pages)
    except ModuleNotFoundError as cause:
        raise ConfigError(
            f"MobileGym's own runner needs {cause.name}: pip install -r "
            f"{arguments.checkout.partition('#')[0]}/bench_env/requirements.txt"
        ) from cause
    figures = asdict(measured)
    keep_figures(figures, arguments.out, command)
    if arguments.json:
        print_json(figures)
    else:
        rows = [tuple(row.values()) for row in figures.pop("by_pages")]
        print_flat(figures, "MobileGym, ours and its own runner", json=False)
        columns = ("pages", "steps per second", "its own", "MB per page")
        print_table(columns, rows, title="pages in one browser, with set-ups")
    return 0 if measured.same_verdicts == measured.episodes else 1


COMMANDS: Commands = {
    "mobilegym": (MobileGymArguments, _mobilegym),
    "collect": (CollectArguments, _collect),
    "replay": (ReplayArguments, _replay),
    "train": (TrainArguments, _train),
}
