"""The priority that an episode arrives with, by what the policy that acted noted of its steps.

    |delta_t|    of the values that were noted
    rho_t = 1    who acted is taken for the newest policy
    -log pi      as it was when the step was taken

It costs no forward pass, and is the priority that an update would give the episode with the weights
that acted. The next one that draws it, or a sweep, replaces it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from distrl.config.replay import PrioritiesConfig
from distrl.learn.returns import Trace, deltas
from distrl.replay.index import Floats
from distrl.replay.priorities import PriorityScale, priorities
from distrl.replay.trajectory import Trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrivalPriority:
    """Says a trajectory's first priority."""

    scale: PriorityScale
    """The running means of the learner."""
    weights: PrioritiesConfig
    gamma: float
    rho_max: float

    def __call__(self, trajectory: Trajectory) -> float | None:
        """None where it is not known: without values or probabilities, or before any update."""
        terms = arrival_terms(trajectory, gamma=self.gamma, rho_max=self.rho_max)
        # Before the first update there is no scale: such priorities would be in other units than
        # all later ones.
        if terms is None or not self.scale.seen:
            return None
        return float(priorities(terms[None], self.scale.current, self.weights)[0])


def arrival_terms(trajectory: Trajectory, *, gamma: float, rho_max: float) -> Floats | None:
    """[3] mean |delta|, mean clipped rho and mean -log pi for who acted; None if not known."""
    if trajectory.values is None or np.isnan(trajectory.log_mu).any():
        return None
    values = torch.from_numpy(trajectory.values)[None]
    ones, zeros = torch.ones_like(values), torch.zeros_like(values)
    rewards = torch.from_numpy(trajectory.rewards)[None]
    # Nothing follows the last step: an episode ends in a terminal state, the step limit included.
    trace = Trace(rewards, values, ones, zeros, ones, torch.zeros(1))
    error = deltas(trace, gamma=gamma).abs().mean()
    return np.array([float(error), min(1.0, rho_max), -float(trajectory.log_mu.mean())])
