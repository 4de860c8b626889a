"""Answers of real devices, written by hand after theirs: Android 9 to 16, several makers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from distrl.devices.android.danger_words import SYSTEM_UI
from distrl.devices.android.device import stuck_app
from distrl.devices.android.dumpsys import (
    KEYBOARD_LINES,
    ROTATION_LINES,
    SERVICES,
    WINDOW_LINES,
    missing_for_use,
    read_keyboard,
    read_launcher_activity,
    read_rotation,
    read_size,
    read_windows,
)

MAPS = "com.google.android.apps.maps"
PIXEL_HOME = "com.google.android.apps.nexuslauncher"
ONE_UI_HOME = "com.sec.android.app.launcher"
POLICY = "WINDOW MANAGER POLICY STATE (dumpsys window policy)\n    mSafeMode=false\n"
DISPLAYS = "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n"
WINDOWS = "WINDOW MANAGER WINDOWS (dumpsys window windows)\n"
NO_ANR = "WINDOW MANAGER LAST ANR (dumpsys window lastanr)\n  <no ANR has occurred since boot>\n\n"


def display(number: int, focus: str, app: str = "") -> str:
    """One display of `dumpsys window displays`, as Android 10 and later print it."""
    shown = f"Window{{6f1a2b3 u0 {focus}}}" if focus else "null"
    record = f"ActivityRecord{{91d0c4e u0 {app}/.Main t41}}" if app else "null"
    return (
        f"  Display: mDisplayId={number} rootTasks=5\n    init=1080x2400 420dpi cur=1080x2400\n"
        f"  mCurrentFocus={shown}\n  mFocusedApp={record}\n\n"
    )


def window(title: str, package: str, number: str = "6f1a2b3", *more: str) -> str:
    """One entry of `dumpsys window windows`."""
    return (
        f"  Window #3 Window{{{number} u0 {title}}}:\n    mDisplayId=0 rootTaskId=1\n"
        f"    mOwnerUid=10144 showForAllUsers=false package={package} appop=NONE\n"
        + "".join(f"    {line}\n" for line in more)
    )


def recent(*displays: str, top: int = 0, listed: str = "", anr: str = NO_ANR) -> str:
    """`dumpsys window` of Android 10 and later."""
    return (
        f"{anr}{POLICY}{DISPLAYS}{''.join(displays)}{WINDOWS}{listed}  mTopFocusedDisplayId={top}\n"
    )


def last_anr(package: str) -> str:
    """What is kept of an ANR: a dump within the dump, with focus and windows of that moment."""
    return (
        "WINDOW MANAGER LAST ANR (dumpsys window lastanr)\n  ANR time: May 4, 2024 3:12:09 PM\n"
        f"  Application at fault: {package}\n  Reason: Input dispatching timed out\n"
        + window(f"Application Not Responding: {package}", "android", "aa11")
        + "Last ANR continued:\n"
        + DISPLAYS
        + display(0, f"Application Not Responding: {package}", package)
        + "\n"
    )


@dataclass(frozen=True, slots=True)
class Front:
    """A dump, and what is in front in it."""

    text: str
    focus: str
    app: str
    owner: str


MAPS_MAIN = f"{MAPS}/{MAPS}.MapsActivity"
ANDROID_9 = (
    f"{WINDOWS}{window(MAPS_MAIN, MAPS)}"
    f"  mCurrentFocus=Window{{6f1a2b3 u0 {MAPS_MAIN}}}\n"
    "  mFocusedApp=AppWindowToken{1d3 token=Token{5a6 ActivityRecord{7b8 u0 "
    f"{MAPS}/.MapsActivity t12}}}}}}\n"
)
FRONTS = {
    "android 9, emulator": Front(ANDROID_9, MAPS_MAIN, MAPS, MAPS),
    "android 10, pixel": Front(recent(display(0, MAPS_MAIN, MAPS)), MAPS_MAIN, MAPS, MAPS),
    "android 13, record with a brace too many": Front(
        recent(display(0, MAPS_MAIN, MAPS).replace(" t41}", "} t41}")), MAPS_MAIN, MAPS, MAPS
    ),
    "android 14, home screen": Front(
        recent(display(0, f"{PIXEL_HOME}/{PIXEL_HOME}.NexusLauncherActivity", PIXEL_HOME)),
        f"{PIXEL_HOME}/{PIXEL_HOME}.NexusLauncherActivity",
        PIXEL_HOME,
        PIXEL_HOME,
    ),
    "android 12, an ANR that was closed long ago": Front(
        recent(display(0, MAPS_MAIN, MAPS), anr=last_anr("com.bank")), MAPS_MAIN, MAPS, MAPS
    ),
    "android 16, an ANR that is shown now": Front(
        recent(
            display(0, "Application Not Responding: com.bank", "com.bank"),
            anr=last_anr("com.bank"),
            listed=window("Application Not Responding: com.bank", "android"),
        ),
        "Application Not Responding: com.bank",
        "com.bank",
        "android",
    ),
    "android 11, shade pulled down": Front(
        recent(display(0, "NotificationShade", MAPS)), "NotificationShade", MAPS, SYSTEM_UI
    ),
    "android 9, shade pulled down": Front(
        ANDROID_9.replace(f"6f1a2b3 u0 {MAPS_MAIN}}}\n  mF", "9c u0 StatusBar}\n  mF"),
        "StatusBar",
        MAPS,
        SYSTEM_UI,
    ),
    "one ui 6, lock screen": Front(
        recent(
            display(0, "NotificationShade", ONE_UI_HOME),
            listed=window("NotificationShade", SYSTEM_UI),
        ),
        "NotificationShade",
        ONE_UI_HOME,
        SYSTEM_UI,
    ),
    "miui 14, control centre": Front(
        recent(display(0, "control_center", MAPS), listed=window("control_center", SYSTEM_UI)),
        "control_center",
        MAPS,
        SYSTEM_UI,
    ),
    "coloros 14, power menu": Front(
        recent(display(0, "ShutdownView", MAPS), listed=window("ShutdownView", "android")),
        "ShutdownView",
        MAPS,
        "android",
    ),
    "permission dialog": Front(
        recent(
            display(
                0,
                "com.google.android.permissioncontroller/"
                "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity",
                "com.google.android.permissioncontroller",
            )
        ),
        "com.google.android.permissioncontroller/"
        "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity",
        "com.google.android.permissioncontroller",
        "com.google.android.permissioncontroller",
    ),
    "z flip, cover screen listed first": Front(
        recent(
            display(1, "SubHomeActivity", "com.sec.android.app.launcher.sub"),
            display(0, MAPS_MAIN, MAPS),
        ),
        MAPS_MAIN,
        MAPS,
        MAPS,
    ),
    "z flip, cover screen listed last": Front(
        recent(
            display(0, MAPS_MAIN, MAPS),
            display(1, "SubHomeActivity", "com.sec.android.app.launcher.sub"),
        ),
        MAPS_MAIN,
        MAPS,
        MAPS,
    ),
    "dex, the second display has the focus": Front(
        recent(display(0, "", ""), display(2, MAPS_MAIN, MAPS), top=2), MAPS_MAIN, MAPS, MAPS
    ),
    "virtual display without a focus": Front(
        recent(display(0, MAPS_MAIN, MAPS), display(7, "", "")), MAPS_MAIN, MAPS, MAPS
    ),
    "android 15, keyguard bouncer": Front(
        recent(display(0, "Bouncer", PIXEL_HOME)), "Bouncer", PIXEL_HOME, SYSTEM_UI
    ),
    "still booting": Front(recent(display(0, "", "")), "", "", ""),
}


@pytest.mark.parametrize("front", FRONTS.values(), ids=FRONTS)
def test_who_is_in_front(front: Front) -> None:
    for text in (front.text, _kept(front.text, WINDOW_LINES)):
        found = read_windows(text)
        assert (found.focus, found.app, found.owner) == (front.focus, front.app, front.owner)


def _kept(text: str, lines: str) -> str:
    """What the device's own grep leaves."""
    return "\n".join(line for line in text.splitlines() if re.search(lines, line))


