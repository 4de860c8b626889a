"""Faults that can be injected into a served phone, to test how clients handle them.

`Untidiness` is no fault: it is how real phones are.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class InjectedFaults:
    """Switches that may be set while the phone is in use. All are off by default."""

    hung: bool = False
    """Nothing that arrives is answered any more, as with a phone that has hung."""
    offline: bool = False
    """New connections are taken and never greeted, so that adb calls the phone offline."""
    unauthorised: bool = False
    """No key is good enough: adb calls the phone unauthorised."""
    truncated: bool = False
    """Screenshots end in the middle."""
    black: bool = False
    """Screenshots are black."""
    stale: bool = False
    """Screenshots show what they showed last, whatever has happened since."""
    delay: float = 0.0
    """Seconds that pass before a command is carried out."""
    not_responding: str = ""
    """Package of the app that has stopped answering, with Android's dialog in front."""
    never_idle: bool = False
    """The screen never comes to rest, so that it cannot be listed."""
    null_root: bool = False
    """No window has anything to list."""
    last_anr: bool = False
    """What is kept of an ANR of long ago stands before what is true now."""
    starting: bool = False
    """It says that it has booted, and its services do not answer yet."""
    no_monkey: bool = False
    """`monkey` ends with an error, as on newer Androids."""
    serial: str = ""
    """Another serial number than the phone's own, as if it had been swapped."""


@dataclass(frozen=True, slots=True)
class Untidiness:
    """How much a served phone is like real ones, beyond what its screens show."""

    dumps: bool = False
    """Whether hierarchies are written as real apps have them."""
    idle_rate: float = 0.0
    """Share of the dumps that fail because the screen does not come to rest."""
    anr_rate: float = 0.0
    """Share of the window dumps that begin with what is kept of an old ANR."""
