"""What a checkpoint thinks of stored episodes: values, advantages and ratios, step by step.

A run stores what its policy saw and chose, not what its critics would say today. Here the newest
checkpoint looks at an episode again, through the same estimator that trained it.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from distrl.config import RunConfig
from distrl.errors import ConfigError
from distrl.learn.batches import EpisodeBatch, batch_episodes
from distrl.learn.checkpointing import put_together
from distrl.learn.ingest import record_of
from distrl.learn.returns import ESTIMATORS, Correction, Trace
from distrl.replay.buffer import Sampled
from distrl.replay.record import Record
from distrl.replay.store_types import StoredEpisode
from distrl.run.checkpoint import Checkpoints, load, model_weights
from distrl.run.folder import RunFolder
from distrl.run.kit import Acting, build_kit


@dataclass(frozen=True, slots=True, kw_only=True)
class StepInsight:
    """What the checkpoint says about one step; None where it cannot say anything."""

    log_pi: float | None = None
    """Log-probability of the decision under the checkpoint's policy."""
    ratio: float | None = None
    """pi / mu; None where a person, or nobody known, acted."""
    value: float | None = None
    """The critics' probability of success before the step: the smaller of the two."""
    advantage: float | None = None


@dataclass(frozen=True, slots=True)
class EpisodeInsight:
    """One episode, step by step."""

    steps: tuple[StepInsight, ...]

    @property
    def mean_ratio(self) -> float | None:
        """Over the steps that have one."""
        ratios = [step.ratio for step in self.steps if step.ratio is not None]
        return sum(ratios) / len(ratios) if ratios else None


class Insight:
    """A checkpoint of a run, ready to look at episodes. One thread at a time."""

    def __init__(self, folder: RunFolder, config: RunConfig, checkpoint: str | None = None) -> None:
        """Load a checkpoint by its name, or else the newest; ConfigError when there is none."""
        path = _choose(folder, checkpoint)
        self.name = path.name
        self._config = config
        snapshot = load(path)
        algorithm = put_together(snapshot.state["algorithm"], snapshot.tensors)
        kit = build_kit(config)
        kit.take(algorithm["model"], str(path))
        self._unpack, self._model = kit.unpack, kit.model
        self._critics = self._model
        steady: Mapping[str, Tensor] | None = algorithm.get("averaged")
        if steady is not None and config.algorithm.steady_critics:
            self._critics = copy.deepcopy(self._model)
            self._critics.load_state_dict(dict(steady))

    def look(self, episodes: Sequence[StoredEpisode]) -> list[EpisodeInsight]:
        """What the checkpoint says of each; nothing about what cannot be learned from."""
        records = [record_of(episode, self._unpack) for episode in episodes]
        known = [record for record in records if record is not None]
        rows = iter(self._rows(known)) if known else iter(())
        seen = []
        for episode, record in zip(episodes, records, strict=True):
            told = [] if record is None else next(rows)
            # Steps before the last that cannot be learned from were left out at the front.
            silent = [StepInsight()] * (len(episode.steps) - len(told))
            seen.append(EpisodeInsight((*silent, *told)))
        return seen

    def _rows(self, records: Sequence[Record]) -> list[list[StepInsight]]:
        batch = batch_episodes(_as_sampled(records))
        inputs = [step for record in records for step in record.inputs]
        decisions = [decision for record in records for decision in record.decisions]
        with torch.no_grad():
            seen = self._model.evaluate(inputs, decisions)
            judged = (
                seen if self._critics is self._model else self._critics.evaluate(inputs, decisions)
            )
        log_pi_BT = batch.spread(seen.log_prob)
        values_BT = batch.spread(torch.sigmoid(judged.value_logits).amin(dim=1))
        rho_BT = _ratios(log_pi_BT, batch)
        advantages_BT = self._advantages(batch, values_BT, rho_BT)
        return [
            [
                StepInsight(
                    log_pi=float(log_pi_BT[row, t]),
                    ratio=None if math.isnan(record.log_mu[t]) else float(rho_BT[row, t]),
                    value=float(values_BT[row, t]),
                    advantage=float(advantages_BT[row, t]),
                )
                for t in range(len(record))
            ]
            for row, record in enumerate(records)
        ]

    def _advantages(self, batch: EpisodeBatch, values_BT: Tensor, rho_BT: Tensor) -> Tensor:
        settings = self._config.algorithm
        trace = Trace(
            batch.rewards_BT,
            values_BT,
            rho_BT,
            batch.done_BT,
            batch.mask_BT,
            torch.zeros(len(values_BT)),
        )
        estimator = ESTIMATORS[Correction(settings.correction)]
        return estimator(trace, gamma=settings.gamma, lam=settings.lam).advantages_BT


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


def _ratios(log_pi_BT: Tensor, batch: EpisodeBatch) -> Tensor:
    ratio_BT = torch.exp((log_pi_BT - batch.log_mu_BT).clamp(-20, 20))
    return torch.where(batch.known_BT > 0, ratio_BT, torch.ones_like(ratio_BT))


def _as_sampled(records: Sequence[Record]) -> Sampled:
    return Sampled(
        slots=np.arange(len(records)),
        records=tuple(records),
        weights=np.ones(len(records), np.float32),
        young=np.ones(len(records), np.bool_),
    )


def policy_of(
    folder: RunFolder, config: RunConfig, checkpoint: str | None = None, *, greedy: bool = True
) -> Acting:
    """The policy of a checkpoint by its name, or of the newest; ConfigError when there is none."""
    path = _choose(folder, checkpoint)
    kit = build_kit(config)
    kit.take(model_weights(load(path)), str(path))
    policy = kit.policy(greedy=greedy)
    policy.digest = path.name
    return policy