@pytest.mark.parametrize(
    ("focus", "app"),
    [
        ("Application Not Responding: com.bank", "com.bank"),
        ("Application Not Responding: com.bank:push", "com.bank"),
        ("Application Not Responding: system", "system"),
        ("Application Not Responding: com.android.systemui", SYSTEM_UI),
        ("com.bank/com.bank.Main", ""),
    ],
)
def test_which_app_does_not_respond(focus: str, app: str) -> None:
    assert stuck_app(focus) == app


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("Physical size: 1080x2400\n", (1080, 2400)),
        ("Physical size: 1440x3088\nOverride size: 1080x2316\n", (1080, 2316)),
        ("Override size: 1080x2316\nPhysical size: 1440x3088\n", (1080, 2316)),
        ("Physical size:1080x1920\r\n", (1080, 1920)),
        ("Can't find service: window\n", None),
    ],
)
def test_how_large_the_screen_is(text: str, size: tuple[int, int] | None) -> None:
    assert read_size(text) == size


def viewport(number: int, turned: str, *, active: str = "true", kind: str = "INTERNAL") -> str:
    return (
        f"DisplayViewport{{type={kind}, valid=true, isActive={active}, displayId={number}, "
        f"uniqueId='local:4630946{number}', physicalPort=0, orientation={turned}, "
        "logicalFrame=Rect(0, 0 - 2208, 1840), physicalFrame=Rect(0, 0 - 2208, 1840), "
        "deviceWidth=1840, deviceHeight=2208}"
    )


