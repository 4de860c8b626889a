"""Calendar: a month with dots, a day by the hour, an agenda, and events in colours."""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache
from random import Random

from distrl.actions import Direction
from distrl.devices.phone import content, phone_time
from distrl.devices.phone.app import App
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import LARGE, SMALL, Ui
from distrl.devices.phone.ui.view import WIDTH, Handler, Paint

COLORS: dict[str, tuple[int, int, int]] = {
    "red": (214, 48, 49),
    "yellow": (240, 190, 24),
    "green": (40, 150, 76),
    "blue": (48, 108, 224),
    "purple": (142, 68, 190),
}
"""Dots and bars by the name that people give them."""

TABS = (("month", "Month", "calendar"), ("agenda", "Agenda", "list"))
NEW_EVENT_MINUTES = 540
"""When a new event starts if nobody says: nine in the morning."""
HOURS = range(7, 23)
"""What the page of one day shows."""

# A year back and three ahead: further swipes are ignored, so that nobody gets lost in time.
_FIRST_DAY, _LAST_DAY = -370, 1100
_CELL_WIDTH, _CELL_HEIGHT = 25, 28
_HOUR_HEIGHT = 21
_MOST_DOTS = 3
_AGENDA_LENGTH = 24


def hour_text(hour: int) -> str:
    """A full hour as the page of one day writes it: `3 PM`."""
    return f"{hour % 12 or 12} {'AM' if hour < 12 else 'PM'}"


