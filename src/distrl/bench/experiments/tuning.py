"""Equal tuning: every algorithm gets the same number of configurations, judged on val.

An algorithm is tuned in the mode in which it stands in the headline of the table: A-RIDE collects
asynchronously, DigiRL synchronously. The table then runs each with what did best here; test is not
looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from distrl.bench.experiments.figures import final, over_seeds
from distrl.bench.experiments.runs import Watch, run_all
from distrl.bench.experiments.table import (
    BASELINE,
    DEVICES,
    OURS,
    STEPS,
    Method,
    Size,
    budget_seconds,
)
from distrl.devices.fault_injection import FleetProfile
from distrl.errors import ConfigError
from distrl.run.virtual.experiment import Experiment, ExperimentResult

SUITE = "general"
SPLIT = "val"
TUNED = (OURS, BASELINE)
GRID = (
    "algorithm.learning_rate=0.0005",
    "algorithm.learning_rate=0.001",
    "algorithm.learning_rate=0.002",
)
"""What is tried, with every algorithm."""

# Half the budget of the main table; the same for every algorithm, which is what counts.
FULL = Size(episodes=1500, seeds=1, checkpoints=6)
QUICK = Size(episodes=150, seeds=1, checkpoints=3, tasks=16, quick=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One configuration of one method."""

    method: Method
    setting: str

    @property
    def name(self) -> str:
        """Unique among all trials."""
        return f"{self.method.name}-{self.setting.rpartition('=')[2]}"


TRIALS = tuple(Trial(method=method, setting=setting) for method in TUNED for setting in GRID)


def plan(size: Size) -> list[Experiment]:
    """All runs; the first seed of every trial comes before the second of any."""
    if size.seeds < 1:
        raise ConfigError(f"at least one seed is needed, got {size.seeds}")
    return [
        Experiment(
            name=f"{trial.name}-seed{seed}",
            suite=SUITE,
            seed=seed,
            mode=trial.method.mode,
            seconds=budget_seconds(size.episodes, STEPS[SUITE], DEVICES, FleetProfile()),
            settings=(
                f"algorithm.name={trial.method.algorithm}",
                f"collect.devices={trial.method.devices}",
                *trial.method.settings,
                trial.setting,
            ),
            common=size.common,
            checkpoints=size.checkpoints,
            tasks=size.tasks,
            split=SPLIT,
        )
        for seed in range(size.seeds)
        for trial in TRIALS
    ]


def measure_tuning(
    size: Size, out: Path, *, watch: Watch = lambda _: None
) -> tuple[list[dict[str, Any]], ExperimentResult]:
    """Make the runs that are missing; a flat row for each trial, and one of the results."""
    experiments = plan(size)
    results = run_all(experiments, out, watch=watch)
    return rows(experiments, results), results[experiments[0].name]


def rows(
    experiments: Sequence[Experiment], results: Mapping[str, ExperimentResult]
) -> list[dict[str, Any]]:
    """What came of each trial."""
    found = []
    for trial in TRIALS:
        mine = [results[e.name] for e in experiments if e.name == f"{trial.name}-seed{e.seed}"]
        val = over_seeds([final(result) for result in mine], mine[0].points[-1].tasks)
        found.append(
            {
                "method": trial.method.name,
                "setting": trial.setting,
                "val": val.mean,
                "val_low": val.low,
                "val_high": val.high,
                "seeds": len(mine),
                "tasks": mine[0].points[-1].tasks,
                "episodes": fmean(result.episodes for result in mine),
                "updates": fmean(result.updates for result in mine),
            }
        )
    return found


def best(found: Sequence[Mapping[str, Any]], method: str) -> str:
    """The setting that a method did best with; the first of equals."""
    mine = [row for row in found if row["method"] == method]
    setting: str = max(mine, key=lambda row: row["val"])["setting"]
    return setting


def summary(
    found: Sequence[Mapping[str, Any]], one: ExperimentResult, *, quick: bool, command: str
) -> dict[str, Any]:
    """One flat object with the choices, and a row per trial."""
    return {
        **{f"best_{m.name.replace('-', '_')}": best(found, m.name) for m in TUNED},
        "quick": quick,
        "seeds": found[0]["seeds"],
        "seconds": one.experiment.seconds,
        "command": command,
        "code": one.code.label,
        "machine": one.machine.label,
        "rows": list(found),
    }
