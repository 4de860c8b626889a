"""The learner: samples replay, updates the policy, publishes weights. One `step` is one update.

    EpisodeStore --poll--> ReplayBuffer --sample--> Algorithm.update --priorities--> ReplayBuffer
                                                           |
                              every few updates            v
                              WeightChannel <--publish-- weights, with canaries

It waits until `min_episodes` were collected, and while `replay_ratio` is used up; it never waits
for a particular device. It is deterministic: the same episodes at the same updates give the same
weights bit for bit. So other processes (DDP) can repeat its updates: it announces every
`SharedUpdate`, and they `follow`.
"""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
import torch

from distrl.config.learn import LearnerConfig
from distrl.errors import PipelineError
from distrl.interfaces import Clock, Monitor, WeightChannel
from distrl.learn.algorithms.a_ride import UpdateResult
from distrl.learn.data_parallel import without_data_parallel
from distrl.learn.ingest import Ingest
from distrl.learn.learner_state import (
    Snapshot,
    flatten,
    random_state,
    restore_random_state,
    unflatten,
)
from distrl.learn.model import Model
from distrl.learn.task_groups import with_group_members
from distrl.replay.buffer import Sampled
from distrl.replay.index import Floats
from distrl.replay.priorities import PriorityScale, importance_exponent, priorities
from distrl.replay.trajectory import Trajectory
from distrl.weights.canary import Canary, write_canary

PATIENCE_SECONDS = 0.5
"""How long `step` waits for something to do, so that its caller can look for a stop meanwhile."""
_POLL_SECONDS = 0.02
"""Between two looks at the store while waiting: short beside an update, long beside a look."""
_SWEEP_SIZE = 64
"""Forward passes saved up before a sweep, so that it is one large batch; also its most episodes."""
_UPDATE_COST = 4.0
"""Cost of an update in forward passes per step: forward, backward (twice), EMA critics."""

_log = logging.getLogger(__name__)


Vary: TypeAlias = Callable[[Sequence[Any], np.random.Generator], Sequence[Any]]
"""Data augmentation: other inputs for an episode's steps with the same correct decisions."""


@runtime_checkable
class Algorithm(Protocol):
    """A learning algorithm on sampled episodes."""

    @property
    def model(self) -> Model:
        """The model that is trained and published."""
        ...

    def update(
        self, sampled: Sampled, pool: Sequence[Trajectory] = (), progress: float = 0.0
    ) -> UpdateResult:
        """One gradient step; `progress` in [0, 1] is the spent share of the budget."""
        ...

    def terms(self, sampled: Sampled) -> Floats:
        """[B, 3] terms of the priorities of episodes, without a gradient step."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """Everything that the next update depends on, as a tree of tensors and plain values."""
        ...

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Restore what `state_dict` returned."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedUpdate:
    """What an update depends on besides weights and stored episodes; sent to other learners."""

    number: int
    """Sequence number of the last episode that was read."""
    version: int
    """Version of the last published weights."""
    progress: float
    """Spent share of the budget."""


def _announce_to_nobody(turn: SharedUpdate) -> None:
    del turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How much a run may learn: the limit that is reached first ends it; None is no limit."""

    seconds: float | None = None
    episodes: int | None = None
    """Collected episodes."""


_NO_LIMIT = Budget()


@dataclass(frozen=True, kw_only=True)
class LearnerParts:
    """Dependencies of a learner."""

    algorithm: Algorithm
    ingest: Ingest
    """Brings its replay buffer, and the success pool if there is one."""
    channel: WeightChannel
    clock: Clock
    pack: Callable[[Any], bytes]
    """Serialises the policy's inputs, for canaries."""
    scale: PriorityScale = field(default_factory=PriorityScale)
    monitor: Monitor | None = None
    save: Callable[[Snapshot], object] | None = None
    """Writes a checkpoint."""
    vary: Vary | None = None
    """Applied anew each time an episode is trained on."""
    announce: Callable[[SharedUpdate], None] = _announce_to_nobody
    """Called before every update."""
    gauges: Callable[[], Mapping[str, float]] = dict
    """Further metrics, such as those of gradient workers."""
    extra: Callable[[], Mapping[str, Any]] = dict
    """Plain values of other parts to store in checkpoints, as `extra`."""


