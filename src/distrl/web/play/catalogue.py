"""What can be played: the tasks of a suite by split, and the policies that may act."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from distrl.collect.evaluation.evaluate import PolicyFactory
from distrl.errors import ConfigError, unknown_name
from distrl.policies import policy_names
from distrl.run.named_policy import PRETRAINED, policy_factory
from distrl.tasks.suites import Suite, load_suite
from distrl.types import Task

MOST_LISTED = 200
"""Tasks in one answer: more than anybody scrolls through, few enough to draw at once."""
_CHEATS = ("scripted", "noisy")
"""Policies that need an oracle."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The tasks of one suite."""

    suite: str
    """The suite's name, as it was asked for."""
    loaded: Suite

    @classmethod
    def of(cls, suite: str) -> Catalogue:
        """That of a suite; ConfigError, with the nearest name, when there is none."""
        return cls(suite, load_suite(suite))

    def splits(self) -> dict[str, int]:
        """How many tasks each split has; empty splits are left out."""
        counts = {split: len(self.loaded.tasks(split)) for split in self.loaded.splits}
        return {split: count for split, count in counts.items() if count}

    def tasks(self, split: str) -> Sequence[Task]:
        """The tasks of a split; ConfigError for an unknown one, or one without tasks."""
        found = self.loaded.tasks(split) if split in self.loaded.splits else ()
        if not found:
            raise unknown_name(f"split of {self.suite}", split, self.splits())
        return found

    def task(self, task_id: str) -> Task:
        """A task by its id; ConfigError when this suite has none of it."""
        split = task_id.split("/")[-2] if task_id.count("/") >= 2 else ""
        for task in self.tasks(split):
            if task.id == task_id:
                return task
        raise ConfigError(f"{self.suite} has no task {task_id!r}")

    def listed(self, split: str, *, text: str = "", template: str = "") -> dict[str, Any]:
        """The first tasks of a split whose goals have all words of `text`, as a page lists them."""
        tasks = self.tasks(split)
        words = text.lower().split()
        found = [
            task
            for task in tasks
            if (not template or task.template == template) and _has(task, words)
        ]
        rows = [
            {"id": task.id, "goal": task.goal, "template": task.template}
            for task in found[:MOST_LISTED]
        ]
        templates = dict(sorted(Counter(task.template for task in tasks).items()))
        return {"count": len(found), "tasks": rows, "templates": templates}

    def next_to(self, task: Task) -> Task:
        """The task after another one in its split; after the last comes the first."""
        tasks = self.tasks(task.split)
        place = next((i for i, other in enumerate(tasks) if other.id == task.id), -1)
        return tasks[(place + 1) % len(tasks)]


def _has(task: Task, words: Sequence[str]) -> bool:
    said = f"{task.goal} {task.id} {task.template}".lower()
    return all(word in said for word in words)


def offered_policies(
    suite: Suite,
    named: Sequence[str],
    *,
    seed: int = 0,
    own: Mapping[str, PolicyFactory] | None = None,
) -> dict[str, Callable[[], PolicyFactory]]:
    """The policies that a session on a suite offers, by name; those `named` first.

    The named ones are loaded now, so that a wrong name is told before anything is served. Names of
    `own` mean the policies there.
    """
    offers: dict[str, Callable[[], PolicyFactory]] = {}
    for name in named:
        made = (own or {}).get(name) or policy_factory(name, seed=seed, kinds=suite.kinds)
        offers[name] = partial(_itself, made)
    for name in (PRETRAINED, *sorted(policy_names(), reverse=True)):
        # Only the embedded phone has an oracle for certain; a plug-in's may be named.
        if name not in offers and (suite.device == "phone" or name not in _CHEATS):
            offers[name] = partial(policy_factory, name, seed=seed, kinds=suite.kinds)
    return offers


def _itself(factory: PolicyFactory) -> PolicyFactory:
    return factory
