"""DigiRL: imitate the steps that went better than expected, of episodes that did.

    kept episodes   the best share by R - V_goal(instruction) of those in a batch that may train
    A_t             k^(T-1-t) * R + (1 - k^(T-1-t)) * (V(s_{t+1}) + r_t - V(s_t)),   V(s_T) = 0
    L_policy        - mean of log pi(d_t|s_t) over the kept steps with A_t > 1/H

That is the paper. The code that was published with it keeps the steps with
V(s_{t+1}) - V(s_t) - 0.05 + r_t + discounted outcome > 0 instead, of all episodes: `form: code`.
"""

from __future__ import annotations

import torch
from torch import Tensor

from distrl.config.learn import DigirlForm
from distrl.learn.algorithms.actor_critic import ActorCritic, EvaluatedBatch, mean
from distrl.learn.returns import deltas, monte_carlo

_STEP_COST = 0.05
"""Of the published code."""


class Digirl(ActorCritic):
    """Advantage-filtered imitation."""

    def policy_loss(self, view: EvaluatedBatch) -> Tensor:
        """Mean -log pi over the steps that pass the filters."""
        return -mean(view.log_pi_BT, view.used_BT * self.chosen(view))

    def chosen(self, view: EvaluatedBatch) -> Tensor:
        """[B, T] 1 on the steps that are imitated."""
        s, trace, batch = self.config.digirl, view.trace, view.batch
        # Undiscounted, as in the paper: V(s_{t+1}) + r_t - V(s_t).
        difference_BT = deltas(trace, gamma=1.0)
        if s.form is DigirlForm.CODE:
            returns_BT = monte_carlo(trace, gamma=self.config.gamma, lam=1.0).targets_BT
            return (difference_BT - _STEP_COST + returns_BT > 0).float() * batch.mask_BT
        to_go_BT = batch.mask_BT.sum(1, keepdim=True) - 1 - torch.arange(batch.mask_BT.shape[1])
        fading_BT = s.decay ** to_go_BT.clamp(min=0)
        outcome_BT = batch.success_B[:, None]
        advantages_BT = fading_BT * outcome_BT + (1 - fading_BT) * difference_BT
        kept_B = self.best_of(view, s.keep)
        return (advantages_BT > s.threshold).float() * kept_B[:, None] * batch.mask_BT
