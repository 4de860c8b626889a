"""The paper's comparison: methods and modes from the same start, on the same virtual devices.

    general     {async, sync} x {a_ride, digirl}      what the mode earned, what the algorithm
    shopping    async a_ride against sync digirl

All runs last as long as asynchronous collection needs for a number of episodes, by this sum:

    seconds = episodes * (reset + (steps - 1) * step) / (devices * mean of 1 / speed)

with the means of the fleet's profile. The last step of an episode is mostly a declaration, which no
device carries out.

What is evaluated are averaged weights, which follow the newest ones update by update. A method that
makes few updates in the budget is held back more by that than one that makes many; the methods
called `newest` evaluate what devices act with, so that the size of it can be seen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from distrl.bench.experiments.figures import (
    Interval,
    Reach,
    Spread,
    final,
    final_unseen,
    over_seeds,
    ratio,
    reach,
    spread,
)
from distrl.bench.experiments.runs import Watch, read_all, run_all, start_of
from distrl.devices.fault_injection import FleetProfile
from distrl.errors import ConfigError, unknown_name
from distrl.run.virtual.cost import CostModel, cost_of
from distrl.run.virtual.engine import Mode
from distrl.run.virtual.experiment import Experiment, ExperimentResult

EPISODES = 3000
"""What asynchronous collection makes of the budget."""
# Of several machines and of a single one: the two synchronous baselines of the paper.
DEVICES, DEVICES_SINGLE = 32, 8
STEPS = {"general": 6.1, "shopping": 8.2}
"""Steps of an episode while learning, so that the sum comes out; the rows tell of how many episodes
there were."""
UNIFORM = ("replay.alpha=0",)
"""Prioritised replay is a part of A-RIDE; what it is compared with draws uniformly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A row of the table."""

    name: str
    mode: Mode
    algorithm: str
    devices: int = DEVICES
    settings: tuple[str, ...] = ()
    """Beside the algorithm and the number of devices."""
    against: str = "sync-digirl"
    """The method whose final success is the level that is to be reached."""
    about: str = ""


OURS = Method(name="async-a_ride", mode=Mode.ASYNC, algorithm="a_ride", about="DistRL.")
BASELINE = Method(
    name="sync-digirl",
    mode=Mode.SYNC,
    algorithm="digirl",
    settings=UNIFORM,
    about="DigiRL on many machines, what the paper compares with.",
)
METHODS = (
    OURS,
    Method(
        name="sync-a_ride",
        mode=Mode.SYNC,
        algorithm="a_ride",
        about="The algorithm without the mode.",
    ),
    Method(
        name="async-digirl",
        mode=Mode.ASYNC,
        algorithm="digirl",
        settings=UNIFORM,
        about="The mode without the algorithm.",
    ),
    BASELINE,
)
NEWEST = ("algorithm.ema_decay=0",)
"""Evaluates the newest weights; nothing that is collected or learned depends on it, as long as
values are not taken from the averaged critics."""
BASELINE_NEWEST = replace(
    BASELINE,
    name="sync-digirl-newest",
    settings=(*BASELINE.settings, *NEWEST),
    against="sync-digirl-newest",
    about="The same run as sync-digirl; the newest weights are evaluated, not averaged ones.",
)
OURS_NEWEST = replace(
    OURS,
    name="async-a_ride-newest",
    settings=NEWEST,
    against=BASELINE_NEWEST.name,
    about="The same run as async-a_ride; the newest weights are evaluated, not averaged ones, and "
    "the level to reach is that of sync-digirl-newest.",
)
MORE = (
    Method(
        name="async-a_ride-more",
        mode=Mode.ASYNC,
        algorithm="a_ride",
        settings=(
            *("curriculum.enabled=true", "curriculum.floor=0.2", "curriculum.unsolved=3.0"),
            *("success_pool.enabled=true", "success_pool.only_failing=false"),
            *("algorithm.self_imitation=0.7", "algorithm.self_imitation_advantage=false"),
            "success_pool.batch=16",
        ),
        about="With curriculum and success pool, as the recipe `quickstart` has them.",
    ),
    Method(
        name="pooled-digirl",
        mode=Mode.SYNC_POOLED,
        algorithm="digirl",
        settings=UNIFORM,
        about="Rounds in which any free device takes the next episode.",
    ),
    Method(
        name="single-digirl",
        mode=Mode.SYNC,
        algorithm="digirl",
        devices=DEVICES_SINGLE,
        settings=UNIFORM,
        about="DigiRL on one machine.",
    ),
    Method(name="sync-filtered_bc", mode=Mode.SYNC, algorithm="filtered_bc", settings=UNIFORM),
    Method(
        name="sync-grpo",
        mode=Mode.SYNC,
        algorithm="grpo",
        settings=(*UNIFORM, "learner.group=4"),
        about="Four attempts at every task.",
    ),
    Method(name="sync-ppo", mode=Mode.SYNC, algorithm="ppo", settings=UNIFORM),
    OURS_NEWEST,
    BASELINE_NEWEST,
)
TWO_BY_TWO = {
    "mode_gain_a_ride": ("async-a_ride", "sync-a_ride"),
    "mode_gain_digirl": ("async-digirl", "sync-digirl"),
    "algorithm_gain_async": ("async-a_ride", "async-digirl"),
    "algorithm_gain_sync": ("sync-a_ride", "sync-digirl"),
}
"""Which difference says what the mode, or what the algorithm earned."""
SUITES: Mapping[str, tuple[Method, ...]] = {"general": METHODS, "shopping": (OURS, BASELINE)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is run."""

    episodes: int = EPISODES
    seeds: int = 3
    checkpoints: int = 15
    tasks: int | None = None
    """Of an evaluation; None for all of a split."""
    quick: bool = False
    common: tuple[str, ...] = ()
    """Settings of all runs."""
    cost: CostModel = CostModel.POINTER
    """What deciding and learning cost in virtual time."""


