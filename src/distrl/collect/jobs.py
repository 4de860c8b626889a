"""What is played next: tasks from a sampler, with a name and a seed for each episode."""

from __future__ import annotations

import threading
from typing import Protocol

from distrl.collect.collector import Job
from distrl.types import Task


class Tasks(Protocol):
    """Draws tasks."""

    def next(self) -> Task:
        """The next one."""
        ...


class SampledJobs:
    """Numbers the episodes of a run, and ends when there are enough."""

    def __init__(
        self, tasks: Tasks, *, seed: int, prefix: str, first: int = 0, limit: int | None = None
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
        """The next episode; None when there are enough."""
        with self._lock:
            number = self._number
            if self._limit is not None and number >= self._limit:
                return None
            self._number += 1
        return Job(
            task=self._tasks.next(),
            episode_id=f"{self._prefix}-{number}",
            seed=(self._seed << 32) + number,
        )
