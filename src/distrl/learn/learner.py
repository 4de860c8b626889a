"""The learner: sample, update, publish. One call to `step` is one update.

    EpisodeStore --poll--> ReplayBuffer --sample--> Algorithm.update --priorities--> ReplayBuffer
                                                           |
                              every few updates            v
                              WeightChannel <--publish-- weights, with canaries

It waits until `min_episodes` were collected, and while `replay_ratio` is spent; it never waits for
a particular device. Given the same episodes at the same updates it does the same, bit by bit. So
others can learn the same beside it: it announces every `SharedUpdate`, and they `follow`.
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
"""Forward passes that are saved up before a sweep, and episodes that it looks at, at most."""
_UPDATE_COST = 4.0
"""Cost of an update in forward passes: there, back (which counts twice), the ema critics."""

_log = logging.getLogger(__name__)


Vary: TypeAlias = Callable[[Sequence[Any], np.random.Generator], Sequence[Any]]
"""Inputs of an episode's steps as they might have been, told apart by nothing that matters."""


@runtime_checkable
class Algorithm(Protocol):
    """What learns from sampled episodes."""

    @property
    def model(self) -> Model:
        """What is trained and published."""
        ...

    def update(
        self, sampled: Sampled, pool: Sequence[Trajectory] = (), progress: float = 0.0
    ) -> UpdateResult:
        """One gradient step; `progress` is the share of the budget that is spent."""
        ...

    def terms(self, sampled: Sampled) -> Floats:
        """The terms of priorities, without learning."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """All that the next update depends on, as a tree of tensors and plain values."""
        ...

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedUpdate:
    """All that an update depends on, beside what was learned and stored before."""

    number: int
    """Of the last episode that was read."""
    version: int
    """Of the last publish."""
    progress: float
    """Share of the budget that is spent."""


def _tell_nobody(turn: SharedUpdate) -> None:
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
    """What a learner works with."""

    algorithm: Algorithm
    ingest: Ingest
    """Brings its replay buffer, and the success pool if there is one."""
    channel: WeightChannel
    clock: Clock
    pack: Callable[[Any], bytes]
    """The policy's inputs as bytes, for canaries."""
    scale: PriorityScale = field(default_factory=PriorityScale)
    monitor: Monitor | None = None
    save: Callable[[Snapshot], object] | None = None
    """Keeps a checkpoint."""
    vary: Vary | None = None
    """What episodes go through each time that they are learned from."""
    announce: Callable[[SharedUpdate], None] = _tell_nobody
    """Told of every update before it is made."""
    gauges: Callable[[], Mapping[str, float]] = dict
    """Numbers of those who help with it."""
    extra: Callable[[], Mapping[str, Any]] = dict
    """Plain values of other parts that belong into a checkpoint; `extra` of its state."""


