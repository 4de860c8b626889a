"""Parsers for `dumpsys`: windows, focus and screen rotation. Pure functions.

The output of `dumpsys` is meant for people and changes between versions. Each value is searched for
in all places where Android 7 and later print it; a value that is not found is reported as unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from distrl.devices.android.danger_words import SYSTEM_UI

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels."""

WINDOW_LINES = "mCurrentFocus|mFocusedApp|Window #|mOwnerUid|touchable region|isVisible="
"""The lines of `dumpsys window` that `read_windows` reads, as a pattern for grep -E."""
ROTATION_LINES = "DisplayViewport|Viewport INTERNAL|mDisplayRotation|SurfaceOrientation|mRotation"
"""The lines of `dumpsys display`, `input` and `window` that `read_rotation` reads."""

_FOCUS = re.compile(r"mCurrentFocus=Window\{(\S+) \S+ ([^}\n]*)\}")
_APP = re.compile(r"mFocusedApp=.*?ActivityRecord\{\S+ \S+ ([^/\s]+)/")
_LISTED = re.compile(r"Window #\d+ Window\{(\S+) \S+ ([^}\n]*)\}")
_OWNER = re.compile(r"mOwnerUid=.*?\bpackage=(\S+)")
_RECTANGLE = re.compile(r"\((-?\d+),(-?\d+),(-?\d+),(-?\d+)\)")
_SHADE = re.compile(r"Notification ?Shade")
_OF_THE_SYSTEM = re.compile(
    r"Notification ?Shade|StatusBar|Status bar|NavigationBar\d*|Keyguard|Bouncer|GlobalActions"
    r"|ActionsDialog|VolumeDialog\w*|RecentsPanel"
)
"""Titles of windows of the system's own surface, for an Android that does not list its windows."""

_ROTATIONS = tuple(
    re.compile(pattern)
    for pattern in (
        # What touches are scaled by; of several screens the phone's own.
        r"DisplayViewport\{(?=[^}]*valid=true)(?=[^}]*displayId=0\b)[^}]*?\borientation=(\d)",
        r"Viewport INTERNAL: [^\n]*?displayId=0\b[^\n]*?\borientation=(\d)",
        r"mDisplayRotation=ROTATION_(\d+)",
        r"SurfaceOrientation: *(\d)",
        r"mRotation=(?:ROTATION_)?(\d+)",
    )
)
"""Where the rotation stands, the surest first."""


@dataclass(frozen=True, slots=True)
class Windows:
    """Which windows there are, as far as the device says."""

    focus: str = ""
    """Title of the window that has the focus."""
    app: str = ""
    """Package of the activity in front."""
    owner: str = ""
    """Package of the window that has the focus: another one than the app's where the system has
    put something above it, such as the notification shade."""
    keyboard: str = ""
    """Package of the on-screen keyboard's window."""
    shade: tuple[Box, ...] = ()
    """Where the notification shade takes touches: all of the screen when it is open, and when a
    notification drops in from above, there."""


@dataclass(frozen=True, slots=True)
class _Window:
    number: str
    title: str
    package: str
    touched: tuple[Box, ...]


def read_windows(text: str) -> Windows:
    """Read what `dumpsys window` prints, or those of its lines that WINDOW_LINES names."""
    focus, app = _FOCUS.search(text), _APP.search(text)
    in_front = app[1] if app else ""
    listed = tuple(_listed(text))
    return Windows(
        focus=focus[2] if focus else "",
        app=in_front or _named(focus[2] if focus else ""),
        owner=_owner(focus, listed) or in_front,
        keyboard=next((w.package for w in listed if w.title == "InputMethod"), ""),
        shade=tuple(box for w in listed if _SHADE.fullmatch(w.title) for box in w.touched),
    )


def read_rotation(text: str) -> int | None:
    """Quarter turns by which the screen is turned from how it is built; None when nobody says."""
    found = next((match for known in _ROTATIONS if (match := known.search(text))), None)
    if found is None:
        return None
    turned = int(found[1])
    # Some versions print quarter turns, others degrees; no number means both.
    return turned // 90 % 4 if turned > 3 else turned


def _owner(focus: re.Match[str] | None, listed: tuple[_Window, ...]) -> str:
    if focus is None:
        return ""
    # The listed owner is certain. A title is chosen by the app itself, so it only fills gaps.
    known = next((w.package for w in listed if w.number == focus[1] and w.package), "")
    of_system = SYSTEM_UI if _OF_THE_SYSTEM.fullmatch(focus[2]) else ""
    return known or _named(focus[2]) or of_system


def _named(title: str) -> str:
    """The package in a title that is an activity's name."""
    found = re.match(r"([^/\s]+)/", title)
    return found[1] if found else ""


def _listed(text: str) -> Iterator[_Window]:
    heads = list(_LISTED.finditer(text))
    for index, head in enumerate(heads):
        end = heads[index + 1].start() if index + 1 < len(heads) else len(text)
        block = text[head.end() : end]
        owner = _OWNER.search(block)
        yield _Window(head[1], head[2], owner[1] if owner else "", tuple(_touched(block)))


def _touched(block: str) -> Iterator[Box]:
    """Where a window that is shown takes touches."""
    if "isVisible=true" not in block:
        return
    region = re.search(r"touchable region=SkRegion\((.*)\)", block)
    for found in _RECTANGLE.finditer(region[1] if region else ""):
        left, top, right, bottom = (int(side) for side in found.groups())
        yield left, top, right, bottom
