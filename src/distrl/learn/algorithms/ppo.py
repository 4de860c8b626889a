"""Proximal policy optimisation: a clipped ratio and generalised advantages.

    L_policy = - mean_t[ min(rho_t * A_t, clip(rho_t, 1 - eps, 1 + eps) * A_t) ]
    A_t      = GAE(gamma, lambda), as if the newest policy had acted

A ratio that has left the interval in the direction of its advantage earns nothing more: that is how
it stays near the policy that acted.
"""

from __future__ import annotations

import torch
from torch import Tensor

from distrl.config.learn import Correction
from distrl.learn.algorithms.actor_critic import ActorCritic, EvaluatedBatch, mean


class PPO(ActorCritic):
    """Steps that gain as long as the policy is near the one that took them."""

    def policy_loss(self, view: EvaluatedBatch) -> Tensor:
        """The clipped surrogate."""
        estimate = self.estimate(Correction.NONE, view.trace, view.chosen_BT)
        advantages_BT = self.scaled(estimate.advantages_BT, view.used_BT)
        return -mean(clipped_gain(view, advantages_BT, self.config.clip), view.used_BT)


def clipped_gain(view: EvaluatedBatch, advantages_BT: Tensor, clip: float) -> Tensor:
    """[B, T] the smaller of the plain and the clipped gain."""
    ratio_BT = torch.exp((view.log_pi_BT - view.batch.log_mu_BT).clamp(-20, 20))
    clipped_BT = ratio_BT.clamp(1 - clip, 1 + clip)
    return torch.minimum(ratio_BT * advantages_BT, clipped_BT * advantages_BT)