@lru_cache(maxsize=256)
def _month_start(day: int, months_on: int = 0) -> int:
    then = phone_time.moment(day * phone_time.DAY)
    index = then.year * 12 + then.month - 1 + months_on
    start = then.replace(year=index // 12, month=index % 12 + 1, day=1)
    return (start - phone_time.moment(0)).days


@lru_cache(maxsize=256)
def _month_length(first: int) -> int:
    then = phone_time.moment(first * phone_time.DAY)
    return ((then + timedelta(days=32)).replace(day=1) - then).days


@lru_cache(maxsize=256)
def _cells(first: int, *, sunday_first: bool) -> tuple[tuple[int, str, int, int], ...]:
    """The days of a month as (day, label, left, top), with the top of the grid at 0."""
    start = (phone_time.moment(first * phone_time.DAY).weekday() + sunday_first) % 7
    cells = []
    for number in range(_month_length(first)):
        row, column = divmod(start + number, 7)
        left, top = 2 + column * _CELL_WIDTH, row * _CELL_HEIGHT
        cells.append((first + number, str(number + 1), left, top))
    return tuple(cells)


def _in_order(item: tuple[str, State]) -> tuple[int, int]:
    return item[1]["day"], item[1]["minutes"]


def _open_event(key: str) -> Handler:
    return lambda c: c.open("event", id=key)


def _select(day: int) -> Handler:
    return lambda c: c.set_var("day", day)


def _choose_color(name: str) -> Handler:
    return lambda c: c.set_var("color", name)


def _new_event(day: int, minutes: int = NEW_EVENT_MINUTES) -> Handler:
    def new(control: Control) -> None:
        control.open("edit")
        control.set_var("day", day)
        control.set_var("minutes", minutes)
        control.focus("title")

    return new


def _pick_day(control: Control) -> None:
    control.open("@date", key="day", day=_held(control, "day"))


def _pick_time(control: Control) -> None:
    control.open("@time", key="minutes", minutes=_held(control, "minutes"))


def _held(control: Control, key: str) -> int:
    """The day or time of the event whose page is open."""
    event = control.data["events"].get(control.page["args"].get("id"))
    return int(event[key] if control.page["name"] == "event" and event else control.var(key, 0))


class Calendar(App):
    """Data: events by id with title, day (of the phone's calendar), minutes and color."""

    name = "calendar"
    title = "Calendar"
    icon = "calendar"
    color = (38, 116, 196)
    permission = "access your calendar"

    def create(self, rng: Random) -> State:
        """Some thirty events around the days on which a phone may start."""
        titles = rng.sample(content.EVENTS, 30)
        colors = list(COLORS)
        return {
            "events": {
                f"event{i}": {
                    "title": title,
                    "day": rng.randrange(-4, 100),
                    "minutes": rng.randrange(8 * 60, 20 * 60, 30),
                    "color": rng.choice(colors),
                }
                for i, title in enumerate(titles)
            }
        }

    def on_swipe(self, control: Control, direction: Direction) -> None:
        """Turn to the next or the previous month."""
        step = {Direction.LEFT: 1, Direction.RIGHT: -1}.get(direction, 0)
        if control.page["name"] == "main" and control.var("tab", "month") == "month" and step:
            day = int(control.var("day", phone_time.day_of(control.time)))
            first = _month_start(day, step)
            if _FIRST_DAY <= first <= _LAST_DAY:
                control.set_var("day", first)

    def on_pick(self, control: Control, key: str) -> None:
        """On the page of an event a new date or time counts at once."""
        page = control.page
        if page["name"] == "event" and page["args"]["id"] in control.data["events"]:
            control.write("events", page["args"]["id"], key, to=int(control.var(key)))
            control.toast("Event updated")

    # The month and the agenda

    def page_main(self, ui: Ui) -> None:
        """The chosen tab."""
        today = phone_time.day_of(ui.time)
        day = int(ui.var("day", today))
        tab = str(ui.var("tab", "month"))
        actions: list[tuple[str, str, Handler]] = [("calendar", "", self._go_today)]
        if ui.version % 2 == 0:
            actions.append(("add", "", _new_event(day)))
        then = phone_time.moment(day * phone_time.DAY)
        ui.bar(f"{then:%B %Y}" if tab == "month" else "Agenda", actions)
        tabs = TABS if ui.version % 2 else TABS[::-1]
        ui.tabs(tabs, tab, lambda key: lambda c: c.set_var("tab", key))
        if tab == "month":
            self._month(ui, today, day)
        else:
            self._agenda(ui, today)
        if ui.version % 2:
            ui.fab("add", _new_event(day))

    def _go_today(self, control: Control) -> None:
        control.set_var("day", phone_time.day_of(control.time))
        control.set_var("tab", "month")

    def _month(self, ui: Ui, today: int, chosen: int) -> None:
        first = _month_start(chosen)
        length = _month_length(first)
        sunday_first = ui.version % 2 == 0
        self._weekdays(ui, "SMTWTFS" if sunday_first else "MTWTFSS")
        dots: dict[int, list[tuple[int, int, int]]] = {}
        for event in ui.data["events"].values():
            if first <= event["day"] < first + length:
                dots.setdefault(event["day"], []).append(COLORS[event["color"]])
        top = ui.y
        cells = _cells(first, sunday_first=sunday_first)
        for day, label, x, y in cells:
            look = "chosen" if day == chosen else "today" if day == today else "plain"
            paint = ("day", label, look, ui.color, tuple(dots.get(day, ())[:_MOST_DOTS]))
            box = (x, top + y, _CELL_WIDTH, _CELL_HEIGHT)
            widget = ui.place_at(paint, box, "button", label, "", _select(day))
            if widget is not None:
                widget.checked = day == chosen
        ui.space(cells[-1][3] + _CELL_HEIGHT + 4)
        self._day_list(ui, today, chosen)

    def _weekdays(self, ui: Ui, letters: str) -> None:
        for column, letter in enumerate(letters):
            paint = ("line", letter, SMALL, "muted", "bg", "center", False)
            ui.place_at(paint, (2 + column * _CELL_WIDTH, ui.y + 2, _CELL_WIDTH, 12))
        ui.space(16)

    def _day_list(self, ui: Ui, today: int, day: int) -> None:
        """What happens on the chosen day, below a heading that leads to its hours."""
        words = f"{phone_time.date_text(day)}{' (today)' if day == today else ''}"
        ui.row(words, trailing=">", icon="clock", on_tap=lambda c: c.open("day", day=day))
        events = [item for item in ui.data["events"].items() if item[1]["day"] == day]
        for key, event in sorted(events, key=_in_order):
            self._event_row(ui, key, event)
        if not events:
            ui.text("No events", ink="muted", align="center")

    def _event_row(self, ui: Ui, key: str, event: State) -> None:
        time = phone_time.clock_text(event["minutes"], hour24=ui.system["hour24"])
        tint = COLORS[event["color"]]
        paint: Paint = ("event", tint, event["title"], time, False)
        if ui.version % 2 == 0:
            paint = ("event", tint, f"{time}  {event['title']}", "", True)
        ui.place(paint, 29, "item", event["title"], time, _open_event(key))

    def _agenda(self, ui: Ui, today: int) -> None:
        coming = [item for item in ui.data["events"].items() if item[1]["day"] >= today]
        coming.sort(key=_in_order)
        last = None
        for key, event in coming[:_AGENDA_LENGTH]:
            if event["day"] != last:
                last = event["day"]
                ui.header("Today" if last == today else phone_time.date_text(last))
            self._event_row(ui, key, event)
        if not coming:
            ui.empty("Nothing is planned", "calendar")

    # One day by the hour

    def page_day(self, ui: Ui) -> None:
        """The hours of a day; an empty one makes a new event."""
        day = int(ui.args["day"])
        ui.bar(phone_time.date_text(day))
        top = ui.y
        for place, hour in enumerate(HOURS):
            label = hour_text(hour)
            paint = ("line", label, SMALL, "muted", "bg", "left", False)
            box = (0, top + place * _HOUR_HEIGHT, WIDTH, _HOUR_HEIGHT - 1)
            ui.place_at(("fill", "line"), (34, box[1] + _HOUR_HEIGHT - 1, WIDTH - 34, 1))
            ui.place_at(paint, box, "item", label, "", _new_event(day, 60 * hour))
        for key, event in ui.data["events"].items():
            if event["day"] == day and event["minutes"] // 60 in HOURS:
                offset = (event["minutes"] - 60 * HOURS[0]) * _HOUR_HEIGHT // 60
                box = (40, top + offset, WIDTH - 48, _HOUR_HEIGHT - 1)
                block = ("event", COLORS[event["color"]], event["title"], "", True)
                ui.place_at(block, box, "item", event["title"], "", _open_event(key))
        ui.space(len(HOURS) * _HOUR_HEIGHT)

    # One event

    def page_event(self, ui: Ui) -> None:
        """An event; its date and time open a picker."""
        key = ui.args["id"]
        event = ui.data["events"].get(key)
        if event is None:
            ui.bar("Event")
            ui.empty("This event was deleted", "calendar")
            return
        actions = [
            ("edit", "", self._edit(key)),
            ("delete", "", lambda c: c.open("delete", id=key)),
        ]
        ui.bar("Event", actions if ui.version % 2 else actions[::-1])
        ui.place(("fill", COLORS[event["color"]]), 6)
        ui.text(event["title"], LARGE, bold=True)
        self._when(ui, event["day"], event["minutes"])

    def _when(self, ui: Ui, day: int, minutes: int) -> None:
        time = phone_time.clock_text(minutes, hour24=ui.system["hour24"])
        ui.row("Date", trailing=phone_time.date_text(day), icon="calendar", on_tap=_pick_day)
        ui.row("Time", trailing=time, icon="clock", on_tap=_pick_time)

    def _edit(self, key: str) -> Handler:
        def edit(control: Control) -> None:
            event = control.data["events"][key]
            control.open("edit", id=key)
            for name in ("title", "day", "minutes", "color"):
                control.set_var(name, event[name])

        return edit

    def page_edit(self, ui: Ui) -> None:
        """A form for a new event, or for one that exists."""
        ui.bar("Edit event" if "id" in ui.args else "New event")
        ui.field("title", "Title", icon="edit")
        self._when(ui, int(ui.var("day", 0)), int(ui.var("minutes", NEW_EVENT_MINUTES)))
        chosen = ui.var("color", "blue")
        swatches = [
            (("swatch", tint, name == chosen), "", "", _choose_color(name))
            for name, tint in COLORS.items()
        ]
        ui.grid(swatches, columns=len(COLORS), height=28, role="button")
        ui.button("Save", self._save if ui.text_of("title") else None)

    def _save(self, control: Control) -> None:
        key = control.page["args"].get("id") or control.new_id("event")
        event = {
            "title": control.text("title"),
            "day": int(control.var("day", 0)),
            "minutes": int(control.var("minutes", NEW_EVENT_MINUTES)),
            "color": control.var("color", "blue"),
        }
        control.write("events", key, to=event)
        control.back()
        control.toast("Event saved")

    def dialog_delete(self, ui: Ui) -> None:
        """Ask before deleting."""
        ui.dialog(
            "Delete event?",
            "It will be removed from your calendar.",
            [("Cancel", lambda c: c.back()), ("Delete", self._delete)],
        )

    def _delete(self, control: Control) -> None:
        control.erase("events", control.page["args"]["id"])
        control.back(2)
        control.toast("Event deleted")
