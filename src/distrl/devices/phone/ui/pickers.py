"""The system's date and time pickers, which any app can open above its page.

c.open("@time", key="time", minutes=450)      # leaves minutes after midnight in var "time"
c.open("@date", key="date", day=12)           # leaves a day number in var "date"

After OK the app's `on_pick` is called, for pages that act on a choice at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import timedelta

from distrl.devices.phone import phone_time
from distrl.devices.phone.control import Control
from distrl.devices.phone.registry import find
from distrl.devices.phone.ui.toolkit import SMALL, TITLE, Ui
from distrl.devices.phone.ui.view import Handler, absorb

# The dial stands in the middle of the screen; at this radius twelve beads of 22 units have room.
_CENTER_X, _CENTER_Y, _RADIUS = 90, 210, 52


def time_picker(ui: Ui) -> None:
    """A dial: choose the hour, then the minute, then OK."""
    minutes = int(ui.var("minutes", ui.args["minutes"]))
    stage = str(ui.var("stage", "hour"))
    ui.pin(("panel", 10), (16, 104, 148, 200), on_tap=absorb)
    _time_header(ui, minutes, stage)
    ui.pin(("disc", "faint", "surface"), (_CENTER_X - 66, _CENTER_Y - 66, 132, 132))
    for place in range(12):
        angle = math.tau * place / 12
        x = round(_CENTER_X + _RADIUS * math.sin(angle)) - 11
        y = round(_CENTER_Y - _RADIUS * math.cos(angle)) - 11
        if stage == "hour":
            label, chosen = str(place or 12), minutes // 60 % 12 == place
            handler = _set_hour(minutes, place)
        else:
            label, chosen = f"{5 * place:02d}", minutes % 60 == 5 * place
            handler = _set_minute(minutes, 5 * place)
        paint = ("bead", label, chosen, ui.color, "faint")
        ui.pin(paint, (x, y, 22, 22), "button", label, "", handler).checked = chosen
    _ok_cancel(ui, 281, _leave(str(ui.args["key"]), minutes))


def _time_header(ui: Ui, minutes: int, stage: str) -> None:
    hour, half = minutes // 60 % 12 or 12, minutes // 720 % 2
    parts = (
        (f"{hour}", "hour", (34, 110, 34, 24)),
        (f"{minutes % 60:02d}", "minute", (74, 110, 34, 24)),
    )
    for label, name, box in parts:
        paint = ("chip", label, stage == name, ui.color, "surface")
        ui.pin(paint, box, "button", label, f"Select {name}s", _set_stage(name))
    for index, label in enumerate(("AM", "PM")):
        paint = ("chip", label, half == index, ui.color, "surface")
        box = (116, 106 + 16 * index, 36, 15)
        widget = ui.pin(paint, box, "button", label, "", _set_half(minutes, index))
        widget.checked = half == index


def _set_stage(stage: str) -> Handler:
    return lambda c: c.set_var("stage", stage)


def _set_half(minutes: int, half: int) -> Handler:
    return lambda c: c.set_var("minutes", minutes % 720 + 720 * half)


def _set_hour(minutes: int, hour: int) -> Handler:
    def choose(control: Control) -> None:
        control.set_var("minutes", minutes // 720 * 720 + hour * 60 + minutes % 60)
        control.set_var("stage", "minute")

    return choose


def _set_minute(minutes: int, minute: int) -> Handler:
    return lambda c: c.set_var("minutes", minutes // 60 * 60 + minute)


def _leave(key: str, value: int) -> Handler:
    def leave(control: Control) -> None:
        control.set_var_below(key, value)
        find(control.app).on_pick(control, key)

    return leave


def _ok_cancel(ui: Ui, y: int, on_ok: Handler) -> None:
    paint = ("button", "Cancel", "text", ui.color, True, "", "surface")
    ui.pin(paint, (76, y, 42, 20), "button", "Cancel", "", lambda c: c.back())
    paint = ("button", "OK", "filled", ui.color, True, "", "surface")
    ui.pin(paint, (120, y, 38, 20), "button", "OK", "", on_ok)


def date_picker(ui: Ui) -> None:
    """A month at a time: choose the day, then OK."""
    day = int(ui.var("day", ui.args["day"]))
    shown = int(ui.var("month", 0))
    first = _first_of_month(int(ui.args["day"]), shown)
    ui.pin(("panel", 10), (8, 104, 164, 190), on_tap=absorb)
    then = phone_time.moment(first * phone_time.DAY)
    title = f"{then:%B %Y}"
    ui.pin(
        ("line", title, TITLE, "text", "surface", "left", True), (16, 108, 104, 20), "text", title
    )
    for icon, said, x, step in (
        ("left", "Previous month", 124, -1),
        ("right", "Next month", 146, 1),
    ):
        paint = ("glyph", icon, "text", "surface")
        ui.pin(paint, (x, 108, 22, 20), "button", "", said, _set_month(shown + step))
    for index, label in enumerate("MTWTFSS"):
        box = (14 + 22 * index, 130, 20, 12)
        ui.pin(("line", label, SMALL, "muted", "surface", "center", False), box)
    start = then.weekday()
    for number in range(_days_in_month(first)):
        row, column = divmod(start + number, 7)
        chosen = first + number == day
        label = str(number + 1)
        box = (14 + 22 * column, 143 + 20 * row, 20, 19)
        bead = ("bead", label, chosen, ui.color, "surface")
        ui.pin(bead, box, "button", label, "", _set_day(first + number)).checked = chosen
    _ok_cancel(ui, 269, _leave(str(ui.args["key"]), day))


def _set_month(shown: int) -> Handler:
    return lambda c: c.set_var("month", shown)


def _set_day(day: int) -> Handler:
    return lambda c: c.set_var("day", day)


def _first_of_month(day: int, months_on: int) -> int:
    then = phone_time.moment(day * phone_time.DAY)
    index = then.year * 12 + then.month - 1 + months_on
    start = then.replace(year=index // 12, month=index % 12 + 1, day=1)
    return (start - phone_time.moment(0)).days


def _days_in_month(first: int) -> int:
    then = phone_time.moment(first * phone_time.DAY)
    # 32 days after the first is always in the next month, and never in the one after it.
    after = (then + timedelta(days=32)).replace(day=1)
    return (after - then).days


PICKERS: dict[str, Callable[[Ui], None]] = {"@time": time_picker, "@date": date_picker}


def month_distance(start: int, end: int) -> int:
    """How many times `Next month` leads from the month of one day to that of another."""
    first, last = (phone_time.moment(day * phone_time.DAY) for day in (start, end))
    return (last.year - first.year) * 12 + last.month - first.month
