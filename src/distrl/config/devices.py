"""Settings of devices that are not embedded: Android phones and emulators over adb."""

from __future__ import annotations

import re
from typing import Literal, Self, get_args

from pydantic import Field, model_validator

from distrl.config.base import Config

Danger = Literal["factory_reset", "power_off", "call", "sms", "payment"]

_LOOPBACK = re.compile(r"(127(\.\d{1,3}){3}|localhost|\[::1\]):\d+")


def is_loopback(serial: str) -> bool:
    """Whether a serial is a port of this machine, as those of phones are that it serves."""
    return _LOOPBACK.fullmatch(serial) is not None


class SafetyConfig(Config):
    """What agents may do on phones over adb. Every fence is closed until it is opened by name."""

    opt_in: list[str] = Field(default_factory=list)
    """Serials of phones and emulators that agents may operate. Only phones that `distrl adbd`
    serves on this machine need not stand here."""
    apps: list[str] = Field(default_factory=list)
    """Packages that may be in front, the launcher among them; `com.example.*` names many. From any
    other app an agent is led back home."""
    blocked: list[Danger] = Field(default_factory=lambda: list(get_args(Danger)))
    """What is refused, by what the touched elements say; leave out what is to be allowed."""
    blind_touches: bool = False
    """Whether screens are touched that have no elements, where nobody knows what is touched."""


class AndroidConfig(Config):
    """Phones over adb that collect beside, or instead of, the embedded ones."""

    serials: list[str] = Field(default_factory=list)
    """Serials as `adb devices` shows them, or HOST:PORT to connect to; none for no phones."""
    safety: SafetyConfig = SafetyConfig()
    """What agents may do on them."""
    adb_port: int | None = Field(None, ge=1, le=65535)
    """Port of an adb server that runs already; null starts one of our own for the run."""
    screen_width: int | None = Field(180, ge=1)
    """Width to which pictures are scaled down; null keeps them as they are."""
    deadline: float = Field(15.0, gt=0)
    """Seconds that one call to a phone may take."""
    settle_seconds: float = Field(3.0, ge=0)
    """How long a screen that moves is waited for."""
    wait_seconds: float = Field(1.0, gt=0)
    """How long a phone waits when the policy wants to wait."""
    stop_apps: list[str] = Field(default_factory=list)
    """Packages that are ended before every episode."""

    @model_validator(mode="after")
    def _may_be_used(self) -> Self:
        refused = [s for s in self.serials if not self.opted_in(s)]
        if refused:
            raise ValueError(
                f"nobody has opted in to {', '.join(refused)}: agents operate a phone only if "
                "collect.android.safety.opt_in names its serial "
                f"(named: {', '.join(self.safety.opt_in) or 'none'})"
            )
        if self.serials and not self.safety.apps:
            raise ValueError(
                "collect.android.safety.apps is empty: name the packages that agents may use on "
                "these phones, the launcher among them"
            )
        return self

    def opted_in(self, serial: str) -> bool:
        """Whether a phone may be used, as far as its serial tells."""
        return serial in self.safety.opt_in or is_loopback(serial)
