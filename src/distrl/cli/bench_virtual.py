"""The benches on the virtual engine: `distrl bench tune`, `table`, `ablation`, `scale`, `cost`."""

from __future__ import annotations

import math
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from distrl.cli.arguments import Commands
from distrl.cli.output import print_json, print_table
from distrl.cli.signals import terminated_like_interrupted
from distrl.errors import ConfigError
from distrl.run.virtual.cost import CostModel

if TYPE_CHECKING:
    from distrl.bench.experiments.runs import Watch
    from distrl.bench.experiments.scale import ScaleRow

SUMMARY = "summary.json"
NO_RUNS = "--no-runs"


@dataclass(frozen=True, kw_only=True)
class TuneArguments:
    """Try the same number of settings with every algorithm of the table, compared on val.

    Results that exist are not made again.
    """

    seeds: int | None = None
    """Number of seeds; 1 by default."""
    quick: bool = False
    """Make every run small, to see that it works; the figures mean nothing."""
    out: Path | None = None
    """Folder of the results; one in the user's cache by default, apart for every version of the
    code."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class TableArguments:
    """Compare algorithms and collection modes on the virtual engine, as the paper does.

    Two runs at a time. Results that exist are not made again, so the same command resumes where it
    was stopped. It takes about an hour on two cores, and ten minutes at most with --quick.
    """

    methods: str = "default"
    """Names of methods, separated by commas; `default` and `all` stand for several."""
    seeds: int | None = None
    """Number of seeds; 3 by default, 1 with --quick."""
    quick: bool = False
    """Take a fifth of the time, one seed and half of the tasks."""
    cost: CostModel = CostModel.POINTER
    """What deciding and learning cost in virtual time: what was measured of the pointer, or what a
    vision-language model takes on GPUs by published figures."""
    no_runs: bool = False
    """Make no runs; compute the figures from the results in --out, whatever code made them."""
    out: Path | None = None
    """Folder of the results; one in the user's cache by default, apart for every version of the
    code."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class AblationArguments:
    """Switch parts of a recipe off or change them, one at a time, on the virtual engine.

    Results that exist are not made again.
    """

    recipe: str = "comparison"
    """What is changed: comparison, for the terms of A-RIDE, or quickstart, for how much of its gain
    comes from the policy gradient and how much from the success pool."""
    only: str | None = None
    """Names of rows, separated by commas; all rows by default. The unchanged one is always made."""
    seeds: int | None = None
    """Number of seeds; 3 by default, 1 with --quick."""
    quick: bool = False
    """Make every run small, with one seed, to see that it works; the figures mean nothing."""
    no_runs: bool = False
    """Make no runs; compute the figures from the results in --out, whatever code made them."""
    out: Path | None = None
    """Folder of the results; one in the user's cache by default, apart for every version of the
    code."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class ScaleArguments:
    """Simulate 1 to 10,000 devices, to find where one learner is no longer enough."""

    devices: str | None = None
    """Numbers of devices, separated by commas; from 1 to 10,000 by default."""
    seconds: float | None = None
    """Virtual seconds of each run; half an hour by default."""
    seed: int = 0
    """Seed of the fleet's times and faults, and of the episodes."""
    cost: CostModel = CostModel.POINTER
    """What deciding and learning cost in virtual time: what was measured of the pointer, or what a
    vision-language model takes on GPUs by published figures."""
    out: Path | None = None
    """Folder to write the figures to; only printed by default."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class CostArguments:
    """Measure how long it takes one core to play a step, to decide on it and to learn from it.

    Virtual runs take the times that were written last.
    """

    write: bool = False
    """Write the times down, for all virtual runs from now on."""
    episodes: int = 96
    """Episodes that are played."""
    updates: int = 40
    """Updates that are learned."""
    json: bool = False
    """Print one JSON object instead of a table."""


def _tune(arguments: TuneArguments, *, command: str) -> int:
    _require_seeds(arguments.seeds)
    # Imported here: torch takes seconds, and a mistyped option should not wait for it.
    from distrl.bench.experiments import tuning
    from distrl.bench.experiments.runs import default_out

    size = tuning.QUICK if arguments.quick else tuning.FULL
    size = replace(size, seeds=arguments.seeds or size.seeds)
    out = arguments.out or default_out("tune-quick" if arguments.quick else "tune")
    make_room(out)
    with terminated_like_interrupted(), _bars() as watch:
        rows, one = tuning.measure_tuning(size, out, watch=watch)
    figures = tuning.summary(rows, one, quick=arguments.quick, command=command)
    columns = ("method", "setting", "val", "val_low", "val_high", "episodes", "updates")
    return _finish(figures, columns, out, title="equal tuning", json=arguments.json)


def _table(arguments: TableArguments, *, command: str) -> int:
    _require_seeds(arguments.seeds)
    from distrl.bench.experiments import table
    from distrl.bench.experiments.curves import curve_of, draw_curves
    from distrl.bench.experiments.runs import default_out

    methods = table.choose_methods(arguments.methods)
    size = table.QUICK if arguments.quick else table.Size()
    size = replace(size, seeds=arguments.seeds or size.seeds, cost=arguments.cost)
    name = f"{table.folder_name(arguments.cost)}{'-quick' if arguments.quick else ''}"
    out = arguments.out or default_out(name)
    make_room(out)
    only_read = arguments.no_runs
    with terminated_like_interrupted(), _bars() as watch:
        found = table.measure_table(methods, size, out, watch=watch, only_read=only_read)
    for suite in methods:
        cells = [cell for cell in found if cell.suite == suite]
        curves = [curve_of(cell.method.name, cell.starts, cell.results) for cell in cells]
        (out / f"{suite}.png").write_bytes(draw_curves(suite, curves))
    figures = table.summary(found, quick=arguments.quick, command=command)
    figures["only_read"] = only_read
    columns = (
        *("suite", "method", "test", "test_low", "test_high", "unseen", "seconds_to_reach"),
        *("reached", "episodes_per_minute", "device_utilisation", "learner_utilisation"),
    )
    return _finish(figures, columns, out, title="methods and modes", json=arguments.json)


def _ablation(arguments: AblationArguments, *, command: str) -> int:
    _require_seeds(arguments.seeds)
    from distrl.bench.experiments import ablation
    from distrl.bench.experiments.runs import default_out
    from distrl.run.virtual.experiment import load_result

    study = ablation.choose_study(arguments.recipe, arguments.only)
    only_read = arguments.no_runs
    size = ablation.QUICK if arguments.quick else ablation.FULL
    size = replace(size, seeds=arguments.seeds or size.seeds)
    out = arguments.out or default_out(f"{study.folder}{'-quick' if arguments.quick else ''}")
    make_room(out)
    with terminated_like_interrupted(), _bars() as watch:
        rows = ablation.measure_ablation(study, size, out, watch=watch, only_read=only_read)
    base = load_result(out / f"{ablation.BASE.name}-seed0.json")
    figures = ablation.summary(rows, base, quick=arguments.quick, command=command)
    figures["only_read"] = only_read
    columns = (
        *("row", "test", "test_low", "test_high", "unseen"),
        *("gain", "gain_low", "gain_high", "gain_lowest", "gain_highest"),
    )
    return _finish(figures, columns, out, title=f"{study.recipe}, changed", json=arguments.json)


def _scale(arguments: ScaleArguments, *, command: str) -> int:
    if arguments.seconds is not None and not 0 < arguments.seconds < math.inf:
        raise ConfigError(f"--seconds must be above 0 and finite, got {arguments.seconds}")
    counts = None if arguments.devices is None else _counts(arguments.devices)
    make_room(arguments.out)
    from distrl.bench.experiments import scale
    from distrl.run.state.provenance import this_code, this_machine

    def told(row: ScaleRow) -> None:
        busy = f"learner {row.learner_utilisation:.0%} busy, lag {row.trained_lag:.0f} versions"
        print(f"{row.devices} devices: {busy}, {row.wall_seconds:.1f} s", file=sys.stderr)

    seconds, seed, cost = arguments.seconds or scale.SECONDS, arguments.seed, arguments.cost
    with terminated_like_interrupted():
        rows = scale.measure_scale(
            counts or scale.DEVICES, seconds=seconds, seed=seed, cost=cost, told=told
        )
    made_by = {"command": command, "code": this_code().label, "machine": this_machine().label}
    figures = scale.summary(rows, seconds=seconds, seed=seed, cost=cost, made_by=made_by)
    columns = (
        *("devices", "episodes_per_minute", "device_utilisation", "learner_utilisation"),
        *("replay_ratio", "arrival_lag", "trained_lag", "replay_mb", "process_mb", "wall_seconds"),
    )
    title = "from one device to many"
    return _finish(figures, columns, arguments.out, title=title, json=arguments.json)


def _cost(arguments: CostArguments, *, command: str) -> int:
    for option, value in (("--episodes", arguments.episodes), ("--updates", arguments.updates)):
        if value < 1:
            raise ConfigError(f"{option} must be at least 1, got {value}")
    from distrl.bench.cost import measure_cost, write_cost

    cost = measure_cost(episodes=arguments.episodes, updates=arguments.updates, command=command)
    if arguments.write:
        write_cost(cost)
    figures = {**asdict(cost), "code": cost.code.label, "machine": cost.machine.label}
    if arguments.json:
        print_json(figures)
    else:
        rows = [(name.replace("_", " "), str(value)) for name, value in figures.items()]
        print_table(("figure", "value"), rows, title="what a step costs on one core")
    return 0


def _finish(
    figures: dict[str, Any], columns: Sequence[str], out: Path | None, *, title: str, json: bool
) -> int:
    """Write the figures down, and print them."""
    if out is not None:
        write_summary(figures, out)
    if json:
        print_json(figures)
        return 0
    rows: list[Mapping[str, Any]] = figures["rows"]
    cells = [tuple(row[column] for column in columns) for row in rows]
    print_table([column.replace("_", " ") for column in columns], cells, title=title)
    for name, value in figures.items():
        if name != "rows":
            print(f"{name.replace('_', ' ')}: {value}")
    if out is not None:
        print(f"Results are in {out}.")
    return 0


def make_room(out: Path | None) -> None:
    """Find out before the measurement, not after it, whether its figures can be written."""
    if out is None:
        return
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out):
            pass
    except OSError as error:
        raise ConfigError(f"--out {out} is no folder to write to: {error}") from None


def write_summary(figures: Mapping[str, Any], out: Path) -> None:
    """Write figures to where the results page looks for them."""
    import msgspec

    out.mkdir(parents=True, exist_ok=True)
    data = msgspec.json.format(msgspec.json.encode(figures), indent=2)
    (out / SUMMARY).write_bytes(data + b"\n")


def _require_seeds(seeds: int | None) -> None:
    if seeds is not None and seeds < 1:
        raise ConfigError(f"--seeds must be at least 1, got {seeds}")


def _counts(text: str) -> tuple[int, ...]:
    words = [word.strip() for word in text.split(",")]
    if not all(word.isdecimal() and int(word) > 0 for word in words):
        raise ConfigError(f"--devices takes numbers above 0 with commas between, got {text!r}")
    return tuple(int(word) for word in words)


@contextmanager
def _bars() -> Iterator[Watch]:
    """A bar for every run on stderr, if somebody watches."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        yield _watching(progress)


def _watching(progress: Any) -> Callable[[Mapping[str, float]], None]:
    shown: dict[str, Any] = {}

    def watch(shares: Mapping[str, float]) -> None:
        for name, share in shares.items():
            if name not in shown:
                shown[name] = progress.add_task(name, total=1.0)
            progress.update(shown[name], completed=share)

    return watch


COMMANDS: Commands = {
    "tune": (TuneArguments, _tune),
    "table": (TableArguments, _table),
    "ablation": (AblationArguments, _ablation),
    "scale": (ScaleArguments, _scale),
    "cost": (CostArguments, _cost),
}
