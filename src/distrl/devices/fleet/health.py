"""How well a device is, and what follows from that. Pure, so that tables test it.

                 lost                      lost again
    healthy -------------> suspect -----------------------> quarantined <---+
       ^                    |   ^                             |     |       | probe failed: longer
       +--------------------+   +------ probe succeeded ------+     +-------+
              came through                                    | failed too often by itself
                                                              v
                                                            retired

A suspect is handed out like any other: a reset heals most. Quarantine doubles every time, up to a
bound, and a device leaves it by a probe alone. What comes through halves its way back: a device
that fails every other time is kept out for longer and longer stretches, one that failed on a bad
day is soon as good as new.

Only what a device does by itself retires it, such as to crash again and again. What is around it
ends some day, by itself or by hand: a cable that is out, a switch or a server that is down, a
person who keeps it. Such a device is probed for as long as the run goes on, which costs one probe
in every longest quarantine.

    cause                                 how long it is out        may retire it
    withheld: a person keeps it           always as long            no
    around it: absent, offline, ...       twice as long, bounded    no
    timeout                               twice as long, bounded    if it was well before: not when
                                                                    a probe found it silent
    its own: crashed, garbled, ...        twice as long, bounded    yes
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from distrl.devices.fault_causes import Cause
from distrl.errors import ConfigError

EXTERNAL_CAUSES = frozenset(
    {Cause.ABSENT, Cause.OFFLINE, Cause.UNAUTHORISED, Cause.SERVER, Cause.WITHHELD}
)
"""Causes that say nothing about a device itself: it is out of reach, or kept by a person."""


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

    # One loss is often bad luck that the next reset heals.
    quarantine_after: int = 2
    """Losses in a row."""
    # Short at first, since most faults heal with the next reset, and doubled for those that stay.
    first_seconds: float = 15.0
    """Length of the first quarantine; each one after it takes twice as long."""
    # Bounds how long a device stays idle after an outage has ended.
    longest_seconds: float = 600.0
    withheld_seconds: float = 60.0
    """After so long a device that a person keeps is asked for again, which takes no call to it."""
    # With the defaults: about half an hour of quarantines in which it never came through.
    retire_after: int = 8
    """Quarantines for causes of its own, without enough episodes in between that came through."""

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
        if not self.withheld_seconds > 0:
            raise ConfigError(f"withheld_seconds must be above 0, got {self.withheld_seconds!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """All that is known of a device's health."""

    health: Health = Health.HEALTHY
    losses: int = 0
    """Episodes in a row that lost it."""
    quarantines: int = 0
    """Quarantines so far, up to the longest; every episode that comes through takes one back."""
    failures: int = 0
    """Those of them that were for causes of its own, counted to the end and taken back alike."""
    until: float = 0.0
    """Clock time at which a quarantine ends."""


def after_success(condition: Condition) -> Condition:
    """An episode ended without losing the device."""
    return Condition(
        quarantines=max(0, condition.quarantines - 1), failures=max(0, condition.failures - 1)
    )


def after_loss(condition: Condition, cause: Cause, now: float, limits: HealthLimits) -> Condition:
    """An episode lost the device."""
    losses = condition.losses + 1
    if cause is Cause.WITHHELD:
        losses = max(losses, limits.quarantine_after)  # trying again at once cannot help
    if losses < limits.quarantine_after:
        return replace(condition, health=Health.SUSPECT, losses=losses)
    return put_in_quarantine(replace(condition, losses=losses), cause, now, limits)


def put_in_quarantine(
    condition: Condition,
    cause: Cause,
    now: float,
    limits: HealthLimits,
    *,
    external: frozenset[Cause] = EXTERNAL_CAUSES,
) -> Condition:
    """The device goes into quarantine, or out of use when it has failed too often by itself.

    By itself is whatever is not `around` it.
    """
    if cause is Cause.WITHHELD:
        return replace(condition, health=Health.QUARANTINED, until=now + limits.withheld_seconds)
    own = cause not in external
    if own and condition.failures >= limits.retire_after:
        return replace(condition, health=Health.RETIRED)
    seconds = quarantine_seconds(condition.quarantines, limits)
    return replace(
        condition,
        health=Health.QUARANTINED,
        # Not counted beyond the longest: after an outage of a night, the way back is short.
        quarantines=condition.quarantines + (seconds < limits.longest_seconds),
        failures=condition.failures + own,
        until=now + seconds,
    )


def after_probe(
    condition: Condition, fault: Cause | None, now: float, limits: HealthLimits
) -> Condition:
    """A device in quarantine was tried: with no fault it is back, and its next loss counts."""
    if fault is not None:
        # A network that is down looks like this before anyone has said so.
        return put_in_quarantine(
            condition, fault, now, limits, external=EXTERNAL_CAUSES | {Cause.TIMEOUT}
        )
    return replace(condition, health=Health.SUSPECT, losses=limits.quarantine_after - 1)


def quarantine_seconds(before: int, limits: HealthLimits) -> float:
    """How long a quarantine lasts after so many others."""
    doublings = min(before, 64)  # beyond that any bound is reached, and floats are not
    return min(limits.longest_seconds, limits.first_seconds * 2.0**doublings)


def may_be_probed(condition: Condition, now: float) -> bool:
    """Whether a quarantine is over."""
    return condition.health is Health.QUARANTINED and now >= condition.until
