from __future__ import annotations

import base64
import io
from collections.abc import Sequence

import numpy as np
import pytest
from PIL import Image

from distrl import actions
from distrl.config.devices import PhoneConfig
from distrl.devices.android import dumpsys, hierarchy, launcher_apps
from distrl.devices.phone.adbd.system import AndroidSystem
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.state import put
from distrl.devices.phone.system import ACTION_SECONDS
from distrl.devices.phone.ui.keyboard import FIELD_LIMIT
from distrl.errors import ConfigError
from distrl.types import Action, Kind


@pytest.fixture
def system() -> AndroidSystem:
    device = PhoneDevice("served", PhoneConfig(nuisance_rate=0.0))
    return AndroidSystem(device, serial="distrl-7", scale=2)


def _out(system: AndroidSystem, line: str) -> str:
    done = system.run(line)
    assert done.code == 0, done
    return done.stdout.decode("utf-8", "surrogateescape")


def _open(system: AndroidSystem, app: str) -> None:
    _out(system, f"am start -n org.distrl.phone.{app}/.MainActivity")
    assert system.view.app == app


def test_screen_has_a_size(system: AndroidSystem) -> None:
    assert _out(system, "wm size") == "Physical size: 360x800\n"
    assert _out(system, "wm density") == "Physical density: 160\n"


@pytest.mark.parametrize("scale", [0, 9])
def test_scale_has_limits(scale: int) -> None:
    with pytest.raises(ConfigError, match="scale"):
        AndroidSystem(PhoneDevice(), serial="x", scale=scale)


def test_screenshot_is_the_screen_to_the_pixel(system: AndroidSystem) -> None:
    shown = system.frame()
    decoded = Image.open(io.BytesIO(system.run("screencap -p").stdout))
    np.testing.assert_array_equal(np.asarray(decoded), shown)
    raw = system.run("screencap").stdout
    assert np.frombuffer(raw[:8], np.uint32).tolist() == [360, 800]
    pixels = np.frombuffer(raw[16:], np.uint8).reshape(800, 360, 4)
    np.testing.assert_array_equal(pixels[..., :3], shown)
    _out(system, "screencap /sdcard/a.png")
    assert system.storage.read("/sdcard/a.png") == system.run("screencap -p").stdout


def test_screen_that_stays_is_packed_once(system: AndroidSystem) -> None:
    before = system.screenshot()
    assert system.screenshot() is before
    _open(system, "clock")
    assert system.screenshot() != before


def test_hierarchy_is_what_the_phone_shows(system: AndroidSystem) -> None:
    said = _out(system, "uiautomator dump /dev/tty")
    xml, _, rest = said.partition("</hierarchy>")
    assert rest == "UI hierchary dumped to: /dev/tty\n"
    elements = hierarchy.read((xml + "</hierarchy>").encode(), (360, 800))
    assert elements == system.view.elements
    _out(system, "uiautomator dump")
    assert system.storage.read("/sdcard/window_dump.xml") == (xml + "</hierarchy>").encode()


def test_taps_swipes_and_keys_are_actions(system: AndroidSystem) -> None:
    time = system.state["time"]
    _out(system, "input swipe 180 600 180 100")
    assert system.view.page == "drawer"
    _out(system, "input keyevent KEYCODE_BACK")
    assert system.view.page == "main"
    _out(system, "input touchscreen tap 0 0; input keyevent 3; sleep 1")
    assert system.state["time"] == time + 4 * 2 + 5


def test_touch_beside_the_screen_reaches_nobody(system: AndroidSystem) -> None:
    before = system.state
    _out(system, "input tap 361 10; input swipe 0 0 -1 5")
    assert system.state is before


def test_held_touch_is_a_long_press(system: AndroidSystem) -> None:
    _open(system, "notes")
    item = next(e for e in system.view.elements if e.role == "item")
    x, y = item.center
    _out(system, f"input swipe {x * 360} {y * 800} {x * 360} {y * 800} 1000")
    twin = PhoneDevice("twin", PhoneConfig(nuisance_rate=0.0))
    twin.restore(PhoneDevice("other", PhoneConfig(nuisance_rate=0.0)).snapshot())
    twin_system = AndroidSystem(twin, serial="twin", scale=2)
    _open(twin_system, "notes")
    twin.perform(actions.long_press(x, y))
    assert twin.observe().elements == system.view.elements


def _typed(system: AndroidSystem) -> str:
    return next(e.text for e in system.view.elements if e.editable and e.focused)


