"""Settings of collecting: how many devices, how slow they are, what is frowned upon."""

from __future__ import annotations

from pydantic import Field

from distrl.config.base import Config


class PenaltiesConfig(Config):
    """What a step costs beside the reward. Each is a size: 0 switches it off."""

    invalid: float = Field(0.1, ge=0)
    """An action that cannot be carried out here, such as typing with no field focused."""
    repeat: float = Field(0.1, ge=0)
    """Repeating an action that changed nothing; grows with each repeat."""
    repeat_most: int = Field(3, ge=1)
    """After so many repeats the penalty grows no further."""
    false_complete: float = Field(0.2, ge=0)
    """Claiming completion when it is not done."""


class CollectConfig(Config):
    """The fleet and what is recorded of its steps."""

    devices: int = Field(16, ge=1)
    """Devices that collect side by side, each with a thread of its own."""
    latency: float = Field(0.0, ge=0)
    """Seconds that every step of a device is made to take; 0 leaves devices as they are."""
    penalties: PenaltiesConfig = PenaltiesConfig()
    """What is frowned upon."""
