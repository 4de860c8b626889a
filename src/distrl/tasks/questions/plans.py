"""Questions about alarms and events."""

from __future__ import annotations

from random import Random

from distrl.devices.phone import phone_time
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.tasks.general import calendar, clock
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import ALARM_LABEL, EVENT
from distrl.tasks.question import Question, Unanswerable, yes_or_no
from distrl.tasks.template import Params, Template


def _clock(state: State, minutes: int) -> str:
    return phone_time.clock_text(minutes, hour24=state["system"]["hour24"])


class _Alarm(Question):
    """Something about the alarm `target`."""

    params = {"label": ALARM_LABEL}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It exists, and may be on or off."""
        clock.DeleteAlarm().setup(control, p, rng)
        control.write_root("apps", "clock", "alarms", "target", "on", to=rng.random() < 0.5)

    def look(self, hand: Hand, p: Params) -> None:
        """The list of alarms is in front."""
        hand.open("clock")
        hand.on("main")
        hand.tab("Alarm")
        alarm = hand.data("clock")["alarms"].get("target")
        if alarm is not None and not hand.sees(p["label"]):
            hand.scroll_to(_clock(hand.state, alarm["minutes"]))


class AlarmTime(_Alarm):
    """When it rings."""

    name = "q_alarm_time"
    phrasings = (
        "What time is the {label} alarm set for?",
        "When does my {label} alarm ring?",
        "Tell me the time of the alarm called {label}",
    )

    def right(self, state: State, p: Params) -> str:
        """Its time."""
        return _clock(state, state["apps"]["clock"]["alarms"]["target"]["minutes"])


class AlarmOn(_Alarm):
    """Whether it is on."""

    name = "q_alarm_on"
    phrasings = (
        "Is the {label} alarm switched on?",
        "Will the alarm called {label} ring, yes or no?",
        "Have I turned the {label} alarm on?",
    )

    def right(self, state: State, p: Params) -> str:
        """Its switch."""
        return yes_or_no(state["apps"]["clock"]["alarms"]["target"]["on"])


class NoAlarm(Unanswerable):
    """An alarm that is not there has no time."""

    name = "q_no_alarm"
    phrasings = AlarmTime.phrasings
    params = {"label": ALARM_LABEL}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """No alarm of that label."""
        alarms = control.state["apps"]["clock"]["alarms"]
        kept = {key: alarm for key, alarm in alarms.items() if alarm["label"] != p["label"]}
        control.write_root("apps", "clock", "alarms", to=kept)

    def look(self, hand: Hand, p: Params) -> None:
        """Look for it."""
        _Alarm.look(AlarmTime(), hand, p)


class EventTime(Question):
    """When an event starts."""

    name = "q_event_time"
    phrasings = (
        "At what time does {title} start?",
        "What time is {title} in my calendar?",
        "When do I have to be at {title}? Tell me the time",
    )
    place = calendar.OpenEvent()

    def right(self, state: State, p: Params) -> str:
        """Its time."""
        return _clock(state, state["apps"]["calendar"]["events"]["target"]["minutes"])


class EventDate(Question):
    """The day of an event."""

    name = "q_event_date"
    phrasings = (
        "On which day is {title}?",
        "What is the date of {title} in my calendar?",
        "Tell me the day of {title}",
    )
    place = calendar.OpenEvent()

    def right(self, state: State, p: Params) -> str:
        """Its date."""
        return phone_time.date_text(state["apps"]["calendar"]["events"]["target"]["day"])


class NoEvent(Unanswerable):
    """An event that nobody has planned has no time."""

    name = "q_no_event"
    phrasings = EventTime.phrasings
    params = {"title": EVENT}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """No event of that title."""
        calendar.CreateEvent().setup(control, {**p, "date": phone_time.long_date(20)}, rng)

    def look(self, hand: Hand, p: Params) -> None:
        """The agenda is in front."""
        hand.open("calendar")
        hand.on("main")
        hand.tab("Agenda")


class EventBeforeAlarm(Question):
    """Two apps: the time of day of an event and of an alarm."""

    name = "q_event_before_alarm"
    phrasings = (
        "Does {title} start earlier in the day than my {label} alarm rings?",
        "Is the time of {title} before the time of the {label} alarm?",
        "Comparing clock times, does {title} come before the {label} alarm?",
    )
    params = {"title": EVENT, "label": ALARM_LABEL}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """Both exist, at different times."""
        calendar.OpenEvent().setup(control, p, rng)
        clock.DeleteAlarm().setup(control, p, rng)
        event = control.state["apps"]["calendar"]["events"]["target"]["minutes"]
        away = rng.choice((-1, 1)) * rng.randrange(5, 200, 5)
        # One with the same time would stand for the other one in the list of alarms.
        minutes = event + away
        alarms = control.state["apps"]["clock"]["alarms"]
        kept = {k: a for k, a in alarms.items() if k == "target" or a["minutes"] != minutes}
        kept["target"] = {**kept["target"], "minutes": minutes}
        control.write_root("apps", "clock", "alarms", to=kept)

    def right(self, state: State, p: Params) -> str:
        """Which is earlier."""
        apps = state["apps"]
        event = apps["calendar"]["events"]["target"]["minutes"]
        return yes_or_no(event < apps["clock"]["alarms"]["target"]["minutes"])

    def look(self, hand: Hand, p: Params) -> None:
        """The event first, whose page stays open behind the clock; then the alarm."""
        if hand.app != "clock":
            pages = hand.state["ui"]["stacks"].get("calendar", [{"name": ""}])
            if pages[-1]["name"] != "event":
                calendar.OpenEvent().oracle(hand, p)
        _Alarm.look(AlarmTime(), hand, p)


TEMPLATES: tuple[Template, ...] = (
    AlarmTime(),
    AlarmOn(),
    NoAlarm(),
    EventTime(),
    EventDate(),
    NoEvent(),
    EventBeforeAlarm(),
)
