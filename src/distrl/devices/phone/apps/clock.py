"""Clock: alarms, world clock, timer and stopwatch."""

from __future__ import annotations

from random import Random

from distrl.devices.phone import content, daytime
from distrl.devices.phone.app import App
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui import HUGE, Ui
from distrl.devices.phone.view import Handler

TABS = (
    ("alarms", "Alarm", "alarm"),
    ("world", "World", "globe"),
    ("timer", "Timer", "timer"),
    ("stopwatch", "Stopwatch", "stopwatch"),
)


class Clock(App):
    """Data: alarms by id (minutes, label, on), cities, timer, stopwatch."""

    name = "clock"
    title = "Clock"
    icon = "clock"
    color = (70, 84, 160)
    ticks = True

    def create(self, rng: Random) -> State:
        """Three alarms and two cities."""
        minutes = rng.sample(range(0, 1440, 5), 3)
        labels = rng.sample(content.ALARM_LABELS, 3)
        cities = rng.sample(content.CITIES, 2)
        return {
            "alarms": {
                f"alarm{i}": {"minutes": m, "label": label, "on": rng.random() < 0.5}
                for i, (m, label) in enumerate(zip(minutes, labels, strict=True))
            },
            "cities": {city.name: True for city in cities},
            "timer": {"ends": 0, "left": 0, "running": False},
            "stopwatch": {"since": 0, "held": 0, "running": False},
        }

    def tick(self, control: Control) -> None:
        """Ring when the timer runs out."""
        timer = control.data["timer"]
        if timer["running"] and timer["ends"] <= control.time:
            control.write("timer", to={"ends": 0, "left": 0, "running": False})
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

    def _alarms(self, ui: Ui) -> None:
        alarms = sorted(ui.data["alarms"].items(), key=lambda item: item[1]["minutes"])
        for key, alarm in alarms:
            time = daytime.clock_text(alarm["minutes"], hour24=ui.system["hour24"])
            ui.switch(time, on=alarm["on"], sub=alarm["label"], on_tap=self._toggle(key))
        if not alarms:
            ui.empty("No alarms", "alarm")
        ui.fab("add", lambda c: c.open("alarm"))

    def _toggle(self, key: str) -> Handler:
        return lambda c: c.write("alarms", key, "on", to=not c.data["alarms"][key]["on"])

    def page_alarm(self, ui: Ui) -> None:
        """A new alarm."""
        ui.bar("New alarm")
        minutes = int(ui.var("minutes", 420))
        time = daytime.clock_text(minutes, hour24=ui.system["hour24"])
        ui.row("Time", trailing=time, icon="clock", on_tap=self._pick)
        ui.field("label", "Label")
        ui.bottom_buttons([("Cancel", lambda c: c.back()), ("Save", self._save)])

    def _pick(self, control: Control) -> None:
        control.open("@time", key="minutes", minutes=int(control.var("minutes", 420)))

    def _save(self, control: Control) -> None:
        alarm = {
            "minutes": int(control.var("minutes", 420)),
            "label": control.text("label"),
            "on": True,
        }
        control.write("alarms", control.new_id("alarm"), to=alarm)
        control.back()
        control.toast("Alarm set")

    def _world(self, ui: Ui) -> None:
        for city in content.CITIES:
            if city.name in ui.data["cities"]:
                minutes = daytime.minute_of(ui.time) + city.utc_offset_minutes
                time = daytime.clock_text(minutes, hour24=ui.system["hour24"])
                ui.row(city.name, city.country, trailing=time, on_long=self._drop_city(city.name))
        ui.fab("add", lambda c: c.open("cities"))

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

    def _timer(self, ui: Ui) -> None:
        timer = ui.data["timer"]
        left = timer["ends"] - ui.time if timer["running"] else timer["left"]
        ui.space(16)
        ui.text(f"{left // 60:02d}:{left % 60:02d}", HUGE, align="center")
        ui.field("minutes", "Minutes")
        typed = ui.text_of("minutes")
        ready = timer["left"] > 0 or (typed.isdecimal() and 0 < int(typed) < 1000)
        if timer["running"]:
            ui.button("Pause", self._pause_timer)
        else:
            ui.button("Start", self._start_timer if ready else None)
        ui.button("Reset", self._reset_timer, style="outlined")

    def _start_timer(self, control: Control) -> None:
        left = control.data["timer"]["left"] or int(control.text("minutes")) * 60
        control.focus(None)
        control.write("timer", to={"ends": control.time + left, "left": left, "running": True})

    def _pause_timer(self, control: Control) -> None:
        left = control.data["timer"]["ends"] - control.time
        control.write("timer", to={"ends": 0, "left": max(0, left), "running": False})

    def _reset_timer(self, control: Control) -> None:
        control.write("timer", to={"ends": 0, "left": 0, "running": False})

    def _stopwatch(self, ui: Ui) -> None:
        watch = ui.data["stopwatch"]
        shown = watch["held"] + (ui.time - watch["since"] if watch["running"] else 0)
        ui.space(16)
        ui.text(f"{shown // 60:02d}:{shown % 60:02d}", HUGE, align="center")
        icon = "pause" if watch["running"] else "play"
        ui.icon_buttons([("undo", "", self._reset_watch), (icon, "", self._flip_watch)])

    def _flip_watch(self, control: Control) -> None:
        watch = control.data["stopwatch"]
        held = watch["held"] + (control.time - watch["since"] if watch["running"] else 0)
        new = {"since": control.time, "held": held, "running": not watch["running"]}
        control.write("stopwatch", to=new)

    def _reset_watch(self, control: Control) -> None:
        control.write("stopwatch", to={"since": 0, "held": 0, "running": False})
