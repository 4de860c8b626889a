"""Goals in the Calendar app."""

from __future__ import annotations

from random import Random
from typing import NoReturn

from distrl.actions import Direction
from distrl.devices.phone import content, phone_time
from distrl.devices.phone.apps.calendar import COLORS, HOURS, hour_text
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.pickers import month_distance
from distrl.tasks.allowed_changes import Added, Permission
from distrl.tasks.oracle_hand import Hand, day_in_month
from distrl.tasks.pools import DATE, EVENT, closed, day_of
from distrl.tasks.template import Params, Scene, Template

_COLOR = closed("event_color", *COLORS)
_HOUR = closed("hour", *(hour_text(hour) for hour in HOURS))
_HOURS = {hour_text(hour): hour for hour in HOURS}
_OTHER_MONTH = 0.2
"""Share of the goals whose date is a month away."""


def _go_near(control: Control, day: int, rng: Random) -> int:
    """Set the phone's date to another day of the same month, or of the one before; return it."""
    months = 1 if rng.random() < _OTHER_MONTH and month_distance(0, day) else 0
    days = [
        other
        for other in range(len(DATE.values))
        if other != day and month_distance(other, day) == months
    ]
    today = rng.choice(days)
    _set_today(control, today)
    return today


def _set_today(control: Control, today: int) -> None:
    clock = control.state["time"] % phone_time.DAY
    control.write_root("time", to=today * phone_time.DAY + clock)


def _today(control: Control) -> int:
    return phone_time.day_of(control.state["time"])


def _without(control: Control, title: str) -> State:
    events = control.state["apps"]["calendar"]["events"]
    return {key: event for key, event in events.items() if event["title"] != title}


def _put_event(control: Control, title: str, day: int, rng: Random) -> None:
    """The phone has exactly one event of this title, with the id `target`."""
    event = {
        "title": title,
        "day": day,
        "minutes": rng.randrange(8 * 60, 20 * 60, 30),
        "color": rng.choice(list(COLORS)),
    }
    events = {**_without(control, title), "target": event}
    control.write_root("apps", "calendar", "events", to=events)


def _event(hand: Hand, key: str) -> State | None:
    """An event, unless a mistake has deleted it."""
    event: State | None = hand.data("calendar")["events"].get(key)
    return event


def _choose_day(hand: Hand, day: int) -> None:
    """The month is in front with this day chosen."""
    hand.on("main")
    hand.tab("Month")
    chosen = int(hand.var("day", phone_time.day_of(hand.state["time"])))
    if chosen == day:
        return
    months = month_distance(chosen, day)
    if months:
        hand.swipe(Direction.LEFT if months > 0 else Direction.RIGHT)
    label = str(day_in_month(day))
    widget = hand.find_paint("day", label)
    if widget is None:
        hand.scroll_to(label)
        hand.back()
    hand.touch(widget)


def _tap_event(hand: Hand, title: str, day: int) -> NoReturn:
    """Open an event from the list of its day."""
    _choose_day(hand, day)
    hand.tap(title, role="item")


