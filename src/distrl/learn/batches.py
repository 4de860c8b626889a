"""Collates sampled episodes of different lengths into padded [B, T] tensors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from distrl.replay.buffer import Sampled


@dataclass(frozen=True, slots=True)
class EpisodeBatch:
    """A batch of B episodes, padded at their end to T steps."""

    rewards_BT: Tensor
    penalties_BT: Tensor
    log_mu_BT: Tensor
    known_BT: Tensor
    """1 where log mu, the behaviour policy's log-probability, is known; 0 for demonstrations."""
    done_BT: Tensor
    mask_BT: Tensor
    weights_B: Tensor
    fresh_B: Tensor
    success_B: Tensor

    def scatter(self, flat: Tensor) -> Tensor:
        """[B, T] from one number per real step, in order of episodes; 0 on padding."""
        out = torch.zeros_like(self.mask_BT)
        out[self.mask_BT > 0] = flat
        return out


def batch_episodes(sampled: Sampled) -> EpisodeBatch:
    """Pad the episodes of a sample to the longest of them."""
    trajectories = sampled.trajectories
    size, longest = len(trajectories), max(len(r) for r in trajectories)
    rewards, penalties, log_mu, done, mask = (
        np.zeros((size, longest), np.float32) for _ in range(5)
    )
    for row, trajectory in enumerate(trajectories):
        length = len(trajectory)
        rewards[row, :length] = trajectory.rewards
        penalties[row, :length] = trajectory.penalties
        log_mu[row, :length] = trajectory.log_mu
        mask[row, :length] = 1.0
        done[row, length - 1] = float(trajectory.terminated)
    # Unknown log mu is stored as NaN. It becomes 0 here, since NaN * 0 would pass through a mask.
    known = (~np.isnan(log_mu)).astype(np.float32) * mask
    return EpisodeBatch(
        rewards_BT=torch.from_numpy(rewards),
        penalties_BT=torch.from_numpy(penalties),
        log_mu_BT=torch.from_numpy(np.nan_to_num(log_mu)),
        known_BT=torch.from_numpy(known),
        done_BT=torch.from_numpy(done),
        mask_BT=torch.from_numpy(mask),
        weights_B=torch.from_numpy(sampled.weights),
        fresh_B=torch.from_numpy(sampled.fresh.astype(np.float32)),
        success_B=torch.tensor([float(r.succeeded) for r in trajectories]),
    )
