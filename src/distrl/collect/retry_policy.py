"""Retry or give up: what to do with a device and a task after an episode. Pure functions.

Whether a device that was given back is handed out again is decided by the fleet.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from distrl.errors import ConfigError
from distrl.types import Outcome


class Decision(StrEnum):
    """What becomes of the device."""

    RETRY = "retry"
    """Keep it and try the same task again: its reset may heal it."""
    GIVE_BACK = "give_back"
    """Whoever is next may have it, if its health allows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureLimits:
    """How much a device may fail."""

    retries: int = 1
    """Losses in a row up to which the same collector tries again on the same device: a reset heals
    most faults, and keeping the device saves the wait for another."""
    attempts: int = 3
    """Losses after which a task is given up: one that crashes devices must not visit them all."""

    def __post_init__(self) -> None:
        """Refuse limits that leave no room for each other."""
        if self.attempts < 1:
            raise ConfigError(f"a task needs at least one attempt, got {self.attempts}")
        if self.retries < 0:
            raise ConfigError(f"a device is retried at least 0 times, got {self.retries}")


def try_again(outcome: Outcome, attempts: int, limits: FailureLimits) -> bool:
    """Whether a task that was tried so often is tried once more."""
    return outcome is Outcome.DEVICE_LOST and attempts < limits.attempts


def decide(outcome: Outcome, losses: int, limits: FailureLimits) -> Decision:
    """What to do with a device whose last `losses` episodes all lost it, this one included.

    A task's own error is not the device's fault, and a failed task is nobody's.
    """
    if outcome is not Outcome.DEVICE_LOST:
        return Decision.GIVE_BACK
    return Decision.RETRY if losses <= limits.retries else Decision.GIVE_BACK
