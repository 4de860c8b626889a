"""The programs of a served phone: what `adb shell` finds there, one function each."""

from __future__ import annotations

import base64
import binascii
import logging
import struct
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from itertools import pairwise

import numpy as np

from distrl import actions
from distrl.devices.android import hierarchy
from distrl.devices.phone.adbd import properties as names
from distrl.devices.phone.adbd.shell import BUILT_IN, Result, Session, UsageError, failed, said
from distrl.devices.phone.adbd.system import AndroidSystem
from distrl.devices.phone.adbd.tools import TOOLS, split_options
from distrl.devices.phone.adbd.untidy import UntidyNode, write_untidy
from distrl.devices.phone.art.icons import ICONS
from distrl.devices.phone.registry import find
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.keyboard import FIELD_LIMIT
from distrl.devices.phone.ui.view import View, Widget, list_elements
from distrl.errors import DistrlError
from distrl.types import Key

# Android's own threshold: ViewConfiguration.getLongPressTimeout.
_LONG_PRESS_MS = 500
_MAX_SHELL_DEPTH = 16
"""Shells inside each other; a script that starts itself ends here."""
_CRASH_CODE = 255
_KEYS = {
    "3": Key.HOME,
    "4": Key.BACK,
    "66": Key.ENTER,
    "160": Key.ENTER,
    "187": Key.RECENTS,
}
_KEY_NAMES = {
    "HOME": "3",
    "BACK": "4",
    "ENTER": "66",
    "NUMPAD_ENTER": "160",
    "DEL": "67",
    "APP_SWITCH": "187",
}
_BACKSPACE = "67"
_LAUNCHER = "android.intent.category.LAUNCHER"
_SERVICES = ("package", "input", "activity", "window", "display", "power", "battery", "settings")
_SOURCES = ("touchscreen", "keyboard", "mouse", "stylus", "trackball", "dpad", "touchpad")


_log = logging.getLogger(__name__)


def run_program(system: AndroidSystem, words: list[str], session: Session) -> Result:
    """Run a program by its name; 127 when there is none."""
    name, arguments = words[0].rpartition("/")[2], words[1:]
    if name == "cmd" and arguments:
        name, arguments = {"package": "pm", "activity": "am"}.get(arguments[0], ""), arguments[1:]
    try:
        if name in TOOLS:
            return TOOLS[name](system.storage, arguments, session)
        if name in _PROGRAMS:
            return _PROGRAMS[name](system, arguments, session)
    except UsageError as error:
        return failed(f"{name}: {error}\n", error.code)
    except DistrlError as error:
        return failed(f"{name}: {error}\n")
    except Exception:  # noqa: BLE001 - a program that crashes ends alone, and its code tells
        _log.exception("%s crashed on %s", name, system.serial)
        return failed(f"{name}: it crashed\n", _CRASH_CODE)
    return failed(f"/system/bin/sh: {words[0]}: inaccessible or not found\n", 127)


def _sh(system: AndroidSystem, words: list[str], session: Session) -> Result:
    """A line after -c, a file, or what is piped in."""
    if session.depth >= _MAX_SHELL_DEPTH:
        raise UsageError(f"more than {_MAX_SHELL_DEPTH} shells inside each other")
    if words[:1] == ["-c"]:
        if len(words) < 2:
            raise UsageError("-c: requires an argument")
        return system.interpret(words[1], session.inner())
    content = system.storage.read(session.path(words[0])) if words else session.read()
    if content is None:
        return failed(f"sh: {words[0]}: No such file or directory\n", 127)
    return system.interpret(content.decode("utf-8", "surrogateescape"), session.inner())


def _which(_: AndroidSystem, words: list[str], __: Session) -> Result:
    found = [word in TOOLS or word in _PROGRAMS for word in words]
    listed = "".join(
        f"/system/bin/{word}\n" for word, is_one in zip(words, found, strict=True) if is_one
    )
    return Result(said(listed).stdout, b"", 0 if words and all(found) else 1)


