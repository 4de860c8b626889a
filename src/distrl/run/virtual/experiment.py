"""One run of an experiment on the virtual engine.

`python -m distrl.run.virtual.experiment PLAN RESULT`:

    PLAN.json --> warm start --> virtual run --> evaluation of every checkpoint --> RESULT.json

The result is written in one piece at the end; how far it is stands in PROGRESS meanwhile, which is
the result's name with another ending. Evaluations are off the clock: they are made afterwards, of
the weights that the checkpoints kept.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec
import torch

from distrl.collect.evaluation.evaluate import evaluate_policy, select_tasks
from distrl.collect.evaluation.statistics import Row
from distrl.collect.judging.noisy_judge import Misjudgement
from distrl.config import RunConfig, load_run_config
from distrl.errors import ConfigError
from distrl.learn.warm_start import warm_start
from distrl.policies.pointer.text_encoder import default_cache
from distrl.replay.trajectory import Trajectory
from distrl.run.builders.initial_weights import warm_start_parts
from distrl.run.builders.pointer import Pointer, build_pointer
from distrl.run.builders.pretrained import is_pretrained, read_pretrained
from distrl.run.state.provenance import Code, Machine, this_code, this_machine
from distrl.run.virtual.cost import CostModel, cost_of
from distrl.run.virtual.engine import Checkpoint, Mode, VirtualRun, VirtualSettings
from distrl.run.virtual.phones import build_virtual
from distrl.tasks.suites import load_suite
from distrl.weights.file_channel import write_whole
from distrl.weights.serialization import digest_of

LAST = 3
"""Checkpoints whose mean is the final figure."""
_PLAYED = 0.8
"""Share of the work that is the run itself, for the bar: the rest is evaluation."""

_log = logging.getLogger(__name__)

Passed = Callable[[float], None]
"""Is told the share that is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """What is run."""

    name: str
    suite: str
    seed: int
    mode: Mode
    seconds: float
    """Virtual ones. 0 makes the first weights, evaluates them, and no more."""
    settings: tuple[str, ...] = ()
    """What is changed in the recipe for this run."""
    common: tuple[str, ...] = ()
    """What is changed for all runs that are compared with it, and for their first weights."""
    recipe: str = "comparison"
    checkpoints: int = 15
    tasks: int | None = None
    """Tasks of an evaluation; None for all of the split."""
    split: str = "test"
    """What checkpoints are evaluated on. Tuning looks at val, and at nothing else."""
    judge: Misjudgement | None = None
    """A judge that errs, whose word is trained on; evaluations are by the state check."""
    cost: CostModel = CostModel.POINTER
    """What deciding and learning cost in virtual time. The network is the pointer's either way."""

    def config(self) -> RunConfig:
        """All settings of the run."""
        chosen = (f"tasks.suite={self.suite}", f"seed={self.seed}")
        return load_run_config(self.recipe, [*chosen, *self.common, *self.settings])


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A checkpoint, evaluated greedily."""

    seconds: float
    episodes: int
    steps: int
    updates: int
    success: float
    """On the experiment's split."""
    tasks: int
    """That count."""
    unseen: float | None
    """On unseen; only of the last ones."""
    unseen_tasks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentResult:
    """What came of it."""

    experiment: Experiment
    start: str
    """Digest of the first weights."""
    points: tuple[Point, ...]
    """The start has one, at 0 seconds."""
    episodes: int
    steps: int
    lost: int
    updates: int
    device_utilisation: float
    learner_utilisation: float
    trained_lag: float
    weights: str
    """Digest of the last weights."""
    cpu_seconds: float
    """Of the whole process."""
    code: Code
    machine: Machine


def perform(experiment: Experiment, passed: Passed = lambda _: None) -> ExperimentResult:
    """Run it and evaluate it."""
    # Several experiments run side by side, each on a core.
    torch.set_num_threads(1)
    config = experiment.config()
    pointer = build_pointer(config)
    demonstrations = first_weights(config, pointer)
    start = digest_of(pointer.model.state_dict())
    if not experiment.seconds:
        pointer.read_ahead(_goals(experiment))
        return _result(experiment, start, (_point(experiment, config, pointer, None),), None)
    engine = build_virtual(
        config,
        VirtualSettings(
            seconds=experiment.seconds,
            mode=experiment.mode,
            checkpoints=experiment.checkpoints,
            **asdict(cost_of(experiment.cost)),
        ),
        pointer,
        demonstrations,
        judge=experiment.judge,
        passed=lambda share: passed(_PLAYED * share),
    )
    found = engine.run()
    points: list[Point] = []
    for number, checkpoint in enumerate(found.checkpoints, 1):
        last = number > len(found.checkpoints) - LAST
        points.append(_point(experiment, config, pointer, checkpoint, unseen=last))
        passed(_PLAYED + (1 - _PLAYED) * number / len(found.checkpoints))
    return _result(experiment, start, tuple(points), found)


