"""Suites: templates, and the tasks of each split that are drawn from them.

The tasks of a split are a pure function of the suite's templates: the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from distrl import plugins
from distrl.errors import ConfigError, unknown_name
from distrl.plugins import Part
from distrl.tasks.pools import SPLITS, normalise
from distrl.tasks.template import Draw, Template
from distrl.types import Task

_DRAWS = 60
"""Tries to find a goal that the split does not have yet."""
_PATIENCE = 12
"""Tries with one phrasing before the next has its turn."""
_SEED_STEP = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteShape:
    """How large a suite is."""

    sizes: Mapping[str, int]
    """Tasks per split."""
    step_limit: int
    first_seed: int
    """Seeds of a suite start here; each split has a range of its own."""
    already_open: float = 0.0
    """Share of the tasks that start where a person left the phone: in the app that is needed."""


class Suite:
    """One family of tasks on one kind of device."""

    def __init__(self, name: str, templates: Sequence[Template], shape: SuiteShape) -> None:
        """Name the templates; tasks are drawn when first asked for."""
        self.name = name
        self.templates: dict[str, Template] = {}
        for template in templates:
            if template.name in self.templates:
                raise ConfigError(f"two templates of {name} are named {template.name!r}")
            self.templates[template.name] = template
        self.shape = shape
        self._tasks: dict[str, tuple[Task, ...]] = {}

    @property
    def splits(self) -> tuple[str, ...]:
        """Names of the splits."""
        return SPLITS

    def tasks(self, split: str) -> tuple[Task, ...]:
        """The tasks of a split, in a fixed order that mixes the templates."""
        if split not in SPLITS:
            raise unknown_name("split", split, SPLITS)
        if split not in self._tasks:
            self._tasks[split] = self._draw(split)
        return self._tasks[split]

    def template(self, name: str) -> Template:
        """A template by name."""
        if name not in self.templates:
            raise unknown_name(f"template of {self.name}", name, self.templates)
        return self.templates[name]

    def _draw(self, split: str) -> tuple[Task, ...]:
        pool = [t for t in self.templates.values() if t.unseen == (split == "unseen")]
        rng = Random(f"{self.name} {split}")
        goals: set[str] = set()
        drawn = [
            (template.name, goal, parameters)
            for template, count in _quotas(pool, self.shape.sizes[split]).items()
            for goal, parameters in _draw_some(template, count, Draw(split, rng), goals)
        ]
        rng.shuffle(drawn)
        first = self.shape.first_seed + SPLITS.index(split) * _SEED_STEP
        return tuple(
            Task(
                id=f"{self.name}/{split}/{index}",
                goal=goal,
                suite=self.name,
                split=split,
                template=template,
                parameters=parameters,
                seed=first + index,
                step_limit=self.shape.step_limit,
            )
            for index, (template, goal, parameters) in enumerate(drawn)
        )


def _quotas(templates: Sequence[Template], size: int) -> dict[Template, int]:
    """Share a number of tasks out by weight; the largest remainders get the odd ones."""
    total = sum(t.weight for t in templates)
    exact = {t: size * t.weight / total for t in templates}
    quotas = {t: int(share) for t, share in exact.items()}
    # Less than half a task is rounded down as long as anybody else can take the odd one.
    by_remainder = sorted(templates, key=lambda t: (exact[t] < 0.5, quotas[t] - exact[t]))
    for template in by_remainder[: size - sum(quotas.values())]:
        quotas[template] += 1
    return quotas


def _draw_some(
    template: Template, count: int, draw: Draw, goals: set[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Goals and their parameters, new to the split while there are any left.

    Phrasings take turns: none is heard more often than the others, or never.
    """
    phrasings = list(template.phrasings_for(draw.split))
    draw.rng.shuffle(phrasings)
    for turn in range(count):
        for attempt in range(_DRAWS):
            phrasing = phrasings[(turn + attempt // _PATIENCE) % len(phrasings)]
            parameters = template.sample(draw)
            goal = phrasing.format(**parameters)
            if normalise(goal) not in goals:
                break
        goals.add(normalise(goal))
        yield goal, parameters


def _general() -> Suite:
    from distrl.tasks.general import TEMPLATES

    sizes = {"train": 600, "val": 64, "test": 128, "unseen": 136}
    shape = SuiteShape(sizes=sizes, step_limit=15, first_seed=10_000_000, already_open=0.4)
    return Suite("general", TEMPLATES, shape)


def _shopping() -> Suite:
    from distrl.tasks.shopping import TEMPLATES

    sizes = {"train": 500, "val": 64, "test": 128, "unseen": 64}
    shape = SuiteShape(sizes=sizes, step_limit=20, first_seed=20_000_000)
    return Suite("shopping", TEMPLATES, shape)


_SUITES: dict[str, Callable[[], Suite]] = {"general": _general, "shopping": _shopping}


def built_in_suites() -> tuple[str, ...]:
    """Names of the suites that are always there."""
    return tuple(_SUITES)


def suite_names() -> tuple[str, ...]:
    """Names that `load_suite` knows, those of plug-ins last."""
    return (*_SUITES, *plugins.names(Part.SUITE, _SUITES))


def find_task(task_id: str) -> Task:
    """A task by its id, such as `general/test/17`."""
    parts = task_id.split("/")
    if len(parts) != 3:
        raise ConfigError(
            f"a task is named SUITE/SPLIT/NUMBER, such as general/val/0, got {task_id!r}"
        )
    suite, split, number = parts
    tasks = load_suite(suite).tasks(split)
    if not (number.isdecimal() and int(number) < len(tasks)):
        raise ConfigError(
            f"unknown task {task_id!r}: {suite}/{split} has the numbers 0 to {len(tasks) - 1}"
            if tasks
            else f"unknown task {task_id!r}: {suite}/{split} has no tasks"
        )
    return tasks[int(number)]


def is_file(name: str) -> bool:
    """Whether a suite is named by the file that holds its goals, for phones over adb."""
    return name.endswith((".yaml", ".yml", ".txt"))


@cache
def load_suite(name: str) -> Suite:
    """A suite by name: a built-in one, a plug-in's, or a file of goals for phones over adb."""
    if name in _SUITES:
        return _SUITES[name]()
    if is_file(name):
        from distrl.tasks.android import read_suite

        return read_suite(name)
    plugin = plugins.find(Part.SUITE, name, _SUITES)
    suite = plugin.make()
    if not isinstance(suite, Suite) or suite.name != name:
        raise plugin.broken(f"it made {suite!r}, which is no Suite of that name")
    with plugin.guarded():  # now, while it is known whose mistake it would be
        for split in suite.splits:
            suite.tasks(split)
    return suite
