"""`distrl bench`: speed, memory and robustness on this machine."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from distrl.cli import bench_factors, bench_speed, bench_splits, bench_virtual
from distrl.cli.arguments import Commands, require_at_least, run_subcommand
from distrl.cli.bench_speed import keep_figures
from distrl.cli.bench_virtual import NO_RUNS, make_room
from distrl.cli.cluster import require_ray
from distrl.cli.output import print_flat, print_json, print_table
from distrl.cli.signals import terminated_like_interrupted
from distrl.errors import ConfigError

if TYPE_CHECKING:
    from distrl.bench.phone import PhoneFigures


@dataclass(frozen=True, kw_only=True)
class PhoneArguments:
    """Measure the embedded phone on one core: steps per second, snapshots, memory.

    The oracle's actions on the training tasks of all suites are recorded first and then replayed,
    so that resets, set-ups and success checks are measured and the oracle is not.
    """

    seconds: float = 5.0
    """Seconds that each speed is measured for, at least."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class BrowserArguments:
    """Compare pages of Chromium with the official Selenium environment of MiniWoB++.

    Both play the same task with the same seeds and scripted clicks, and read the screen and the
    elements at every step.
    """

    seconds: float = 10.0
    """Seconds that each speed is measured for."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class ChaosArguments:
    """Kill a small run with SIGKILL at random moments, resume it, and count what was lost.

    The exit code is 1 if an episode was lost or stored twice, or if the run did not resume.
    """

    kills: int = 20
    """How many times the run is killed."""
    seed: int = 0
    """Seed of the moments at which it is killed."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class ClusterArguments:
    """Compare a Ray cluster on this machine with the local engine, with the same 32 phones.

    With --chaos, processes are killed instead: the driver, the learner, raylets and the GCS in
    turn, then collectors while one of three hosts is cut off. The exit code is 1 if an episode was
    lost, a process was left behind, or training did not go on in time.

    With --devices, so many light collectors hand in recorded episodes instead: at the pace of
    --step-ms, and then faster than driver and store can take them. The exit code is 1 if an episode
    was lost or doubled.
    """

    seconds: float = 60.0
    """Seconds that each run is measured for, after half a minute of warm-up."""
    step_ms: float | None = None
    """Milliseconds that each step of a phone takes: 500 by default, 2000 with --devices."""
    devices: int | None = None
    """Measure so many light collectors instead, 1000 for example."""
    publishes: int = 20
    """How many times weights of each size are published; at least 2."""
    chaos: bool = False
    """Kill processes of the cluster instead of measuring its speed."""
    each: int = 5
    """How many times each kind of process is killed, with --chaos."""
    quick: bool = False
    """Measure for 15 seconds, publish 5 times, kill each kind of process once."""
    out: Path | None = None
    """Folder to write the figures to, with the command and the machine; only printed by default."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class FaultsArguments:
    """Inject every kind of fault into a phone over adb, and check how the fleet handles it.

    Other phones go on meanwhile. The exit code is 1 unless every fault is classified correctly and
    in time, and leaves no process or trained episode behind.
    """

    repeats: int = 20
    """How many times each fault is injected."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class DashboardArguments:
    """Measure how fast the dashboard opens and filters a run, and what watching costs a run.

    A large synthetic run is opened over HTTP. Then a real run is watched and left alone in turns,
    and its speed is compared.
    """

    episodes: int = 50_000
    """Episodes of the synthetic run; at least 1000."""
    pairs: int = 6
    """How many times a watched period is compared with an unwatched one."""
    seconds: float = 10.0
    """Seconds that each period lasts; at least 2."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class ServeArguments:
    """Measure `distrl serve openenv`: steps per second with 1, 16 and 64 sessions, memory, leaks.

    The exit code is 1 if a session was left behind by a client that went away.
    """

    seconds: float = 5.0
    """Seconds that each speed is measured for."""
    aborted: int = 1000
    """Clients that go away without a goodbye."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class AdbArguments:
    """Measure what a step over the real adb costs, with fleets of 1, 8 and 32 embedded phones.

    With --tasks, measure instead what a policy loses over adb: the same tasks are played in process
    and on phones whose hierarchies are as untidy as those of real apps.
    """

    seconds: float = 10.0
    """Seconds that each size of fleet is measured for."""
    tasks: int | None = None
    """Play so many tasks of the general suite instead, on both roads."""
    policy: str = "pretrained"
    """Policy that plays them: as for `distrl eval`, one that needs no oracle."""
    split: str = "test"
    """Split that the tasks are spread over; with more tasks than it has, it is gone through again
    on other phones."""
    seed: int = 0
    """0 for the tasks as they are; 1 and on for the same goals on other phones, which have other
    contents, times and nuisances."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class DumpsArguments:
    """Read a folder of `uiautomator dump` files of real phones, and count what is made of them.

    Clickable nodes that become no element, that have no words, or that are called a text are what a
    policy could not work with. The exit code is 1 if a dump cannot be read.
    """

    folder: Annotated[Path, tyro.conf.Positional]
    """Folder that holds the dumps (.xml, .uix), at any depth."""
    json: bool = False
    """Print one JSON object instead of a table."""


@dataclass(frozen=True, kw_only=True)
class LmArguments:
    """Measure how many tokens per second a language model acts with and learns from, on one core.

    It also tells where the time goes.
    """

    recipe: str = "smollm"
    """Name of a recipe that trains a language model, or path of a YAML file."""
    episodes: int = 24
    """Episodes that are played."""
    updates: int = 6
    """Updates that are made from them."""
    json: bool = False
    """Print one JSON object instead of a table."""


def _chaos(arguments: ChaosArguments) -> int:
    require_at_least("--kills", arguments.kills, at_least=1)
    from distrl.bench.chaos import measure_chaos

    figures = measure_chaos(kills=arguments.kills, seed=arguments.seed)
    print_flat(asdict(figures), "a run that was killed", json=arguments.json)
    whole = figures.lost == figures.doubled == 0 and figures.resumed == figures.kills
    return 0 if whole else 1


def _cluster(arguments: ClusterArguments, *, command: str) -> int:
    for name, value in (("--step-ms", arguments.step_ms), ("--seconds", arguments.seconds)):
        if value is not None and not value > 0:
            raise ConfigError(f"{name} must be above 0, got {value}")
    require_at_least("--publishes", arguments.publishes, at_least=2)
    require_at_least("--each", arguments.each, at_least=1)
    if arguments.devices is not None:
        require_at_least("--devices", arguments.devices, at_least=1)
    make_room(arguments.out)
    require_ray()
    if arguments.chaos:
        return _cluster_chaos(arguments, command=command)
    title = "light devices on a cluster" if arguments.devices else "a cluster against one machine"
    figures = _cluster_figures(arguments)
    keep_figures(figures, arguments.out, command)
    _print_with_rows(figures, title, json=arguments.json)
    return 0 if figures["lost"] == figures["doubled"] == 0 else 1


def _cluster_figures(arguments: ClusterArguments) -> dict[str, Any]:
    seconds = 15.0 if arguments.quick else arguments.seconds
    if arguments.devices:
        from distrl.bench.cluster.devices import measure_devices

        step_ms = 2000.0 if arguments.step_ms is None else arguments.step_ms
        found = measure_devices(arguments.devices, seconds=seconds, step_seconds=step_ms / 1000)
        return asdict(found)
    from distrl.bench.cluster.speed import measure_cluster

    step_ms = 500.0 if arguments.step_ms is None else arguments.step_ms
    publishes = 5 if arguments.quick else arguments.publishes
    return asdict(
        measure_cluster(seconds=seconds, step_seconds=step_ms / 1000, publishes=publishes)
    )


def _cluster_chaos(arguments: ClusterArguments, *, command: str) -> int:
    from distrl.bench.cluster.chaos import measure_cut_off, measure_kills, shortfalls

    killed = measure_kills(1 if arguments.quick else arguments.each)
    cut_off = measure_cut_off(seconds=30.0 if arguments.quick else 60.0)
    together = {
        **asdict(cut_off),
        **asdict(killed),
        "kills_while_cut_off": cut_off.kills,
        "lost": killed.lost + cut_off.lost,
        "doubled": killed.doubled + cut_off.doubled,
        "went_back": killed.went_back + cut_off.went_back,
    }
    keep_figures(together, arguments.out, command)
    _print_with_rows(together, "what a cluster survives", json=arguments.json)
    missed = shortfalls(killed, cut_off)
    for told in missed:
        print(f"distrl: {told}", file=sys.stderr)
    return 1 if missed else 0


def _print_with_rows(figures: dict[str, Any], title: str, *, json: bool) -> None:
    if json:
        print_json(figures)
        return
    rows = figures.pop("rows")
    print_table(tuple(rows[0]), [tuple(row.values()) for row in rows], title=title)
    print_flat(figures, "all in all", json=False)


def _dashboard(arguments: DashboardArguments) -> int:
    require_at_least("--episodes", arguments.episodes, at_least=1000)
    require_at_least("--pairs", arguments.pairs, at_least=1)
    if not arguments.seconds >= 2:
        raise ConfigError(f"--seconds must be at least 2, got {arguments.seconds}")
    try:
        from distrl.bench.dashboard.measure import measure_dashboard
    except ModuleNotFoundError as cause:
        raise ConfigError(
            f"the dashboard needs pip install 'distrl[dashboard]' ({cause.name} is missing)"
        ) from cause

    figures = measure_dashboard(
        episodes=arguments.episodes, pairs=arguments.pairs, seconds=arguments.seconds
    )
    flat = asdict(figures)
    if not arguments.json:
        del flat["rows"]
    print_flat(flat, "the dashboard", json=arguments.json)
    return 0


def _faults(arguments: FaultsArguments) -> int:
    require_at_least("--repeats", arguments.repeats, at_least=1)
    from distrl.bench.android.faults import measure_faults

    figures = asdict(measure_faults(arguments.repeats))
    rows: Sequence[dict[str, object]] = figures.pop("rows")
    if arguments.json:
        print_json({**figures, "rows": rows})
    else:
        print_table(tuple(rows[0]), [tuple(row.values()) for row in rows], title="faults")
        print_flat(figures, "all faults", json=False)
    counts = ("misclassified", "void_trained", "late", "leaked", "unrecovered")
    return 1 if any(figures[name] for name in counts) else 0


def _adb(arguments: AdbArguments) -> int:
    if not arguments.seconds > 0:
        raise ConfigError(f"--seconds must be above 0, got {arguments.seconds}")
    if arguments.tasks is not None:
        require_at_least("--tasks", arguments.tasks, at_least=1)
        from distrl.bench.android.adb_success import measure_success

        kept = measure_success(
            arguments.tasks,
            policy=arguments.policy,
            split=arguments.split,
            seed=arguments.seed,
        )
        print_flat(asdict(kept), "success over adb", json=arguments.json)
        return 0
    from distrl.bench.android.adb import measure_adb

    figures = measure_adb(arguments.seconds)
    print_flat(asdict(figures), "steps over adb", json=arguments.json)
    return 0


def _serve(arguments: ServeArguments) -> int:
    if not arguments.seconds > 0:
        raise ConfigError(f"--seconds must be above 0, got {arguments.seconds}")
    require_at_least("--aborted", arguments.aborted, at_least=1)
    try:
        from distrl.bench.serve import measure_serve
    except ModuleNotFoundError as cause:
        raise ConfigError(
            f"the server needs pip install 'distrl[openenv]' ({cause.name} is missing)"
        ) from cause

    figures = measure_serve(arguments.seconds, aborted=arguments.aborted)
    print_flat(asdict(figures), "an OpenEnv server", json=arguments.json)
    return 1 if figures.leaked else 0


def _dumps(arguments: DumpsArguments) -> int:
    if not arguments.folder.is_dir():
        raise ConfigError(f"{arguments.folder} is not a folder")
    from distrl.bench.android.dumps import measure_dumps

    figures = measure_dumps(arguments.folder)
    print_flat(asdict(figures), "dumps of real screens", json=arguments.json)
    return 1 if figures.failed else 0


def _lm(arguments: LmArguments) -> int:
    require_at_least("--episodes", arguments.episodes, at_least=1)
    require_at_least("--updates", arguments.updates, at_least=1)
    from distrl.bench.lm import measure_lm

    figures = measure_lm(arguments.recipe, episodes=arguments.episodes, updates=arguments.updates)
    print_flat(asdict(figures), "a language model on one core", json=arguments.json)
    return 0


def _browser(arguments: BrowserArguments) -> int:
    if not arguments.seconds > 0:
        raise ConfigError(f"--seconds must be above 0, got {arguments.seconds}")
    from distrl.bench.browser import measure_browser

    with TemporaryDirectory(prefix="distrl-") as folder:
        figures = measure_browser(arguments.seconds, Path(folder) / "sides.log")
    print_flat(asdict(figures), "pages of Chromium", json=arguments.json)
    return 0


def _phone(arguments: PhoneArguments) -> int:
    if not arguments.seconds > 0:
        raise ConfigError(f"--seconds must be above 0, got {arguments.seconds}")
    from distrl.bench.phone import measure_phone

    figures = measure_phone(arguments.seconds)
    if arguments.json:
        print_json(asdict(figures))
    else:
        _print_figures(figures)
    return 0


def _print_figures(figures: PhoneFigures) -> None:
    rows: list[tuple[str, float, str]] = [
        ("steps with screens", figures.steps_per_second, "per second"),
        ("steps with screens, first pass", figures.steps_per_second_cold, "per second"),
        ("steps without screens", figures.steps_per_second_blind, "per second"),
        ("snapshot", figures.snapshot_ms, "ms"),
        ("restore", figures.restore_ms, "ms"),
        ("restore and observe", figures.restore_observe_ms, "ms"),
        ("memory of 256 phones", figures.memory_mb_256, "MB"),
    ]
    print_table(("figure", "value", "unit"), rows, title="the embedded phone on one core")
    print(
        f"{figures.episodes} oracle episodes of training tasks, recorded beforehand and "
        "replayed with their resets."
    )


_RECORDED: Commands = {
    "cluster": (ClusterArguments, _cluster),
    "factors": (bench_factors.FactorsArguments, bench_factors.run),
    "splits": (bench_splits.SplitsArguments, bench_splits.run),
    **bench_speed.COMMANDS,
    **bench_virtual.COMMANDS,
}
"""Benches that write the command beside their figures; what runs them takes it as `command`."""

COMMANDS: Commands = {
    "phone": (PhoneArguments, _phone),
    "browser": (BrowserArguments, _browser),
    "chaos": (ChaosArguments, _chaos),
    **_RECORDED,
    "dashboard": (DashboardArguments, _dashboard),
    "faults": (FaultsArguments, _faults),
    "adb": (AdbArguments, _adb),
    "serve": (ServeArguments, _serve),
    "dumps": (DumpsArguments, _dumps),
    "lm": (LmArguments, _lm),
}


def main(argv: Sequence[str]) -> int:
    """Run one of the benches."""
    # With --no-runs, figures are put together anew: what made them is the command without it.
    command = shlex.join(["distrl", "bench", *(word for word in argv if word != NO_RUNS)])
    recorded = {
        name: (kind, partial(run, command=command)) for name, (kind, run) in _RECORDED.items()
    }
    about = "Measure speed, memory and robustness on this machine."
    # What a bench has started, such as phones and clusters, ends with it.
    with terminated_like_interrupted():
        return run_subcommand({**COMMANDS, **recorded}, argv, prog="distrl bench", about=about)