def _command(system: AndroidSystem, words: list[str], session: Session) -> Result:
    """`command -v NAME`, by which scripts ask whether there is a program."""
    if words[:1] != ["-v"] or len(words) != 2:
        raise UsageError("usage: command -v NAME")
    return said(f"{words[1]}\n") if words[1] in BUILT_IN else _which(system, words[1:], session)


# Touching


def _input(system: AndroidSystem, words: list[str], _: Session) -> Result:
    words = [word for word in words if word not in _SOURCES]
    if words[:1] in (["-d"], ["--display"]):
        words = words[2:]
    name, *rest = words or [""]
    if name == "tap":
        x, y = _points(system, rest, 2)
        if _on_screen(x, y):
            system.tap(x, y)
    elif name in ("swipe", "draganddrop"):
        _move(system, rest, drag=name == "draganddrop")
    elif name == "text":
        if not rest:
            raise UsageError('Argument expected after "text"')
        # `%s` is how it has always spelt a blank. What comes after the first word is not typed.
        _type(system, rest[0].replace("%s", " "))
    elif name == "keyevent":
        for key in (word for word in rest if not word.startswith("--")):
            _press(system, key)
    else:
        raise UsageError(f"Unknown command: {name}")
    return Result()


def _on_screen(*fractions: float) -> bool:
    """Whether points lie on the screen; touches beside it reach nobody."""
    return all(0.0 <= fraction <= 1.0 for fraction in fractions)


def _points(system: AndroidSystem, words: list[str], count: int) -> list[float]:
    """Places in pixels, across and down in turn, as fractions of the screen."""
    if len(words) < count:
        raise UsageError("Invalid arguments for command")
    sides = (system.width, system.height)
    try:
        # In decimals: a fraction that was sent as so many pixels comes out as it went in.
        return [float(Decimal(word) / sides[i % 2]) for i, word in enumerate(words[:count])]
    except (InvalidOperation, ValueError):
        raise UsageError(f"Invalid number in {words[:count]}") from None


def _move(system: AndroidSystem, words: list[str], *, drag: bool) -> None:
    places = _points(system, words, 4)
    duration = int(words[4]) if len(words) > 4 and words[4].isdecimal() else 300
    x, y, x2, y2 = places
    if not _on_screen(*places):
        return
    if (x, y) == (x2, y2) and (drag or duration >= _LONG_PRESS_MS):
        system.act(actions.long_press(x, y))
    else:
        system.act((actions.drag if drag else actions.swipe)(x, y, x2, y2))


def _type(system: AndroidSystem, text: str) -> None:
    """Type as far as a field has room; what is no text becomes the character that says so."""
    whole = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    system.act(actions.type_text(whole[:FIELD_LIMIT]))


def _press(system: AndroidSystem, word: str) -> None:
    code = _KEY_NAMES.get(word.upper().removeprefix("KEYCODE_"), word)
    if code == _BACKSPACE:
        system.press_backspace()
    elif code in _KEYS:
        system.act(actions.press(_KEYS[code]))
    elif not code.isdecimal() and not word.upper().startswith("KEYCODE_"):
        raise UsageError(f"Unknown keycode: {word}")


def _sleep(system: AndroidSystem, words: list[str], _: Session) -> Result:
    try:
        seconds = float(words[0]) if words else -1.0
    except ValueError:
        seconds = -1.0
    if not seconds >= 0:
        raise UsageError(f"not a number of seconds: {' '.join(words)}")
    system.act(actions.wait())
    return Result()


# Looking


