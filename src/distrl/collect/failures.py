"""What to do with a device after an episode. Pure, so that one table tests it."""

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
    """Anybody may have it."""
    RETIRE = "retire"
    """Nobody gets it again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureLimits:
    """How much a device may fail."""

    retries: int = 1
    """Losses in a row after which the same user tries once more."""
    retire_after: int = 3
    """Losses in a row, whoever used it, after which the device is retired."""
    attempts: int = 3
    """Losses after which a task is given up, lest it take down one device after another."""

    def __post_init__(self) -> None:
        """Refuse limits that leave no room for each other."""
        if self.attempts < 1:
            raise ConfigError(f"a task needs at least one attempt, got {self.attempts}")
        if not 0 <= self.retries < self.retire_after:
            raise ConfigError(
                f"a device is retired after more losses than are retried, got retries "
                f"{self.retries} and retire_after {self.retire_after}"
            )


def try_again(outcome: Outcome, attempts: int, limits: FailureLimits) -> bool:
    """Whether a task that was tried so often is tried once more."""
    return outcome is Outcome.DEVICE_LOST and attempts < limits.attempts


def decide(outcome: Outcome, losses: int, limits: FailureLimits) -> Decision:
    """What to do with a device whose last `losses` episodes all lost it, this one included.

    A task's own error is not the device's fault, and a failed task is nobody's.
    """
    if outcome is not Outcome.DEVICE_LOST:
        return Decision.GIVE_BACK
    if losses >= limits.retire_after:
        return Decision.RETIRE
    return Decision.RETRY if losses <= limits.retries else Decision.GIVE_BACK
