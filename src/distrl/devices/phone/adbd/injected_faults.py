"""Faults that can be injected into a served phone, to test how clients handle them."""

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
    serial: str = ""
    """Another serial number than the phone's own, as if it had been swapped."""
