"""Settings of devices that are not embedded: Android phones and emulators over adb."""

from __future__ import annotations

from pydantic import Field

from distrl.config.base import Config


class AndroidConfig(Config):
    """Phones over adb that collect beside, or instead of, the embedded ones."""

    serials: list[str] = Field(default_factory=list)
    """Serials as `adb devices` shows them, or HOST:PORT to connect to; none for no phones."""
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
