"""The home screen: pages of icons, a dock, a search pill and the drawer of all apps."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from distrl.actions import Direction
from distrl.devices.phone import phone_time
from distrl.devices.phone.app import App
from distrl.devices.phone.control import Control
from distrl.devices.phone.registry import find
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import HUGE, SMALL, Ui
from distrl.devices.phone.ui.view import CONTENT_BOTTOM, STATUS_HEIGHT, WIDTH, Drag, Handler, Paint

# Three rows leave some apps for a second page, so that an agent has to turn pages.
COLUMNS, ROWS = 4, 3
CELL_WIDTH, CELL_HEIGHT = WIDTH // COLUMNS, 64
PER_PAGE = COLUMNS * ROWS
_MOST_RECENTS = 9
"""Apps that the overview shows: as many as fit on a screen."""
_SLIPPED = 0.2
"""Share of a card's width: a finger that ends nearer to the middle has slipped."""
_CARD_HEIGHT, _CLOSE_WIDTH = 34, 30
DOCK = ("phone", "messages", "browser", "camera")


def _start(app: str) -> Handler:
    return lambda c: c.start(app)


def _end(*apps: str) -> Handler:
    return lambda c: c.end_apps(*apps)


def _wipe_away(app: str) -> Drag:
    def wipe(control: Control, x: float, _: float) -> None:
        if abs(x - 0.5) > _SLIPPED:
            control.end_apps(app)

    return wipe


def _search(control: Control) -> None:
    control.start("browser", "search")
    control.focus("address")


def arrange(apps: list[str], rng: Random, added: Sequence[str] = ()) -> State:
    """Lay icons out on the home pages in an order of this phone's own; the added ones come last."""
    dock = [app for app in DOCK if app in apps]
    others = [app for app in apps if app not in dock]
    rng.shuffle(others)
    rng.shuffle(dock)
    # After the shuffles: a plug-in must not change where the other icons stand for a seed.
    others += added
    pages = [others[i : i + PER_PAGE] for i in range(0, len(others), PER_PAGE)]
    return {"pages": pages, "dock": dock}


class Launcher(App):
    """The app that is in front when no other is."""

    name = "launcher"
    title = "Home"
    icon = "home"
    color = (60, 90, 160)

    def on_swipe(self, control: Control, direction: Direction) -> None:
        """Turn the page, or pull the drawer up."""
        if control.page["name"] != "main":
            return
        shown = control.var("shown", 0)
        if direction is Direction.UP:
            control.open("drawer")
        elif direction is Direction.LEFT:
            control.set_var("shown", min(len(control.data["pages"]) - 1, shown + 1))
        elif direction is Direction.RIGHT:
            control.set_var("shown", max(0, shown - 1))

    def page_main(self, ui: Ui) -> None:
        """One home page."""
        ui.pin(("wallpaper", ui.state["system"]["wallpaper"]), (0, 0, WIDTH, 400))
        minutes = phone_time.minute_of(ui.time)
        clock = phone_time.clock_text(minutes, hour24=ui.system["hour24"])
        box = (8, STATUS_HEIGHT + 8, WIDTH - 16, 34)
        ui.pin(("overline", clock, HUGE, "white"), box, "text", clock)
        date = phone_time.date_text(phone_time.day_of(ui.time))
        ui.pin(
            ("overline", date, SMALL, "white"),
            (8, STATUS_HEIGHT + 42, WIDTH - 16, 12),
            "text",
            date,
        )
        ui.pin(
            ("search_pill", "Search the web"),
            (12, 76, WIDTH - 24, 24),
            "button",
            "Search the web",
            "",
            _search,
        )
        pages = ui.data["pages"]
        shown = min(int(ui.var("shown", 0)), max(0, len(pages) - 1))
        for index, app in enumerate(pages[shown] if pages else ()):
            row, column = divmod(index, COLUMNS)
            box = (column * CELL_WIDTH, 112 + row * CELL_HEIGHT, CELL_WIDTH, CELL_HEIGHT)
            ui.pin(self._icon(app, "white"), box, "item", _title(app), "", _start(app))
        for index in range(len(pages)):
            x = WIDTH // 2 - 6 * len(pages) + 12 * index
            ui.pin(("page_dot", index == shown), (x, 314, 12, 8))
        self._dock(ui)

    def _dock(self, ui: Ui) -> None:
        dock = ui.data["dock"]
        labelled = ui.version == 1
        for index, app in enumerate(dock):
            box = (index * CELL_WIDTH, CONTENT_BOTTOM - 56, CELL_WIDTH, 48)
            text = _title(app) if labelled else ""
            ui.pin(self._icon(app, "white", label=False), box, "item", text, "", _start(app))

    def page_drawer(self, ui: Ui) -> None:
        """All apps by name."""
        ui.bar("All apps", up=False)
        apps = sorted(ui.system["installed"], key=_title)
        ui.grid(
            [(self._icon(app, "text"), _title(app), "", _start(app)) for app in apps],
            columns=COLUMNS,
            height=CELL_HEIGHT,
            role="item",
        )

    def page_recents(self, ui: Ui) -> None:
        """The apps that were used last, the newest first: tap one, or close it."""
        ui.bar("Recent apps", up=False)
        # The store may have removed an app since.
        used = [app for app in ui.state["ui"].get("recents", ()) if app in ui.system["installed"]]
        if not used:
            ui.empty("No recent apps", "apps")
            return
        for app in used[:_MOST_RECENTS]:
            known, y = find(app), ui.y
            ui.space(_CARD_HEIGHT)
            card: Paint = ("row", known.title, "", known.icon, known.color, "", True)
            box = (0, y, WIDTH - _CLOSE_WIDTH, _CARD_HEIGHT)
            widget = ui.place_at(card, box, "item", known.title, "", _start(app))
            if widget is not None:
                widget.on_drag = _wipe_away(app)
            box = (WIDTH - _CLOSE_WIDTH, y, _CLOSE_WIDTH, _CARD_HEIGHT)
            close: Paint = ("glyph", "close", "muted", "bg")
            ui.place_at(close, box, "button", "", f"Close {known.title}", _end(app))
        ui.button("Close all", _end(*used))

    def _icon(self, app: str, ink: str, *, label: bool = True) -> Paint:
        known = find(app)
        title = known.title if label else ""
        return ("app_icon", known.icon, known.color, title, ink)


def _title(app: str) -> str:
    return find(app).title
