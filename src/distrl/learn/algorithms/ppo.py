"""Proximal policy optimisation: a clipped ratio and generalised advantages.

    L_policy = - mean_t[ min(rho_t * A_t, clip(rho_t, 1 - eps, 1 + eps) * A_t) ]
    A_t      = GAE(gamma, lambda), as if on-policy

Once a ratio has left the interval in the direction of its advantage, its gradient is 0: the policy
stays near the behaviour policy.
"""

from __future__ import annotations

import torch
from torch import Tensor

from distrl.config.learn import Correction
from distrl.learn.algorithms.actor_critic import ActorCritic, EvaluatedBatch, mean


class PPO(ActorCritic):
    """Clipped surrogate objective with GAE."""

    def policy_loss(self, view: EvaluatedBatch) -> Tensor:
        """Negative clipped surrogate, averaged over the fresh steps."""
        estimate = self.estimate(Correction.NONE, view.trace, view.chosen_BT)
        advantages_BT = self.normalise_advantages(estimate.advantages_BT, view.used_BT)
        return -mean(clipped_surrogate(view, advantages_BT, self.config.clip), view.used_BT)


def clipped_surrogate(view: EvaluatedBatch, advantages_BT: Tensor, clip: float) -> Tensor:
    """[B, T] the smaller of rho_t * A_t and its clipped form."""
    # With gradient, unlike the ratios of Retrace. Clamped in log space: exp must not overflow.
    ratio_BT = torch.exp((view.log_pi_BT - view.batch.log_mu_BT).clamp(-20, 20))
    clipped_BT = ratio_BT.clamp(1 - clip, 1 + clip)
    return torch.minimum(ratio_BT * advantages_BT, clipped_BT * advantages_BT)
