"""What is rolled out next: tasks from a sampler, with an id and a seed for each episode."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Protocol

from distrl.types import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One rollout to play: a task, and the episode that comes of it."""

    task: Task
    episode_id: str
    seed: int
    """Decides everything random in the policy's decisions."""


class JobSource(Protocol):
    """Says what is to be played next. Any thread may ask."""

    def next(self) -> Job | None:
        """The next rollout; None when there are enough."""
        ...


class TaskSource(Protocol):
    """Draws tasks and is told what became of them, as a curriculum needs it."""

    def next(self) -> Task:
        """Draw the next task."""
        ...

    def report(self, task: Task, succeeded: bool) -> None:
        """Take note of an episode that ended."""
        ...


class SampledJobs:
    """Numbers the rollouts of a run, and ends when there are enough. Any thread may ask."""

    def __init__(
        self, tasks: TaskSource, *, seed: int, prefix: str, first: int = 0, limit: int | None = None
    ) -> None:
        """Start at number `first` and stop before number `limit`.

        A run that goes on after a crash starts at the number of stored episodes and may give a
        number twice; `prefix` differs from start to start, so an episode's name is never reused.
        """
        self._tasks = tasks
        self._seed, self._prefix = seed, prefix
        self._number, self._limit = first, limit
        self._lock = threading.Lock()

    def next(self) -> Job | None:
        """The next rollout; None when there are enough."""
        with self._lock:
            number = self._number
            if self._limit is not None and number >= self._limit:
                return None
            self._number += 1
        return Job(
            task=self._tasks.next(),
            episode_id=f"{self._prefix}-{number}",
            # 32 bits for the number: runs with other seeds never share an episode's seed.
            seed=(self._seed << 32) + number,
        )