def input_viewport(number: int, turned: str, active: str) -> str:
    return (
        f"    Viewport INTERNAL: displayId={number}, uniqueId=local:46309{number}, port=0, "
        f"orientation={turned}, logicalFrame=[0, 0, 1080, 2400], isActive={active}\n"
    )


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        (f"  mViewports=[{viewport(0, '0')}]\n", 0),
        # A fold whose outer screen is off, and listed first.
        (f"  mViewports=[{viewport(0, '1', active='false')}, {viewport(0, '3')}]\n", 3),
        (f"  mViewports=[{viewport(3, '1', active='false')}, {viewport(0, '2')}]\n", 2),
        (f"  mViewports=[{viewport(2, '1', kind='EXTERNAL')}, {viewport(0, '0')}]\n", 0),
        (input_viewport(0, "1", "[0]") + input_viewport(0, "0", "[1]"), 0),
        (input_viewport(0, "ROTATION_270", "[1]"), 3),
        (input_viewport(0, "Rotation90", "[1]"), 1),
        ("      SurfaceOrientation: 1\n", 1),
        ("      InputDeviceOrientation: Rotation270\n", 3),
        ("      InputDeviceOrientation: ROTATION_90\n", 1),
        ("  winConfig={ mDisplayRotation=ROTATION_270 mRotation=undefined}\n", 3),
        ("    mRotation=ROTATION_90 mDeferredRotationPauseCount=0\n", 1),
        ("    mRotation=3 mAltOrientation=false\n", 3),
        ("mDisplayRotation=undefined\n", None),
    ],
)
def test_how_the_screen_is_held(text: str, turns: int | None) -> None:
    assert read_rotation(text) == turns
    assert read_rotation(_kept(text, ROTATION_LINES)) == turns


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("  mInputShown=true\n", True),
        ("  mInputShown=false\n", False),
        ("    mShowRequested=true mShowExplicitlyRequested=false mInputShown=true\n", True),
        ("  mInputShown=true\n  mDecorViewVisible=true\n  mIsInputViewShown=true\n", True),
        # A keyboard on a cable, or an emulator with hw.keyboard=yes.
        ("  mInputShown=true\n  mShowInputRequested=false\n  mIsInputViewShown=false\n", False),
        ("Can't find service: input_method\n", False),
    ],
)
def test_whether_a_keyboard_is_on_the_screen(text: str, shown: bool) -> None:
    assert read_keyboard(text) is shown
    assert read_keyboard(_kept(text, KEYBOARD_LINES)) is shown


FOUND = "".join(f"Service {name}: found\n" for name in SERVICES)
HOME = display(0, f"{PIXEL_HOME}/.NexusLauncherActivity", PIXEL_HOME)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        (FOUND + HOME, ""),
        (FOUND.replace("package: found", "package: not found") + HOME, "the service package"),
        (FOUND.replace("input: found", "input: not found") + HOME, "the service input"),
        (FOUND + display(0, ""), "a window that has the focus"),
        (FOUND + "Can't find service: window\n", "a window that has the focus"),
        ("cmd: Failure calling service package: Broken pipe (32)\n", "the service package"),
    ],
)
def test_what_a_booted_device_still_lacks(text: str, missing: str) -> None:
    assert missing_for_use(text) == missing


ORDER = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\n"


@pytest.mark.parametrize(
    ("text", "component"),
    [
        (f"{ORDER}com.shop/.MainActivity\n", "com.shop/.MainActivity"),
        (f"{ORDER}com.shop/com.shop.ui.Start$Alias\r\n", "com.shop/com.shop.ui.Start$Alias"),
        ("com.shop/.Main\n", "com.shop/.Main"),
        ("No activity found\n", ""),
        # Two icons for one app: Android would ask which.
        (f"{ORDER}android/com.android.internal.app.ResolverActivity\n", ""),
        ("Error: unknown command 'resolve-activity'\n", ""),
        ("", ""),
    ],
)
def test_which_activity_an_icon_starts(text: str, component: str) -> None:
    assert read_launcher_activity(text, "com.shop") == component


def test_there_are_enough_real_answers() -> None:
    """The table stands for what real devices say only while it is broad."""
    marked: list[Callable[..., None]] = [
        test_which_app_does_not_respond,
        test_how_large_the_screen_is,
        test_how_the_screen_is_held,
        test_whether_a_keyboard_is_on_the_screen,
        test_what_a_booted_device_still_lacks,
        test_which_activity_an_icon_starts,
    ]
    rows = [len(test.pytestmark[0].args[1]) for test in marked]  # type: ignore[attr-defined]
    assert len(FRONTS) + sum(rows) >= 40
