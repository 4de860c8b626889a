"""How well a device is, and what follows from that. Pure, so that tables test it.

                 lost                      lost again
    healthy -------------> suspect -----------------------> quarantined <---+
       ^                    |   ^                             |     |       | probe failed: longer
       +--------------------+   +------ probe succeeded ------+     +-------+
              came through                                    | too often in a row
                                                              v
                                                            retired

A suspect is handed out like any other: a reset heals most. Quarantine doubles every time, up to a
bound, and a device leaves it by a probe alone. What comes through halves its way back: a device
that fails every other time is kept out for longer and longer stretches, one that failed on a bad
day is soon as good as new.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from distrl.errors import ConfigError


class Health(StrEnum):
    """What may be done with a device."""

    HEALTHY = "healthy"
    SUSPECT = "suspect"
    """Its last episode was lost, or it is back from quarantine: one more loss may be too many."""
    QUARANTINED = "quarantined"
    """Out of use for a while; a probe decides whether it comes back."""
    RETIRED = "retired"
    """Out of use for good, unless it joins anew."""

    @property
    def usable(self) -> bool:
        """Whether it may be handed out."""
        return self in (Health.HEALTHY, Health.SUSPECT)


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthLimits:
    """How much a device may fail."""

    quarantine_after: int = 2
    """Losses in a row."""
    first_seconds: float = 15.0
    """Length of the first quarantine; each one after it takes twice as long."""
    longest_seconds: float = 600.0
    retire_after: int = 8
    """Quarantines without enough episodes in between that came through."""

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        for name in ("quarantine_after", "retire_after"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, got {getattr(self, name)!r}")
        if not 0 < self.first_seconds <= self.longest_seconds:
            raise ConfigError(
                f"quarantine must last above 0 s and at first no longer than at the longest, got "
                f"first_seconds {self.first_seconds!r} and longest_seconds {self.longest_seconds!r}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """All that is known of a device's health."""

    health: Health = Health.HEALTHY
    losses: int = 0
    """Episodes in a row that lost it."""
    quarantines: int = 0
    """Quarantines so far; every episode that comes through takes one back."""
    until: float = 0.0
    """Clock time at which a quarantine ends."""


def came_through(condition: Condition) -> Condition:
    """An episode ended without losing the device."""
    return Condition(quarantines=max(0, condition.quarantines - 1))


def was_lost(condition: Condition, now: float, limits: HealthLimits) -> Condition:
    """An episode lost the device."""
    losses = condition.losses + 1
    if losses < limits.quarantine_after:
        return replace(condition, health=Health.SUSPECT, losses=losses)
    return kept_out(replace(condition, losses=losses), now, limits)


def kept_out(condition: Condition, now: float, limits: HealthLimits) -> Condition:
    """The device goes into quarantine, or out of use when it has been there too often."""
    if condition.quarantines >= limits.retire_after:
        return replace(condition, health=Health.RETIRED)
    return replace(
        condition,
        health=Health.QUARANTINED,
        quarantines=condition.quarantines + 1,
        until=now + quarantine_seconds(condition.quarantines, limits),
    )


def was_probed(condition: Condition, well: bool, now: float, limits: HealthLimits) -> Condition:
    """A device in quarantine was tried: back into use, where its next loss counts at once."""
    if not well:
        return kept_out(condition, now, limits)
    return replace(condition, health=Health.SUSPECT, losses=limits.quarantine_after - 1)


def quarantine_seconds(before: int, limits: HealthLimits) -> float:
    """How long a quarantine lasts after so many others."""
    doublings = min(before, 64)  # beyond that any bound is reached, and floats are not
    return min(limits.longest_seconds, limits.first_seconds * 2.0**doublings)


def may_be_probed(condition: Condition, now: float) -> bool:
    """Whether a quarantine is over."""
    return condition.health is Health.QUARANTINED and now >= condition.until
