"""A policy and critics that are tables, so that every gradient can be named by its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from distrl.learn.model import Evaluation
from distrl.replay.buffer import Sampled
from distrl.replay.trajectory import Trajectory

STATES, ARMS = 6, 2


class TableModel(nn.Module):
    """Chooses between two arms in each of a few states; the second arm is invalid."""

    def __init__(self, seed: int | None = None) -> None:
        """All zeros, or random numbers."""
        super().__init__()
        generator = torch.Generator().manual_seed(seed or 0)
        size = 0.0 if seed is None else 1.0
        self.logits = nn.Parameter(size * torch.randn(STATES, ARMS, generator=generator))
        self.values = nn.Parameter(size * torch.randn(STATES, 2, generator=generator))
        self.goals = nn.Parameter(size * torch.randn(STATES, generator=generator))

    def evaluate(self, inputs: Sequence[Any], decisions: Sequence[tuple[int, ...]]) -> Evaluation:
        states = torch.tensor(list(inputs))
        log_probs = self.logits[states].log_softmax(-1)
        chosen = torch.tensor([decision[0] for decision in decisions])
        return Evaluation(
            log_prob=log_probs.gather(1, chosen[:, None])[:, 0],
            entropy=-(log_probs.exp() * log_probs).sum(-1),
            invalid=log_probs[:, 1].exp(),
            value_logits=self.values[states],
        )

    def goal_logits(self, inputs: Sequence[Any]) -> Tensor:
        return self.goals[torch.tensor(list(inputs))]

    def probability(self, state: int, arm: int) -> float:
        return float(self.logits.detach()[state].softmax(-1)[arm])

    def value(self, state: int) -> float:
        """The smaller of the two critics."""
        return float(torch.sigmoid(self.values.detach()[state]).min())


@dataclass(frozen=True, slots=True)
class TableChoices:
    """Both arms of each step."""

    probs: Tensor
    logits: Tensor
    taken: Tensor


class JudgingTableModel(TableModel):
    """The same with a critic of each arm in each state."""

    def __init__(self, seed: int | None = None) -> None:
        """What the other model has is the same for the same seed."""
        super().__init__(seed)
        generator = torch.Generator().manual_seed((seed or 0) + 1)
        size = 0.0 if seed is None else 1.0
        self.arms = nn.Parameter(size * torch.randn(STATES, ARMS, 2, generator=generator))

    def evaluate(self, inputs: Sequence[Any], decisions: Sequence[tuple[int, ...]]) -> Evaluation:
        states = torch.tensor(list(inputs))
        chosen = torch.tensor([decision[0] for decision in decisions])
        choices = TableChoices(
            probs=self.logits[states].softmax(-1),
            logits=self.arms[states],
            taken=self.arms[states, chosen],
        )
        return replace(super().evaluate(inputs, decisions), choices=choices)

    def q(self, state: int, arm: int) -> float:
        """The smaller of the two critics."""
        return float(torch.sigmoid(self.arms.detach()[state, arm]).min())

    def expected(self, state: int) -> float:
        """Of an arm that the policy pulls."""
        return sum(self.probability(state, arm) * self.q(state, arm) for arm in range(ARMS))


def episode(
    states: Sequence[int],
    arms: Sequence[int],
    *,
    succeeded: bool,
    log_mu: Sequence[float] | None = None,
    penalties: Sequence[float] | None = None,
    terminated: bool = True,
) -> Trajectory:
    """Arms that were pulled in states; `log_mu` is that of an even choice unless given."""
    length = len(states)
    rewards = np.zeros(length, np.float32)
    rewards[-1] = succeeded
    mu = [float(np.log(0.5))] * length if log_mu is None else log_mu
    return Trajectory(
        id=f"{states} {arms}",
        inputs=tuple(states),
        decisions=tuple((arm,) for arm in arms),
        log_mu=np.array(mu, np.float32),
        rewards=rewards,
        penalties=np.array([0.0] * length if penalties is None else penalties, np.float32),
        terminated=terminated,
        oldest_version=0,
        succeeded=succeeded,
        goal="pull",
    )


def drawn(
    *trajectories: Trajectory,
    weights: Sequence[float] | None = None,
    fresh: Sequence[bool] | None = None,
) -> Sampled:
    """A batch of episodes, of equal weight and all fresh unless told otherwise."""
    size = len(trajectories)
    return Sampled(
        slots=np.arange(size),
        trajectories=trajectories,
        weights=np.array([1.0] * size if weights is None else weights, np.float32),
        fresh=np.array([True] * size if fresh is None else fresh),
    )


def random_batch(seed: int) -> Sampled:
    """Episodes of different lengths; some are old, some steps are of unknown probability."""
    rng = np.random.default_rng(seed)
    trajectories = []
    for _ in range(6):
        length = int(rng.integers(1, 6))
        mu = np.log(rng.uniform(0.1, 0.95, length))
        mu[rng.random(length) < 0.2] = np.nan
        trajectories.append(
            episode(
                rng.integers(STATES, size=length).tolist(),
                rng.integers(ARMS, size=length).tolist(),
                succeeded=bool(rng.random() < 0.5),
                log_mu=mu.tolist(),
                penalties=(-rng.random(length) * (rng.random(length) < 0.5)).tolist(),
            )
        )
    fresh = (rng.random(6) < 0.7).tolist()
    return drawn(*trajectories, weights=rng.uniform(0.2, 1.0, 6).tolist(), fresh=[True, *fresh[1:]])
