"""The apps that every phone has, one file each."""

from __future__ import annotations

from distrl.devices.phone.apps.clock import Clock
from distrl.devices.phone.apps.notes import Notes
from distrl.devices.phone.launcher import Launcher
from distrl.devices.phone.registry import built_in, register

register(
    Launcher(),
    Clock(),
    Notes(),
)


def names() -> tuple[str, ...]:
    """Names of all apps except the launcher, in a fixed order."""
    return built_in()
