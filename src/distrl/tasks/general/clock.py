"""Goals in the Clock app."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.view import Widget
from distrl.tasks.allowed_changes import Added, Permission, fields_of
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import ALARM_LABEL, CITY, MINUTES, SWITCH, TIME, minutes_of
from distrl.tasks.template import Params, Scene, Template

_TIMER = fields_of("apps.clock.timer", "ends", "left", "running")


def _put_alarm(control: Control, alarm: State) -> None:
    """The phone has exactly one alarm of this time or label, with the id `target`."""
    alarms = control.state["apps"]["clock"]["alarms"]
    kept = {
        key: other
        for key, other in alarms.items()
        if other["minutes"] != alarm["minutes"] and other["label"] != alarm["label"]
    }
    control.write_root("apps", "clock", "alarms", to={**kept, "target": alarm})


def _described(hand: Hand, role: str, description: str) -> Widget | None:
    wanted = hand.say(description)
    for widget in hand.view.widgets[hand.view.live :]:
        if widget.role == role and widget.description == wanted and widget.element():
            return widget
    return None


def _show_alarms(hand: Hand) -> None:
    """The list of alarms is in front."""
    hand.on("main")
    hand.tab("Alarm")


class SetAlarm(Template):
    """A new alarm at a time."""

    name = "set_alarm"
    phrasings = (
        "Set an alarm for {time}",
        "Wake me up at {time}",
        "Add a {time} alarm in the Clock app",
        "I need an alarm at {time}",
    )
    params = {"time": TIME}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """One new alarm at that time."""
        return (Added("apps.clock.alarms", {"minutes": minutes_of(p["time"])}),)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """No alarm at that time yet."""
        alarms = control.state["apps"]["clock"]["alarms"]
        minutes = minutes_of(p["time"])
        kept = {k: a for k, a in alarms.items() if a["minutes"] != minutes}
        control.write_root("apps", "clock", "alarms", to=kept)

    def check(self, scene: Scene, p: Params) -> bool:
        """An alarm at that time is on."""
        alarms = scene.data("clock")["alarms"].values()
        return any(a["minutes"] == minutes_of(p["time"]) and a["on"] for a in alarms)

    def oracle(self, hand: Hand, p: Params) -> None:
        """Add one and turn the dial."""
        hand.open("clock")
        if hand.at("@time", key="new_alarm"):
            hand.pick_time(minutes_of(p["time"]))
        _show_alarms(hand)
        hand.tap_icon("add")


class SwitchAlarm(Template):
    """An alarm that exists, by its label, on or off."""

    name = "switch_alarm"
    phrasings = (
        "Turn {switch} the alarm called {label}",
        "Switch the {label} alarm {switch}",
        "In Clock, set the alarm named {label} to {switch}",
    )
    params = {"label": ALARM_LABEL, "switch": SWITCH}
    allows = ("apps.clock.alarms.target.on",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The alarm is the other way round."""
        minutes = rng.randrange(0, 1440, 5)
        on = p["switch"] == "off"
        _put_alarm(control, {"minutes": minutes, "label": p["label"], "on": on})

    def check(self, scene: Scene, p: Params) -> bool:
        """It is as asked."""
        alarm = scene.data("clock")["alarms"].get("target")
        return alarm is not None and bool(alarm["on"]) == (p["switch"] == "on")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Find the toggle beside its label."""
        hand.open("clock")
        _show_alarms(hand)
        toggle = _described(hand, "switch", p["label"])
        if toggle is not None:
            hand.touch(toggle)


class DeleteAlarm(Template):
    """An alarm is gone, by an icon without words."""

    name = "delete_alarm"
    unseen = True
    phrasings = (
        "Delete the alarm called {label}",
        "Remove my {label} alarm",
        "I no longer need the alarm named {label}, get rid of it",
    )
    params = {"label": ALARM_LABEL}
    allows = ("apps.clock.alarms.target",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The alarm exists."""
        minutes = rng.randrange(0, 1440, 5)
        _put_alarm(control, {"minutes": minutes, "label": p["label"], "on": True})

    def check(self, scene: Scene, p: Params) -> bool:
        """It does not exist any more."""
        return "target" not in scene.data("clock")["alarms"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it, press the bin, confirm."""
        hand.open("clock")
        if hand.at("delete", id="target"):
            hand.tap("Delete")
        if hand.at("alarm", id="target"):
            hand.tap_icon("delete")
        _show_alarms(hand)
        row = _described(hand, "item", p["label"])
        if row is not None:
            hand.touch(row)


class ChangeAlarm(Template):
    """An alarm rings at another hour."""

    name = "change_alarm"
    unseen = True
    phrasings = (
        "Change the {label} alarm to {time}",
        "Move my alarm called {label} to {time}",
        "Let the alarm named {label} ring at {time} instead",
    )
    params = {"label": ALARM_LABEL, "time": TIME}
    allows = ("apps.clock.alarms.target.minutes",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The alarm exists, some hours off."""
        minutes = minutes_of(p["time"])
        other = minutes // 720 * 720 + (minutes + 60 * rng.randrange(1, 12)) % 720
        _put_alarm(control, {"minutes": other, "label": p["label"], "on": True})

    def check(self, scene: Scene, p: Params) -> bool:
        """It is on, at that time."""
        alarm = scene.data("clock")["alarms"].get("target")
        return alarm is not None and alarm["on"] and alarm["minutes"] == minutes_of(p["time"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it, turn the dial, save."""
        hand.open("clock")
        wanted = minutes_of(p["time"])
        if hand.at("@time", key="minutes"):
            hand.pick_time(wanted)
        if hand.at("alarm", id="target"):
            if hand.var("minutes") != wanted:
                hand.tap("Time")
            hand.tap("Save")
        _show_alarms(hand)
        row = _described(hand, "item", p["label"])
        if row is not None:
            hand.touch(row)


class LabelAlarm(Template):
    """An alarm without a label gets one."""

    name = "label_alarm"
    unseen = True
    phrasings = (
        "Label my {time} alarm {label}",
        "Give the alarm at {time} the name {label}",
        "Call the {time} alarm {label}",
    )
    params = {"time": TIME, "label": ALARM_LABEL}
    allows = ("apps.clock.alarms.target.label",)
    weight = 0.7

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The alarm exists and has no label."""
        alarms = control.state["apps"]["clock"]["alarms"]
        kept = {k: a for k, a in alarms.items() if a["label"] != p["label"]}
        control.write_root("apps", "clock", "alarms", to=kept)
        _put_alarm(control, {"minutes": minutes_of(p["time"]), "label": "", "on": True})

    def check(self, scene: Scene, p: Params) -> bool:
        """It has the label, at the old time."""
        alarm = scene.data("clock")["alarms"].get("target")
        return (
            alarm is not None
            and alarm["label"] == p["label"]
            and alarm["minutes"] == minutes_of(p["time"])
        )

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it, type, save."""
        hand.open("clock")
        if hand.at("alarm", id="target"):
            if hand.var("minutes") != minutes_of(p["time"]):
                hand.back()
            hand.type("label", p["label"])
            hand.tap("Save")
        _show_alarms(hand)
        hand.tap(p["time"], role="item")


class StartTimer(Template):
    """A running timer of some minutes."""

    name = "start_timer"
    phrasings = (
        "Start a timer for {minutes} minutes",
        "Set a {minutes} minute timer",
        "Count down {minutes} minutes in the Clock app",
    )
    params = {"minutes": MINUTES}
    allows = _TIMER
    weight = 0.7

    def check(self, scene: Scene, p: Params) -> bool:
        """It runs, and it was started with that length."""
        timer = scene.data("clock")["timer"]
        return bool(timer["running"] and timer["left"] == p["minutes"] * 60)

    def oracle(self, hand: Hand, p: Params) -> None:
        """Type the minutes and start."""
        hand.open("clock")
        hand.on("main")
        hand.tab("Timer")
        timer = hand.data("clock")["timer"]
        if timer["running"] or timer["left"]:
            hand.tap("Reset")
        hand.type("minutes", str(p["minutes"]))
        hand.tap("Start")


class TimerPreset(Template):
    """A running timer that was started from a saved one."""

    name = "timer_preset"
    unseen = True
    phrasings = (
        "Start the {label} timer",
        "Run my saved timer called {label}",
        "Use the {label} preset to start a countdown",
    )
    params = {"label": ALARM_LABEL}
    allows = _TIMER

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The preset exists once, with a length of its own."""
        presets = control.state["apps"]["clock"]["presets"]
        kept = {k: preset for k, preset in presets.items() if preset["label"] != p["label"]}
        taken = {preset["minutes"] for preset in kept.values()}
        minutes = rng.choice([m for m in range(2, 60) if m not in taken])
        records = [*kept.items(), ("target", {"label": p["label"], "minutes": minutes})]
        rng.shuffle(records)
        control.write_root("apps", "clock", "presets", to=dict(records))

    def check(self, scene: Scene, p: Params) -> bool:
        """The timer runs with the preset's length."""
        data = scene.data("clock")
        seconds = 60 * data["presets"]["target"]["minutes"]
        return bool(data["timer"]["running"] and data["timer"]["left"] == seconds)

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap it."""
        hand.open("clock")
        hand.on("main")
        hand.tab("Timer")
        hand.tap(p["label"], role="item")


class AddCity(Template):
    """A city in the world clock."""

    name = "add_city"
    phrasings = (
        "Add {city} to the world clock",
        "Show the time in {city} in my world clock",
        "Put {city} on the World tab of the Clock app",
    )
    params = {"city": CITY}
    weight = 0.7

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The city alone."""
        return (f"apps.clock.cities.{p['city']}",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is not there yet."""
        control.erase_root("apps", "clock", "cities", p["city"])

    def check(self, scene: Scene, p: Params) -> bool:
        """It is there."""
        return p["city"] in scene.data("clock")["cities"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Search for it and tap it."""
        hand.open("clock")
        if hand.at("cities"):
            hand.type("query", p["city"])
            hand.tap(p["city"], role="item")
        hand.on("main")
        hand.tab("World")
        hand.tap_icon("add")


class CityTime(Template):
    """A question: what time is it in a city of the world clock?"""

    name = "city_time"
    phrasings = (
        "What time is it in {city}?",
        "Check the current time in {city}",
        "How late is it in {city} right now? It is in my world clock",
    )
    params = {"city": CITY}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The city is in the world clock."""
        control.write_root("apps", "clock", "cities", p["city"], to=True)

    def check(self, scene: Scene, p: Params) -> bool:
        """The city stands on the screen beside its time."""
        return scene.at("clock", "main") and scene.var("tab") == "world" and scene.shows(p["city"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Look at the world clock."""
        hand.open("clock")
        hand.on("main")
        hand.tab("World")
        hand.scroll_to(p["city"])


class Stopwatch(Template):
    """The stopwatch runs or stands, by icons that carry no words."""

    name = "stopwatch"
    phrasings = (
        "Start the stopwatch",
        "Run the stopwatch in Clock",
        "Begin timing with the stopwatch",
        "Get the stopwatch running",
        "Open the stopwatch and let it run",
        "Go to the Clock app and start its stopwatch",
        "I want to time something with the stopwatch",
        "Set the stopwatch going",
        "Use the stopwatch to start measuring time",
    )
    allows = fields_of("apps.clock.stopwatch", "since", "held", "running")
    weight = 0.5

    def check(self, scene: Scene, p: Params) -> bool:
        """It runs."""
        return bool(scene.data("clock")["stopwatch"]["running"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Press play on its tab."""
        hand.open("clock")
        hand.on("main")
        hand.tab("Stopwatch")
        hand.tap_icon("play")


TEMPLATES: tuple[Template, ...] = (
    SetAlarm(),
    SwitchAlarm(),
    DeleteAlarm(),
    ChangeAlarm(),
    LabelAlarm(),
    StartTimer(),
    TimerPreset(),
    AddCity(),
    CityTime(),
    Stopwatch(),
)
