"""From stored episodes to replay: read what is new, once, in the order of the store."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import torch

from distrl.errors import StoreError
from distrl.interfaces import EpisodeReader
from distrl.learn.model import Model
from distrl.replay.buffer import ReplayBuffer
from distrl.replay.trajectory import Trajectory
from distrl.tasks.sampling import SuccessPool
from distrl.types import Outcome, StoredEpisode, StoredStep

Unpack: TypeAlias = Callable[[bytes], Any]
"""A policy's prepared inputs, from the bytes that were stored with a step."""

_AT_ONCE = 64


def trajectory_of(episode: StoredEpisode, unpack: Unpack) -> Trajectory | None:
    """What replay keeps of an episode; None if there is nothing to learn from.

    A step without a decision or inputs cannot be learned from: a demonstrator's mistake, or an
    action that the policy cannot express. What comes after the last such step is still a whole
    way from somewhere to the end.
    """
    if not episode.outcome.trainable:
        return None
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
    )


def _log_mu(step: StoredStep) -> float:
    return math.nan if step.log_prob is None else step.log_prob


class Ingest:
    """Moves episodes from a source into a buffer, and counts them."""

    def __init__(
        self,
        *,
        source: EpisodeReader,
        buffer: ReplayBuffer,
        unpack: Unpack,
        pool: SuccessPool[Trajectory] | None = None,
    ) -> None:
        """Start before the first episode. A pool is told of every attempt."""
        self.buffer, self.pool = buffer, pool
        self._source = source
        self._unpack = unpack
        self._demonstrations: dict[str, Trajectory] = {}
        self._numbers: dict[str, int] = {}
        self.number = 0
        """Number of the last episode that was read."""
        self.episodes = 0
        """Episodes taken in that a policy of ours collected."""
        self.steps = 0
        """Their steps."""
        self.skipped = 0
        """Episodes that could not be learned from."""
        self.newest: Trajectory | None = None
        """The last of the collected episodes."""

    def demonstrate(self, trajectories: Iterable[Trajectory]) -> None:
        """Take demonstrations in; they are not collected, so they do not count.

        In the pool they stand beside what is collected of the same task: they may be only the end
        of a way, and would pass for the shortest.
        """
        for trajectory in trajectories:
            self._demonstrations[trajectory.id] = trajectory
            self.buffer.add(trajectory)
            if self.pool is not None:
                self.pool.report(trajectory.id, trajectory, succeeded=True)

    def poll(self, until: int | None = None) -> int:
        """Take in all that is new, or what is up to a number; returns how many episodes that were.

        StoreError when there is no episode of that number.
        """
        taken = 0
        while until is None or self.number < until:
            rows = self._source.read_after(self.number, _AT_ONCE)
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
        self._forget_numbers()
        self._numbers[trajectory.id] = number
        self.buffer.add(trajectory)
        self.newest = trajectory
        self.episodes += 1
        self.steps += len(trajectory)
        if self.pool is not None:
            self.pool.report(episode.task.id, trajectory, trajectory.succeeded)
        return True

    def _forget_numbers(self) -> None:
        """Keep the numbers of what is still held: by far most of the last `capacity`."""
        if len(self._numbers) < 2 * self.buffer.config.capacity + 1000:
            return
        kept = {episode_id for episode_id, _ in self.buffer.contents()}
        if self.pool is not None:
            kept |= {trajectory.id for trajectory in self.pool.items().values()}
        self._numbers = {name: n for name, n in self._numbers.items() if name in kept}

    def state(self) -> dict[str, Any]:
        """Counters, and where the episodes are that replay and the pool hold."""
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
        """Read the same episodes again and go on; the demonstrations are given again.

        Raises StoreError when the source no longer has one of them.
        """
        self._demonstrations = {trajectory.id: trajectory for trajectory in demonstrations}
        self._numbers = {str(name): int(n) for name, n in state["numbers"].items()}
        trajectories = {**self._demonstrations, **self._read_again(self._numbers)}
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
        for task_id in state["failing"]:
            if task_id in self.pool.items():
                self.pool.report(task_id, self.pool.items()[task_id], succeeded=False)

    def _read_again(self, numbers: Mapping[str, int]) -> dict[str, Trajectory]:
        """The episodes of certain numbers; neighbours are read together."""
        wanted = sorted(numbers.values())
        found: dict[str, Trajectory] = {}
        at = 0
        while at < len(wanted):
            rows = self._source.read_after(wanted[at] - 1, _AT_ONCE)
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
    """What `weights.canary.CanaryCheck` recomputes, for a model that acts."""

    def recompute(inputs: Sequence[bytes], decisions: Sequence[tuple[int, ...]]) -> list[float]:
        with torch.no_grad():
            seen = model.evaluate([unpack(data) for data in inputs], decisions)
        numbers: list[float] = seen.log_prob.tolist()
        return numbers

    return recompute