class Learner:
    """Trains one model from what is stored, and publishes it."""

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
        """Steps of the success pool that were imitated, beside those that were drawn."""
        self._sweep_owed, self._sweep_at, self._swept_steps = 0.0, 0, 0
        self._started, self._elapsed_before = parts.clock.now(), 0.0
        self._busy, self._sweeping = 0.0, 0.0
        self._recent: deque[float] = deque(maxlen=51)
        self._restored_version: int | None = None

    @property
    def algorithm(self) -> Algorithm:
        """What learns."""
        return self._parts.algorithm

    def begin(self) -> None:
        """Publish the first weights, so that somebody can act.

        After `restore`, what was published is left alone if the checkpoint is as new; otherwise
        who acts is brought back to the restored weights under a new version.
        """
        self._started = self._parts.clock.now()
        latest = self._parts.channel.latest()
        if self._restored_version is None or latest != self._restored_version:
            self.version = max(self.version, latest)
            # Others who learn beside it are not at this point yet, and some models are passed by
            # all at once or not at all.
            alone = (
                without_data_parallel(self._parts.algorithm.model) is self._parts.algorithm.model
            )
            self.publish(canaries=alone)

    def step(self) -> dict[str, float] | None:
        """One update and its numbers; None after waiting for a while in vain."""
        if not self._parts.clock.wait_until(
            self._is_fed, timeout=PATIENCE_SECONDS, poll=_POLL_SECONDS
        ):
            return None
        return self.update()

    def _is_fed(self) -> bool:
        self._parts.ingest.poll()
        return self.waiting_for is None

    @property
    def waiting_for(self) -> str | None:
        """What keeps it from the next update: `episodes`, `replay_ratio` or nothing."""
        ingest = self._parts.ingest
        if ingest.episodes < self.config.min_episodes:
            return "episodes"
        if self.trained_steps >= self.config.replay_ratio * ingest.steps:
            return "replay_ratio"
        return None

    @property
    def elapsed(self) -> float:
        """Seconds of learning, those before a restart included."""
        return self._elapsed_before + self._parts.clock.now() - self._started

    @property
    def progress(self) -> float:
        """Share of the budget that is spent, in [0, 1]; 0 without a budget."""
        budget, spent = self.budget, [0.0]
        if budget.seconds is not None:
            spent.append(self.elapsed / budget.seconds)
        if budget.episodes is not None:
            spent.append(self._parts.ingest.episodes / budget.episodes)
        return min(1.0, max(spent))

    def update(self) -> dict[str, float]:
        """One update now, with all that follows from it."""
        progress = self.progress
        number = self._parts.ingest.number
        self._parts.announce(SharedUpdate(number=number, version=self.version, progress=progress))
        return self._update(progress)

    def follow(self, turn: SharedUpdate) -> dict[str, float]:
        """Make the update that another learner has announced."""
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
        varied = replace(sampled, trajectories=self._varied(sampled.trajectories, rng))
        pool = self._varied(self._pooled(), rng)
        result = self._parts.algorithm.update(varied, pool, progress)
        self._require_numbers(result)
        means = self._parts.scale.update(result.terms)
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
        metrics = {**result.metrics, **self._lags(sampled), **self.gauges()}
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

    def _varied(
        self, trajectories: Sequence[Trajectory], rng: np.random.Generator
    ) -> tuple[Trajectory, ...]:
        vary = self._parts.vary
        if vary is None:
            return tuple(trajectories)
        return tuple(replace(r, inputs=tuple(vary(r.inputs, rng))) for r in trajectories)

    def _pooled(self) -> list[Trajectory]:
        pool = self._parts.ingest.pool
        return [] if pool is None else pool.draw(pool.config.batch, self._pool_rng)

    def _require_numbers(self, result: UpdateResult) -> None:
        """Stop before weights that are no numbers are published or kept."""
        wrong = [name for name, number in result.metrics.items() if not math.isfinite(number)]
        if wrong or not np.isfinite(result.terms).all():
            raise PipelineError(
                f"update {self.updates + 1} went wrong: no finite {', '.join(wrong) or 'priority'}"
            )

    def _prioritise(self, sampled: Sampled, terms: Floats, means: Floats) -> None:
        new = priorities(terms, means, self._buffer.config.priorities)
        self._buffer.update(sampled.slots, new, version=self.version)

    def _sweep(self, trained: int) -> None:
        """Refresh priorities in turn, with a fixed share of the work.

        Work is counted in forward passes instead of seconds, so that the same episodes give the
        same run; `learner/sweep_share` tells the share of time that it came to.
        """
        share = self.config.sweep_share
        self._sweep_owed += _UPDATE_COST * trained * share / (1 - share)
        if self._sweep_owed < _SWEEP_SIZE:
            return
        began = self._parts.clock.now()
        sampled = self._next_in_turn(self._sweep_owed)
        steps = sum(len(trajectory) for trajectory in sampled.trajectories)
        # The ema critics look too.
        self._sweep_owed -= 2 * steps
        self._swept_steps += steps
        terms = self._parts.algorithm.terms(sampled)
        self._prioritise(sampled, terms, self._parts.scale.current)
        self._sweeping += self._parts.clock.now() - began

    def _next_in_turn(self, owed: float) -> Sampled:
        held = self._buffer.held
        first = int(np.searchsorted(held, self._sweep_at))
        turn = self._buffer.look(np.roll(held, -first)[:_SWEEP_SIZE], version=self.version)
        steps = 2 * np.cumsum([len(trajectory) for trajectory in turn.trajectories])
        slots = turn.slots[: max(1, int(np.searchsorted(steps, owed, side="right")))]
        self._sweep_at = int(slots[-1]) + 1
        return self._buffer.look(slots, version=self.version)

    def publish(self, *, canaries: bool = True) -> None:
        """Hand the weights out under the next version."""
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

    def _lags(self, sampled: Sampled) -> dict[str, float]:
        lags = [self.version - trajectory.oldest_version for trajectory in sampled.trajectories]
        return {"lag/mean": float(np.mean(lags)), "lag/max": float(max(lags))}

    def gauges(self) -> dict[str, float]:
        """Numbers that are known at any time."""
        ingest, wall = self._parts.ingest, self._parts.clock.now() - self._started
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
            "learner/swept_steps": float(self._swept_steps),
            "learner/updates_per_second": (len(self._recent) - 1) / took if took else 0.0,
            "learner/version": float(self.version),
            "learner/progress": self.progress,
            "learner/busy": self._busy / max(1e-9, wall),
            "learner/sweep_share": self._sweeping / max(1e-9, self._busy),
            **self._parts.gauges(),
        }

    def snapshot(self) -> Snapshot:
        """All that the next update depends on, beside the stored episodes."""
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
                "sweep_owed": self._sweep_owed,
                "sweep_at": self._sweep_at,
                "swept_steps": self._swept_steps,
                "elapsed": self.elapsed,
            },
            "extra": dict(parts.extra()),
        }
        return Snapshot(self.updates, tensors, state)

    def restore(self, snapshot: Snapshot, demonstrations: Iterable[Trajectory] = ()) -> None:
        """Go on from a snapshot; call it before `begin`, with the same demonstrations."""
        parts, state = self._parts, snapshot.state
        parts.algorithm.load_state_dict(unflatten(state["algorithm"], snapshot.tensors))
        parts.ingest.restore(state["ingest"], demonstrations)
        parts.scale.means = np.array(state["scale"]["means"])
        parts.scale.seen = state["scale"]["seen"]
        own = state["learner"]
        self.version = self._restored_version = own["version"]
        self.updates, self.trained_steps = own["updates"], own["trained_steps"]
        self._sweep_owed, self._sweep_at = own["sweep_owed"], own["sweep_at"]
        self._swept_steps = own["swept_steps"]
        self._elapsed_before = own["elapsed"]
        self._pool_rng.setstate(unflatten(state["pool_random"], snapshot.tensors))
        restore_random_state(unflatten(state["random"], snapshot.tensors))
        _log.info("going on after update %d at version %d", self.updates, self.version)
