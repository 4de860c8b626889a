"""A-RIDE: Retrace-corrected advantages on prioritised replay.

L_policy = - mean_t[ w * min(rho_t, rho_max) * A'_t * log pi(d_t|s_t) ]     ratio, advantage fixed
A'_t     = A_t + b_t - mean(b)                                         b_t: this step's penalties
"""

from __future__ import annotations

from torch import Tensor

from distrl.learn.algorithms.actor_critic import (
    ActorCritic,
    EvaluatedBatch,
    UpdateResult,
    annealed,
    mean,
)

__all__ = ["ARide", "UpdateResult", "annealed"]


class ARide(ActorCritic):
    """The method of the paper; every term of it can be switched off."""

    def policy_loss(self, view: EvaluatedBatch) -> Tensor:
        """Policy gradient: Retrace advantages, truncated importance ratios, replay weights."""
        batch, used_BT = view.batch, view.used_BT
        if self.config.goal_filter < 1.0:
            used_BT = used_BT * self.best_of(view, self.config.goal_filter)[:, None]
        advantages_BT = self.normalise_advantages(view.estimate.advantages_BT, used_BT)
        # Penalties are centred, so that they rank steps without shifting the advantage of all.
        shaped_BT = (
            advantages_BT + (batch.penalties_BT - mean(batch.penalties_BT, used_BT)) * used_BT
        )
        ratio_BT = view.trace.rho_BT.clamp(max=self.config.rho_max)
        weight_BT = batch.weights_B[:, None] * ratio_BT * shaped_BT
        return -mean(weight_BT * view.log_pi_BT, used_BT)
