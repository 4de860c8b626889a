"""Goals in the Clock app."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.control import Control
from distrl.tasks.hand import Hand
from distrl.tasks.pools import ALARM_LABEL, CITY, MINUTES, SWITCH, TIME, minutes_of
from distrl.tasks.template import Params, Scene, Template


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
    allows = ("apps.clock.alarms.*",)

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
        """Add, pick the time, save."""
        hand.open("clock")
        if hand.at("@time"):
            hand.pick_time(minutes_of(p["time"]))
        if hand.at("alarm"):
            if int(hand.var("minutes", 420)) != minutes_of(p["time"]):
                hand.tap("Time")
            hand.tap("Save")
        hand.on("main")
        hand.tab("Alarm")
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
        alarms = control.state["apps"]["clock"]["alarms"]
        kept = {k: a for k, a in alarms.items() if a["label"] != p["label"]}
        control.write_root("apps", "clock", "alarms", to=kept)
        minutes = rng.randrange(0, 1440, 5)
        alarm = {"minutes": minutes, "label": p["label"], "on": p["switch"] == "off"}
        control.write_root("apps", "clock", "alarms", "target", to=alarm)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is as asked."""
        alarm = scene.data("clock")["alarms"]["target"]
        return bool(alarm["on"]) == (p["switch"] == "on")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Find it by its label and flip it."""
        hand.open("clock")
        hand.on("main")
        hand.tab("Alarm")
        for widget in hand.view.widgets:
            if widget.description == p["label"]:
                hand.touch(widget)


class StartTimer(Template):
    """A running timer of some minutes."""

    name = "start_timer"
    phrasings = (
        "Start a timer for {minutes} minutes",
        "Set a {minutes} minute timer",
        "Count down {minutes} minutes in the Clock app",
    )
    params = {"minutes": MINUTES}
    allows = ("apps.clock.timer.*",)

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


class AddCity(Template):
    """A city in the world clock."""

    name = "add_city"
    phrasings = (
        "Add {city} to the world clock",
        "Show the time in {city} in my world clock",
        "Put {city} on the World tab of the Clock app",
    )
    params = {"city": CITY}
    allows = ("apps.clock.cities.*",)

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


class Stopwatch(Template):
    """The stopwatch runs or stands, by icons that carry no words."""

    name = "stopwatch"
    phrasings = (
        "Start the stopwatch",
        "Run the stopwatch in Clock",
        "Begin timing with the stopwatch",
        "Set the stopwatch going",
        "Use the stopwatch to start measuring time",
    )
    allows = ("apps.clock.stopwatch.*",)

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
    StartTimer(),
    AddCity(),
    Stopwatch(),
)
