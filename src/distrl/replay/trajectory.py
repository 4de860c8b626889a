"""A trajectory: what replay keeps of an episode, as arrays that are ready for learning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """One episode of T steps."""

    id: str
    inputs: tuple[Any, ...]
    """The policy's prepared input of each step; opaque to replay."""
    decisions: tuple[tuple[int, ...], ...]
    log_mu: Floats
    """[T] log-probability when the step was taken; nan where none is defined."""
    rewards: Floats
    """[T]"""
    penalties: Floats
    """[T] sum of this step's penalties."""
    terminated: bool
    oldest_version: int
    """Smallest policy version among its steps."""
    succeeded: bool
    goal: str
    template: str = ""
    values: Floats | None = None
    """[T] V(s_t) as the policy that acted put it; None unless it is known of every step."""

    def __post_init__(self) -> None:
        """One number per step in every array: numpy would broadcast a single one in silence."""
        assert len(self), f"episode {self.id} needs at least one step"
        for name in ("inputs", "log_mu", "rewards", "penalties"):
            found = len(getattr(self, name))
            assert found == len(self), f"episode {self.id}: {found} {name} for {len(self)} steps"
        assert self.values is None or len(self.values) == len(self)

    def __len__(self) -> int:
        """Number of steps."""
        return len(self.decisions)
