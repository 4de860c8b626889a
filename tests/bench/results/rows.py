"""Results for tests, with figures that can be told apart."""

from __future__ import annotations

from distrl.bench.results.plan import EVALUATIONS
from distrl.bench.results.record import Effort, Evaluation, Result
from distrl.collect.evaluation.statistics import Row, wilson_interval
from distrl.run.state.provenance import Code, Machine

MACHINE = Machine(
    processor="Chip", cores=2, memory_gb=8.0, system="Linux x86_64", python="3.11.7", torch="2.6.0"
)
CODE = Code(version="0.1.0", commit="0123456789abcdef", changed=False, digest="d")


def make_row(successes: int, episodes: int = 128) -> Row:
    low, high = wilson_interval(successes, episodes)
    return Row(
        template="all",
        success=successes / episodes,
        low=low,
        high=high,
        episodes=episodes,
        false_complete=0.0625,
        side_effects=0.03125,
        mean_steps=5.25,
        oracle_steps=4.5,
        faults=0,
    )


def make_result(
    group: str = "quickstart", seed: int = 0, *, successes: int = 112, quick: bool = False
) -> Result:
    """A row whose other evaluations are 16 tasks worse, each than the one before."""
    return Result(
        name=f"{group}-seed{seed}",
        group=group,
        suite="shopping" if group == "shopping" else "general",
        recipe="shopping" if group == "shopping" else "quickstart",
        seed=seed,
        settings=(f"seed={seed}", "minutes=6"),
        quick=quick,
        command=f"distrl results run --only {group} --seeds {seed}",
        effort=Effort(minutes=6.5, minutes_in_all=9.25, episodes=8000, steps=45000, updates=1500),
        evaluations=tuple(
            Evaluation(split=split, without=without, figures=make_row(successes - 16 * number))
            for number, (split, without) in enumerate(EVALUATIONS)
        ),
        code=CODE,
        machine=MACHINE,
    )
