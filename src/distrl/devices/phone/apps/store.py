"""Store: find, install, update, rate and remove apps."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

from distrl.devices.phone import content
from distrl.devices.phone.app import App
from distrl.devices.phone.apps.web import scatter
from distrl.devices.phone.control import Control
from distrl.devices.phone.registry import INSTALLED_PREFIX, find
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import SMALL, Ui
from distrl.devices.phone.ui.view import WIDTH, Handler

APPS = {app.name: app for app in content.STORE_APPS}
ICONS = {
    "Games": "game",
    "Health": "heart_filled",
    "Productivity": "check",
    "Finance": "wallet",
    "Travel": "airplane",
    "Photo": "camera",
    "Education": "book",
    "Entertainment": "video",
    "Food": "restaurant",
    "Home": "home",
    "News": "news",
    "Social": "people",
    "Tools": "settings",
}
"""What the icon of an app of each category shows."""
CURRENT = "2.0"
"""The version that the store has of every app."""
_TABS = (
    ("apps", "Apps", "apps"),
    ("categories", "Categories", "grid"),
    ("mine", "My apps", "list"),
)
_SCREENSHOTS = ("city", "mountain", "flower")


def installed_name(name: str) -> str:
    """How the phone names an app that came from the store."""
    return f"{INSTALLED_PREFIX}{name}"


def install_seconds(name: str) -> int:
    """Phone time that an install takes."""
    return 5 + APPS[name].size_mb // 80


@lru_cache(maxsize=64)
def by_category(category: str) -> tuple[content.StoreApp, ...]:
    """Apps of a category, best rated first."""
    apps = [app for app in content.STORE_APPS if app.category == category]
    return tuple(sorted(apps, key=lambda app: -app.rating))


def _tint(name: str) -> tuple[int, int, int]:
    number = scatter(name)
    return 50 + number % 150, 50 + number // 150 % 150, 50 + number // 22_500 % 150


def _to_app(name: str) -> Handler:
    return lambda c: c.open("app", name=name)


def _clear(control: Control) -> None:
    control.set_var("query", "")
    control.focus(None)


class Store(App):
    """Data: ratings by app, featured apps, apps that this store lacks, and work in progress."""

    name = "store"
    title = "Store"
    icon = "store"
    color = (0, 126, 138)
    slow = True
    ticks = True

    def create(self, rng: Random) -> State:
        """A selection of featured apps."""
        names = rng.sample(tuple(APPS), 12)
        return {
            "featured": names,
            "missing": {},
            "ratings": {},
            # `recent`, for a download under way is no lasting change; the app that it brings is.
            "recent_jobs": {},
        }

    def tick(self, control: Control) -> None:
        """Finish what has been downloaded."""
        jobs = control.data["recent_jobs"]
        if not jobs:
            return
        for name, job in jobs.items():
            if job["until"] <= control.time:
                control.erase("recent_jobs", name)
                control.write_system("installed", installed_name(name), to=CURRENT)

    # Lists

    def page_main(self, ui: Ui) -> None:
        """The chosen tab, or what matches the search text."""
        clear: list[tuple[str, str, Handler]] = [("close", "", _clear)]
        actions = clear if ui.text_of("query") else []
        ui.search_bar("query", "Search apps", lambda c: c.focus(None), actions, up=False)
        tab = str(ui.var("tab", "apps"))
        ui.tabs(_TABS, tab, lambda key: lambda c: c.set_var("tab", key))
        query = ui.text_of("query").lower()
        if query:
            self._found(ui, query)
            return
        {"apps": self._featured, "categories": self._categories, "mine": self._mine}[tab](ui)

    def _found(self, ui: Ui, query: str) -> None:
        ui.promo()
        found = [
            app
            for app in content.STORE_APPS
            if (query in app.name.lower() or query in app.category.lower())
            and app.name not in ui.data["missing"]
        ]
        for app in found[:15]:
            self._card(ui, app)
        if not found:
            ui.empty("No apps found", "search")

    def _card(self, ui: Ui, app: content.StoreApp) -> None:
        paint = (
            "app_card",
            app.name,
            f"{app.developer} - {app.category}",
            f"{app.rating} stars - {app.size_mb} MB",
            ICONS[app.category],
            _tint(app.name),
        )
        ui.place(paint, 40, "item", app.name, app.developer, _to_app(app.name))

    def _featured(self, ui: Ui) -> None:
        shown = [APPS[name] for name in ui.data["featured"] if name not in ui.data["missing"]]
        ui.picture(("photo", "balloon", scatter(*ui.data["featured"]) % 5), 56)
        ui.header("Featured")
        if ui.version == 1:
            for app in shown:
                self._card(ui, app)
            return
        cells: list[tuple[Any, str, str, Handler | None]] = [
            (
                ("app_icon", ICONS[app.category], _tint(app.name), app.name, "text"),
                app.name,
                "",
                _to_app(app.name),
            )
            for app in shown
        ]
        ui.grid(cells, columns=3, height=58, role="item")

    def _categories(self, ui: Ui) -> None:
        for category, icon in ICONS.items():
            ui.row(category, icon=icon, trailing=">", on_tap=self._to_category(category))

    def _to_category(self, category: str) -> Handler:
        return lambda c: c.open("category", name=category)

    def page_category(self, ui: Ui) -> None:
        """Apps of one category."""
        ui.bar(ui.args["name"])
        for app in by_category(ui.args["name"]):
            if app.name not in ui.data["missing"]:
                self._card(ui, app)

    def _mine(self, ui: Ui) -> None:
        """Apps from the store first, those with updates above all; then the phone's own."""
        installed = ui.system["installed"]
        mine = [name for name in installed if name.startswith(INSTALLED_PREFIX)]
        for name in sorted(mine, key=lambda name: (installed[name] == CURRENT, name)):
            title = name.removeprefix(INSTALLED_PREFIX)
            old = installed[name] != CURRENT
            ui.row(
                title,
                "Update available" if old else "Up to date",
                icon="download" if old else "check",
                trailing=">",
                on_tap=_to_app(title),
            )
        ui.header("Came with the phone")
        for name in installed:
            if not name.startswith(INSTALLED_PREFIX):
                known = find(name)
                ui.row(known.title, icon=known.icon, tint=known.color, on_tap=self._start(name))

    def _start(self, name: str) -> Handler:
        def start(control: Control) -> None:
            if name in control.system["installed"]:
                control.start(name)

        return start

    # One app

    def page_app(self, ui: Ui) -> None:
        """What an app is, and buttons for what can be done with it now."""
        name = ui.args["name"]
        app = APPS.get(name)
        ui.bar("App details")
        if app is None or name in ui.data["missing"]:
            ui.empty("This app is not available", "warning")
            return
        head = ("app_card", name, app.developer, app.category, ICONS[app.category], _tint(name), 38)
        ui.place(head, 52, "text", name, app.developer)
        facts = f"{app.rating} stars    {app.size_mb} MB    Everyone"
        ui.text(facts, SMALL, ink="muted", align="center")
        self._buttons(ui, name)
        shots: list[tuple[Any, str, str, Handler | None]] = [
            (("photo", subject, scatter(name) % 5), "", "Screenshot", None)
            for subject in _SCREENSHOTS
        ]
        ui.grid(shots, columns=3, height=84)
        ui.header("Rate this app")
        given = int(ui.data["ratings"].get(name, 0))
        stars = [
            ("star_filled" if number <= given else "star", "", self._rate(name, number))
            for number in range(1, 6)
        ]
        ui.icon_buttons(stars, lit=range(given))
        ui.header("About this app")
        ui.text(f"{name} by {app.developer} makes {app.category.lower()} simple. Free of ads.")

    def _buttons(self, ui: Ui, name: str) -> None:
        job = ui.data["recent_jobs"].get(name)
        version = ui.system["installed"].get(installed_name(name))
        if job is not None:
            share = 100 - 100 * (job["until"] - ui.time) // install_seconds(name)
            ui.text(f"Downloading... {share}%", align="center")
            ui.place(("progress", share, ui.color), 12)
            ui.button("Cancel", lambda c: c.erase("recent_jobs", name), style="outlined")
            return
        if version is None:
            ui.button("Install", self._begin(name), icon="download")
            return
        remove: tuple[str, Handler] = ("Uninstall", lambda c: c.open("remove", name=name))
        use: tuple[str, Handler] = ("Open", self._start(installed_name(name)))
        if version != CURRENT:
            use = ("Update", self._begin(name))
        pair = [remove, use] if ui.version == 1 else [use, remove]
        width = (WIDTH - 20) // 2
        y = ui.y
        for index, (label, handler) in enumerate(pair):
            style = "outlined" if label == "Uninstall" else "filled"
            box = (8 + index * (width + 4), y + 2, width, 24)
            paint = ("button", label, style, ui.color, True, "")
            ui.place_at(paint, box, "button", label, "", handler)
        ui.space(30)

    def _begin(self, name: str) -> Handler:
        def begin(control: Control) -> None:
            until = control.time + install_seconds(name)
            control.write("recent_jobs", name, to={"until": until})

        return begin

    def _rate(self, name: str, stars: int) -> Handler:
        def rate(control: Control) -> None:
            control.write("ratings", name, to=stars)
            control.toast("Thank you for rating")

        return rate

    def dialog_remove(self, ui: Ui) -> None:
        """Whether to uninstall."""
        name = ui.args["name"]

        def remove(control: Control) -> None:
            control.erase_root("system", "installed", installed_name(name))
            control.back()
            control.toast(f"{name} uninstalled")

        ui.dialog(
            "Uninstall?",
            f"{name} and its data will be removed.",
            [("Cancel", lambda c: c.back()), ("OK", remove)],
        )
