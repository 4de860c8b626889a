"""The state of a run on any engine: what it has played, what it plays next, and the counts of it.

jobs --> collectors --> store --acknowledge--> acknowledgement log, counters, task sampler
^                                                                 |
+-----------------------------------------------------------------+
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from random import Random

from distrl.collect.jobs import SampledJobs
from distrl.config import RunConfig
from distrl.interfaces import Clock
from distrl.monitor.gauges import MINUTES
from distrl.replay.store.packing import Summary
from distrl.replay.store.sqlite import SqliteStore, StoreReader
from distrl.run.processes.supervisor import close_all
from distrl.run.state.counters import AcknowledgementLog, EpisodeCounters
from distrl.run.state.folder import RunFolder
from distrl.tasks.sampling import TaskSampler
from distrl.tasks.suites import Suite, load_suite
from distrl.types import Episode, Outcome

_AT_ONCE = 1000
"""Summaries read at a time: a run may have stored more episodes than fit into memory at once."""


def make_sampler(config: RunConfig, suite: Suite, store: StoreReader) -> TaskSampler:
    """The task sampler, told of all that is stored already."""
    # With the number of episodes, so that a resumed run does not draw the tasks of its beginning
    # again.
    rng = Random(f"tasks {config.seed} {store.count()}")
    sampler = TaskSampler(
        suite.tasks(config.tasks.split), rng, config.curriculum, repeat=config.learner.group
    )
    tasks = {task.id: task for task in suite.tasks(config.tasks.split)}
    for summary in summaries_of(store):
        if summary.task_id in tasks and summary.outcome.trainable:
            sampler.report(tasks[summary.task_id], summary.outcome is Outcome.SUCCEEDED)
    return sampler


def steps_in(store: StoreReader) -> int:
    """Steps of all stored episodes."""
    return sum(summary.steps for summary in summaries_of(store))


def summaries_of(store: StoreReader) -> Iterator[Summary]:
    """A line about each stored episode, oldest first."""
    number = 0
    while found := store.summaries(number, _AT_ONCE):
        yield from found
        number = found[-1].number


class RunState:
    """Store, counters and jobs of a run; a resumed run continues from what its folder holds."""

    def __init__(
        self,
        folder: RunFolder,
        config: RunConfig,
        clock: Clock,
        *,
        version: Callable[[], int],
        before: float = 0.0,
    ) -> None:
        """Open the store.

        `version` is the newest one that acts; `before` are seconds of training so far.
        """
        self._clock, self._version = clock, version
        self._before, self._started = before, 0.0
        self.store = SqliteStore(folder.episodes)
        stored = self.store.count()
        self.counters = EpisodeCounters(clock, episodes=stored, steps=steps_in(self.store))
        self._acknowledgement_log = AcknowledgementLog(folder.acknowledged)
        self._sampler = make_sampler(config, load_suite(config.tasks.suite), self.store)
        self.jobs = SampledJobs(
            self._sampler,
            seed=config.seed,
            # New for every start: numbers go on from the count of stored episodes, and some of them
            # may be taken by episodes that overtook others.
            prefix=uuid.uuid4().hex[:8],
            first=stored,
            limit=config.max_episodes,
        )

    def start(self) -> None:
        """From now on the time counts."""
        self._started = self._clock.now()

    def acknowledge(self, episode: Episode) -> None:
        """Take note of an episode that is durable."""
        self._acknowledgement_log.note(episode)
        self.counters.add(episode, version=self._version())
        if episode.outcome.trainable:
            self._sampler.report(episode.task, episode.succeeded)

    def gauges(self) -> dict[str, float]:
        """How much there is, how fast it comes, and for how long."""
        return {
            **self.counters.gauges(),
            MINUTES: (self._before + self._clock.now() - self._started) / 60.0,
            "collect/clock": self._clock.now(),
            **self.store.gauges(),
        }

    def close(self) -> None:
        """Make durable what was handed in; call it when nobody plays any more."""
        close_all(self.store.close, self._acknowledgement_log.close)
