"""The programs of a served phone: what `adb shell` finds there, one function each."""

from __future__ import annotations

import base64
import binascii
import re
import struct
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from itertools import pairwise

import numpy as np

from distrl import actions
from distrl.devices import hierarchy
from distrl.devices.phone.state import State
from distrl.devices.phone.view import list_elements
from distrl.devices.served import properties as names
from distrl.devices.served.shell import Result
from distrl.devices.served.system import AndroidSystem
from distrl.types import Key

_LONG_PRESS_MS = 500
_LONGEST_LOOK = 100_000
_KEYS = {"3": Key.HOME, "4": Key.BACK, "66": Key.ENTER, "160": Key.ENTER}
_KEY_NAMES = {"HOME": "3", "BACK": "4", "ENTER": "66", "NUMPAD_ENTER": "160", "DEL": "67"}
_BACKSPACE = "67"
_SOURCES = ("touchscreen", "keyboard", "mouse", "stylus", "trackball", "dpad", "touchpad")


class _UsageError(Exception):
    """The program was called in a way that it does not know; the message goes to stderr."""


def run_program(system: AndroidSystem, words: list[str], stdin: bytes) -> Result:
    """Run a program by its name; 127 when there is none."""
    name, arguments = words[0].rpartition("/")[2], words[1:]
    if name == "cmd" and arguments:
        name, arguments = {"package": "pm", "activity": "am"}.get(arguments[0], ""), arguments[1:]
    program = _PROGRAMS.get(name)
    if program is None:
        return Result(b"", f"/system/bin/sh: {words[0]}: inaccessible or not found\n".encode(), 127)
    try:
        return program(system, arguments, stdin)
    except _UsageError as error:
        return Result(b"", f"{name}: {error}\n".encode(), 1)


def _said(text: str) -> Result:
    return Result(text.encode("utf-8", "surrogateescape"))


# Touching


def _input(system: AndroidSystem, words: list[str], _: bytes) -> Result:
    words = [word for word in words if word not in _SOURCES]
    if words[:1] in (["-d"], ["--display"]):
        words = words[2:]
    name, *rest = words or [""]
    if name == "tap":
        x, y = _points(system, rest, 2)
        if _on_screen(x, y):
            system.act(actions.tap(x, y))
    elif name in ("swipe", "draganddrop"):
        _swipe(system, rest)
    elif name == "text":
        if not rest:
            raise _UsageError('Argument expected after "text"')
        system.act(actions.type_text(_typed(rest[0])))  # what comes after it is not typed
    elif name == "keyevent":
        for key in (word for word in rest if not word.startswith("--")):
            _press(system, key)
    else:
        raise _UsageError(f"Unknown command: {name}")
    return Result()


def _on_screen(*fractions: float) -> bool:
    """Whether points lie on the screen; touches beside it reach nobody."""
    return all(0.0 <= fraction <= 1.0 for fraction in fractions)


def _points(system: AndroidSystem, words: list[str], count: int) -> list[float]:
    """Places in pixels, across and down in turn, as fractions of the screen."""
    if len(words) < count:
        raise _UsageError("Invalid arguments for command")
    sides = (system.width, system.height)
    try:
        # In decimals: a fraction that was sent as so many pixels comes out as it went in.
        return [float(Decimal(word) / sides[i % 2]) for i, word in enumerate(words[:count])]
    except (InvalidOperation, ValueError):
        raise _UsageError(f"Invalid number in {words[:count]}") from None


def _swipe(system: AndroidSystem, words: list[str]) -> None:
    places = _points(system, words, 4)
    duration = int(words[4]) if len(words) > 4 and words[4].isdecimal() else 300
    x, y, x2, y2 = places
    if not _on_screen(*places):
        return
    held = (x, y) == (x2, y2) and duration >= _LONG_PRESS_MS
    system.act(actions.long_press(x, y) if held else actions.swipe(x, y, x2, y2))


def _typed(text: str) -> str:
    """`%s` is how `input text` has always spelt a blank."""
    return text.replace("%s", " ")


def _press(system: AndroidSystem, word: str) -> None:
    code = _KEY_NAMES.get(word.upper().removeprefix("KEYCODE_"), word)
    if code == _BACKSPACE:
        system.press_backspace()
    elif code in _KEYS:
        system.act(actions.press(_KEYS[code]))
    elif not code.isdecimal() and not word.upper().startswith("KEYCODE_"):
        raise _UsageError(f"Unknown keycode: {word}")


def _sleep(system: AndroidSystem, words: list[str], _: bytes) -> Result:
    try:
        seconds = float(words[0]) if words else -1.0
    except ValueError:
        seconds = -1.0
    if not seconds >= 0:
        raise _UsageError(f"not a number of seconds: {' '.join(words)}")
    system.act(actions.wait())
    return Result()


