"""Clock: alarms, world clock, timer and stopwatch."""

from __future__ import annotations

from random import Random

from distrl.devices.phone import content, phone_time
from distrl.devices.phone.app import App
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import HUGE, Ui
from distrl.devices.phone.ui.view import WIDTH, Handler, Paint

TABS = (
    ("alarms", "Alarm", "alarm"),
    ("world", "World", "globe"),
    ("timer", "Timer", "timer"),
    ("stopwatch", "Stopwatch", "stopwatch"),
)
NEW_ALARM_MINUTES = 420
"""Where the dial of a new alarm stands: seven in the morning."""

_SWITCH_WIDTH = 42
_LONGEST_TIMER = 1000
_STOPPED = {"ends": 0, "left": 0, "running": False}


def _open_alarm(key: str) -> Handler:
    def edit(control: Control) -> None:
        alarm = control.data["alarms"][key]
        control.open("alarm", id=key)
        control.set_var("minutes", alarm["minutes"])
        control.set_var("label", alarm["label"])

    return edit


def _toggle(key: str) -> Handler:
    return lambda c: c.write("alarms", key, "on", to=not c.data["alarms"][key]["on"])


def _run_timer(control: Control, seconds: int) -> None:
    control.focus(None)
    timer = {"ends": control.time + seconds, "left": seconds, "running": True}
    control.write("timer", to=timer)


