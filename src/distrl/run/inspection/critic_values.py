"""What a checkpoint thinks of stored episodes: values, advantages and ratios, step by step.

A run stores what its policy saw and chose, not what its critics would say today. Here the newest
checkpoint looks at an episode again, through the same estimator that trained it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from distrl.config import RunConfig
from distrl.errors import ConfigError
from distrl.interfaces import ActingPolicy
from distrl.learn.algorithms.a_ride import ARide
from distrl.learn.ingest import trajectory_of
from distrl.learn.learner_state import unflatten
from distrl.replay.buffer import Sampled
from distrl.replay.trajectory import Trajectory
from distrl.run.builders.policy_bundle import build_policy_bundle
from distrl.run.state.checkpoint import Checkpoints, load, model_weights
from distrl.run.state.folder import RunFolder
from distrl.types import StoredEpisode


@dataclass(frozen=True, slots=True, kw_only=True)
class StepValues:
    """What the checkpoint says about one step; None where it cannot say anything."""

    log_pi: float | None = None
    """Log-probability of the decision under the checkpoint's policy."""
    ratio: float | None = None
    """pi / mu; None where a person, or nobody known, acted."""
    value: float | None = None
    """The critics' probability of success before the step: the smaller of the two."""
    advantage: float | None = None


@dataclass(frozen=True, slots=True)
class EpisodeValues:
    """One episode, step by step."""

    steps: tuple[StepValues, ...]

    @property
    def mean_ratio(self) -> float | None:
        """Over the steps that have one."""
        ratios = [step.ratio for step in self.steps if step.ratio is not None]
        return sum(ratios) / len(ratios) if ratios else None


class CriticValues:
    """A checkpoint of a run, ready to look at episodes. One thread at a time."""

    def __init__(self, folder: RunFolder, config: RunConfig, checkpoint: str | None = None) -> None:
        """Load a checkpoint by its name, or else the newest; ConfigError when there is none."""
        path = _choose(folder, checkpoint)
        self.name = path.name
        snapshot = load(path)
        state = unflatten(snapshot.state["algorithm"], snapshot.tensors)
        bundle = build_policy_bundle(config)
        bundle.take(state["model"], str(path))
        self._unpack = bundle.unpack
        # Whoever trained it: the estimator is the same for all, and plug-ins need not have one.
        self._algorithm = ARide(bundle.model, config.algorithm)
        if "ema" in state:
            self._algorithm.ema.load_state_dict(state["ema"])

    def look(self, episodes: Sequence[StoredEpisode]) -> list[EpisodeValues]:
        """What the checkpoint says of each; nothing about what cannot be learned from."""
        records = [trajectory_of(episode, self._unpack) for episode in episodes]
        known = [record for record in records if record is not None]
        rows = iter(self._rows(known)) if known else iter(())
        seen = []
        for episode, record in zip(episodes, records, strict=True):
            told = [] if record is None else next(rows)
            # Steps before the last that cannot be learned from were left out at the front.
            silent = [StepValues()] * (len(episode.steps) - len(told))
            seen.append(EpisodeValues((*silent, *told)))
        return seen

    def _rows(self, records: Sequence[Trajectory]) -> list[list[StepValues]]:
        with torch.no_grad():
            view = self._algorithm.evaluate_batch(_as_sampled(records))
        return [
            [
                StepValues(
                    log_pi=float(view.log_pi_BT[row, t]),
                    ratio=_ratio(float(view.log_pi_BT[row, t]), float(record.log_mu[t])),
                    value=float(view.trace.values_BT[row, t]),
                    advantage=float(view.estimate.advantages_BT[row, t]),
                )
                for t in range(len(record))
            ]
            for row, record in enumerate(records)
        ]


def take_one_thread() -> None:
    """Leave the other cores to whoever trains beside us."""
    torch.set_num_threads(1)


def _choose(folder: RunFolder, name: str | None) -> Path:
    paths = Checkpoints(folder.checkpoints).paths()
    if name is not None:
        paths = [path for path in paths if path.name == name]
    if not paths:
        wanted = "no checkpoint yet" if name is None else f"no checkpoint named {name!r}"
        raise ConfigError(f"the run {folder.root.name} has {wanted}")
    return paths[-1]


def _ratio(log_pi: float, log_mu: float) -> float | None:
    """Also where training makes no use of it, as without a correction."""
    # Bounded: e**20 is beyond every clip, and exp of a larger difference may overflow.
    return None if math.isnan(log_mu) else math.exp(min(20.0, log_pi - log_mu))


def _as_sampled(records: Sequence[Trajectory]) -> Sampled:
    return Sampled(
        slots=np.arange(len(records)),
        trajectories=tuple(records),
        weights=np.ones(len(records), np.float32),
        fresh=np.ones(len(records), np.bool_),
    )


def policy_of(
    folder: RunFolder, config: RunConfig, checkpoint: str | None = None, *, greedy: bool = True
) -> ActingPolicy:
    """The policy of a checkpoint by its name, or of the newest; ConfigError when there is none."""
    path = _choose(folder, checkpoint)
    bundle = build_policy_bundle(config)
    bundle.take(model_weights(load(path)), str(path))
    policy = bundle.policy(greedy=greedy)
    policy.digest = path.name
    return policy
