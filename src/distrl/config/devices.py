"""Settings of devices that are not embedded: Android phones and emulators over adb."""

from __future__ import annotations

import re
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from distrl.config.base import Choice, Config
from distrl.config.factors import Factor


class Danger(StrEnum):
    """What agents can do on a phone that cannot be undone, or costs money."""

    FACTORY_RESET = "factory_reset"
    POWER_OFF = "power_off"
    CALL = "call"
    SMS = "sms"
    PAYMENT = "payment"


_LONGEST_SECONDS = 3600.0
"""More than any call needs, and less than a socket can wait."""
LAYOUTS = 2
"""Layout versions that every app of the embedded phone has."""
LARGEST_SIDE = 4096
"""Of a screen, in pixels: several times any phone's, and 50 MB a picture."""
_LOOPBACK = re.compile(r"(127(\.\d{1,3}){3}|localhost|\[::1\]):\d+")


def is_loopback(serial: str) -> bool:
    """Whether a serial is a port of this machine, as those of phones are that it serves."""
    return _LOOPBACK.fullmatch(serial) is not None


class PhoneConfig(Config):
    """How phones look and behave; all phones of a run are made alike."""

    nuisance_rate: float = Field(0.25, ge=0, le=1)
    """Share of the episodes on embedded phones that have a nuisance, such as a dialog or an ad in
    the way; 0 for clean runs, more to train robustness."""
    nuisance_weights: dict[str, Annotated[float, Field(ge=0)]] | None = None
    """How often each kind of nuisance is drawn relative to the others, by its name; kinds that are
    not named do not occur. null for all kinds as often as usual."""
    layout: int = Field(1, ge=1, le=LAYOUTS)
    """Layout version of all apps of embedded phones; 2 moves and renames what is on the screens,
    to test whether a policy generalises."""
    layouts: dict[str, Annotated[int, Field(ge=1, le=LAYOUTS)]] = Field(default_factory=dict)
    """Layout versions of single apps by name (`system` for the shade), where they differ from
    `layout`."""
    factors: list[Choice[Factor]] = Field(default_factory=list)
    """Factors of robustness that embedded phones have in every episode, such as dark or language;
    docs/robustness.md lists them."""
    elements: bool = True
    """Whether devices, those over adb too, report the accessibility tree; without it, the policy
    points at a grid."""
    width: int | None = Field(None, ge=1, le=LARGEST_SIDE)
    """Width of an embedded phone's screen in pixels; null for the 180 it is designed for."""
    height: int | None = Field(None, ge=1, le=LARGEST_SIDE)
    """Height of an embedded phone's screen in pixels; null for the 400 it is designed for."""


class SafetyConfig(Config):
    """What agents may do on phones over adb. Every fence is closed until it is opened by name."""

    opt_in: list[str] = Field(default_factory=list)
    """Serials of phones and emulators that agents may operate. Only phones that `distrl adbd`
    serves on this machine need not stand here."""
    apps: list[str] = Field(default_factory=list)
    """Packages that may be in front, the launcher among them; `com.example.*` names many. From any
    other app an agent is led back home."""
    # All dangers by default, not an empty list: a fence that nobody mentions is closed.
    blocked: list[Choice[Danger]] = Field(default_factory=lambda: list(Danger))
    """What is refused, by what the touched elements say; leave out what is to be allowed."""
    blind_touches: bool = False
    """Whether to touch screens that have no elements, where nobody knows what is touched."""

    def allow(self, app: str) -> bool:
        """Whether an app may be in the foreground."""
        return any(fnmatchcase(app, pattern) for pattern in self.apps)


