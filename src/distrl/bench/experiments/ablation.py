"""A recipe with one thing off or changed at a time, on the general suite, collected asynchronously.

    comparison    the terms of A-RIDE
    quickstart    where the gain of the default recipe comes from: policy gradient, success pool

Every row differs from the first by the keys that it names, and in nothing else: the same start, the
same devices, the same time. The row `noisy-judge` is trained on the word of a judge that errs and
evaluated, as all are, by the state check.

A row is called better or worse than the first where the interval of the difference says so. Of many
rows, one in twenty would seem to differ by chance alone: the interval is as wide as it takes for
all of them together to be right 95 times in 100.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from distrl.bench.experiments.figures import (
    difference_interval,
    final,
    final_unseen,
    over_seeds,
)
from distrl.bench.experiments.runs import Watch, read_all, run_all, start_of
from distrl.bench.experiments.table import DEVICES, DEVICES_SINGLE, STEPS, Size, budget_seconds
from distrl.collect.judging.noisy_judge import Misjudgement
from distrl.devices.fault_injection import FleetProfile
from distrl.errors import ConfigError, unknown_name
from distrl.run.virtual.engine import Mode
from distrl.run.virtual.experiment import Experiment, ExperimentResult

SUITE = "general"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A row."""

    name: str
    settings: tuple[str, ...] = ()
    judge: Misjudgement | None = None
    about: str


