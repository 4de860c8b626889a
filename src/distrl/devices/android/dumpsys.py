"""Parsers for what a device says of itself: windows, rotation, size, keyboard, boot, activities.

All are pure functions.

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

WINDOW_LINES = (
    "WINDOW MANAGER |mCurrentFocus|mFocusedApp|Window #|mOwnerUid|touchable region|isVisible="
    "|Display: mDisplayId|mTopFocusedDisplayId"
)
"""The lines of `dumpsys window` that `read_windows` reads, as a pattern for grep -E."""
ROTATION_LINES = (
    "DisplayViewport|Viewport INTERNAL|mDisplayRotation|SurfaceOrientation|InputDeviceOrientation"
    "|mRotation"
)
"""The lines of `dumpsys display`, `input` and `window` that `read_rotation` reads."""

KEYBOARD_LINES = "mInputShown|mIsInputViewShown"
"""The lines of `dumpsys input_method` that `read_keyboard` reads."""
SERVICES = ("package", "input", "activity", "window")
"""Without one of these, a device that says it has booted cannot be operated yet."""

# The state that is kept of the last ANR is a dump within the dump; what is true now comes after it.
_LAST_ANR = re.compile(r"WINDOW MANAGER LAST ANR.*?(?=WINDOW MANAGER POLICY STATE|\Z)", re.DOTALL)
_DISPLAY = re.compile(r"Display: mDisplayId=(\d+)")
_FOCUSED_DISPLAY = re.compile(r"mTopFocusedDisplayId=(\d+)")
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

_TURNED = r"(?:ROTATION_|Rotation)?(\d+)"
_ROTATIONS = tuple(
    re.compile(pattern)
    for pattern in (
        # What touches are scaled by; of several screens the phone's own.
        # A foldable lists the screen that is switched off as well, and often first.
        r"DisplayViewport\{(?=[^}]*valid=true)(?=[^}]*displayId=0\b)(?![^}]*isActive=false)"
        rf"[^}}]*?\borientation={_TURNED}",
        r"Viewport INTERNAL: (?=[^\n]*displayId=0\b)(?![^\n]*isActive=\[?(?:0|false))"
        rf"[^\n]*?\borientation={_TURNED}",
        rf"mDisplayRotation={_TURNED}",
        rf"(?:Surface|InputDevice)Orientation: *{_TURNED}",
        rf"mRotation={_TURNED}",
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
    now = _LAST_ANR.sub("", text)
    focus, app = _on_focused_display(_FOCUS, now), _on_focused_display(_APP, now)
    in_front = app[1] if app else ""
    listed = tuple(_listed(now))
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


def read_keyboard(text: str) -> bool:
    """Whether a keyboard is on the screen, by `dumpsys input_method`.

    With a hardware keyboard, an input method is shown that has nothing to show.
    """
    return "mInputShown=true" in text and "mIsInputViewShown=false" not in text


def read_size(text: str) -> tuple[int, int] | None:
    """Width and height by `wm size`: what somebody has set, or else what is built in."""
    for name in ("Override", "Physical", r"\w+"):
        found = re.search(rf"\b{name} size:\s*(\d+)x(\d+)", text)
        if found is not None:
            return int(found[1]), int(found[2])
    return None


def missing_for_use(text: str) -> str:
    """What a booted device still lacks, by `service check` and `dumpsys window`; empty for nothing.

    Android says that it has booted before all of its services answer.
    """
    for service in SERVICES:
        if f"Service {service}: found" not in text:
            return f"the service {service}"
    return "" if read_windows(text).focus else "a window that has the focus"


def read_launcher_activity(text: str, package: str) -> str:
    """The component that an app's icon starts, by `cmd package resolve-activity --brief`.

    Empty when there is none: Android then answers with words, or with a chooser of its own.
    """
    pattern = rf"{re.escape(package)}/[\w.$]+"
    lines = (line.strip() for line in reversed(text.splitlines()))
    return next((line for line in lines if re.fullmatch(pattern, line)), "")


def _on_focused_display(known: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The last match on the display that has the focus; else on the first display, else of all."""
    found = list(known.finditer(text))
    if not found:
        return None
    heads = list(_DISPLAY.finditer(text))
    focused = _FOCUSED_DISPLAY.search(text)
    for wanted in (focused[1] if focused else "0", "0"):
        here = [match for match in found if _display_at(match.start(), heads) == wanted]
        if here:
            return here[-1]
    return found[-1]


def _display_at(place: int, heads: list[re.Match[str]]) -> str:
    before = [head[1] for head in heads if head.start() < place]
    return before[-1] if before else ""


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