QUICK = Size(episodes=600, seeds=1, checkpoints=5, tasks=64, quick=True)


def folder_name(cost: CostModel) -> str:
    """The folder of a table's results, below that of all results."""
    return "table" if cost is CostModel.POINTER else f"table_{cost}"


def budget_seconds(episodes: int, steps: float, devices: int, profile: FleetProfile) -> float:
    """Virtual seconds in which so many devices that never wait make so many episodes."""
    step = profile.step * math.exp(profile.step_spread**2 / 2)
    reset = profile.reset * math.exp(profile.reset_spread**2 / 2)
    fast, slow = profile.fastest, profile.slowest
    quickness = 1 / fast if fast == slow else (1 / fast - 1 / slow) / math.log(slow / fast)
    return episodes * (reset + (steps - 1) * step) / (devices * quickness)


def choose_methods(names: str) -> dict[str, tuple[Method, ...]]:
    """Methods by suite: names with commas between them; `default` and `all` name several."""
    known = {method.name: method for method in (*METHODS, *MORE)}
    several = {"default": [method.name for method in METHODS], "all": list(known)}
    asked: list[str] = []
    for name in filter(None, (word.strip() for word in names.split(","))):
        if name not in known and name not in several:
            raise unknown_name("method", name, (*known, *several))
        asked += several.get(name, [name])
    if not asked:
        allowed = ", ".join((*several, *known))
        raise ConfigError(f"--methods names no method, got {names!r}; allowed are {allowed}")
    # What others are measured by is always there.
    measures = [known[name].against for name in asked]
    chosen = [known[name] for name in dict.fromkeys([*asked, *measures, BASELINE.name])]
    return {
        suite: tuple(m for m in chosen if suite == "general" or m in SUITES[suite])
        for suite in SUITES
    }


