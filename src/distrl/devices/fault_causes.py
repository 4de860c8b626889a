"""Causes of device losses, one name each, so that they can be counted and acted upon.

Code that knows the cause raises a DeviceFault, whose message begins with it. Other errors, of
browsers, wrappers and plug-ins, have only a text, from which the cause is guessed.
"""

from __future__ import annotations

import re
from enum import StrEnum

from distrl.errors import DeviceLost


class Cause(StrEnum):
    """What was wrong."""

    ABSENT = "absent"
    """adb does not know the device."""
    OFFLINE = "offline"
    """adb knows it, and it does not answer adb."""
    UNAUTHORISED = "unauthorised"
    """It does not accept the key of this machine."""
    SERVER = "server"
    """The adb server of this machine does not answer."""
    TIMEOUT = "timeout"
    """The device did not answer within the deadline."""
    GARBLED = "garbled"
    """What it sent cannot be read, such as half a picture."""
    BLANK = "blank"
    """Its screen has one colour, though there are words on it."""
    STALE = "stale"
    """Its picture stays the same while what is on the screen changes."""
    SLOW = "slow"
    """It takes many times as long as it did."""
    REBOOTED = "rebooted"
    """It has started again since the episode began."""
    CHANGED = "changed"
    """It is another device than before."""
    NOT_RESPONDING = "not_responding"
    """An app has stopped answering, and Android says so."""
    SNAPSHOT = "snapshot"
    """Its emulator refuses to load the snapshot that it starts from."""
    WITHHELD = "withheld"
    """A person has taken it out of use."""
    CRASHED = "crashed"
    """It, or the program that it is in, has ended."""
    ABANDONED = "abandoned"
    """Whoever held it showed no sign of life."""
    OTHER = "other"
    """Nothing of the above, as far as its words tell."""


# The order matters: "no sign of life within 600 s" also looks like a timeout, "unauthorized" comes
# with "offline", and "black frame" is more specific than "frame".
_SIGNS: tuple[tuple[Cause, str], ...] = (
    (Cause.ABANDONED, r"no sign of life"),
    (Cause.UNAUTHORISED, r"authori[sz]|wrong key"),
    (Cause.ABSENT, r"not found|no such device|no devices"),
    (Cause.OFFLINE, r"offline|disconnected|unreachable"),
    (Cause.BLANK, r"black (screen|frame)"),
    (Cause.GARBLED, r"picture|png|frame|screenshot|truncated"),
    (Cause.REBOOTED, r"reboot|restarted"),
    (Cause.CRASHED, r"died|crash|killed|closed|reset by peer|broken pipe"),
    (Cause.TIMEOUT, r"did not answer|no answer|timed?[ _]?out|deadline|within [\d.]+ ?s|hang|hung"),
)
"""Words by which a cause is guessed; the first that fits counts."""


class DeviceFault(DeviceLost):
    """A device that was lost, with the cause as the first word of the message."""

    def __init__(self, cause: Cause, detail: str) -> None:
        """Say what was seen."""
        super().__init__(f"{cause}: {detail}")
        self.cause = cause


def said_cause(fault: str) -> Cause | None:
    """The cause that a fault's message begins with; None when it names none."""
    name = fault.partition(":")[0]
    return Cause(name) if name in tuple(Cause) else None


def cause_of(fault: str) -> Cause:
    """The cause that a fault's message begins with; else the one that its words tell of."""
    said = said_cause(fault)
    if said is not None:
        return said
    words = fault.lower()
    return next((cause for cause, signs in _SIGNS if re.search(signs, words)), Cause.OTHER)
