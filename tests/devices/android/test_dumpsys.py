from __future__ import annotations

import re

import pytest

from distrl.devices.android.danger_words import SYSTEM_UI
from distrl.devices.android.dumpsys import (
    ROTATION_LINES,
    WINDOW_LINES,
    Windows,
    read_rotation,
    read_windows,
)

CLOCK = "com.android.deskclock"


def listed(number: str, title: str, package: str, *more: str) -> str:
    return "\n".join(
        (
            f"  Window #4 Window{{{number} u0 {title}}}:",
            "    mDisplayId=0 rootTaskId=1 mSession=Session{6fdbba 684:u0a10144}",
            f"    mOwnerUid=10144 showForAllUsers=true package={package} appop=NONE",
            "    mAttrs={(0,0)(fillxfill) ty=SOMETHING fmt=TRANSLUCENT}",
            *(f"    {line}" for line in more),
            "",
        )
    )


def dumped(focus: str, *windows: str, app: str = CLOCK) -> str:
    """`dumpsys window`, as a recent Android prints it."""
    return (
        "WINDOW MANAGER WINDOWS (dumpsys window windows)\n"
        + "".join(windows)
        + "  Display: mDisplayId=2\n    mCurrentFocus=null\n"
        + f"  mCurrentFocus=Window{{{focus}}}\n"
        + f"  mFocusedApp=ActivityRecord{{5cd319f u0 {app}/.DeskClock t8}}\n"
    )


def kept_by_grep(text: str, lines: str) -> str:
    return "\n".join(line for line in text.splitlines() if re.search(lines, line))


ACTIVITY = listed("a1", f"{CLOCK}/{CLOCK}.DeskClock", CLOCK, "isVisible=true")
SHADE = listed(
    "b2",
    "NotificationShade",
    SYSTEM_UI,
    "touchable region=SkRegion((0,0,1080,240)(20,300,1060,400))",
    "isVisible=true",
)


@pytest.mark.parametrize(
    ("focus", "windows", "owner"),
    [
        (f"a1 u0 {CLOCK}/{CLOCK}.DeskClock", (SHADE, ACTIVITY), CLOCK),
        ("b2 u0 NotificationShade", (SHADE, ACTIVITY), SYSTEM_UI),
        ("c3 u0 PopupWindow:1f2e3d", (listed("c3", "PopupWindow:1f2e3d", CLOCK), ACTIVITY), CLOCK),
        ("d4 u0 Reply", (listed("d4", "Reply", "com.messenger"), ACTIVITY), "com.messenger"),
        # Android that does not list its windows: titles have to do.
        ("b2 u0 NotificationShade", (), SYSTEM_UI),
        ("b2 u0 StatusBar", (), SYSTEM_UI),
        ("e5 u0 com.bank/com.bank.Pay", (), "com.bank"),
        ("c3 u0 PopupWindow:1f2e3d", (), CLOCK),
    ],
)
def test_the_window_with_the_focus_says_who_is_in_front(
    focus: str, windows: tuple[str, ...], owner: str
) -> None:
    text = dumped(focus, *windows)
    found = read_windows(text)
    assert (found.owner, found.app) == (owner, CLOCK)
    assert found.focus == focus.split(" ", 2)[2]
    assert read_windows(kept_by_grep(text, WINDOW_LINES)) == found


def test_app_is_known_from_older_androids() -> None:
    record = "AppWindowToken{12ab token=Token{34cd ActivityRecord{56ef u0 com.shop/.Main t3}}}"
    assert read_windows(f"  mFocusedApp={record}\n").app == "com.shop"
    focus = "  mCurrentFocus=Window{12ab u0 com.shop/com.shop.Main}\n"
    assert read_windows(focus).app == "com.shop"


def test_nothing_is_made_up_where_nothing_is_said() -> None:
    assert read_windows("  mCurrentFocus=null\n  mFocusedApp=null\n") == Windows()


def test_shade_takes_touches_where_it_is_shown() -> None:
    focus = f"a1 u0 {CLOCK}/{CLOCK}.DeskClock"
    assert read_windows(dumped(focus, SHADE, ACTIVITY)).shade == (
        (0, 0, 1080, 240),
        (20, 300, 1060, 400),
    )
    hidden = SHADE.replace("isVisible=true", "isVisible=false")
    assert read_windows(dumped(focus, hidden, ACTIVITY)).shade == ()


def test_keyboard_is_known_by_its_window() -> None:
    keyboard = listed("f6", "InputMethod", "com.keyboard", "isVisible=true")
    focus = f"a1 u0 {CLOCK}/{CLOCK}.DeskClock"
    assert read_windows(dumped(focus, keyboard, ACTIVITY)).keyboard == "com.keyboard"


VIEWPORT = (
    "  mViewports=[DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=%d, "
    "uniqueId='local:4619827259835644672', physicalPort=0, orientation=%d, "
    "logicalFrame=Rect(0, 0 - 2340, 1080), physicalFrame=Rect(0, 0 - 2340, 1080), "
    "deviceWidth=1080, deviceHeight=2340}]\n"
)


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        (VIEWPORT % (0, 1), 1),
        (VIEWPORT % (2, 3) + VIEWPORT % (0, 1), 1),
        (VIEWPORT % (0, 0) + "SurfaceOrientation: 1\n", 0),
        ("DisplayViewport{valid=true, displayId=0, orientation=3, deviceWidth=1080}\n", 3),
        ("DisplayViewport{valid=false, displayId=0, orientation=3}\n  SurfaceOrientation: 2\n", 2),
        ("  Viewport INTERNAL: displayId=0, uniqueId=local:1, port=0, orientation=1, x\n", 1),
        ("winConfig={ mDisplayRotation=ROTATION_270 mRotation=ROTATION_0}\n", 3),
        ("    mRotation=1 mDeferredRotationPauseCount=0\n", 1),
        ("  mRotation=ROTATION_180\n", 2),
        ("mCurrentAppOrientation=SCREEN_ORIENTATION_UNSPECIFIED\n", None),
        ("", None),
    ],
)
def test_the_table_of_rotations(text: str, turns: int | None) -> None:
    assert read_rotation(text) == turns
    assert read_rotation(kept_by_grep(text, ROTATION_LINES)) == turns