def plan(methods: Mapping[str, Sequence[Method]], size: Size) -> list[Experiment]:
    """All runs: the seeds of a cell one after the other, so that the first seeds end first."""
    if size.seeds < 1:
        raise ConfigError(f"at least one seed is needed, got {size.seeds}")
    return [
        Experiment(
            name=f"{suite}-{method.name}-seed{seed}",
            suite=suite,
            seed=seed,
            mode=method.mode,
            seconds=budget_seconds(size.episodes, STEPS[suite], DEVICES, FleetProfile()),
            settings=(
                f"algorithm.name={method.algorithm}",
                f"collect.devices={method.devices}",
                *method.settings,
            ),
            common=size.common,
            checkpoints=size.checkpoints,
            tasks=size.tasks,
            cost=size.cost,
        )
        for seed in range(size.seeds)
        for suite, chosen in methods.items()
        for method in chosen
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A method on a suite, over its seeds."""

    suite: str
    method: Method
    results: tuple[ExperimentResult, ...]
    starts: tuple[ExperimentResult, ...]
    test: Interval
    unseen: Interval | None
    reaches: tuple[Reach, ...]
    """When each seed reached the final success of what the method is measured by."""


def measure_table(
    methods: Mapping[str, Sequence[Method]],
    size: Size,
    out: Path,
    *,
    watch: Watch = lambda _: None,
    only_read: bool = False,
) -> list[Cell]:
    """Make the runs that are missing, or read them all, and put the cells together."""
    experiments = plan(methods, size)
    results = read_all(experiments, out) if only_read else run_all(experiments, out, watch=watch)
    return cells(methods, experiments, results)


def cells(
    methods: Mapping[str, Sequence[Method]],
    experiments: Sequence[Experiment],
    results: Mapping[str, ExperimentResult],
) -> list[Cell]:
    """The cells of the table, from the results of its runs."""
    found = []
    for suite, chosen in methods.items():
        for method in chosen:
            runs = [e for e in experiments if e.name == f"{suite}-{method.name}-seed{e.seed}"]
            levels = [final(results[f"{suite}-{method.against}-seed{e.seed}"]) for e in runs]
            found.append(_cell(suite, method, runs, results, levels))
    return found


def _cell(
    suite: str,
    method: Method,
    runs: Sequence[Experiment],
    results: Mapping[str, ExperimentResult],
    levels: Sequence[float],
) -> Cell:
    mine = tuple(results[run.name] for run in runs)
    starts = tuple(results[start_of(run).name] for run in runs)
    unseen = [value for result in mine if (value := final_unseen(result)) is not None]
    last = mine[0].points[-1]
    return Cell(
        suite=suite,
        method=method,
        results=mine,
        starts=starts,
        test=over_seeds([final(result) for result in mine], last.tasks),
        unseen=over_seeds(unseen, last.unseen_tasks) if unseen else None,
        reaches=tuple(
            reach(start.points[0], result.points, level)
            for level, start, result in zip(levels, starts, mine, strict=True)
        ),
    )


def summary(found: Sequence[Cell], *, quick: bool, command: str) -> dict[str, Any]:
    """One flat object with the ratios and their spread over seeds, and a row per cell."""
    general, shopping = ({c.method.name: c for c in found if c.suite == s} for s in SUITES)
    newest = OURS_NEWEST.name in general
    first = found[0].results[0].experiment
    return {
        **_ratios(general, "general"),
        **_ratios(shopping, "shopping"),
        **(_ratios(general, "general_newest", OURS_NEWEST) if newest else {}),
        **_two_by_two(general),
        "quick": quick,
        "cost": str(first.cost),
        **asdict(cost_of(first.cost)),
        "seeds": len(found[0].results),
        "seconds": first.seconds,
        "checkpoints": first.checkpoints,
        "cpu_minutes": sum(r.cpu_seconds for c in found for r in c.results) / 60,
        "command": command,
        "code": ", ".join(dict.fromkeys(r.code.label for c in found for r in c.results)),
        "machine": found[0].results[0].machine.label,
        "rows": [row_of(cell) for cell in found],
    }


def row_of(cell: Cell) -> dict[str, Any]:
    """A cell as one flat object; what is not a success is the mean over seeds."""
    results, unseen = cell.results, cell.unseen
    minutes = results[0].experiment.seconds / 60
    return {
        "suite": cell.suite,
        "method": cell.method.name,
        "mode": str(cell.method.mode),
        "algorithm": cell.method.algorithm,
        "devices": cell.method.devices,
        "seeds": len(results),
        "seconds": results[0].experiment.seconds,
        "start": fmean(start.points[0].success for start in cell.starts),
        "test": cell.test.mean,
        "test_low": cell.test.low,
        "test_high": cell.test.high,
        "test_lowest": cell.test.lowest,
        "test_highest": cell.test.highest,
        "test_by_seed": [final(result) for result in results],
        "unseen": unseen and unseen.mean,
        "unseen_low": unseen and unseen.low,
        "unseen_high": unseen and unseen.high,
        "unseen_lowest": unseen and unseen.lowest,
        "unseen_highest": unseen and unseen.highest,
        "seconds_to_reach": fmean(r.seconds for r in cell.reaches),
        "steps_to_reach": fmean(r.steps for r in cell.reaches),
        "reached": sum(r.reached for r in cell.reaches),
        "episodes": fmean(r.episodes for r in results),
        "steps": fmean(r.steps for r in results),
        "updates": fmean(r.updates for r in results),
        "episodes_per_minute": fmean(r.episodes for r in results) / minutes,
        "device_utilisation": fmean(r.device_utilisation for r in results),
        "learner_utilisation": fmean(r.learner_utilisation for r in results),
        "trained_lag": fmean(r.trained_lag for r in results),
        "cpu_minutes": fmean(r.cpu_seconds for r in results) / 60,
        "tasks": results[0].points[-1].tasks,
        "unseen_tasks": results[0].points[-1].unseen_tasks,
    }


def _ratios(
    cells_of_suite: Mapping[str, Cell], name: str, method: Method = OURS
) -> dict[str, float | None]:
    """A method over what it is measured by: success, and the way to the same success."""
    ours, base = cells_of_suite.get(method.name), cells_of_suite.get(method.against)
    pair = (ours, base) if ours and base else None
    return {
        **_flat(f"success_ratio_{name}", pair and _success_ratio(*pair)),
        **_flat(f"time_ratio_{name}", pair and _reach_ratio(*pair, "seconds")),
        **_flat(f"interaction_ratio_{name}", pair and _reach_ratio(*pair, "steps")),
    }


def _two_by_two(general: Mapping[str, Cell]) -> dict[str, float | None]:
    """What the mode and what the algorithm earned, if all four were run."""
    if not all(method.name in general for method in METHODS):
        return {}
    finals = {name: [final(result) for result in cell.results] for name, cell in general.items()}
    return {
        key: value
        for name, (more, less) in TWO_BY_TWO.items()
        for key, value in _flat(
            name, spread(a - b for a, b in zip(finals[more], finals[less], strict=True))
        ).items()
    }


def _flat(name: str, found: Spread | None) -> dict[str, float | None]:
    return {
        name: None if found is None else found.mean,
        f"{name}_lowest": None if found is None else found.lowest,
        f"{name}_highest": None if found is None else found.highest,
    }


def _success_ratio(ours: Cell, base: Cell) -> Spread | None:
    """The ratio of the means, and the worst and the best seed's."""
    pairs = zip(ours.results, base.results, strict=True)
    seeds = spread(ratio(final(o), final(b)) for o, b in pairs)
    whole = ratio(ours.test.mean, base.test.mean)
    return None if seeds is None or whole is None else replace(seeds, mean=whole)


def _reach_ratio(ours: Cell, base: Cell, figure: str) -> Spread | None:
    """The baseline's way to its own final success over the method's, mean over seeds.

    A seed that did not get there counts as if it had at the end, which flatters nobody: its ratio
    is 1 at the most.
    """
    pairs = zip(base.reaches, ours.reaches, strict=True)
    return spread(ratio(getattr(b, figure), getattr(o, figure)) for b, o in pairs)