def _focus_search(system: AndroidSystem) -> None:
    _open(system, "browser")
    field = next(e for e in system.view.elements if e.editable)
    x, y = field.center
    _out(system, f"input tap {x * 360} {y * 800}")
    assert "mInputShown=true" in _out(system, "dumpsys input_method")


def test_text_is_typed(system: AndroidSystem) -> None:
    _focus_search(system)
    _out(system, "input text 'a%sb $(reboot)' lost")
    assert _typed(system) == "a b $(reboot)"
    _out(system, "input keyevent DEL DEL")
    assert _typed(system) == "a b $(reboo"


def test_text_is_typed_as_far_as_there_is_room(system: AndroidSystem) -> None:
    _focus_search(system)
    time = system.state["time"]
    _out(system, f"input text caf\udce9{'a' * 3000}")
    assert _typed(system) == "caf\ufffd" + "a" * (FIELD_LIMIT - 4)
    assert system.state["time"] == time + 2


def test_any_text_is_typed_through_the_keyboard_app(system: AndroidSystem) -> None:
    _focus_search(system)
    message = base64.b64encode("Zażółć 你好 %s\n".encode()).decode()
    _out(system, f"am broadcast -a ADB_INPUT_B64 --es msg {message}")
    assert _typed(system) == "Zażółć 你好 %s\n"
    assert system.run("am broadcast -a ADB_INPUT_B64 --es msg '!'").code == 1


def test_app_in_front_is_named(system: AndroidSystem) -> None:
    _open(system, "clock")
    focus = _out(system, "dumpsys window | grep -E 'mCurrentFocus|mFocusedApp'")
    assert "mCurrentFocus=Window{d157a1 u0 org.distrl.phone.clock/" in focus
    _out(system, "am force-stop org.distrl.phone.clock")
    assert system.view.app == "launcher"
    assert "clock" not in system.state["ui"]["stacks"]
    _out(system, "monkey -p org.distrl.phone.notes 1")
    assert system.view.app == "notes"
    _out(system, "am start -a android.intent.action.MAIN -c android.intent.category.HOME")
    assert system.view.app == "launcher"
    assert system.run("am start -n no.such/.App").code == 1
    assert system.run("monkey -p no.such 1").code == 252


def test_packages_are_listed(system: AndroidSystem) -> None:
    assert "package:org.distrl.phone.clock\n" in _out(system, "pm list packages")
    assert _out(system, "pm list packages clock") == "package:org.distrl.phone.clock\n"
    assert _out(system, "pm path org.distrl.phone.clock").startswith("package:/system/app/")
    assert system.run("pm path no.such").code == 1


def test_packages_are_told_apart_by_who_installed_them(system: AndroidSystem) -> None:
    system.state = put(
        system.state,
        ("system", "installed"),
        (*system.state["system"]["installed"], "get:Chess"),
    )
    added = ["package:com.android.adbkeyboard", "package:org.distrl.phone.store.chess"]
    assert _out(system, "pm list packages -3").split() == added
    theirs = _out(system, "pm list packages -s").split()
    assert "package:org.distrl.phone.clock" in theirs
    assert sorted([*added, *theirs]) == _out(system, "pm list packages -e --user 0").split()
    assert _out(system, "pm list packages -d") == ""
    chess = "/data/app/org.distrl.phone.store.chess/base.apk"
    line = f"package:{chess}=org.distrl.phone.store.chess\n"
    assert _out(system, "pm list packages -f -3 chess") == line
    assert _out(system, "pm path org.distrl.phone.store.chess") == f"package:{chess}\n"
    assert "SYSTEM" in _out(system, "dumpsys package org.distrl.phone.clock")
    assert "SYSTEM" not in _out(system, "dumpsys package org.distrl.phone.store.chess")
    assert "Unable to find package: no.such" in _out(system, "dumpsys package no.such")


def test_switches_are_turned_by_name(system: AndroidSystem) -> None:
    _out(system, "svc wifi disable; svc bluetooth enable")
    assert system.state["system"]["wifi"] is False
    assert system.state["system"]["bluetooth"] is True


def test_display_has_a_size_and_stands_upright(system: AndroidSystem) -> None:
    said = _out(system, "dumpsys display")
    assert "orientation=0," in said
    assert "deviceWidth=360, deviceHeight=800" in said


