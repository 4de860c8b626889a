"""Why a device was lost. One word for each cause, so that they can be counted and acted upon."""

from __future__ import annotations

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
    """The adb server answers, the device did not within the deadline."""
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
    WITHHELD = "withheld"
    """A person has taken it out of use."""


class DeviceFault(DeviceLost):
    """A device that was lost, with the cause as the first word of the message."""

    def __init__(self, cause: Cause, detail: str) -> None:
        """Say what was seen."""
        super().__init__(f"{cause}: {detail}")
        self.cause = cause


def cause_of(fault: str) -> Cause | None:
    """The cause that a fault's message begins with; None when it names none."""
    name = fault.partition(":")[0]
    return Cause(name) if name in tuple(Cause) else None
