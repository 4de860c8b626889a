"""Results of experiments that nobody ran."""

from __future__ import annotations

from collections.abc import Sequence

from distrl.run.state.provenance import Code, Machine
from distrl.run.virtual.engine import Mode
from distrl.run.virtual.experiment import Experiment, ExperimentResult, Point

CODE = Code(version="1", commit="0123456789abcdef", changed=False, digest="abc")
MACHINE = Machine(
    processor="Chip", cores=2, memory_gb=8.0, system="Linux", python="3.11", torch="2.6"
)

TINY = (
    *("init=scratch", "policy.width=16", "policy.heads=2", "policy.layers=1"),
    *("policy.crop_width=16", "policy.pixels=false", "policy.captions=false"),
    *("learner.batch=2", "learner.min_episodes=2", "learner.replay_ratio=1.0"),
)
"""Settings of a run that learns nothing, quickly."""


def experiment(name: str = "run-seed0", seed: int = 0, *, seconds: float = 900.0) -> Experiment:
    return Experiment(name=name, suite="general", seed=seed, mode=Mode.ASYNC, seconds=seconds)


def point(seconds: float, success: float, *, unseen: float | None = None, steps: int = 0) -> Point:
    return Point(
        seconds=seconds,
        episodes=int(seconds / 10),
        steps=steps or int(seconds),
        updates=int(seconds / 100),
        success=success,
        tasks=100,
        unseen=unseen,
        unseen_tasks=0 if unseen is None else 50,
    )


def curve(*successes: float, seconds: float = 100.0) -> tuple[Point, ...]:
    """Checkpoints at equal distances; the last three are evaluated on unseen, at half as much."""
    last = len(successes) - 3
    return tuple(
        point(seconds * (i + 1), s, unseen=s / 2 if i >= last else None)
        for i, s in enumerate(successes)
    )


def result(of: Experiment, points: Sequence[Point], *, code: Code = CODE) -> ExperimentResult:
    return ExperimentResult(
        experiment=of,
        start="start",
        points=tuple(points),
        episodes=points[-1].episodes,
        steps=points[-1].steps,
        lost=1,
        updates=points[-1].updates,
        device_utilisation=0.9,
        learner_utilisation=0.1,
        trained_lag=2.0,
        weights="weights",
        cpu_seconds=60.0,
        code=code,
        machine=MACHINE,
    )
