"""Filtered behaviour cloning: imitate what succeeded, and nothing else.

    L_policy = - mean over the steps of successful episodes of log pi(d_t|s_t)

No advantage, no ratio: an episode either counts or it does not. The critics learn all the same, for
priorities.
"""

from __future__ import annotations

from torch import Tensor

from distrl.learn.algorithms.actor_critic import ActorCritic, EvaluatedBatch, mean


class FilteredBC(ActorCritic):
    """Behaviour cloning of the policy's own successes."""

    def policy_loss(self, view: EvaluatedBatch) -> Tensor:
        """Mean -log pi over the steps of successful episodes."""
        return -mean(view.log_pi_BT, view.used_BT * view.batch.success_B[:, None])