def _screencap(system: AndroidSystem, words: list[str], session: Session) -> Result:
    options, paths = split_options(words, valued="d")
    path = paths[0] if paths else ""
    if "p" in options or path.endswith(".png"):
        picture = system.screenshot()
    else:
        frame = system.frame()
        height, width, _depth = frame.shape
        alpha = np.full((height, width, 1), 255, np.uint8)
        head = struct.pack("<IIII", width, height, 1, 1)
        picture = head + np.concatenate([frame, alpha], axis=2).tobytes()
    if system.injected_faults.truncated:
        picture = picture[: len(picture) // 2]
    if path and not system.storage.write(session.path(path), picture):
        raise UsageError(f"cannot write {path}")
    return Result() if path else Result(picture)


def _uiautomator(system: AndroidSystem, words: list[str], session: Session) -> Result:
    if words[:1] != ["dump"]:
        raise UsageError("usage: uiautomator dump [--compressed] [file]")
    path = next((w for w in words[1:] if not w.startswith("--")), "/sdcard/window_dump.xml")
    refused = system.refuses_to_dump()
    if refused:
        return failed(f"ERROR: {refused}\n")
    written = dump(system)
    done = f"UI hierchary dumped to: {path}\n"
    if path in ("/dev/tty", "/proc/self/fd/1"):
        return said(written + done)
    if not system.storage.write(session.path(path), written.encode()):
        raise UsageError(f"cannot write {path}")
    return said(done)


def dump(system: AndroidSystem) -> str:
    """The hierarchy of what the phone shows."""
    with system.lock:
        view = system.view
    size, package = (system.width, system.height), names.package_of(view.app)
    if system.untidy.dumps:
        return write_untidy(_untidy_nodes(view), size, package)
    nodes = [
        hierarchy.Node(
            element,
            clickable=bool(widget.on_tap or widget.on_drag or widget.key),
            long_clickable=widget.on_long is not None,
        )
        for widget in view.widgets[view.live :]
        for element in list_elements((widget,))
    ]
    return hierarchy.write(nodes, size, package)


def _untidy_nodes(view: View) -> list[UntidyNode]:
    return [
        UntidyNode(
            element,
            clickable=bool(widget.on_tap or widget.on_drag or widget.key),
            long_clickable=widget.on_long is not None,
            icon=_icon_of(widget),
        )
        for widget in view.widgets[view.live :]
        for element in list_elements((widget,))
    ]


def _icon_of(widget: Widget) -> str:
    """The name of the picture that a widget is painted with, if it is painted with one."""
    name = widget.paint[1] if widget.paint is not None and len(widget.paint) > 1 else ""
    # Apps name the icons that they ship, not the photos that they show.
    if name not in ICONS or widget.role == "image":
        return ""
    # Of icons that mean on and off, apps have two drawings and name them apart.
    return f"{name}_outline" if f"{name}_filled" in ICONS else name.removesuffix("_filled")


def _dumpsys(system: AndroidSystem, words: list[str], _: Session) -> Result:
    with system.lock:
        view, state = system.view, system.state
    what, *rest = words or [""]
    reports: dict[str, Callable[[], str]] = {
        "window": lambda: _window(system, view.app),
        "input_method": lambda: f"  mInputShown={str(view.keyboard).lower()}\n",
        "input": lambda: "  SurfaceOrientation: 0\n",
        "power": lambda: "  mWakefulness=Awake\n  mHoldingDisplaySuspendBlocker=true\n",
        "battery": lambda: _battery(state),
        "activity": lambda: _activity(view.app),
        "display": lambda: _display(system),
        "SurfaceFlinger": lambda: 'Display 0 (HWC display 0): port=0 displayName="distrl"\n',
        "package": lambda: _package(state, _last(rest)),
    }
    if what not in reports:
        raise UsageError(f"Can't find service: {what}")
    return said(reports[what]())


def _battery(state: State) -> str:
    level = state["system"]["battery"]
    return f"  USB powered: true\n  health: 2\n  present: true\n  level: {level}\n  scale: 100\n"


def _display(system: AndroidSystem) -> str:
    """The one screen, which is never turned."""
    frame = f"Rect(0, 0 - {system.width}, {system.height})"
    return (
        "DISPLAY MANAGER (dumpsys display)\n"
        "  mViewports=[DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, "
        f"uniqueId='local:0', physicalPort=0, orientation=0, logicalFrame={frame}, "
        f"physicalFrame={frame}, deviceWidth={system.width}, deviceHeight={system.height}}}]\n"
    )


def _package(state: State, package: str) -> str:
    file = names.packages(state).get(package)
    if file is None:
        return f"Unable to find package: {package}\n"
    flags = "SYSTEM HAS_CODE" if names.is_system(file) else "HAS_CODE"
    return (
        f"Packages:\n  Package [{package}]:\n    codePath={file}\n"
        f"    versionCode=1 targetSdk={names.SDK}\n    versionName=1.0\n    pkgFlags=[ {flags} ]\n"
    )


def _window(system: AndroidSystem, app: str) -> str:
    stuck = system.injected_faults.not_responding
    component = names.component_of(app)
    focus = f"Application Not Responding: {stuck}" if stuck else component
    if not stuck and system.state["ui"]["shade"]:
        focus = "NotificationShade"
    return (
        f"{_last_anr() if system.shows_last_anr() else ''}"
        "WINDOW MANAGER WINDOWS (dumpsys window windows)\n"
        f"  mCurrentFocus=Window{{d157a1 u0 {focus}}}\n"
        f"  mFocusedApp=ActivityRecord{{d157a1 u0 {component} t7}}\n"
        "  mRotation=ROTATION_0\n"
    )


def _last_anr() -> str:
    """What Android keeps of an ANR of long ago: a dump within the dump."""
    gone = "com.example.gone"
    return (
        "WINDOW MANAGER LAST ANR (dumpsys window lastanr)\n  ANR time: long ago\n"
        f"  Window #0 Window{{dead u0 Application Not Responding: {gone}}}:\n"
        f"    mOwnerUid=1000 package={gone}\n"
        f"  mCurrentFocus=Window{{dead u0 Application Not Responding: {gone}}}\n"
        f"  mFocusedApp=ActivityRecord{{dead u0 {gone}/.Main t3}}\n\n"
        "WINDOW MANAGER POLICY STATE (dumpsys window policy)\n"
    )


def _activity(app: str) -> str:
    component = names.component_of(app)
    return (
        f"  ACTIVITY {component} d157a1 pid=1007\n"
        f"  topResumedActivity=ActivityRecord{{d157a1 u0 {component} t7}}\n"
    )


def _wm(system: AndroidSystem, words: list[str], _: Session) -> Result:
    if words == ["size"]:
        return said(f"Physical size: {system.width}x{system.height}\n")
    if words == ["density"]:
        return said(f"Physical density: {system.width * 160 // 360}\n")
    raise UsageError("usage: wm size | wm density")


def _getprop(system: AndroidSystem, words: list[str], _: Session) -> Result:
    known = names.properties(system.state, system.shown_serial)
    if words:
        return said(known.get(words[0], words[1] if len(words) > 1 else "") + "\n")
    return said("".join(f"[{name}]: [{value}]\n" for name, value in sorted(known.items())))


# Managing


def _am(system: AndroidSystem, words: list[str], _: Session) -> Result:
    name, *rest = words or [""]
    if name in ("start", "start-activity"):
        return _am_start(system, rest)
    if name == "force-stop":
        app = names.app_of(_last(rest), system.state)
        if app is not None:
            system.stop(app)
        return Result()
    if name == "broadcast":
        return _broadcast(system, rest)
    raise UsageError(f"unknown command {name!r}")


def _am_start(system: AndroidSystem, words: list[str]) -> Result:
    component = _option(words, "-n") or (_last(words) if words and "/" in _last(words) else "")
    category = _option(words, "-c")
    home = category == "android.intent.category.HOME"
    action = _option(words, "-a")
    if action == "android.settings.SETTINGS":
        component = names.component_of("settings")
    package = component.partition("/")[0] or _option(words, "-p")
    app = "launcher" if home and not package else names.app_of(package, system.state)
    if app is None:
        starting = said(f"Starting: Intent {{ cmp={component} }}\n").stdout
        missing = failed(f"Error: Activity class {{{component}}} does not exist.\n")
        return Result(starting, missing.stderr, missing.code)
    if category == _LAUNCHER and app != "launcher":
        # As a touch on its icon does it, in the time of one.
        system.act(actions.open_app(find(app).title))
    else:
        system.start(app)
    return said(f"Starting: Intent {{ cmp={names.component_of(app)} }}\n")


def _broadcast(system: AndroidSystem, words: list[str]) -> Result:
    """The keyboard that takes any text: com.android.adbkeyboard."""
    action, message = _option(words, "-a"), _option(words, "msg")
    if action == "ADB_INPUT_B64":
        try:
            text = base64.b64decode(message, validate=True).decode()
        except (binascii.Error, UnicodeDecodeError) as error:
            raise UsageError(f"msg is no text in base64: {error}") from None
        _type(system, text)
    elif action == "ADB_INPUT_TEXT":
        _type(system, message)
    return said(f"Broadcasting: Intent {{ act={action} }}\nBroadcast completed: result=0\n")


def _monkey(system: AndroidSystem, words: list[str], _: Session) -> Result:
    """`monkey -p PACKAGE 1`, by which scripts start an app whose activity they do not know."""
    if system.injected_faults.no_monkey:
        return Result(b"", b"** Error: monkey aborted\n", 251)
    app = names.app_of(_option(words, "-p"), system.state)
    if app is None:
        return Result(b"** No activities found to run, monkey aborted.\n", b"", 252)
    system.start(app)
    return said("Events injected: 1\n")


def _pm(system: AndroidSystem, words: list[str], _: Session) -> Result:
    held = names.packages(system.state)
    match words:
        case ["list", "packages" | "package", *rest]:
            return said("".join(f"{line}\n" for line in _listed(held, rest)))
        case ["path", package]:
            return said(f"package:{held[package]}\n") if package in held else Result(code=1)
        case ["query-activities", *rest] if _option(rest, "-c") == _LAUNCHER:
            return said(_launchable(system.state))
        case ["resolve-activity", *rest]:
            return _resolve_activity(system, _last(rest))
    raise UsageError(f"unknown command {' '.join(words[:1])!r}")


def _launchable(state: State) -> str:
    """What has an icon: the lines of `pm query-activities` that tell apps apart."""
    lines = [f"{len(state['system']['installed'])} activities found:"]
    for number, app in enumerate(state["system"]["installed"]):
        package, _, activity = names.component_of(app).partition("/")
        lines += [
            f"  Activity #{number}:",
            "    priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false",
            "    ActivityInfo:",
            f"      name={activity}",
            f"      packageName={package}",
            f"      labelRes=0x0 nonLocalizedLabel={find(app).title} icon=0x0 banner=0x0",
        ]
    return "\n".join(lines) + "\n"


def _resolve_activity(system: AndroidSystem, package: str) -> Result:
    """The activity that an app's icon starts, as with `--brief`."""
    app = names.app_of(package, system.state)
    if app is None:
        return said("No activity found\n")
    order = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true"
    return said(f"{order}\n{names.component_of(app)}\n")


def _service(system: AndroidSystem, words: list[str], __: Session) -> Result:
    """`service check NAME`, by which scripts ask whether Android has started."""
    match words:
        case ["check", name]:
            missing = system.injected_faults.starting or name not in _SERVICES
            found = "not found" if missing else "found"
            return said(f"Service {name}: {found}\n")
    raise UsageError("usage: service check SERVICE")


def _listed(held: dict[str, str], words: list[str]) -> list[str]:
    """The lines of `pm list packages`."""
    known = ("-f", "-3", "-s", "-d", "-e", "-u")
    filters = []
    left = list(words)
    while left:
        word = left.pop(0)
        if word == "--user" and left:
            left.pop(0)  # all users have the same
        elif not word.startswith("-"):
            filters.append(word)
        elif word not in known:
            raise UsageError(f"Error: Unknown option: {word} (known: {' '.join(known)} --user)")
    if "-d" in words:
        return []  # nothing can be disabled here
    return [
        f"package:{file}={name}" if "-f" in words else f"package:{name}"
        for name, file in sorted(held.items())
        if all(part in name for part in filters)
        and not ("-3" in words and names.is_system(file))
        and not ("-s" in words and not names.is_system(file))
    ]


_STAY_ON = {"true": "7", "false": "0", "ac": "1", "usb": "2", "wireless": "4"}
"""What the power comes from while the screen stays on, as the setting behind it has it."""


def _svc(system: AndroidSystem, words: list[str], _: Session) -> Result:
    """Switches that scripts turn without knowing the setting behind them."""
    switches = {"wifi": "wifi_on", "bluetooth": "bluetooth_on", "data": "mobile_data"}
    match words:
        case [name, "enable" | "disable" as wanted] if name in switches:
            return _put_setting(system, "global", switches[name], str(int(wanted == "enable")))
        case ["power", "stayon", sources] if sources in _STAY_ON:
            return _put_setting(system, "global", "stay_on_while_plugged_in", _STAY_ON[sources])
    raise UsageError(
        f"usage: svc {'|'.join(switches)} enable|disable, or power stayon {'|'.join(_STAY_ON)}"
    )


def _settings(system: AndroidSystem, words: list[str], _: Session) -> Result:
    name, *rest = words or [""]
    if name == "list" and len(rest) == 1:
        lines = {key: _setting(system, rest[0], key) for key in _setting_names(system, rest[0])}
        return said("".join(f"{key}={value}\n" for key, value in sorted(lines.items())))
    if len(rest) < 2 or rest[0] not in ("global", "secure", "system"):
        raise UsageError("usage: settings get|put|delete|list global|secure|system NAME [VALUE]")
    space, key, *value = rest
    if name == "get":
        return said(f"{_setting(system, space, key)}\n")
    if name == "put" and value:
        return _put_setting(system, space, key, value[0])
    if name == "delete":
        gone = system.extra_settings.pop((space, key), None) is not None
        return said(f"Deleted {int(gone)} rows\n")
    raise UsageError(f"unknown command {name!r}")


def _setting_names(system: AndroidSystem, space: str) -> list[str]:
    known = (*names.SETTINGS, *system.extra_settings, ("secure", "default_input_method"))
    return [key for where, key in known if where == space]


def _setting(system: AndroidSystem, space: str, key: str) -> str:
    held = system.extra_settings.get((space, key))
    if held is not None:
        return held
    if (space, key) == ("secure", "default_input_method"):
        return names.KEYBOARD
    known = names.SETTINGS.get((space, key))
    return "null" if known is None else known.read(system.state)


def _put_setting(system: AndroidSystem, space: str, key: str, value: str) -> Result:
    known = names.SETTINGS.get((space, key))
    if known is None:
        system.extra_settings[space, key] = value
        return Result()
    try:
        with system.lock:
            changed: State = known.write(system.state, value)
            system.state = changed
    except ValueError as error:
        raise UsageError(f"{space} {key}: {error}") from None
    return Result()


def _ime(_: AndroidSystem, words: list[str], __: Session) -> Result:
    if words[:1] == ["list"]:
        return said(f"{names.KEYBOARD}\n")
    if words[:1] in (["enable"], ["set"]) and words[1:] == [names.KEYBOARD]:
        return said(f"Input method {names.KEYBOARD} selected for user #0\n")
    raise UsageError(f"unknown input method {' '.join(words[1:])!r}")


def _distrl(system: AndroidSystem, words: list[str], _: Session) -> Result:
    return system.ask_console(words)


def _reboot(system: AndroidSystem, _: list[str], __: Session) -> Result:
    system.reboot()
    return Result()


def _date(system: AndroidSystem, _: list[str], __: Session) -> Result:
    """Phone time in seconds, whatever is asked for: phone time has no year."""
    return said(f"{system.state['time']}\n")


def _option(words: list[str], name: str) -> str:
    """What follows an option; empty when it is not there."""
    return next((after for word, after in pairwise(words) if word == name), "")


def _last(words: list[str]) -> str:
    return words[-1] if words else ""


_Program = Callable[[AndroidSystem, list[str], Session], Result]
_PROGRAMS: dict[str, _Program] = {
    "am": _am,
    "command": _command,
    "date": _date,
    "distrl": _distrl,
    "dumpsys": _dumpsys,
    "getprop": _getprop,
    "ime": _ime,
    "input": _input,
    "monkey": _monkey,
    "pm": _pm,
    "reboot": _reboot,
    "screencap": _screencap,
    "service": _service,
    "settings": _settings,
    "sh": _sh,
    "sleep": _sleep,
    "svc": _svc,
    "uiautomator": _uiautomator,
    "which": _which,
    "wm": _wm,
}