def test_shells_run_inside_each_other(system: AndroidSystem) -> None:
    assert system.run("sh -c 'exit 4'").code == 4
    assert _out(system, "sh -c 'cd /data; pwd'; pwd") == "/data\n/\n"
    assert _out(system, "echo 'echo a; exit 5; echo b' | sh || echo $?") == "a\n5\n"
    _out(system, "mkdir /data/x; cd /data/x; echo 'echo from a file' > script")
    assert _out(system, "cd /data/x && sh script") == "from a file\n"
    assert system.run("sh /none").code == 127
    endless = system.run("echo 'sh /endless' > /endless; sh /endless")
    assert endless.code == 1
    assert b"inside each other" in endless.stderr


def test_programs_can_be_asked_for(system: AndroidSystem) -> None:
    assert _out(system, "which wm cat") == "/system/bin/wm\n/system/bin/cat\n"
    assert system.run("which wm no_such").code == 1
    assert _out(system, "command -v input") == "/system/bin/input\n"
    assert _out(system, "command -v cd") == "cd\n"
    assert system.run("command -v no_such").code == 1


def test_pictures_and_dumps_go_into_the_folder(system: AndroidSystem) -> None:
    _out(system, "cd /sdcard; screencap -d 0 a.png; uiautomator dump a.xml")
    assert system.storage.read("/sdcard/a.png") == system.run("screencap -p").stdout
    assert (system.storage.read("/sdcard/a.xml") or b"").startswith(b"<?xml")


@pytest.mark.parametrize(
    ("line", "code"),
    [("caf\udce9", 127), ("cat /caf\udce9", 1), ("ls /caf\udce9", 1), ("rm /caf\udce9", 1),
     ("cd /caf\udce9", 2), ("input caf\udce9", 1), ("am start -n caf\udce9/x", 1),
     ("dumpsys caf\udce9", 1), ("pm list packages -caf\udce9", 1), ("settings put caf\udce9", 1),
     ("wm caf\udce9", 1), ("distrl caf\udce9", 1)],
)  # fmt: skip
def test_bytes_that_are_no_text_are_repeated_as_they_are(
    system: AndroidSystem, line: str, code: int
) -> None:
    def console(words: Sequence[str]) -> str:
        raise ConfigError(f"no {words[0]}")

    system.console = console
    done = system.run(line)
    assert done.code == code
    assert done.stderr
    assert system.run("cat /caf\udce9").stderr == b"cat: /caf\xe9: No such file or directory\n"
    assert _out(system, "echo caf\udce9 > /caf\udce9; ls / | grep caf") == "caf\udce9\n"