class EmulatorsConfig(Config):
    """Emulators that a run starts, returns to their snapshot before every episode, and ends.

    They are opted in to by standing here.
    """

    count: int = Field(0, ge=0, le=64)
    """Number of emulators; 0 for none."""
    avd: str = ""
    """Name of the AVD that all of them are clones of, as `emulator -list-avds` shows it."""
    snapshot: str = "default_boot"
    """The snapshot that every episode starts from; empty starts them cold, and once only."""
    memory_mb: int = Field(2048, ge=1)
    """Memory of each emulator in MB."""
    cores: int = Field(2, ge=1)
    """CPU cores of each emulator."""
    gpu: str = "swiftshader_indirect"
    """Graphics mode (`emulator -gpu`); the default needs no graphics card."""
    boot_seconds: float = Field(300.0, gt=0)
    """Seconds that each may take to start."""
    # Consoles of emulators have even ports from 5554 on; adb listens on the odd one above each.
    # Every adb server that starts on this machine grabs what it finds on 5555 to 5585.
    first_port: int = Field(5586, ge=5554, le=5680, multiple_of=2)
    """Console port from which on free ports are looked for."""
    program: str | None = None
    """The emulator program; null looks for it on PATH and in the Android SDK."""
    options: list[str] = Field(default_factory=list)
    """Further options of the emulator program, one word each."""

    @model_validator(mode="after")
    def _has_a_template(self) -> Self:
        if self.count and not self.avd:
            raise ValueError(
                f"count is {self.count} and avd is empty: name the AVD that emulators are started "
                "from, as `emulator -list-avds` shows it"
            )
        return self


class AndroidConfig(Config):
    """Phones over adb that collect beside, or instead of, the embedded ones."""

    serials: list[str] = Field(default_factory=list)
    """Serials as `adb devices` shows them, or HOST:PORT to connect to; none for no phones."""
    emulators: EmulatorsConfig = EmulatorsConfig()
    """Emulators that the run starts and owns."""
    safety: SafetyConfig = SafetyConfig()
    """What agents may do on them."""
    adb_port: int | None = Field(None, ge=1, le=65535)
    """Port of an adb server that runs already; null starts our own for the run."""
    servers: int = Field(1, ge=1, le=16)
    """How many servers of our own the phones over HOST:PORT are split over. A server that hangs
    holds up its own phones only. Those on cables are at the machine's own server, or at one."""
    # As wide as an embedded phone, so that a policy that was trained on one sees the same size on
    # the other.
    screen_width: int | None = Field(180, ge=1)
    """Width in pixels to which screenshots are scaled down; null keeps them as they are."""
    deadline: float = Field(15.0, gt=0, le=_LONGEST_SECONDS)
    """Seconds that one call to a phone may take; getting ready for an episode is one."""
    settle_seconds: float = Field(3.0, ge=0, le=_LONGEST_SECONDS)
    """Seconds for which a screen that moves, or is not read consistently, is looked at again."""
    wait_seconds: float = Field(1.0, gt=0, le=_LONGEST_SECONDS)
    """Seconds that the action `wait` takes."""
    hierarchy: Literal["uiautomator", "uiautomator2"] = "uiautomator"
    """Who reads the elements: the program that every Android has, or, if it is installed here, the
    package uiautomator2, which puts an app of its own on the phones."""
    stop_apps: list[str] = Field(default_factory=list)
    """Packages that are force-stopped before every episode."""

    @model_validator(mode="after")
    def _may_be_used(self) -> Self:
        # Checked where settings are read, before any phone is touched.
        refused = [s for s in self.serials if not self.opted_in(s)]
        if refused:
            raise ValueError(
                f"nobody has opted in to {', '.join(refused)}: agents operate a phone only if "
                "collect.android.safety.opt_in names its serial "
                f"(named: {', '.join(self.safety.opt_in) or 'none'})"
            )
        if self.phones and not self.safety.apps:
            raise ValueError(
                "collect.android.safety.apps is empty: name the packages that agents may use on "
                "these phones, the launcher among them"
            )
        return self

    @model_validator(mode="after")
    def _servers_fit(self) -> Self:
        if self.servers > 1 and self.adb_port is not None:
            raise ValueError(
                f"collect.android.servers ({self.servers}) are of our own, and "
                f"collect.android.adb_port ({self.adb_port}) names one that runs already: "
                "set one of them"
            )
        return self

    @property
    def phones(self) -> int:
        """How many phones there are, those in emulators too."""
        return len(self.serials) + self.emulators.count

    def opted_in(self, serial: str) -> bool:
        """Whether a phone may be used, as far as its serial tells."""
        return serial in self.safety.opt_in or is_loopback(serial)
