"""Calculator: twenty keys, chained arithmetic and a history."""

from __future__ import annotations

import re
from random import Random

from distrl.devices.phone.app import App
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import HUGE, TITLE, Ui
from distrl.devices.phone.ui.view import CONTENT_BOTTOM, WIDTH, Handler

PLUS, MINUS, TIMES, OVER, PERCENT = "+", "-", "x", "/", "%"
ERROR = "Error"
TABS = (("keys", "Calculator", "calculator"), ("history", "History", "history"))
BACKSPACE = "backspace"

_OPERATORS = (PLUS, MINUS, TIMES, OVER)
_ROWS = (
    ("AC", BACKSPACE, PERCENT, OVER),
    ("7", "8", "9", TIMES),
    ("4", "5", "6", MINUS),
    ("1", "2", "3", PLUS),
    ("±", "0", ".", "="),
)
_PHONE_ROWS = (_ROWS[0], (*_ROWS[3][:3], TIMES), _ROWS[2], (*_ROWS[1][:3], PLUS), _ROWS[4])
"""Layout 2: one, two, three on top, as on a telephone."""
_KEY_HEIGHT = 46
_LONGEST_ENTRY = 18
_LARGEST = 10**12
"""From here on a result is an error: the display writes no exponents."""
_HISTORY_LENGTH = 12
_TOKEN = re.compile(r"\d+\.?\d*|\.\d+|[-+x/%]")


class CalculationError(ValueError):
    """An expression has no value."""


def calculate(expression: str) -> str:
    """The value of an expression as the display writes it, or `Error`.

    Products bind tighter than sums, equal operators bind from the left, `%` divides the number
    before it by a hundred and a minus sign may stand before any number.
    """
    tokens = _TOKEN.findall(expression)
    try:
        if "".join(tokens) != expression:
            raise CalculationError(expression)
        value, rest = _sum(tokens)
        if rest or abs(value) >= _LARGEST:
            raise CalculationError(expression)
    except (CalculationError, ZeroDivisionError):
        return ERROR
    shown = f"{value:.8f}".rstrip("0").rstrip(".")
    return "0" if shown in ("-0", "") else shown


def _sum(tokens: list[str]) -> tuple[float, list[str]]:
    value, rest = _product(tokens)
    while rest and rest[0] in (PLUS, MINUS):
        term, after = _product(rest[1:])
        value = value + term if rest[0] == PLUS else value - term
        rest = after
    return value, rest


def _product(tokens: list[str]) -> tuple[float, list[str]]:
    value, rest = _number(tokens)
    while rest and rest[0] in (TIMES, OVER):
        factor, after = _number(rest[1:])
        value = value * factor if rest[0] == TIMES else value / factor
        rest = after
    return value, rest


def _number(tokens: list[str]) -> tuple[float, list[str]]:
    sign = 1.0
    if tokens and tokens[0] == MINUS:
        sign, tokens = -1.0, tokens[1:]
    if not tokens or tokens[0] in (*_OPERATORS, PERCENT):
        raise CalculationError(f"a number is missing before {tokens}")
    value, rest = sign * float(tokens[0]), tokens[1:]
    while rest and rest[0] == PERCENT:
        value, rest = value / 100, rest[1:]
    return value, rest