def test_program_that_crashes_ends_alone(
    system: AndroidSystem, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(system, "screenshot", lambda: 1 / 0)
    done = system.run("screencap -p; echo $?")
    assert (done.stdout, done.stderr) == (b"255\n", b"screencap: it crashed\n")
    assert "ZeroDivisionError" in caplog.text


def test_settings_are_the_phones_own(system: AndroidSystem) -> None:
    assert _out(system, "settings get global wifi_on") == "1\n"
    _out(system, "settings put global wifi_on 0")
    assert system.state["system"]["wifi"] is False
    _out(system, "settings put system screen_brightness 255")
    assert system.state["system"]["brightness"] == 100
    assert _out(system, "settings get system no_such") == "null\n"
    _out(system, "settings put system no_such 'a b'")
    assert _out(system, "settings get system no_such") == "a b\n"
    assert "no_such=a b\n" in _out(system, "settings list system")
    assert _out(system, "settings delete system no_such") == "Deleted 1 rows\n"
    assert system.run("settings put global wifi_on maybe").code == 1
    assert system.run("settings get nowhere x").code == 1


def test_properties_are_told(system: AndroidSystem) -> None:
    assert _out(system, "getprop ro.serialno") == "distrl-7\n"
    assert "[sys.boot_completed]: [1]\n" in _out(system, "getprop")
    assert _out(system, "getprop no.such") == "\n"
    assert _out(system, "ime list -s") == _out(system, "settings get secure default_input_method")


def test_reboot_closes_everything_and_says_so(system: AndroidSystem) -> None:
    told = []
    system.on_reboot = lambda: told.append(True)
    _open(system, "clock")
    _out(system, "reboot")
    assert told == [True]
    assert list(system.state["ui"]["stacks"]) == ["launcher"]


def test_files_and_text_tools(system: AndroidSystem) -> None:
    _out(system, "mkdir -p /sdcard/x && echo one > /sdcard/x/a && echo two >> /sdcard/x/a")
    assert _out(system, "cat /sdcard/x/a") == "one\ntwo\n"
    assert _out(system, "ls /sdcard/x") == "a\n"
    assert _out(system, "cat /sdcard/x/a | head -n 1") == "one\n"
    assert _out(system, "cat /sdcard/x/a | tail -n 1") == "two\n"
    assert _out(system, "cat /sdcard/x/a | grep -v one | wc -l") == "1\n"
    assert _out(system, "cat /sdcard/x/a | grep -ic ONE") == "1\n"
    _out(system, "rm -r /sdcard/x")
    assert system.run("ls /sdcard/x").code == 1
    assert system.run("rm /sdcard/x/a").code == 1
    assert system.run("cat /sdcard/x/a").code == 1


@pytest.mark.parametrize(
    ("line", "code"),
    [("no_such", 127), ("input wave", 1), ("input tap 1", 1), ("input tap a b", 1), ("sleep x", 1),
     ("wm rotate", 1), ("uiautomator", 1), ("dumpsys no_such", 1), ("am dance", 1), ("grep (", 2),
     ("echo a | grep -E '('", 2), ("input text", 1), ("input keyevent x", 1), ("distrl x", 127),
     ("pm list packages -z", 1), ("svc radio enable", 1), ("sh -c", 1), ("command x", 1),
     ("head -n x", 1), ("head -n", 1), ("wc -x", 1), ("grep", 2)],
)  # fmt: skip
def test_wrong_use_is_an_error(system: AndroidSystem, line: str, code: int) -> None:
    done = system.run(line)
    assert done.code == code
    assert done.stderr


def test_injected_faults_show(system: AndroidSystem) -> None:
    whole = system.run("screencap -p").stdout
    system.injected_faults.truncated = True
    assert system.run("screencap -p").stdout == whole[: len(whole) // 2]
    system.injected_faults.truncated = False
    system.injected_faults.stale = True
    _open(system, "clock")
    assert system.run("screencap -p").stdout == whole
    system.injected_faults.stale = False
    system.injected_faults.black = True
    assert system.frame().max() == 0
    system.injected_faults.not_responding = "org.distrl.phone.clock"
    assert "Application Not Responding" in _out(system, "dumpsys window")
    system.injected_faults.serial = "other"
    assert _out(system, "getprop ro.serialno") == "other\n"


# Tables of commands, as scripts of others write them


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("input tap 90 200", actions.tap(0.25, 0.25)),
        ("input touchscreen tap 90 200", actions.tap(0.25, 0.25)),
        ("input -d 0 tap 90 200", actions.tap(0.25, 0.25)),
        ("input tap 90.5 200.25", actions.tap(90.5 / 360, 200.25 / 800)),
        ("input tap 0 0", actions.tap(0.0, 0.0)),
        ("input tap 360 800", actions.tap(1.0, 1.0)),
        ("input swipe 90 200 180 400", actions.swipe(0.25, 0.25, 0.5, 0.5)),
        ("input swipe 90 200 180 400 5000", actions.swipe(0.25, 0.25, 0.5, 0.5)),
        ("input draganddrop 90 200 180 400", actions.drag(0.25, 0.25, 0.5, 0.5)),
        ("input swipe 90 200 90 200 500", actions.long_press(0.25, 0.25)),
        ("input swipe 90 200 90 200 499", actions.swipe(0.25, 0.25, 0.25, 0.25)),
        ("input text hello", actions.type_text("hello")),
        ("input text a%sb%s", actions.type_text("a b ")),
        ("input text ''", actions.type_text("")),
        ("input keyboard text 'a b'", actions.type_text("a b")),
        ("input keyevent 4", actions.press("back")),
        ("input keyevent KEYCODE_BACK", actions.press("back")),
        ("input keyevent back", actions.press("back")),
        ("input keyevent --longpress 3", actions.press("home")),
        ("input keyevent 66", actions.press("enter")),
        ("input keyevent NUMPAD_ENTER", actions.press("enter")),
        ("sleep 0.5", actions.wait()),
        ("sleep 100", actions.wait()),
    ],
)
def test_the_table_of_commands_that_are_actions(
    system: AndroidSystem, monkeypatch: pytest.MonkeyPatch, line: str, action: Action
) -> None:
    done: list[Action] = []
    monkeypatch.setattr(system, "act", done.append)
    assert _out(system, line) == ""
    assert done == [action]