class Learner:
    """Trains one model on stored episodes and publishes its weights."""

    def __init__(
        self,
        parts: LearnerParts,
        config: LearnerConfig,
        *,
        budget: Budget = _NO_LIMIT,
        seed: int = 0,
    ) -> None:
        """Build a learner; nothing is read or published before `begin`.

        `seed` decides how episodes are varied and which are drawn from the success pool.
        """
        self._parts, self.config, self.budget, self._seed = parts, config, budget, seed
        self._buffer = parts.ingest.buffer
        self._pool_rng = Random(seed)
        self.version = 0
        """Number of the last publish."""
        self.updates, self.trained_steps = 0, 0
        self.pooled_steps = 0
        """Steps from the success pool that were imitated, not counted in `trained_steps`."""
        self._sweep_owed, self._sweep_at, self._swept_steps = 0.0, 0, 0
        self._started, self._elapsed_before = parts.clock.now(), 0.0
        self._busy, self._sweeping = 0.0, 0.0
        self._recent: deque[float] = deque(maxlen=51)
        self._restored_version: int | None = None

    @property
    def algorithm(self) -> Algorithm:
        """The algorithm."""
        return self._parts.algorithm

    def begin(self) -> None:
        """Publish the first weights, so that collectors can act.

        After `restore`, nothing is published if the channel has the checkpoint's version; otherwise
        the restored weights are published under a new version.
        """
        self._started = self._parts.clock.now()
        latest = self._parts.channel.latest()
        if self._restored_version is None or latest != self._restored_version:
            self.version = max(self.version, latest)
            # Canaries need a forward pass. Other processes have not joined yet, and a sharded model
            # (FSDP) can only be passed by all of them together.
            alone = (
                without_data_parallel(self._parts.algorithm.model) is self._parts.algorithm.model
            )
            self.publish(canaries=alone)

    def step(self) -> dict[str, float] | None:
        """Make one update and return its metrics; None if there was nothing to do for a while."""
        if not self._parts.clock.wait_until(
            self._can_update, timeout=PATIENCE_SECONDS, poll=_POLL_SECONDS
        ):
            return None
        return self.update()

    def _can_update(self) -> bool:
        self._parts.ingest.poll()
        return self.waiting_for is None

    @property
    def waiting_for(self) -> str | None:
        """What the next update waits for: `episodes`, `replay_ratio`, or None."""
        ingest = self._parts.ingest
        if ingest.episodes < self.config.min_episodes:
            return "episodes"
        if self.trained_steps >= self.config.replay_ratio * ingest.steps:
            return "replay_ratio"
        return None

    @property
    def elapsed(self) -> float:
        """Seconds of learning, including those before a restart."""
        return self._elapsed_before + self._parts.clock.now() - self._started

    @property
    def progress(self) -> float:
        """Spent share of the budget, in [0, 1]; 0 without a budget."""
        budget, spent = self.budget, [0.0]
        if budget.seconds is not None:
            spent.append(self.elapsed / budget.seconds)
        if budget.episodes is not None:
            spent.append(self._parts.ingest.episodes / budget.episodes)
        return min(1.0, max(spent))

    def update(self) -> dict[str, float]:
        """Make one update now: priorities, sweep, publish, metrics and checkpoint included."""
        progress = self.progress
        number = self._parts.ingest.number
        self._parts.announce(SharedUpdate(number=number, version=self.version, progress=progress))
        return self._update(progress)

    def follow(self, turn: SharedUpdate) -> dict[str, float]:
        """Make the update that the leading learner has announced."""
        self._parts.ingest.poll(until=turn.number)
        self.version = turn.version
        return self._update(turn.progress)

    def _update(self, progress: float) -> dict[str, float]:
        clock, config = self._parts.clock, self.config
        began = clock.now()
        sampled = self._draw(importance_exponent(self._buffer.config, progress))
        # A generator per update, so that a restored learner varies its next batch as the first
        # would have done.
        rng = np.random.default_rng((self._seed, self.updates))
        varied = replace(sampled, trajectories=self._augmented(sampled.trajectories, rng))
        pool = self._augmented(self._pooled(), rng)
        result = self._parts.algorithm.update(varied, pool, progress)
        self._require_finite(result)
        means = self._parts.scale.update(result.terms)
        # Priorities are refreshed from numbers that the update computed anyway.
        self._prioritise(sampled, result.terms, means)
        self.updates += 1
        trained = sum(len(trajectory) for trajectory in sampled.trajectories)
        self.trained_steps += trained
        self.pooled_steps += sum(len(trajectory) for trajectory in pool)
        self._sweep(trained)
        if self.updates % config.publish_every == 0:
            self.publish()
        self._busy += clock.now() - began
        self._recent.append(clock.now())
        metrics = {**result.metrics, **self._staleness(sampled), **self.gauges()}
        if self._parts.monitor is not None:
            self._parts.monitor.record(metrics, step=self.updates)
        if self._parts.save is not None and self.updates % config.checkpoint_every == 0:
            self._parts.save(self.snapshot())
        return metrics

    def _draw(self, importance: float) -> Sampled:
        config, version = self.config, self.version
        count = max(1, config.batch // config.group)
        drawn = self._buffer.sample(count, version=version, importance=importance)
        if config.group == 1:
            return drawn
        return with_group_members(self._buffer, drawn, config.group, version=version)

    def _augmented(
        self, trajectories: Sequence[Trajectory], rng: np.random.Generator
    ) -> tuple[Trajectory, ...]:
        vary = self._parts.vary
        if vary is None:
            return tuple(trajectories)
        return tuple(replace(r, inputs=tuple(vary(r.inputs, rng))) for r in trajectories)

    def _pooled(self) -> list[Trajectory]:
        pool = self._parts.ingest.pool
        return [] if pool is None else pool.draw(pool.config.batch, self._pool_rng)

    def _require_finite(self, result: UpdateResult) -> None:
        """PipelineError if a metric is not finite, before such weights are published or stored."""
        wrong = [name for name, number in result.metrics.items() if not math.isfinite(number)]
        if wrong or not np.isfinite(result.terms).all():
            raise PipelineError(
                f"update {self.updates + 1} went wrong: no finite {', '.join(wrong) or 'priority'}"
            )

    def _prioritise(self, sampled: Sampled, terms: Floats, means: Floats) -> None:
        new = priorities(terms, means, self._buffer.config.priorities)
        self._buffer.update(sampled.slots, new, version=self.version)

    def _sweep(self, trained: int) -> None:
        """Refresh priorities of stored episodes in turn, with a fixed share of the work.

        Work is counted in forward passes instead of seconds, so that the same episodes give the
        same run; the metric `learner/sweep_share` is the resulting share of time.
        """
        share = self.config.sweep_share
        self._sweep_owed += _UPDATE_COST * trained * share / (1 - share)
        if self._sweep_owed < _SWEEP_SIZE:
            return
        began = self._parts.clock.now()
        sampled = self._next_to_sweep(self._sweep_owed)
        steps = sum(len(trajectory) for trajectory in sampled.trajectories)
        # Twice: the policy and the EMA critics pass every step.
        self._sweep_owed -= 2 * steps
        self._swept_steps += steps
        terms = self._parts.algorithm.terms(sampled)
        self._prioritise(sampled, terms, self._parts.scale.current)
        self._sweeping += self._parts.clock.now() - began

    def _next_to_sweep(self, owed: float) -> Sampled:
        held = self._buffer.held
        first = int(np.searchsorted(held, self._sweep_at))
        turn = self._buffer.look(np.roll(held, -first)[:_SWEEP_SIZE], version=self.version)
        steps = 2 * np.cumsum([len(trajectory) for trajectory in turn.trajectories])
        slots = turn.slots[: max(1, int(np.searchsorted(steps, owed, side="right")))]
        self._sweep_at = int(slots[-1]) + 1
        return self._buffer.look(slots, version=self.version)

    def publish(self, *, canaries: bool = True) -> None:
        """Publish the weights under the next version."""
        parts = self._parts
        self.version += 1
        weights = parts.algorithm.model.state_dict()
        notes = self._canaries() if canaries else {}
        parts.channel.publish(weights, self.version, notes=notes)

    def _canaries(self) -> dict[str, str]:
        newest = self._parts.ingest.newest
        count = self.config.canaries
        if newest is None or count == 0:
            return {}
        inputs, decisions = newest.inputs[:count], newest.decisions[:count]
        with torch.no_grad():
            seen = without_data_parallel(self._parts.algorithm.model).evaluate(inputs, decisions)
        packed = tuple(self._parts.pack(step) for step in inputs)
        return write_canary(Canary(packed, decisions, tuple(seen.log_prob.tolist())))

    def _staleness(self, sampled: Sampled) -> dict[str, float]:
        lags = [self.version - trajectory.oldest_version for trajectory in sampled.trajectories]
        return {"lag/mean": float(np.mean(lags)), "lag/max": float(max(lags))}

    def gauges(self) -> dict[str, float]:
        """Metrics that are known at any time."""
        ingest, wall = self._parts.ingest, self._parts.clock.now() - self._started
        # Over the last 50 updates, so that the rate follows changes.
        took = self._recent[-1] - self._recent[0] if self._recent else 0.0
        return {
            "replay/episodes": float(len(self._buffer)),
            "replay/eligible": float(self._buffer.eligible(self.version)),
            "replay/ratio": self.trained_steps / max(1, ingest.steps),
            "replay/skipped": float(ingest.skipped),
            "collected/episodes": float(ingest.episodes),
            "collected/steps": float(ingest.steps),
            "learner/updates": float(self.updates),
            "learner/trained_steps": float(self.trained_steps),
            "learner/pooled_steps": float(self.pooled_steps),
            "learner/swept_steps": float(self._swept_steps),
            "learner/updates_per_second": (len(self._recent) - 1) / took if took else 0.0,
            "learner/version": float(self.version),
            "learner/progress": self.progress,
            "learner/busy": self._busy / max(1e-9, wall),
            "learner/sweep_share": self._sweeping / max(1e-9, self._busy),
            **self._parts.gauges(),
        }

    def snapshot(self) -> Snapshot:
        """Everything that the next update depends on, except the stored episodes."""
        parts = self._parts
        tensors: dict[str, torch.Tensor] = {}
        tree = {
            "algorithm": parts.algorithm.state_dict(),
            "random": random_state(),
            "pool_random": self._pool_rng.getstate(),
        }
        state = {
            **{name: flatten(branch, name, tensors) for name, branch in tree.items()},
            "ingest": parts.ingest.state(),
            "scale": {"means": parts.scale.means.tolist(), "seen": parts.scale.seen},
            "learner": {
                "version": self.version,
                "updates": self.updates,
                "trained_steps": self.trained_steps,
                "pooled_steps": self.pooled_steps,
                "sweep_owed": self._sweep_owed,
                "sweep_at": self._sweep_at,
                "swept_steps": self._swept_steps,
                "elapsed": self.elapsed,
            },
            "extra": dict(parts.extra()),
        }
        return Snapshot(self.updates, tensors, state)

    def restore(self, snapshot: Snapshot, demonstrations: Iterable[Trajectory] = ()) -> None:
        """Restore a snapshot; call it before `begin`, with the same demonstrations."""
        parts, state = self._parts, snapshot.state
        parts.algorithm.load_state_dict(unflatten(state["algorithm"], snapshot.tensors))
        parts.ingest.restore(state["ingest"], demonstrations)
        parts.scale.means = np.array(state["scale"]["means"])
        parts.scale.seen = state["scale"]["seen"]
        own = state["learner"]
        self.version = self._restored_version = own["version"]
        self.updates, self.trained_steps = own["updates"], own["trained_steps"]
        self.pooled_steps = own.get("pooled_steps", 0)  # checkpoints of before had none
        self._sweep_owed, self._sweep_at = own["sweep_owed"], own["sweep_at"]
        self._swept_steps = own["swept_steps"]
        self._elapsed_before = own["elapsed"]
        self._pool_rng.setstate(unflatten(state["pool_random"], snapshot.tensors))
        restore_random_state(unflatten(state["random"], snapshot.tensors))
        _log.info("going on after update %d at version %d", self.updates, self.version)
