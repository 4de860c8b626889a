"""Reads new episodes from the store into the replay buffer, each once, in the store's order."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import torch

from distrl.errors import StoreError
from distrl.interfaces import EpisodeReader
from distrl.learn.model import Model
from distrl.replay.buffer import ReplayBuffer
from distrl.replay.trajectory import Trajectory
from distrl.tasks.sampling import SuccessPool
from distrl.types import Outcome, StoredEpisode, StoredStep

Unpack: TypeAlias = Callable[[bytes], Any]
"""Decodes the policy inputs that were stored with a step."""

PriorityOf: TypeAlias = Callable[[Trajectory], float | None]
"""The priority of an episode, or None for the largest that is held."""

_READ_BATCH = 64
"""Episodes per read: bounds memory, since each holds the screens of all its steps."""


def trajectory_of(episode: StoredEpisode, unpack: Unpack) -> Trajectory | None:
    """The trajectory that replay keeps of an episode; None if nothing in it can be trained on.

    A step without a decision or inputs cannot be trained on: a demonstrator's mistake, or an action
    that the policy cannot encode. The trajectory starts after the last such step.
    """
    if not episode.outcome.trainable:
        return None
    # Cut, not skipped: returns bootstrap from the following step, so steps must be contiguous up
    # to the end, where the reward is.
    usable = [step.decision is not None and bool(step.inputs) for step in episode.steps]
    start = len(usable) - usable[::-1].index(False) if False in usable else 0
    steps = episode.steps[start:]
    if not steps:
        return None
    return Trajectory(
        id=episode.id,
        inputs=tuple(unpack(step.inputs) for step in steps),
        decisions=tuple(step.decision or () for step in steps),
        log_mu=np.array([_log_mu(step) for step in steps], np.float32),
        rewards=np.array([step.reward for step in steps], np.float32),
        penalties=np.array([sum(step.penalties.values()) for step in steps], np.float32),
        terminated=True,
        oldest_version=min(step.version for step in steps),
        succeeded=episode.outcome is Outcome.SUCCEEDED,
        goal=episode.task.goal,
        template=episode.task.template,
        values=_values(steps),
    )


def _largest(trajectory: Trajectory) -> None:
    del trajectory


def _values(steps: Sequence[StoredStep]) -> npt.NDArray[np.float32] | None:
    known = [step.value for step in steps if step.value is not None]
    return np.array(known, np.float32) if len(known) == len(steps) else None


def _log_mu(step: StoredStep) -> float:
    # NaN marks an unknown log mu in an array of floats: humans, scripts and APIs report none.
    return math.nan if step.log_prob is None else step.log_prob


class Ingest:
    """Moves episodes from a source into a replay buffer, and counts them."""

    def __init__(
        self,
        *,
        source: EpisodeReader,
        buffer: ReplayBuffer,
        unpack: Unpack,
        pool: SuccessPool[Trajectory] | None = None,
    ) -> None:
        """Start before the first episode. Every outcome is also reported to the success pool."""
        self.buffer, self.pool = buffer, pool
        self.priority_of: PriorityOf = _largest
        """The priority that a collected episode arrives with."""
        self._source = source
        self._unpack = unpack
        self._demonstrations: dict[str, Trajectory] = {}
        self._numbers: dict[str, int] = {}
        self.number = 0
        """Sequence number of the last episode that was read."""
        self.episodes = 0
        """Collected episodes that were added; demonstrations do not count."""
        self.steps = 0
        """Steps of those episodes."""
        self.skipped = 0
        """Episodes that could not be trained on."""
        self.newest: Trajectory | None = None
        """The last collected episode that was added."""

    def add_demonstrations(self, trajectories: Iterable[Trajectory]) -> None:
        """Add demonstrations to the buffer and to the success pool, without counting them."""
        for trajectory in trajectories:
            self._demonstrations[trajectory.id] = trajectory
            self.buffer.add(trajectory)
            if self.pool is not None:
                # Under its own id, not the task's: the pool keeps the shortest success of a task,
                # and a demonstration that was cut at a mistake would always be the shortest.
                self.pool.report(trajectory.id, trajectory, succeeded=True)

    def poll(self, until: int | None = None) -> int:
        """Add all new episodes, or those up to a sequence number; returns how many were added.

        StoreError if the store has no episode with that number.
        """
        taken = 0
        while until is None or self.number < until:
            rows = self._source.read_after(self.number, _READ_BATCH)
            if until is not None and (not rows or rows[0][0] > until):
                raise StoreError(f"there is no episode {until}; the last one is {self.number}")
            if not rows:
                break
            for number, episode in rows:
                if until is None or number <= until:
                    taken += self._take(number, episode)
        return taken

    def _take(self, number: int, episode: StoredEpisode) -> bool:
        self.number = number
        trajectory = trajectory_of(episode, self._unpack)
        if trajectory is None:
            self.skipped += 1
            return False
        self._prune_numbers()
        self._numbers[trajectory.id] = number
        self.buffer.add(trajectory, priority=self.priority_of(trajectory))
        self.newest = trajectory
        self.episodes += 1
        self.steps += len(trajectory)
        if self.pool is not None:
            self.pool.report(episode.task.id, trajectory, trajectory.succeeded)
        return True

    def _prune_numbers(self) -> None:
        """Drop the numbers of episodes that neither the buffer nor the pool still holds."""
        # Rarely, so that listing what is held, which takes O(capacity), is amortised.
        if len(self._numbers) < 2 * self.buffer.config.capacity + 1000:
            return
        kept = {episode_id for episode_id, _ in self.buffer.contents()}
        if self.pool is not None:
            kept |= {trajectory.id for trajectory in self.pool.items().values()}
        self._numbers = {name: n for name, n in self._numbers.items() if name in kept}

    def state(self) -> dict[str, Any]:
        """Counters, and the sequence numbers of the episodes that the buffer and the pool hold.

        Episodes themselves are not part of a checkpoint: the store has them.
        """
        held = [episode_id for episode_id, _ in self.buffer.contents()]
        pool = {} if self.pool is None else {t: r.id for t, r in self.pool.items().items()}
        wanted = {*held, *pool.values()}
        return {
            "number": self.number,
            "episodes": self.episodes,
            "steps": self.steps,
            "skipped": self.skipped,
            "newest": None if self.newest is None else self.newest.id,
            "numbers": {name: n for name, n in self._numbers.items() if name in wanted},
            "pool": pool,
            "failing": [] if self.pool is None else sorted(self.pool.failing()),
            "buffer": self.buffer.state(),
        }

    def restore(self, state: Mapping[str, Any], demonstrations: Iterable[Trajectory] = ()) -> None:
        """Restore a `state`: read the same episodes again. Demonstrations are passed in again.

        StoreError if the source no longer has one of the episodes.
        """
        self._demonstrations = {trajectory.id: trajectory for trajectory in demonstrations}
        self._numbers = {str(name): int(n) for name, n in state["numbers"].items()}
        trajectories = {**self._demonstrations, **self._reread(self._numbers)}
        named = {*state["buffer"]["ids"], *state["pool"].values()}
        if missing := sorted(named - trajectories.keys()):
            raise StoreError(
                f"{len(missing)} episodes of the checkpoint are not stored, such as {missing[0]!r}"
            )
        self.buffer.restore(state["buffer"], trajectories)
        self.number, self.episodes = state["number"], state["episodes"]
        self.steps, self.skipped = state["steps"], state["skipped"]
        self.newest = trajectories.get(state["newest"] or "")
        self._restore_pool(state, trajectories)

    def _restore_pool(
        self, state: Mapping[str, Any], trajectories: Mapping[str, Trajectory]
    ) -> None:
        if self.pool is None:
            return
        for task_id, episode_id in state["pool"].items():
            self.pool.report(task_id, trajectories[episode_id], succeeded=True)
        # Failures after successes: a failing task is one whose stored success is offered again.
        for task_id in state["failing"]:
            if task_id in self.pool.items():
                self.pool.report(task_id, self.pool.items()[task_id], succeeded=False)

    def _reread(self, numbers: Mapping[str, int]) -> dict[str, Trajectory]:
        """Read episodes by their sequence numbers; neighbours are read together."""
        wanted = sorted(numbers.values())
        found: dict[str, Trajectory] = {}
        at = 0
        while at < len(wanted):
            rows = self._source.read_after(wanted[at] - 1, _READ_BATCH)
            if not rows:
                break
            for _, episode in rows:
                if episode.id in numbers:
                    trajectory = trajectory_of(episode, self._unpack)
                    assert trajectory is not None
                    found[episode.id] = trajectory
            last = rows[-1][0]
            while at < len(wanted) and wanted[at] <= last:
                at += 1
        return found


def log_probs_of(model: Model, unpack: Unpack) -> Callable[..., Sequence[float]]:
    """The function with which `weights.canary.CanaryCheck` recomputes log-probabilities."""

    def recompute(inputs: Sequence[bytes], decisions: Sequence[tuple[int, ...]]) -> list[float]:
        with torch.no_grad():
            seen = model.evaluate([unpack(data) for data in inputs], decisions)
        numbers: list[float] = seen.log_prob.tolist()
        return numbers

    return recompute