class Calculator(App):
    """Data: the last calculations. What is on the display lives as long as the page."""

    name = "calculator"
    title = "Calculator"
    icon = "calculator"
    color = (66, 72, 86)

    def create(self, rng: Random) -> State:
        """Nothing has been calculated yet."""
        del rng
        return {"recent": []}

    def page_main(self, ui: Ui) -> None:
        """The keys or the history."""
        tab = str(ui.var("tab", "keys"))
        ui.bar(self.title)
        ui.tabs(TABS, tab, lambda key: lambda c: c.set_var("tab", key))
        if tab == "history":
            self._history(ui)
        else:
            self._keys(ui)

    def _keys(self, ui: Ui) -> None:
        entry, done = str(ui.var("entry", "")), str(ui.var("done", ""))
        ui.space(6)
        paint = ("line", f"{done} =" if done else "", TITLE, "muted", "bg", "right", False)
        ui.place(paint, 18, "text" if done else "", f"{done} =" if done else "")
        size = HUGE if len(entry) < 11 else TITLE
        shown = entry or "0"
        ui.place(("line", shown, size, "text", "bg", "right", False), 44, "text", shown)
        rows = _ROWS if ui.version % 2 else _PHONE_ROWS
        width = WIDTH // 4
        top = CONTENT_BOTTOM - len(rows) * _KEY_HEIGHT - (32 if ui.version % 2 == 0 else 4)
        for row, keys in enumerate(rows):
            for column, key in enumerate(keys):
                box = (column * width, top + row * _KEY_HEIGHT, width, _KEY_HEIGHT)
                self._key(ui, key, box)

    def _key(self, ui: Ui, key: str, box: tuple[int, int, int, int]) -> None:
        if key == BACKSPACE:
            paint = ("round_button", BACKSPACE, "text", "faint")
            ui.pin(paint, box, "button", "", "", _press(key))
            return
        strong = key in _OPERATORS or key == "="
        tint = (236, 140, 30) if strong else "faint" if key in ("AC", PERCENT, "±") else "surface"
        ui.pin(
            ("key", key, tint, "white" if strong else "text"), box, "button", key, "", _press(key)
        )

    def _history(self, ui: Ui) -> None:
        for expression, result in reversed(ui.data["recent"]):
            ui.row(f"{expression} = {result}", icon="calculator", on_tap=_recall(result))
        if ui.data["recent"]:
            ui.button("Clear history", lambda c: c.write("recent", to=[]), style="text")
        else:
            ui.empty("No calculations yet", "history")


def _recall(result: str) -> Handler:
    """Put an old result on the display."""

    def recall(control: Control) -> None:
        control.set_var("entry", result)
        control.set_var("done", "")
        control.set_var("tab", "keys")

    return recall


def _press(key: str) -> Handler:
    def press(control: Control) -> None:
        entry, done = str(control.var("entry", "")), str(control.var("done", ""))
        if key == "=":
            _equals(control, entry)
            return
        control.set_var("done", "")
        control.set_var("entry", _after_key(key, entry, finished=bool(done)))

    return press


def _equals(control: Control, entry: str) -> None:
    if not entry or entry == ERROR or control.var("done"):
        return
    result = calculate(entry)
    control.set_var("done", entry)
    control.set_var("entry", result)
    control.write("recent", to=[*control.data["recent"], [entry, result]][-_HISTORY_LENGTH:])


def _after_key(key: str, entry: str, *, finished: bool) -> str:
    """The display after a key; a digit after a result begins anew, an operator goes on with it."""
    if key == "AC" or (entry == ERROR and key in (*_OPERATORS, PERCENT, BACKSPACE, "±")):
        return ""
    if key == BACKSPACE:
        return entry[:-1]
    if key == "±":
        return _flip_sign(entry)
    if key in (*_OPERATORS, PERCENT):
        return _with_operator(entry, key)
    fresh = finished or entry == ERROR
    held = "" if fresh else entry
    return (held + key) if len(held) < _LONGEST_ENTRY else held


def _with_operator(entry: str, key: str) -> str:
    if not entry or entry == MINUS:
        return MINUS if key == MINUS else ""
    if key != PERCENT and entry[-1] in _OPERATORS:
        entry = entry[:-1]
    return entry + key if len(entry) < _LONGEST_ENTRY else entry


def _flip_sign(entry: str) -> str:
    """Turn the sign of a lone number; a longer expression stays as it is."""
    if entry.startswith(MINUS):
        return entry[1:]
    return MINUS + entry if entry and not any(o in entry for o in _OPERATORS) else entry
