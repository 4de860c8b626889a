"""Oracle episodes, recorded step by step, for the tests of the suites."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from tests.contracts.monkey import random_action

from distrl.config.devices import PhoneConfig
from distrl.devices.phone.device import PhoneDevice
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.suites import load_suite, suite_names
from distrl.types import Action, Element, Outcome, Task

SUITES = suite_names()
SPLITS = ("train", "val", "test", "unseen")
EVERY = [(suite, split) for suite in SUITES for split in SPLITS]


@dataclass(frozen=True)
class Moment:
    """What the oracle saw and did."""

    elements: tuple[Element, ...]
    keyboard: bool
    action: Action


@dataclass(frozen=True)
class Run:
    """One episode of the oracle."""

    task: Task
    held_at_start: bool
    moments: tuple[Moment, ...]
    outcome: Outcome
    side_effects: tuple[str, ...]

    @property
    def succeeded(self) -> bool:
        return self.outcome is Outcome.SUCCEEDED

    @property
    def steps(self) -> int:
        return len(self.moments)


def play(
    task: Task,
    device: PhoneDevice,
    *,
    limit: int | None = None,
    prepare: Callable[[PhoneDevice], None] | None = None,
    mistakes: float = 0.0,
    seed: int = 0,
) -> Run:
    """Let the oracle do a task, with random actions in between at a rate of `mistakes`."""
    referee = PhoneReferee(device)
    oracle = PhoneOracle(referee)
    referee.begin(task)
    if prepare is not None:
        prepare(device)
    held = referee.holds()
    rng = Random(f"{seed} {task.id}")
    moments = []
    outcome = Outcome.STEP_LIMIT
    for _ in range(limit or task.step_limit):
        view = device.phone.view
        action = oracle.action()
        if rng.random() < mistakes:
            action = random_action(rng, view.elements, keyboard=view.keyboard)
        moments.append(Moment(view.elements, view.keyboard, action))
        if action.kind.ends_episode:
            outcome = referee.ended_by(action)
            break
        device.perform(action)
    effects = referee.verdict(outcome).side_effects
    return Run(task, held, tuple(moments), outcome, effects)


@cache
def oracle_runs(suite: str, split: str) -> tuple[Run, ...]:
    """All tasks of a split, on phones as they are by default."""
    device = PhoneDevice()
    return tuple(play(task, device) for task in load_suite(suite).tasks(split))


def phone(*, nuisance: str = "", layout: int = 1) -> PhoneDevice:
    """A phone without nuisances, or with one kind in every episode."""
    weights = {nuisance: 1.0} if nuisance else {}
    settings = PhoneConfig(
        nuisance_rate=1.0 if nuisance else 0.0, nuisance_weights=weights, layout=layout
    )
    return PhoneDevice(config=settings)


@cache
def one_task_per_template(suite: str) -> tuple[Task, ...]:
    """The first task of every template, from whatever split has one."""
    found: dict[str, Task] = {}
    for split in SPLITS:
        for task in load_suite(suite).tasks(split):
            found.setdefault(task.template, task)
    return tuple(found.values())


def variants(task: Task, seeds: Iterable[int]) -> list[Task]:
    """The same goal on other phones."""
    return [replace(task, seed=seed) for seed in seeds]


def listed(runs: Iterable[Run]) -> str:
    """Failed runs, one a line, for the message of an assertion."""
    lines = [
        f"{run.task.id} {run.task.template} seed {run.task.seed}: {run.outcome} {run.side_effects}"
        f" {run.task.goal!r}"
        for run in runs
    ]
    return "\n".join(["", *lines])
