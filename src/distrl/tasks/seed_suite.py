"""Suites whose tasks differ by their seed alone: what a page or an environment makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from distrl.errors import ConfigError
from distrl.tasks.suites import Suite, SuiteShape
from distrl.tasks.template import Template
from distrl.types import Task, Value

FIRST_SEEDS = {"train": 0, "val": 1_000_000, "test": 2_000_000, "unseen": 3_000_000}
"""Where the seeds of each split begin; no split is longer than the way to the next."""
_MOST = 1_000_000


class SeedTemplate(Template):
    """One kind of task."""

    step_limit: int
    worded_when_played: bool = True
    """Whether the page or environment may word the goal itself, by the seed, at `reset`. Nobody
    can compare the goals of two splits then before they are played."""
    splits: tuple[str, ...] = tuple(FIRST_SEEDS)
    """Which splits have tasks of this kind."""

    def __init__(self, name: str, goals: Sequence[str], step_limit: int) -> None:
        """Goals take turns; whoever plays the task may word them in another way."""
        self.name, self.phrasings = name, tuple(goals)
        self.step_limit = step_limit

    def posed(self, split: str, turn: int) -> tuple[str, Mapping[str, Value]]:
        """Goal and parameters of the task that has this turn in a split, from 0."""
        del split
        return self.phrasings[turn % len(self.phrasings)], {}


class SeedSuite(Suite):
    """Kinds of tasks, each with as many seeds as the split asks for."""

    def __init__(
        self,
        name: str,
        templates: Sequence[SeedTemplate],
        per_task: Mapping[str, int],
        *,
        where: str = "",
        device: str = "",
    ) -> None:
        """`per_task` are the seeds of each split; `where` is what the suite is loaded by.

        `device` is the kind of device that it is played on, by default the one of the same name.
        """
        for split, count in per_task.items():
            if split not in FIRST_SEEDS or not 0 <= count <= _MOST:
                raise ConfigError(
                    f"{name}: a split is one of {', '.join(FIRST_SEEDS)} and has 0 to {_MOST} "
                    f"seeds, got {split}: {count}"
                )
        kinds_in = {split: [t for t in templates if split in t.splits] for split in per_task}
        sizes = {split: count * len(kinds_in[split]) for split, count in per_task.items()}
        longest = max(template.step_limit for template in templates)
        super().__init__(name, templates, SuiteShape(sizes=sizes, step_limit=longest, first_seed=0))
        self._kinds_in = kinds_in
        self.device = device or name
        self._per_task, self._where = per_task, where or name

    def _draw(self, split: str) -> tuple[Task, ...]:
        kinds = self._kinds_in.get(split, ())
        tasks = []
        for turn in range(self._per_task.get(split, 0)):
            for place, kind in enumerate(kinds):
                goal, parameters = kind.posed(split, turn)
                task = Task(
                    id=f"{self.name}/{split}/{turn * len(kinds) + place}",
                    goal=goal,
                    suite=self._where,
                    split=split,
                    template=kind.name,
                    parameters=parameters,
                    seed=FIRST_SEEDS[split] + turn,
                    step_limit=kind.step_limit,
                )
                tasks.append(task)
        return tuple(tasks)
