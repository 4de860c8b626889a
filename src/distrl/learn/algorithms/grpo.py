"""Group-relative policy optimisation: episodes of one task are each other's baseline.

    A_i      = (R_i - mean of its group) / (spread of its group)          for all steps of episode i
    L_policy = - mean_t[ min(rho_t * A_i, clip(rho_t, 1 - eps, 1 + eps) * A_i) ]

No critic is used. A group is the episodes of the same task in the batch, all begun from the same
state. An episode without others in its group, or with the same outcome as all of them, has an
advantage of 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from distrl.learn.algorithms.actor_critic import ActorCritic, EvaluatedBatch, mean
from distrl.learn.algorithms.ppo import clipped_surrogate
from distrl.replay.trajectory import Trajectory

_LEAST_SPREAD = 1e-6
"""Below it all outcomes of a group are equal, and their advantage is 0 instead of 0 / 0."""


class GRPO(ActorCritic):
    """Group-relative advantages with PPO's clipped surrogate."""

    def policy_loss(self, view: EvaluatedBatch) -> Tensor:
        """Clipped surrogate, with an episode's advantage on each of its steps."""
        advantages_BT = group_advantages(view.trajectories)[:, None] * view.batch.mask_BT
        return -mean(clipped_surrogate(view, advantages_BT, self.config.clip), view.used_BT)


def group_advantages(trajectories: Sequence[Trajectory]) -> Tensor:
    """[B] outcome minus the mean of its group, divided by the standard deviation of its group."""
    outcome_B = torch.tensor([float(trajectory.succeeded) for trajectory in trajectories])
    same_BB = torch.tensor([[float(a.goal == b.goal) for b in trajectories] for a in trajectories])
    mean_B = (same_BB @ outcome_B) / same_BB.sum(1)
    # Outcomes are 0 or 1, so the mean of their squares is their mean, and the variance m - m^2;
    # rounding may make it slightly negative.
    spread_B = (mean_B - mean_B.square()).clamp(min=0).sqrt()
    return torch.where(
        spread_B > _LEAST_SPREAD, (outcome_B - mean_B) / spread_B.clamp(min=_LEAST_SPREAD), 0.0
    )
