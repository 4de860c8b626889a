"""The stages of a run as a person sees them, and how long each is expected to take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from distrl.collect.evaluation.evaluate import select_tasks
from distrl.config import RunConfig
from distrl.monitor.progress import Stage
from distrl.tasks.seed_suite import SeedSuite
from distrl.tasks.suites import is_over_adb, load_suite

ENCODING, INITIAL_WEIGHTS, TRAINING = "encoding goals and labels", "initial weights", "training"
EVALUATING, SNAPSHOTS = "evaluating", "evaluating weights on the way"

_ENCODING_SECONDS = 5.0
_CLONING_SECONDS = 20.0
_LOADING_SECONDS = 1.0
_SECONDS_PER_TASK = 0.05
"""Of an evaluation on embedded phones. These are guesses for a machine of two cores, until the
first evaluation was timed; they decide nothing but the bar and the time left."""


def plan_stages(config: RunConfig, noted: Mapping[str, Any], *, started: bool) -> list[Stage]:
    """What a run will do, given what is noted of it; `started` if its initial weights are made."""
    stages = [
        Stage(name=ENCODING, seconds=_ENCODING_SECONDS),
        Stage(name=INITIAL_WEIGHTS, seconds=_LOADING_SECONDS if started else _cloning(config)),
    ]
    evaluation = Stage(name=EVALUATING, seconds=_evaluation(config), kind=EVALUATING)
    if config.evaluate.before and "before" not in noted:
        stages.append(evaluation)
    minutes = config.minutes
    if minutes is None or config.engine == "virtual":
        stages.append(Stage(name=TRAINING))
    elif noted["seconds"] < 60.0 * minutes:
        stages.append(Stage(name=TRAINING, seconds=60.0 * minutes))
    if config.evaluate.every_minutes is not None and minutes is not None:
        snapshot = Stage(name=SNAPSHOTS, seconds=evaluation.seconds, kind=EVALUATING)
        stages += [snapshot] * int(minutes / config.evaluate.every_minutes)
    return [*stages, evaluation]


def _cloning(config: RunConfig) -> float | None:
    """Seconds until a run has its initial weights."""
    if config.init != "warm_start":
        return _LOADING_SECONDS
    return _CLONING_SECONDS if config.policy.name == "pointer" else None


def _evaluation(config: RunConfig) -> float | None:
    """Seconds of one evaluation; nobody knows what phones over adb and pages will take."""
    suite = config.tasks.suite
    if is_over_adb(suite) or isinstance(load_suite(suite), SeedSuite):
        return None
    tasks = select_tasks(suite, config.evaluate.split, tasks=config.evaluate.tasks)
    return _SECONDS_PER_TASK * len(tasks)
