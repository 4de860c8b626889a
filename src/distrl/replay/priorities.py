"""Prioritised replay of whole episodes (the paper's DPER): what each episode's priority is.

    p = w1 * mean|delta| / m1 + w2 * mean min(rho, rho_max) / m2 + w3 * mean(-log pi) / m3 + eps

m1, m2 and m3 are running means of each term, so that none drowns the others.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from distrl.config.replay import PrioritiesConfig, ReplayConfig

Floats = npt.NDArray[np.float64]


@dataclass(slots=True)
class PriorityScale:
    """The running means."""

    # Over about the last hundred updates: slow beside a single batch, quick beside the drift of
    # losses.
    decay: float = 0.99
    means: Floats = field(default_factory=lambda: np.zeros(3))
    seen: float = 0.0

    def update(self, terms: Floats) -> Floats:
        """Take in terms [n, 3] and return the means to divide by."""
        self.means = self.decay * self.means + (1 - self.decay) * terms.mean(axis=0)
        # Bias correction as in Adam: the means start at 0, and would make the first priorities
        # huge.
        self.seen = self.decay * self.seen + (1 - self.decay)
        return self.current

    @property
    def current(self) -> Floats:
        """The means to divide by; 1 before anything was seen."""
        if self.seen == 0:
            return np.ones(3)
        # A term that has vanished altogether must not divide by zero.
        return np.maximum(self.means / self.seen, 1e-6)


def priorities(terms: Floats, means: Floats, weights: PrioritiesConfig) -> Floats:
    """Priorities of episodes from their mean |delta|, mean clipped rho and mean -log pi, [n, 3]."""
    share = np.array([weights.error, weights.ratio, weights.surprise])
    total: Floats = (terms / means) @ share + weights.floor
    return total


def importance_exponent(config: ReplayConfig, progress: float) -> float:
    """Exponent of the importance weights when a share `progress` of the budget is spent.

    Linear from start to end: early on, a biased gradient matters less than small variance.
    """
    start, end = config.importance_start, config.importance_end
    return start + (end - start) * progress
