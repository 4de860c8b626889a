"""Settings of collecting: how many devices, how slow they are, which steps are penalised."""

from __future__ import annotations

from typing import Any, Self

from pydantic import Field, model_validator

from distrl.config.base import Config
from distrl.config.devices import AndroidConfig


class PenaltiesConfig(Config):
    """What is subtracted from a step's reward. Each is a size: 0 switches it off."""

    invalid: float = Field(0.1, ge=0)
    """Penalty of an action that cannot be carried out, such as typing with no field focused."""
    repeat: float = Field(0.1, ge=0)
    """Penalty of repeating an action that changed nothing, times the number of repeats."""
    repeat_max: int = Field(3, ge=1)
    """Repeats after which that penalty grows no further."""
    false_complete: float = Field(0.2, ge=0)
    """Penalty of claiming completion of a task that is not done."""


class CollectConfig(Config):
    """The fleet of devices, and what is recorded of its steps."""

    # As many as `distrl bench scale` simulates; each has a thread, and more are a slip of the hand.
    devices: int = Field(16, ge=0, le=10_000)
    """Devices of the suite's kind, embedded phones as a rule, that collect side by side, each with
    a thread of its own; at most 10,000."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Settings of a device kind that a plug-in adds, which checks them; built-in kinds have
    none."""
    android: AndroidConfig = AndroidConfig()
    """Phones over adb that collect too."""
    latency: float = Field(0.0, ge=0)
    """Seconds that every step of an embedded device is made to take, to imitate slow phones; 0 adds
    nothing."""
    max_ahead: int | None = Field(None, ge=1)
    """Steps that may be collected beyond what the learner has used at learner.replay_ratio; then no
    episode begins until it has caught up, and it gets the processor. null never holds back."""
    cassettes: str | None = None
    """Folder into which every episode is recorded as a file that plays back as a device; null for
    none. For looking into what went wrong: each step is packed while its device waits."""
    penalties: PenaltiesConfig = PenaltiesConfig()
    """Which steps are penalised."""

    @model_validator(mode="after")
    def _has_somebody(self) -> Self:
        if not self.devices and not self.android.phones:
            raise ValueError(
                "devices and android.emulators.count are 0 and android.serials is empty; "
                "nobody would collect"
            )
        return self