@pytest.mark.parametrize(
    "line",
    ["input tap -1 5", "input tap 5 801", "input swipe 0 0 361 0", "input keyevent 999",
     "input keyevent KEYCODE_CAMERA", "input keyevent", "am force-stop no.such", "true"],
)  # fmt: skip
def test_what_reaches_nobody_is_no_action_and_no_error(
    system: AndroidSystem, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    done: list[Action] = []
    monkeypatch.setattr(system, "act", done.append)
    _out(system, line)
    assert done == []


def test_keys_are_pressed_one_after_the_other(
    system: AndroidSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[Action] = []
    monkeypatch.setattr(system, "act", done.append)
    _out(system, "input keyevent 3 4 KEYCODE_ENTER")
    assert done == [actions.press("home"), actions.press("back"), actions.press("enter")]


@pytest.mark.parametrize(
    ("line", "app"),
    [
        ("am start -n org.distrl.phone.clock/.MainActivity", "clock"),
        ("am start org.distrl.phone.clock/.MainActivity", "clock"),
        ("am start-activity -W -n org.distrl.phone.clock/.MainActivity", "clock"),
        ("am start -p org.distrl.phone.clock", "clock"),
        ("am start -a android.settings.SETTINGS", "settings"),
        ("am start -c android.intent.category.HOME", "launcher"),
        ("monkey -p org.distrl.phone.clock -c android.intent.category.LAUNCHER 1", "clock"),
        ("cmd activity start -n org.distrl.phone.clock/.MainActivity", "clock"),
        ("/system/bin/am start -n org.distrl.phone.clock/.MainActivity", "clock"),
    ],
)
def test_the_table_of_ways_to_start_an_app(system: AndroidSystem, line: str, app: str) -> None:
    _open(system, "notes")
    _out(system, line)
    assert system.view.app == app


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("wm size", "Physical size: 360x800\n"),
        ("getprop ro.build.version.sdk", "34\n"),
        ("getprop no.such fallback", "fallback\n"),
        ("ime list -s", "com.android.adbkeyboard/.AdbIME\n"),
        ("settings get secure default_input_method", "com.android.adbkeyboard/.AdbIME\n"),
        ("settings get global airplane_mode_on", "0\n"),
        ("cmd package path org.distrl.phone.clock",
         "package:/system/app/org.distrl.phone.clock/org.distrl.phone.clock.apk\n"),
        ("pm list packages no.such", ""),
        ("which no_such || echo none", "none\n"),
        ("id", "uid=2000(shell) gid=2000(shell) groups=2000(shell)\n"),
        ("command -v pwd", "pwd\n"),
    ],
)  # fmt: skip
def test_the_table_of_what_is_printed(system: AndroidSystem, line: str, printed: str) -> None:
    assert _out(system, line) == printed


@pytest.mark.parametrize(
    ("report", "words"),
    [
        ("power", "mWakefulness=Awake"),
        ("battery", "level: "),
        ("activity", "topResumedActivity=ActivityRecord{d157a1 u0 org.distrl.phone.launcher/"),
        ("display", "orientation=0, logicalFrame=Rect(0, 0 - 360, 800)"),
        ("SurfaceFlinger", 'displayName="distrl"'),
        ("input", "SurfaceOrientation: 0"),
        ("input_method", "mInputShown=false"),
        ("window", "mRotation=ROTATION_0"),
    ],
)
def test_the_table_of_reports(system: AndroidSystem, report: str, words: str) -> None:
    assert words in _out(system, f"dumpsys {report}")


def test_reports_are_read_by_the_ones_who_read_real_phones(system: AndroidSystem) -> None:
    _open(system, "clock")
    windows = dumpsys.read_windows(_out(system, "dumpsys window"))
    assert windows.app == windows.owner == "org.distrl.phone.clock"
    for report in ("display", "input", "window"):
        assert dumpsys.read_rotation(_out(system, f"dumpsys {report}")) == 0
    system.run("input swipe 180 0 180 600")
    assert dumpsys.read_windows(_out(system, "dumpsys window")).focus == "NotificationShade"
    system.injected_faults.not_responding = "org.distrl.phone.notes"
    focus = dumpsys.read_windows(_out(system, "dumpsys window")).focus
    assert focus == "Application Not Responding: org.distrl.phone.notes"


@pytest.mark.parametrize("space", ["global", "secure", "system"])
def test_settings_that_are_listed_are_those_that_are_got(system: AndroidSystem, space: str) -> None:
    listed = _out(system, f"settings list {space}").splitlines()
    assert listed == sorted(listed)
    for line in listed:
        name, _, value = line.partition("=")
        assert _out(system, f"settings get {space} {name}") == f"{value}\n"