def first_weights(config: RunConfig, pointer: Pointer) -> tuple[Trajectory, ...]:
    """Give the pointer what the run starts from; returns the demonstrations that succeeded."""
    if config.init == "warm_start":
        parts = warm_start_parts(config, pointer, _log.info)
        cache = default_cache().parent / "warm_starts" if config.warm_start.reuse else None
        return warm_start(parts, config.warm_start, cache).demonstrations
    if is_pretrained(config.init):
        pointer.take(read_pretrained(config.init).weights, config.init)
    elif config.init != "scratch":
        raise ConfigError(
            f"an experiment starts from warm_start, scratch or pretrained, got {config.init!r}"
        )
    return ()


def _goals(experiment: Experiment) -> list[str]:
    suite = load_suite(experiment.suite)
    splits = ("train", *_evaluated(experiment))
    return [task.goal for split in splits for task in suite.tasks(split)]


def _evaluated(experiment: Experiment) -> tuple[str, ...]:
    return ("test", "unseen") if experiment.split == "test" else (experiment.split,)


def _point(
    experiment: Experiment,
    config: RunConfig,
    pointer: Pointer,
    checkpoint: Checkpoint | None,
    *,
    unseen: bool = True,
) -> Point:
    if checkpoint is not None:
        pointer.take(checkpoint.weights, "the checkpoint")
    test = _evaluate(experiment, config, pointer, experiment.split)
    unseen = unseen and "unseen" in _evaluated(experiment)
    other = _evaluate(experiment, config, pointer, "unseen") if unseen else None
    return Point(
        seconds=checkpoint.seconds if checkpoint else 0.0,
        episodes=checkpoint.episodes if checkpoint else 0,
        steps=checkpoint.steps if checkpoint else 0,
        updates=checkpoint.updates if checkpoint else 0,
        success=test.success or 0.0,
        tasks=test.episodes,
        unseen=other.success if other else None,
        unseen_tasks=other.episodes if other else 0,
    )


def _evaluate(experiment: Experiment, config: RunConfig, pointer: Pointer, split: str) -> Row:
    tasks = select_tasks(experiment.suite, split, tasks=experiment.tasks)
    policy = pointer.policy(greedy=True)
    return evaluate_policy(policy, tasks, phone=config.phone).overall


def _result(
    experiment: Experiment, start: str, points: tuple[Point, ...], found: VirtualRun | None
) -> ExperimentResult:
    return ExperimentResult(
        experiment=experiment,
        start=start,
        points=points,
        episodes=found.episodes if found else 0,
        steps=found.steps if found else 0,
        lost=found.lost if found else 0,
        updates=found.updates if found else 0,
        device_utilisation=found.device_utilisation if found else 0.0,
        learner_utilisation=found.learner_utilisation if found else 0.0,
        trained_lag=found.trained_lag if found else 0.0,
        weights=digest_of(found.checkpoints[-1].weights) if found else start,
        cpu_seconds=time.process_time(),
        code=this_code(),
        machine=this_machine(),
    )


def load_result(path: Path) -> ExperimentResult:
    """Read a result; ConfigError tells what is wrong with it."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=ExperimentResult)
    except (OSError, msgspec.DecodeError) as error:
        raise ConfigError(f"the result in {path} cannot be read: {error}") from None


def progress_file(result: Path) -> Path:
    """Where the share that is done stands while a result is made."""
    return result.with_suffix(".progress")


def main(argv: Sequence[str]) -> int:
    """Perform what a file says, and write what came of it."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    plan, out = Path(argv[0]), Path(argv[1])
    experiment = msgspec.json.decode(plan.read_bytes(), type=Experiment)
    progress = progress_file(out)
    result = perform(experiment, lambda share: write_whole(progress, f"{share:.4f}".encode()))
    write_whole(out, msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n")
    progress.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