BASE = Variant(name="base", about="A-RIDE as the recipe `comparison` has it.")
VARIANTS = (
    BASE,
    Variant(
        name="no-correction",
        settings=("algorithm.correction=none",),
        about="Data of older policies as if the newest had acted.",
    ),
    Variant(
        name="truncated-is",
        settings=("algorithm.correction=truncated_is",),
        about="Ratios weigh the steps; none along the trace.",
    ),
    Variant(
        name="wider-thresholds",
        settings=("algorithm.trace_clip=4.0", "algorithm.rho_max=4.0"),
        about="Ratios up to 4 instead of 1, in the trace and in the loss.",
    ),
    *(
        Variant(
            name=f"lambda-{value}",
            settings=(f"algorithm.lam={value}",),
            about=f"Traces of lambda {value}; the base has 0.95.",
        )
        for value in ("0.0", "0.9", "1.0")
    ),
    Variant(
        name="uniform-replay",
        settings=("replay.alpha=0.0",),
        about="Every episode is drawn equally often.",
    ),
    Variant(
        name="actor-priority",
        settings=("replay.initial_priority=actor",),
        about="New episodes have the priority that the acting policy's values give; the base gives "
        "them the largest.",
    ),
    Variant(name="no-entropy", settings=("algorithm.entropy=0.0",), about="No entropy bonus."),
    Variant(
        name="no-invalid",
        settings=("algorithm.invalid=0.0",),
        about="The probability of what cannot be carried out costs nothing.",
    ),
    Variant(
        name="curriculum",
        settings=("curriculum.enabled=true",),
        about="Tasks that are neither easy nor hopeless come more often; the base draws evenly.",
    ),
    Variant(
        name="goal-filter",
        settings=("algorithm.goal_filter=0.5",),
        about="Learns from the half of a batch that ended better than the goal critic thought.",
    ),
    Variant(
        name="retrace-target",
        settings=("algorithm.critic_target=null",),
        about="The critic is trained on the Retrace target; the base has the Monte-Carlo one.",
    ),
    Variant(
        name="critic-q",
        settings=("algorithm.critic_form=q",),
        about="Critics judge every decision, Q(s, d), in place of the situation.",
    ),
    Variant(
        name="noisy-judge",
        judge=Misjudgement(),
        about="Trained on a judge with 5 % false positives and 10 % false negatives.",
    ),
)
SOURCES = (
    Variant(
        name=BASE.name,
        about="Policy gradient and success pool, as the recipe `quickstart` has both.",
    ),
    # Entropy and invalid mass stay: they train no decision, and one key is one change.
    Variant(
        name="pool-alone",
        settings=("algorithm.policy=0.0",),
        about="No policy gradient: imitation of demonstrations and of the run's own successes.",
    ),
    Variant(
        name="rl-alone",
        settings=("success_pool.enabled=false",),
        about="No success pool: policy gradient and imitation of demonstrations.",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """The rows of one recipe; the first is the recipe itself."""

    recipe: str
    devices: int
    episodes: int
    variants: tuple[Variant, ...]

    @property
    def folder(self) -> str:
        """Where its results are, below those of all benches."""
        return "ablation" if self.recipe == TERMS.recipe else f"ablation_{self.recipe}"


# Half the budget of the main table.
TERMS = Study(recipe="comparison", devices=DEVICES, episodes=1500, variants=VARIANTS)
STUDIES = {
    study.recipe: study
    for study in (
        TERMS,
        Study(recipe="quickstart", devices=DEVICES_SINGLE, episodes=3000, variants=SOURCES),
    )
}

FULL = Size(checkpoints=6)
QUICK = Size(episodes=150, seeds=1, checkpoints=3, tasks=16, quick=True)


def choose_study(recipe: str, only: str | None = None) -> Study:
    """The study of a recipe: all rows, or some by their names with commas between them.

    The first row is always there.
    """
    if recipe not in STUDIES:
        raise unknown_name("recipe", recipe, STUDIES)
    study = STUDIES[recipe]
    if only is None:
        return study
    known = {variant.name: variant for variant in study.variants}
    asked = [name.strip() for name in only.split(",") if name.strip()]
    if not asked:
        raise ConfigError(f"--only names no row, got {only!r}; allowed are {', '.join(known)}")
    for name in asked:
        if name not in known:
            raise unknown_name("row", name, known)
    chosen = tuple(v for v in study.variants if v.name in (BASE.name, *asked))
    return replace(study, variants=chosen)


def plan(study: Study, size: Size) -> list[Experiment]:
    """All runs; the first seed of every row comes before the second of any."""
    if size.seeds < 1:
        raise ConfigError(f"at least one seed is needed, got {size.seeds}")
    episodes = size.episodes if size.quick else study.episodes
    return [
        Experiment(
            name=f"{variant.name}-seed{seed}",
            suite=SUITE,
            seed=seed,
            mode=Mode.ASYNC,
            seconds=budget_seconds(episodes, STEPS[SUITE], study.devices, FleetProfile()),
            settings=variant.settings,
            common=size.common,
            recipe=study.recipe,
            checkpoints=size.checkpoints,
            tasks=size.tasks,
            judge=variant.judge,
        )
        for seed in range(size.seeds)
        for variant in study.variants
    ]


def measure_ablation(
    study: Study,
    size: Size,
    out: Path,
    *,
    watch: Watch = lambda _: None,
    only_read: bool = False,
) -> list[dict[str, Any]]:
    """Make the runs that are missing, or read them all; a flat row for each variant."""
    experiments = plan(study, size)
    results = read_all(experiments, out) if only_read else run_all(experiments, out, watch=watch)
    return rows(study.variants, experiments, results)


def rows(
    variants: Sequence[Variant],
    experiments: Sequence[Experiment],
    results: Mapping[str, ExperimentResult],
) -> list[dict[str, Any]]:
    """What came of each variant, and how it differs from the first, seed by seed."""
    runs = {
        v.name: [e for e in experiments if e.name == f"{v.name}-seed{e.seed}"] for v in variants
    }
    base = {e.seed: final(results[e.name]) for e in runs[BASE.name]}
    comparisons = max(1, len(variants) - 1)
    return [_row(variant, runs[variant.name], results, base, comparisons) for variant in variants]


def _row(
    variant: Variant,
    runs: Sequence[Experiment],
    results: Mapping[str, ExperimentResult],
    base: Mapping[int, float],
    comparisons: int,
) -> dict[str, Any]:
    mine = [results[run.name] for run in runs]
    test = over_seeds([final(result) for result in mine], mine[0].points[-1].tasks)
    unseen = [value for result in mine if (value := final_unseen(result)) is not None]
    gains = [final(result) - base[run.seed] for run, result in zip(runs, mine, strict=True)]
    tasks = mine[0].points[-1].tasks
    low, high = (0.0, 0.0)
    if variant.name != BASE.name:
        low, high = difference_interval(
            test.mean, fmean(base.values()), tasks, comparisons=comparisons
        )
    return {
        "row": variant.name,
        "about": variant.about,
        "settings": " ".join(variant.settings),
        "seeds": len(mine),
        "start": fmean(results[start_of(run).name].points[0].success for run in runs),
        "test": test.mean,
        "test_low": test.low,
        "test_high": test.high,
        "test_lowest": test.lowest,
        "test_highest": test.highest,
        "unseen": fmean(unseen) if unseen else None,
        "gain": fmean(gains),
        "gain_low": low,
        "gain_high": high,
        "gain_lowest": min(gains),
        "gain_highest": max(gains),
        "episodes": fmean(r.episodes for r in mine),
        "updates": fmean(r.updates for r in mine),
        "tasks": tasks,
        "cpu_minutes": fmean(r.cpu_seconds for r in mine) / 60,
    }


VERDICTS = ("better", "worse")


def verdict(row: Mapping[str, Any]) -> str | None:
    """Better or worse than the first row, or None where nobody can tell.

    The interval of the difference has to leave 0 out, and every seed has to be on the same side
    of the first row's: the interval is over tasks and knows nothing of seeds.
    """
    if row["gain_lowest"] > 0 and row["gain_low"] > 0:
        return "better"
    if row["gain_highest"] < 0 and row["gain_high"] < 0:
        return "worse"
    return None


def summary(
    found: Sequence[Mapping[str, Any]], results_of: ExperimentResult, *, quick: bool, command: str
) -> dict[str, Any]:
    """One flat object with a row per variant."""
    base = found[0]["test"]
    said = {word: [row["row"] for row in found if verdict(row) == word] for word in VERDICTS}
    return {
        "base": base,
        "recipe": results_of.experiment.recipe,
        **{word: ", ".join(names) for word, names in said.items()},
        "quick": quick,
        "seeds": found[0]["seeds"],
        "comparisons": len(found) - 1,
        "seconds": results_of.experiment.seconds,
        "command": command,
        "code": results_of.code.label,
        "machine": results_of.machine.label,
        "rows": list(found),
    }
