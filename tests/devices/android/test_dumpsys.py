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


# Several Androids, as they print it


NOUGAT = """WINDOW MANAGER WINDOWS (dumpsys window windows)
  Window #2 Window{41d2c38 u0 StatusBar}:
    mDisplayId=0 stackId=0 mSession=Session{a8f5c01 1702:u0a10025} mClient=android.os.BinderProxy
    mOwnerUid=10025 mShowToOwnerOnly=false package=com.android.systemui appop=NONE
    touchable region=SkRegion((0,0,1080,63))
    isReadyForDisplay()=true
  Window #1 Window{c0ffee1 u0 com.shop/com.shop.MainActivity}:
    mOwnerUid=10077 mShowToOwnerOnly=true package=com.shop appop=NONE
    isReadyForDisplay()=true
  mCurrentFocus=Window{c0ffee1 u0 com.shop/com.shop.MainActivity}
  mFocusedApp=AppWindowToken{d1 token=Token{e2 ActivityRecord{f3 u0 com.shop/.MainActivity t12}}}
  mRotation=1 mAltOrientation=false
"""
PIE = """WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)
  Display: mDisplayId=0
    mCurrentFocus=Window{9a u0 com.maps/com.maps.Map}
    mFocusedApp=AppWindowToken{9b token=Token{9c ActivityRecord{9d u10 com.maps/.Map t7}}}
    mRotation=0
"""
UPSIDE_DOWN_CAKE = """WINDOW MANAGER WINDOWS (dumpsys window windows)
  Window #8 Window{7f u0 ScreenDecorOverlay}:
    mOwnerUid=10155 showForAllUsers=true package=com.android.systemui appop=NONE
    isVisible=true
  Window #7 Window{8a u0 NotificationShade}:
    mOwnerUid=10155 showForAllUsers=true package=com.android.systemui appop=NONE
    touchable region=SkRegion()
    isVisible=true
  Window #6 Window{9c u0 InputMethod}:
    mOwnerUid=10140 showForAllUsers=false package=com.google.android.inputmethod.latin appop=NONE
    touchable region=SkRegion((0,1500,1080,2400))
    isVisible=true
  Window #5 Window{aa u0 com.shop/com.shop.MainActivity}:
    mOwnerUid=10222 showForAllUsers=false package=com.shop appop=NONE
    isVisible=true
  mCurrentFocus=Window{aa u0 com.shop/com.shop.MainActivity}
  mFocusedApp=ActivityRecord{45 u0 com.shop/.MainActivity t2114}
"""


@pytest.mark.parametrize(
    ("text", "app", "keyboard"),
    [
        (NOUGAT, "com.shop", ""),
        (PIE, "com.maps", ""),
        (UPSIDE_DOWN_CAKE, "com.shop", "com.google.android.inputmethod.latin"),
    ],
    ids=["7", "9", "14"],
)
def test_windows_of_several_androids_are_understood(text: str, app: str, keyboard: str) -> None:
    for printed in (text, text.replace("\n", "\r\n"), kept_by_grep(text, WINDOW_LINES)):
        found = read_windows(printed)
        assert (found.app, found.owner, found.keyboard) == (app, app, keyboard)
        assert found.shade == ()


def test_shade_that_is_there_and_takes_no_touches_covers_nothing() -> None:
    assert read_windows(UPSIDE_DOWN_CAKE).shade == ()
    dropped = UPSIDE_DOWN_CAKE.replace("SkRegion()", "SkRegion((-5,0,1080,300)(0,2300,1080,2400))")
    assert read_windows(dropped).shade == ((-5, 0, 1080, 300), (0, 2300, 1080, 2400))


def test_touches_of_other_windows_are_not_the_shades() -> None:
    """The keyboard of the dump above takes touches, and is no shade."""
    without = UPSIDE_DOWN_CAKE.replace("NotificationShade", "NavigationBar0")
    assert read_windows(without).shade == ()


@pytest.mark.parametrize(
    "title",
    ["NotificationShade", "Notification Shade", "StatusBar", "Status bar", "NavigationBar0",
     "Keyguard", "Bouncer", "GlobalActions", "ActionsDialog", "VolumeDialogImpl", "RecentsPanel"],
)  # fmt: skip
def test_titles_of_the_system_tell_the_owner_where_windows_are_not_listed(title: str) -> None:
    assert read_windows(f"  mCurrentFocus=Window{{1 u0 {title}}}\n").owner == SYSTEM_UI


@pytest.mark.parametrize(
    "title", ["StatusBarFake", "My NotificationShade", "Toast", "PopupWindow:1"]
)
def test_titles_that_only_look_like_the_systems_tell_nothing(title: str) -> None:
    assert read_windows(f"  mCurrentFocus=Window{{1 u0 {title}}}\n").owner == ""


def test_window_of_the_list_without_an_owner_falls_back_to_its_title() -> None:
    text = "  Window #1 Window{1 u0 com.a/.B}:\n  mCurrentFocus=Window{1 u0 com.a/.B}\n"
    assert read_windows(text).owner == "com.a"


@pytest.mark.parametrize("cut", range(0, len(UPSIDE_DOWN_CAKE), 37))
def test_dump_that_is_cut_off_is_read_as_far_as_it_goes(cut: int) -> None:
    found = read_windows(UPSIDE_DOWN_CAKE[:cut])
    assert found.app in ("", "com.shop")
    assert found.owner in ("", "com.shop")


@pytest.mark.parametrize(
    ("printed", "turns"),
    [("0", 0), ("1", 1), ("2", 2), ("3", 3), ("90", 1), ("180", 2), ("270", 3), ("360", 0)],
)
def test_quarter_turns_and_degrees_are_told_apart(printed: str, turns: int) -> None:
    assert read_rotation(f"  mRotation=ROTATION_{printed}\n") == turns


def test_external_screen_does_not_turn_the_phone() -> None:
    external = VIEWPORT.replace("INTERNAL", "EXTERNAL") % (2, 3)
    assert read_rotation(external) is None
    assert read_rotation(external + "  SurfaceOrientation: 1\n") == 1
    assert read_rotation(external + VIEWPORT % (0, 2)) == 2


def test_display_ten_is_not_display_one_or_zero() -> None:
    assert read_rotation(VIEWPORT % (10, 3)) is None


def test_surest_line_counts_wherever_it_stands() -> None:
    less_sure = "  mRotation=3\n  SurfaceOrientation: 2\n"
    assert read_rotation(less_sure + VIEWPORT % (0, 1)) == 1
    assert read_rotation(less_sure) == 2
