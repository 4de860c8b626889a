"""Settings of collecting: how many devices, how slow they are, what is frowned upon."""

from __future__ import annotations

from typing import Any, Self

from pydantic import Field, model_validator

from distrl.config.base import Config
from distrl.config.devices import AndroidConfig


class PenaltiesConfig(Config):
    """What a step costs beside the reward. Each is a size: 0 switches it off."""

    invalid: float = Field(0.1, ge=0)
    """An action that cannot be carried out here, such as typing with no field focused."""
    repeat: float = Field(0.1, ge=0)
    """Repeating an action that changed nothing; grows with each repeat."""
    repeat_max: int = Field(3, ge=1)
    """After so many repeats the penalty grows no further."""
    false_complete: float = Field(0.2, ge=0)
    """Claiming completion when it is not done."""


class CollectConfig(Config):
    """The fleet and what is recorded of its steps."""

    devices: int = Field(16, ge=0)
    """Devices of the suite's kind, embedded phones as a rule, that collect side by side, each with
    a thread of its own."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Settings of a device kind that a plug-in adds, which checks them; built-in kinds have
    none."""
    android: AndroidConfig = AndroidConfig()
    """Phones over adb that collect with them."""
    latency: float = Field(0.0, ge=0)
    """Seconds that every step of a device is made to take; 0 leaves devices as they are."""
    cassettes: str | None = None
    """Folder into which every episode is recorded as a file that plays back as a device; null for
    none. For looking into what went wrong: each step is packed while its device waits."""
    penalties: PenaltiesConfig = PenaltiesConfig()
    """What is frowned upon."""

    @model_validator(mode="after")
    def _has_somebody(self) -> Self:
        if not self.devices and not self.android.phones:
            raise ValueError(
                "devices and android.emulators.count are 0 and android.serials is empty; "
                "nobody would collect"
            )
        return self