class CreateEvent(Template):
    """A new event on a date."""

    name = "create_event"
    phrasings = (
        "Add {title} to my calendar on {date}",
        "Create a calendar event called {title} for {date}",
        "Put {title} on {date} in the Calendar app",
        "Schedule {title} for {date}",
    )
    params = {"title": EVENT, "date": DATE}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """One new event of this title on that day."""
        wanted = {"title": p["title"], "day": day_of(p["date"])}
        return (Added("apps.calendar.events", wanted),)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """No such event yet."""
        control.write_root("apps", "calendar", "events", to=_without(control, p["title"]))
        _go_near(control, day_of(p["date"]), rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is on that day."""
        wanted = (p["title"], day_of(p["date"]))
        events = scene.data("calendar")["events"].values()
        return any((e["title"], e["day"]) == wanted for e in events)

    def oracle(self, hand: Hand, p: Params) -> None:
        """Choose the day, add, type, save."""
        hand.open("calendar")
        day = day_of(p["date"])
        if hand.at("edit") and "id" not in hand.args and hand.var("day") == day:
            hand.type("title", p["title"])
            hand.tap("Save")
        _choose_day(hand, day)
        hand.tap_icon("add")


class CreateEventAt(Template):
    """A new event today, at a full hour."""

    name = "create_event_at"
    unseen = True
    phrasings = (
        "Add {title} to my calendar today at {hour}",
        "Put {title} in the calendar for {hour} today",
        "Plan {title} for today, {hour}",
    )
    params = {"title": EVENT, "hour": _HOUR}
    weight = 0.7

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """One new event of this title at that hour."""
        wanted = {"title": p["title"], "minutes": 60 * _HOURS[p["hour"]]}
        return (Added("apps.calendar.events", wanted),)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """No such event yet, and the hour is free."""
        today, start = _today(control), 60 * _HOURS[p["hour"]]
        events = {
            key: event
            for key, event in _without(control, p["title"]).items()
            if event["day"] != today or abs(event["minutes"] - start) >= 60
        }
        control.write_root("apps", "calendar", "events", to=events)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is there at that time."""
        today = phone_time.day_of(scene.before["time"])
        wanted = (p["title"], today, 60 * _HOURS[p["hour"]])
        events = scene.data("calendar")["events"].values()
        return any((e["title"], e["day"], e["minutes"]) == wanted for e in events)

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open the hours of the day, tap one, type, save."""
        hand.open("calendar")
        today = phone_time.day_of(hand.state["time"])
        when = (today, 60 * _HOURS[p["hour"]])
        if hand.at("edit") and "id" not in hand.args:
            if (hand.var("day"), hand.var("minutes")) != when:
                hand.back()
            hand.type("title", p["title"])
            hand.tap("Save")
        if hand.at("day", day=today):
            hand.tap(p["hour"], role="item")
        _choose_day(hand, today)
        hand.tap(f"{phone_time.date_text(today)} (today)", role="item")


class OpenEvent(Template):
    """The details of a coming event are shown."""

    name = "open_event"
    phrasings = (
        "Open the event {title} in my calendar",
        "Show me the details of {title} in Calendar",
        "When is {title}? Open it in the Calendar app",
    )
    params = {"title": EVENT}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is in the next days."""
        _put_event(control, p["title"], _today(control) + rng.randrange(1, 8), rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """Its page is in front."""
        return scene.at("calendar", "event", id="target")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Find it in the agenda."""
        hand.open("calendar")
        hand.on("main")
        hand.tab("Agenda")
        hand.tap(p["title"], role="item")


class MoveEvent(Template):
    """An event of today is on another date."""

    name = "move_event"
    unseen = True
    phrasings = (
        "Move {title} from today to {date}",
        "Reschedule today's {title} to {date}",
        "Change the date of {title} to {date}, it is in the calendar for today",
    )
    params = {"title": EVENT, "date": DATE}
    allows = ("apps.calendar.events.target.day",)
    weight = 0.7

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is today."""
        today = _go_near(control, day_of(p["date"]), rng)
        _put_event(control, p["title"], today, rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It is on that day."""
        event = scene.data("calendar")["events"].get("target")
        return event is not None and event["day"] == day_of(p["date"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it and pick the date."""
        hand.open("calendar")
        if hand.at("@date"):
            hand.pick_date(day_of(p["date"]))
        if hand.at("event", id="target"):
            hand.tap("Date")
        event = _event(hand, "target")
        if event is not None:
            _tap_event(hand, p["title"], event["day"])


class DeleteEvent(Template):
    """An event is gone."""

    name = "delete_event"
    unseen = True
    phrasings = (
        "Delete {title} on {date} from my calendar",
        "Cancel my {title} on {date}",
        "Remove the {date} event {title} from the calendar",
    )
    params = {"title": EVENT, "date": DATE}
    allows = ("apps.calendar.events.target",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is on that day."""
        _go_near(control, day_of(p["date"]), rng)
        _put_event(control, p["title"], day_of(p["date"]), rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It does not exist any more."""
        return "target" not in scene.data("calendar")["events"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it, press the bin, confirm."""
        hand.open("calendar")
        if hand.at("delete", id="target"):
            hand.tap("Delete")
        if hand.at("event", id="target"):
            hand.tap_icon("delete")
        _tap_event(hand, p["title"], day_of(p["date"]))


class EventsOn(Template):
    """A question: what is in the calendar on a date?"""

    name = "events_on_date"
    phrasings = (
        "What is on my calendar on {date}?",
        "Do I have any plans on {date}?",
        "Check in Calendar what happens on {date}",
    )
    params = {"date": DATE}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """Exactly one thing happens on that day, and on no other."""
        day = day_of(p["date"])
        _go_near(control, day, rng)
        events = control.state["apps"]["calendar"]["events"]
        kept = {key: event for key, event in events.items() if event["day"] != day}
        control.write_root("apps", "calendar", "events", to=kept)
        taken = {event["title"] for event in kept.values()}
        title = rng.choice([t for t in content.EVENTS if t not in taken])
        _put_event(control, title, day, rng)

    def check(self, scene: Scene, p: Params) -> bool:
        """It stands on the screen."""
        event = scene.before["apps"]["calendar"]["events"]["target"]
        return scene.at("calendar") and scene.shows(event["title"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Choose the day in the month."""
        hand.open("calendar")
        _choose_day(hand, day_of(p["date"]))
        event = _event(hand, "target")
        if event is not None:
            hand.scroll_to(event["title"])


class OpenColorEvent(Template):
    """One of several events with the same words, told apart by its colour."""

    name = "open_color_event"
    unseen = True
    phrasings = (
        "Open the {color} {title} event of today",
        "Of today's {title} events in my calendar, show me the {color} one",
        "Show the {title} that is marked {color} in today's calendar",
    )
    params = {"color": _COLOR, "title": EVENT}
    visual = True

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """Today has nothing but these, one of each colour in an order of the seed."""
        today = _today(control)
        events = {
            key: event
            for key, event in _without(control, p["title"]).items()
            if event["day"] != today
        }
        colors = [color for color in COLORS if color != p["color"]]
        chosen = [p["color"], *rng.sample(colors, 3)]
        rng.shuffle(chosen)
        for place, color in enumerate(chosen):
            minutes = 60 * (9 + 2 * place)
            event = {"title": p["title"], "day": today, "minutes": minutes, "color": color}
            events[f"tint_{color}"] = event
        control.write_root("apps", "calendar", "events", to=events)

    def check(self, scene: Scene, p: Params) -> bool:
        """Its page is in front."""
        return scene.at("calendar", "event", id=f"tint_{p['color']}")

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap it by its colour."""
        hand.open("calendar")
        _choose_day(hand, phone_time.day_of(hand.state["time"]))
        hand.tap_paint("event", COLORS[p["color"]])


class OpenMarkedDay(Template):
    """The day with a dot of some colour is chosen in the month."""

    name = "open_marked_day"
    unseen = True
    phrasings = (
        "In Calendar, select the day that has a {color} dot",
        "Tap the day of this month that is marked with a {color} dot",
        "Which day has the {color} dot in my calendar? Select it",
        "Show what happens on the day with the {color} dot this month",
        "Go to the day with a {color} mark in the month view of Calendar",
        "Choose the date in the calendar that carries a {color} dot",
    )
    params = {"color": _COLOR}
    visual = True

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is the same month everywhere, with one dot of each colour."""
        _set_today(control, day_of("February 12"))
        first, last = day_of("February 1"), day_of("February 28")
        events = {
            key: event
            for key, event in control.state["apps"]["calendar"]["events"].items()
            if not first <= event["day"] <= last
        }
        days = rng.sample([d for d in range(first, last + 1) if d != _today(control)], len(COLORS))
        taken = {event["title"] for event in events.values()}
        titles = [title for title in content.EVENTS if title not in taken]
        for color, day, title in zip(COLORS, days, titles, strict=False):
            event = {"title": title, "day": day, "minutes": 600, "color": color}
            events[f"dot_{color}"] = event
        control.write_root("apps", "calendar", "events", to=events)

    def check(self, scene: Scene, p: Params) -> bool:
        """The month is in front with that day chosen."""
        day = scene.before["apps"]["calendar"]["events"][f"dot_{p['color']}"]["day"]
        return (
            scene.at("calendar", "main")
            and scene.var("tab", "month") == "month"
            and scene.var("day") == day
        )

    def oracle(self, hand: Hand, p: Params) -> None:
        """Tap it by its dot."""
        hand.open("calendar")
        event = _event(hand, f"dot_{p['color']}")
        if event is not None:
            _choose_day(hand, event["day"])


TEMPLATES: tuple[Template, ...] = (
    CreateEvent(),
    CreateEventAt(),
    OpenEvent(),
    MoveEvent(),
    DeleteEvent(),
    EventsOn(),
    OpenColorEvent(),
    OpenMarkedDay(),
)