# Looking


def _screencap(system: AndroidSystem, words: list[str], _: bytes) -> Result:
    path = next((word for word in words if not word.startswith("-")), "")
    if "-p" in words or path.endswith(".png"):
        picture = system.screenshot()
    else:
        frame = system.frame()
        height, width, _depth = frame.shape
        alpha = np.full((height, width, 1), 255, np.uint8)
        head = struct.pack("<IIII", width, height, 1, 1)
        picture = head + np.concatenate([frame, alpha], axis=2).tobytes()
    if system.troubles.truncated:
        picture = picture[: len(picture) // 2]
    if path and not system.storage.write(path, picture):
        raise _UsageError(f"cannot write {path}")
    return Result() if path else Result(picture)


def _uiautomator(system: AndroidSystem, words: list[str], _: bytes) -> Result:
    if words[:1] != ["dump"]:
        raise _UsageError("usage: uiautomator dump [--compressed] [file]")
    path = next((w for w in words[1:] if not w.startswith("--")), "/sdcard/window_dump.xml")
    written = dump(system)
    said = f"UI hierchary dumped to: {path}\n"
    if path in ("/dev/tty", "/proc/self/fd/1"):
        return _said(written + said)
    if not system.storage.write(path, written.encode()):
        raise _UsageError(f"cannot write {path}")
    return _said(said)


def dump(system: AndroidSystem) -> str:
    """The hierarchy of what the phone shows."""
    with system.lock:
        view = system.view
    nodes = [
        hierarchy.Node(
            element,
            clickable=bool(widget.on_tap or widget.on_drag or widget.key),
            long_clickable=widget.on_long is not None,
        )
        for widget in view.widgets[view.live :]
        for element in list_elements((widget,))
    ]
    return hierarchy.write(nodes, (system.width, system.height), names.package_of(view.app))


def _dumpsys(system: AndroidSystem, words: list[str], _: bytes) -> Result:
    with system.lock:
        view, state = system.view, system.state
    what = words[0] if words else ""
    reports: dict[str, Callable[[], str]] = {
        "window": lambda: _window(system, view.app),
        "input_method": lambda: f"  mInputShown={str(view.keyboard).lower()}\n",
        "input": lambda: "  SurfaceOrientation: 0\n",
        "power": lambda: "  mWakefulness=Awake\n",
        "battery": lambda: f"  level: {state['system']['battery']}\n  scale: 100\n",
        "activity": lambda: _activity(view.app),
    }
    if what not in reports:
        raise _UsageError(f"Can't find service: {what}")
    return _said(reports[what]())


def _window(system: AndroidSystem, app: str) -> str:
    stuck = system.troubles.not_responding
    component = names.component_of(app)
    focus = f"Application Not Responding: {stuck}" if stuck else component
    if not stuck and system.state["ui"]["shade"]:
        focus = "NotificationShade"
    return (
        "WINDOW MANAGER WINDOWS (dumpsys window windows)\n"
        f"  mCurrentFocus=Window{{d157a1 u0 {focus}}}\n"
        f"  mFocusedApp=ActivityRecord{{d157a1 u0 {component} t7}}\n"
        "  mRotation=ROTATION_0\n"
    )


def _activity(app: str) -> str:
    component = names.component_of(app)
    return f"  topResumedActivity=ActivityRecord{{d157a1 u0 {component} t7}}\n"


def _wm(system: AndroidSystem, words: list[str], _: bytes) -> Result:
    if words == ["size"]:
        return _said(f"Physical size: {system.width}x{system.height}\n")
    if words == ["density"]:
        return _said(f"Physical density: {system.width * 160 // 360}\n")
    raise _UsageError("usage: wm size | wm density")


def _getprop(system: AndroidSystem, words: list[str], _: bytes) -> Result:
    known = names.properties(system.state, system.shown_serial)
    if words:
        return _said(known.get(words[0], words[1] if len(words) > 1 else "") + "\n")
    return _said("".join(f"[{name}]: [{value}]\n" for name, value in sorted(known.items())))


# Managing


def _am(system: AndroidSystem, words: list[str], _: bytes) -> Result:
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
    raise _UsageError(f"unknown command {name!r}")


def _am_start(system: AndroidSystem, words: list[str]) -> Result:
    component = _option(words, "-n") or (_last(words) if words and "/" in _last(words) else "")
    home = _option(words, "-c") == "android.intent.category.HOME"
    action = _option(words, "-a")
    if action == "android.settings.SETTINGS":
        component = names.component_of("settings")
    package = component.partition("/")[0] or _option(words, "-p")
    app = "launcher" if home and not package else names.app_of(package, system.state)
    if app is None:
        return Result(
            f"Starting: Intent {{ cmp={component} }}\n".encode(),
            f"Error: Activity class {{{component}}} does not exist.\n".encode(),
            1,
        )
    system.start(app)
    return _said(f"Starting: Intent {{ cmp={names.component_of(app)} }}\n")


def _broadcast(system: AndroidSystem, words: list[str]) -> Result:
    """The keyboard that takes any text: com.android.adbkeyboard."""
    action, message = _option(words, "-a"), _option(words, "msg")
    if action == "ADB_INPUT_B64":
        try:
            text = base64.b64decode(message, validate=True).decode()
        except (binascii.Error, UnicodeDecodeError) as error:
            raise _UsageError(f"msg is no text in base64: {error}") from None
        system.act(actions.type_text(text))
    elif action == "ADB_INPUT_TEXT":
        system.act(actions.type_text(message))
    return _said(f"Broadcasting: Intent {{ act={action} }}\nBroadcast completed: result=0\n")


def _monkey(system: AndroidSystem, words: list[str], _: bytes) -> Result:
    """`monkey -p PACKAGE 1`, by which scripts start an app whose activity they do not know."""
    app = names.app_of(_option(words, "-p"), system.state)
    if app is None:
        return Result(b"** No activities found to run, monkey aborted.\n", b"", 252)
    system.start(app)
    return _said("Events injected: 1\n")


def _pm(system: AndroidSystem, words: list[str], _: bytes) -> Result:
    if words[:2] == ["list", "packages"]:
        filters = [word for word in words[2:] if not word.startswith("-")]
        found = [*map(names.package_of, ("launcher", *system.state["system"]["installed"]))]
        found += [names.KEYBOARD_PACKAGE, names.SYSTEM_UI]
        chosen = sorted(name for name in set(found) if all(part in name for part in filters))
        return _said("".join(f"package:{name}\n" for name in chosen))
    if words[:1] == ["path"] and len(words) == 2:
        if names.app_of(words[1], system.state) is None and words[1] != names.KEYBOARD_PACKAGE:
            return Result(b"", b"", 1)
        return _said(f"package:/data/app/{words[1]}/base.apk\n")
    raise _UsageError(f"unknown command {' '.join(words[:1])!r}")


def _settings(system: AndroidSystem, words: list[str], _: bytes) -> Result:
    name, *rest = words or [""]
    if name == "list" and len(rest) == 1:
        lines = {key: _setting(system, rest[0], key) for key in _setting_names(system, rest[0])}
        return _said("".join(f"{key}={value}\n" for key, value in sorted(lines.items())))
    if len(rest) < 2 or rest[0] not in ("global", "secure", "system"):
        raise _UsageError("usage: settings get|put|delete|list global|secure|system NAME [VALUE]")
    space, key, *value = rest
    if name == "get":
        return _said(f"{_setting(system, space, key)}\n")
    if name == "put" and value:
        return _put_setting(system, space, key, value[0])
    if name == "delete":
        gone = system.extra_settings.pop((space, key), None) is not None
        return _said(f"Deleted {int(gone)} rows\n")
    raise _UsageError(f"unknown command {name!r}")


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
        raise _UsageError(f"{space} {key}: {error}") from None
    return Result()


def _ime(_: AndroidSystem, words: list[str], __: bytes) -> Result:
    if words[:1] == ["list"]:
        return _said(f"{names.KEYBOARD}\n")
    if words[:1] in (["enable"], ["set"]) and words[1:] == [names.KEYBOARD]:
        return _said(f"Input method {names.KEYBOARD} selected for user #0\n")
    raise _UsageError(f"unknown input method {' '.join(words[1:])!r}")


def _distrl(system: AndroidSystem, words: list[str], _: bytes) -> Result:
    return system.ask_console(words)


def _reboot(system: AndroidSystem, _: list[str], __: bytes) -> Result:
    system.reboot()
    return Result()


# Files and text


def _echo(_: AndroidSystem, words: list[str], __: bytes) -> Result:
    newline = "" if words[:1] == ["-n"] else "\n"
    return _said(" ".join(words[1:] if not newline else words) + newline)


def _cat(system: AndroidSystem, words: list[str], stdin: bytes) -> Result:
    found, missing = b"" if words else stdin, b""
    for path in words:
        content = stdin if path == "-" else system.storage.read(path)
        if content is None:
            missing += f"cat: {path}: No such file or directory\n".encode()
        else:
            found += content
    return Result(found, missing, 1 if missing else 0)


def _grep(_: AndroidSystem, words: list[str], stdin: bytes) -> Result:
    flags = "".join(word[1:] for word in words if word.startswith("-") and len(word) > 1)
    patterns = [word for word in words if not word.startswith("-")]
    if len(patterns) != 1 or set(flags) - set("EFivc"):
        raise _UsageError("usage: grep [-EFivc] PATTERN, which reads what is piped to it")
    pattern = re.escape(patterns[0]) if "F" in flags else patterns[0]
    if "E" not in flags and "F" not in flags:
        pattern = re.sub(r"\\([|+?(){}])", r"\1", re.sub(r"(?<!\\)([|+?(){}])", r"\\\1", pattern))
    try:
        wanted = re.compile(pattern, re.IGNORECASE if "i" in flags else 0)
    except re.error as error:
        raise _UsageError(f"bad pattern: {error}") from None
    lines = stdin.decode("utf-8", "surrogateescape")[:_LONGEST_LOOK].splitlines()
    found = [line for line in lines if (wanted.search(line) is not None) != ("v" in flags)]
    said = f"{len(found)}\n" if "c" in flags else "".join(f"{line}\n" for line in found)
    return Result(_said(said).stdout, b"", 0 if found else 1)


def _head(_: AndroidSystem, words: list[str], stdin: bytes) -> Result:
    return Result(b"".join(stdin.splitlines(keepends=True)[: _count(words)]))


def _tail(_: AndroidSystem, words: list[str], stdin: bytes) -> Result:
    return Result(b"".join(stdin.splitlines(keepends=True)[-_count(words) or len(stdin) :]))


def _wc(_: AndroidSystem, words: list[str], stdin: bytes) -> Result:
    counts = {"-l": stdin.count(b"\n"), "-w": len(stdin.split()), "-c": len(stdin)}
    chosen = [str(counts[word]) for word in words if word in counts]
    return _said(" ".join(chosen or map(str, counts.values())) + "\n")


def _count(words: list[str]) -> int:
    number = words[-1].lstrip("-n") if words else "10"
    if not number.isdecimal():
        raise _UsageError(f"not a number of lines: {' '.join(words)}")
    return int(number)


def _ls(system: AndroidSystem, words: list[str], _: bytes) -> Result:
    paths = [word for word in words if not word.startswith("-")] or ["/"]
    said, missing = "", ""
    for path in paths:
        inside, entry = system.storage.inside(path), system.storage.look(path)
        if inside is not None and "-d" not in words:
            said += "".join(f"{found.name}\n" for found in inside)
        elif entry is not None:
            said += f"{path}\n"
        else:
            missing += f"ls: {path}: No such file or directory\n"
    return Result(said.encode(), missing.encode(), 1 if missing else 0)


def _rm(system: AndroidSystem, words: list[str], _: bytes) -> Result:
    flags = "".join(word[1:] for word in words if word.startswith("-"))
    missing = [
        path
        for path in words
        if not path.startswith("-") and not system.storage.remove(path, deep="r" in flags)
    ]
    if missing and "f" not in flags:
        raise _UsageError(f"{missing[0]}: No such file or directory")
    return Result()


def _mkdir(system: AndroidSystem, words: list[str], _: bytes) -> Result:
    for path in (word for word in words if not word.startswith("-")):
        system.storage.make_folder(path)
    return Result()


def _id(_: AndroidSystem, __: list[str], ___: bytes) -> Result:
    return _said("uid=2000(shell) gid=2000(shell) groups=2000(shell)\n")


def _date(system: AndroidSystem, _: list[str], __: bytes) -> Result:
    """Phone time in seconds, whatever is asked for: phone time has no year."""
    return _said(f"{system.state['time']}\n")


def _option(words: list[str], name: str) -> str:
    """What follows an option; empty when it is not there."""
    return next((after for word, after in pairwise(words) if word == name), "")


def _last(words: list[str]) -> str:
    return words[-1] if words else ""


_Program = Callable[[AndroidSystem, list[str], bytes], Result]
_PROGRAMS: dict[str, _Program] = {
    "am": _am,
    "cat": _cat,
    "date": _date,
    "distrl": _distrl,
    "dumpsys": _dumpsys,
    "echo": _echo,
    "false": lambda _, __, ___: Result(code=1),
    "getprop": _getprop,
    "grep": _grep,
    "head": _head,
    "id": _id,
    "ime": _ime,
    "input": _input,
    "ls": _ls,
    "mkdir": _mkdir,
    "monkey": _monkey,
    "pm": _pm,
    "reboot": _reboot,
    "rm": _rm,
    "screencap": _screencap,
    "settings": _settings,
    "sleep": _sleep,
    "tail": _tail,
    "true": lambda _, __, ___: Result(),
    "uiautomator": _uiautomator,
    "wc": _wc,
    "wm": _wm,
}