def test_setting_of_its_own_is_not_deleted(system: AndroidSystem) -> None:
    assert _out(system, "settings delete global wifi_on") == "Deleted 0 rows\n"
    assert _out(system, "settings get global wifi_on") == "1\n"


@pytest.mark.parametrize(
    ("name", "key"), [("wifi", "wifi"), ("bluetooth", "bluetooth"), ("data", "mobile_data")]
)
def test_switches_of_svc_are_the_phones_own(system: AndroidSystem, name: str, key: str) -> None:
    for wanted in ("disable", "enable"):
        _out(system, f"svc {name} {wanted}")
        assert system.state["system"][key] is (wanted == "enable")


def test_date_is_phone_time_and_moves_with_actions_alone(system: AndroidSystem) -> None:
    before = int(_out(system, "date"))
    _out(system, "dumpsys battery; screencap -p; settings get global wifi_on")
    assert int(_out(system, "date")) == before
    _out(system, "input tap 10 10")
    assert int(_out(system, "date +%s")) > before


def test_picture_that_does_not_fit_into_the_storage_is_an_error(
    system: AndroidSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("distrl.devices.phone.adbd.files._MAX_BYTES", 100)
    for line in ("screencap -p /sdcard/a.png", "uiautomator dump /sdcard/a.xml"):
        done = system.run(line)
        assert (done.code, b"cannot write" in done.stderr) == (1, True)


def test_shells_inside_each_other_have_folders_and_codes_of_their_own(
    system: AndroidSystem,
) -> None:
    assert _out(system, "cd /data; sh -c 'pwd; cd /; exit 5' || echo $?; pwd") == (
        "/data\n5\n/data\n"
    )
    assert _out(system, "echo 'pwd' > /sdcard/s; cd /data; sh /sdcard/s") == "/data\n"


def test_two_taps_of_one_line_are_a_double_tap(
    system: AndroidSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    got: list[Action] = []
    perform = system.device.perform

    def note(action: Action) -> None:
        got.append(action)
        perform(action)

    monkeypatch.setattr(system.device, "perform", note)
    before = system.state["time"]
    _out(system, "input tap 90 200 ; input tap 90 200")
    assert got[-1] == actions.double_tap(0.25, 0.25)
    assert system.state["time"] == before + ACTION_SECONDS
    for line in ("input tap 90 200", "input tap 90 200; input tap 91 200", "input tap 90 200"):
        _out(system, line)
    _out(system, "input tap 90 200; sleep 1; input tap 90 200")
    assert [action.kind for action in got].count(Kind.DOUBLE_TAP) == 1


def test_a_drag_is_held_and_recents_is_a_key(system: AndroidSystem) -> None:
    _open(system, "todo")
    tasks = list(system.state["apps"]["todo"]["tasks"])
    rows = [e for e in system.view.elements if e.role == "item"]
    (x, y), (x2, y2) = ((360 * e.center[0], 800 * e.center[1]) for e in (rows[0], rows[1]))
    _out(system, f"input draganddrop {x} {y} {x2} {y2} 1000")
    assert list(system.state["apps"]["todo"]["tasks"]) != tasks
    _out(system, "input keyevent KEYCODE_APP_SWITCH")
    assert [e.text for e in system.view.elements if e.role == "item"] == ["Tasks"]


def test_apps_with_an_icon_are_listed_by_their_labels_and_started_as_by_it(
    system: AndroidSystem,
) -> None:
    found = launcher_apps.read_apps(_out(system, " ".join(launcher_apps.QUERY)))
    assert len(found) == len(system.state["system"]["installed"])
    app = launcher_apps.app_named("Tasks", found)
    before = system.state["time"]
    intent = "-a android.intent.action.MAIN -c android.intent.category.LAUNCHER"
    _out(system, f"am start {intent} -n {app.package}/{app.activity}")
    assert system.view.app == "todo"
    assert system.state["time"] == before + ACTION_SECONDS


def test_screen_stays_on_as_svc_and_the_setting_say(system: AndroidSystem) -> None:
    for sources, setting in (("true", "7"), ("usb", "2"), ("false", "0")):
        _out(system, f"svc power stayon {sources}")
        assert _out(system, "settings get global stay_on_while_plugged_in").strip() == setting
    assert "stayon true|false" in system.run("svc power stayon always").stderr.decode()