class Clock(App):
    """Data: alarms by id (minutes, label, on), cities, presets (label, minutes), timer, stopwatch.

    A new alarm is made by the time picker alone; its label is written on the alarm's own page.
    """

    name = "clock"
    title = "Clock"
    icon = "clock"
    color = (70, 84, 160)
    ticks = True

    def create(self, rng: Random) -> State:
        """Three alarms, two cities and three timer presets."""
        minutes = rng.sample(range(0, 1440, 5), 3)
        labels = rng.sample(content.ALARM_LABELS, 6)
        cities = rng.sample(content.CITIES, 2)
        return {
            "alarms": {
                f"alarm{i}": {"minutes": m, "label": label, "on": rng.random() < 0.5}
                for i, (m, label) in enumerate(zip(minutes, labels[:3], strict=True))
            },
            "cities": {city.name: True for city in cities},
            "presets": {
                f"preset{i}": {"label": label, "minutes": rng.randrange(2, 60)}
                for i, label in enumerate(labels[3:])
            },
            "timer": dict(_STOPPED),
            "stopwatch": {"since": 0, "held": 0, "running": False},
        }

    def tick(self, control: Control) -> None:
        """Ring when the timer runs out."""
        timer = control.data["timer"]
        if timer["running"] and timer["ends"] <= control.time:
            control.write("timer", to=dict(_STOPPED))
            control.notify("clock", "Timer", "Time is up")

    def page_main(self, ui: Ui) -> None:
        """The chosen tab."""
        tab = str(ui.var("tab", "alarms"))
        ui.bar("Clock")
        ui.tabs(TABS, tab, lambda key: lambda c: c.set_var("tab", key))
        {
            "alarms": self._alarms,
            "world": self._world,
            "timer": self._timer,
            "stopwatch": self._stopwatch,
        }[tab](ui)

    # Alarms

    def _alarms(self, ui: Ui) -> None:
        alarms = sorted(ui.data["alarms"].items(), key=lambda item: item[1]["minutes"])
        for key, alarm in alarms:
            self._alarm_row(ui, key, alarm)
        if not alarms:
            ui.empty("No alarms", "alarm")
        ui.fab("add", self._add_alarm)

    def _alarm_row(self, ui: Ui, key: str, alarm: State) -> None:
        """The time opens the alarm, the toggle beside it switches it."""
        time = phone_time.clock_text(alarm["minutes"], hour24=ui.system["hour24"])
        y = ui.y
        ui.row(time, alarm["label"] or "Alarm", icon="alarm", on_tap=_open_alarm(key))
        on = bool(alarm["on"])
        paint = ("row", "", "", "", ui.color, f"switch:{int(on)}", True)
        box = (WIDTH - _SWITCH_WIDTH, y, _SWITCH_WIDTH, ui.y - y)
        widget = ui.place_at(paint, box, "switch", "", alarm["label"] or time, _toggle(key))
        if widget is not None:
            widget.checked = on

    def _add_alarm(self, control: Control) -> None:
        control.open("@time", key="new_alarm", minutes=NEW_ALARM_MINUTES)

    def on_pick(self, control: Control, key: str) -> None:
        """A time chosen from the list of alarms is a new alarm at once."""
        if key == "new_alarm":
            alarm = {"minutes": int(control.var(key)), "label": "", "on": True}
            control.write("alarms", control.new_id("alarm"), to=alarm)
            control.toast("Alarm set")

    def page_alarm(self, ui: Ui) -> None:
        """One alarm: its time, its label and a bin."""
        key = ui.args["id"]
        if key not in ui.data["alarms"]:
            ui.bar("Alarm")
            ui.empty("This alarm was deleted", "alarm")
            return
        ui.bar("Alarm", [("delete", "", lambda c: c.open("delete", id=key))])
        minutes = int(ui.var("minutes", NEW_ALARM_MINUTES))
        time = phone_time.clock_text(minutes, hour24=ui.system["hour24"])
        ui.row("Time", trailing=time, icon="clock", on_tap=self._pick)
        ui.field("label", "Label", icon="tag")
        ui.button("Save", self._save)

    def _pick(self, control: Control) -> None:
        now = int(control.var("minutes", NEW_ALARM_MINUTES))
        control.open("@time", key="minutes", minutes=now)

    def _save(self, control: Control) -> None:
        alarm = {
            "minutes": int(control.var("minutes", NEW_ALARM_MINUTES)),
            "label": control.text("label"),
            "on": True,
        }
        control.write("alarms", control.page["args"]["id"], to=alarm)
        control.back()
        control.toast("Alarm saved")

    def dialog_delete(self, ui: Ui) -> None:
        """Ask before deleting."""
        ui.dialog(
            "Delete alarm?",
            "It will not ring again.",
            [("Cancel", lambda c: c.back()), ("Delete", self._delete_alarm)],
        )

    def _delete_alarm(self, control: Control) -> None:
        control.erase("alarms", control.page["args"]["id"])
        control.back(2)
        control.toast("Alarm deleted")

    # World clock

    def _world(self, ui: Ui) -> None:
        for city in content.CITIES:
            if city.name in ui.data["cities"]:
                minutes = phone_time.minute_of(ui.time) + city.utc_offset_minutes
                time = phone_time.clock_text(minutes, hour24=ui.system["hour24"])
                ui.row(city.name, city.country, trailing=time, on_long=self._drop_city(city.name))
        if not ui.data["cities"]:
            ui.empty("No cities", "globe")
        ui.fab("add", self._search_city)

    def _search_city(self, control: Control) -> None:
        control.open("cities")
        control.focus("query")

    def _drop_city(self, name: str) -> Handler:
        return lambda c: c.erase("cities", name)

    def page_cities(self, ui: Ui) -> None:
        """Search for a city to add."""
        ui.search_bar("query", "Search for a city", lambda c: None)
        query = ui.text_of("query").lower()
        if not query:
            ui.empty("Type the name of a city", "globe")
            return
        for city in content.CITIES:
            if query in city.name.lower():
                ui.row(city.name, city.country, on_tap=self._add_city(city.name))

    def _add_city(self, name: str) -> Handler:
        def add(control: Control) -> None:
            control.write("cities", name, to=True)
            control.back()

        return add

    # Timer

    def _timer(self, ui: Ui) -> None:
        timer = ui.data["timer"]
        left = timer["ends"] - ui.time if timer["running"] else timer["left"]
        ui.space(10)
        ui.text(f"{left // 60:02d}:{left % 60:02d}", HUGE, align="center")
        presets_first = ui.version % 2 == 0
        if presets_first:
            self._presets(ui)
        ui.field("minutes", "Minutes", icon="timer")
        typed = ui.text_of("minutes")
        ready = timer["left"] > 0 or (
            typed.isascii() and typed.isdecimal() and 0 < int(typed) < _LONGEST_TIMER
        )
        if timer["running"]:
            ui.button("Pause", self._pause_timer, icon="pause")
        else:
            ui.button("Start", self._start_timer if ready else None, icon="play")
        ui.button("Reset", self._reset_timer, style="outlined")
        if not presets_first:
            self._presets(ui)

    def _presets(self, ui: Ui) -> None:
        ui.header("Presets")
        for preset in ui.data["presets"].values():
            minutes = int(preset["minutes"])
            start = self._start_preset(minutes)
            ui.row(preset["label"], trailing=f"{minutes} min", icon="timer", on_tap=start)

    def _start_preset(self, minutes: int) -> Handler:
        return lambda c: _run_timer(c, 60 * minutes)

    def _start_timer(self, control: Control) -> None:
        _run_timer(control, control.data["timer"]["left"] or int(control.text("minutes")) * 60)

    def _pause_timer(self, control: Control) -> None:
        left = control.data["timer"]["ends"] - control.time
        control.write("timer", to={"ends": 0, "left": max(0, left), "running": False})

    def _reset_timer(self, control: Control) -> None:
        control.write("timer", to=dict(_STOPPED))

    # Stopwatch

    def _stopwatch(self, ui: Ui) -> None:
        watch = ui.data["stopwatch"]
        shown = watch["held"] + (ui.time - watch["since"] if watch["running"] else 0)
        ui.space(16)
        ui.text(f"{shown // 60:02d}:{shown % 60:02d}", HUGE, align="center")
        icon = "pause" if watch["running"] else "play"
        ui.space(20)
        buttons: list[tuple[Paint, str, str, Handler | None]] = [
            (("round_button", "undo", "text", "faint"), "", "", self._reset_watch),
            (("round_button", icon, "white", ui.color), "", "", self._flip_watch),
        ]
        ordered = buttons if ui.version % 2 else buttons[::-1]
        ui.grid(ordered, columns=2, height=48, role="button")

    def _flip_watch(self, control: Control) -> None:
        watch = control.data["stopwatch"]
        held = watch["held"] + (control.time - watch["since"] if watch["running"] else 0)
        new = {"since": control.time, "held": held, "running": not watch["running"]}
        control.write("stopwatch", to=new)

    def _reset_watch(self, control: Control) -> None:
        control.write("stopwatch", to={"since": 0, "held": 0, "running": False})
