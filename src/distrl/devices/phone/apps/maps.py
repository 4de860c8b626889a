"""Maps: places by name, by kind and by pin, directions and saved places."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from distrl.devices.phone import content
from distrl.devices.phone.app import App
from distrl.devices.phone.apps.web import scatter
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import HUGE, LARGE, SMALL, TITLE, Ui
from distrl.devices.phone.ui.view import CONTENT_BOTTOM, WIDTH, Handler

PLACES = {place.name: place for place in content.PLACES}
CATEGORIES = {
    "restaurant": ("Restaurants", "restaurant", (206, 96, 36)),
    "coffee": ("Coffee", "coffee", (140, 88, 50)),
    "fuel": ("Gas", "fuel", (40, 110, 190)),
    "hotel": ("Hotels", "hotel", (190, 60, 120)),
    "hospital": ("Hospitals", "hospital", (206, 48, 52)),
    "bank": ("Banks", "bank", (70, 80, 110)),
    "gym": ("Gyms", "fitness", (110, 70, 180)),
    "supermarket": ("Groceries", "cart", (30, 130, 90)),
    "cinema": ("Cinemas", "video", (60, 60, 70)),
    "pharmacy": ("Pharmacies", "heart", (20, 140, 140)),
    "museum": ("Museums", "palette", (150, 110, 30)),
    "park": ("Parks", "flag", (60, 140, 50)),
}
"""Label, icon and colour of each kind of place."""
PINNED = tuple(CATEGORIES)[:9]
"""Kinds whose icon says what they are without words: these stand on the map."""
MODES = {
    "car": ("Drive", "car", 42),
    "bus": ("Transit", "bus", 24),
    "bike": ("Cycle", "bike", 15),
    "walk": ("Walk", "walk", 5),
}
"""Label, icon and kilometres per hour of each way to travel."""
_SLOTS = tuple(
    (10 + 38 * column, 6 + 54 * row)
    for row in range(5)
    for column in range(4)
    if (row, column) not in ((2, 2), (3, 3), (4, 3))
)
"""Where pins may stand in the map before they are moved a little: not on home or the buttons."""
_MAP_TOP = 106
_MAP_HEIGHT = CONTENT_BOTTOM - _MAP_TOP
_MOST_ZOOM = 5
_QUICK = 4
_SORTS = (("relevance", "Relevance"), ("distance", "Distance"), ("rating", "Rating"))


def distance(home: int, name: str) -> int:
    """Metres from where the phone is to a place."""
    return 200 + scatter(home, name) % 8800


def distance_text(metres: int) -> str:
    """A distance as the map writes it."""
    return f"{metres / 1000:.1f} km"


@lru_cache(maxsize=64)
def of_category(category: str) -> tuple[content.Place, ...]:
    """All places of a kind, in the order of the engine."""
    return tuple(place for place in content.PLACES if place.category == category)


def scatter_pins(rng: Random) -> State:
    """One pin for each kind that has an icon, at places of their own."""
    kinds = rng.sample(PINNED, len(PINNED))
    slots = rng.sample(_SLOTS, len(kinds))
    return {
        f"pin{index}": {
            "place": rng.choice(of_category(kind)).name,
            "x": x + rng.randint(-6, 6),
            "y": y + rng.randint(-6, 6),
        }
        for index, (kind, (x, y)) in enumerate(zip(kinds, sorted(slots), strict=True))
    }


def _to_place(name: str) -> Handler:
    def show(control: Control) -> None:
        kept = [other for other in control.data["recent_places"] if other != name]
        control.write("recent_places", to=[name, *kept][:5])
        control.open("place", name=name)

    return show


def _clear(control: Control) -> None:
    control.set_var("query", "")
    control.focus(None)


class Maps(App):
    """Data: saved places by name, pins by id, where home is, the order of the ways to travel."""

    name = "maps"
    title = "Maps"
    icon = "map"
    color = (30, 130, 76)
    slow = True
    permission = "access your location"

    def create(self, rng: Random) -> State:
        """Nine pins, three saved places."""
        names = rng.sample(tuple(PLACES), 6)
        return {
            "home": rng.randrange(10_000),
            "pins": scatter_pins(rng),
            "saved": dict.fromkeys(names[:3], True),
            "modes": rng.sample(tuple(MODES), len(MODES)),
            "recent_places": names[3:],
        }

    # The map

    def page_main(self, ui: Ui) -> None:
        """The map, the saved places, or what matches the search text."""
        clear: list[tuple[str, str, Handler]] = [("close", "", _clear)]
        actions = clear if ui.text_of("query") else []
        ui.search_bar("query", "Search here", lambda c: c.focus(None), actions, up=False)
        tab = str(ui.var("tab", "explore"))
        tabs = (("explore", "Explore", "map"), ("saved", "Saved", "bookmark"))
        ui.tabs(tabs, tab, lambda key: lambda c: c.set_var("tab", key))
        if ui.text_of("query"):
            self._found(ui, ui.text_of("query").lower())
        elif tab == "saved":
            self._saved(ui)
        else:
            self._map(ui)

    def _found(self, ui: Ui, query: str) -> None:
        found = 0
        for place in content.PLACES:
            label = CATEGORIES[place.category][0].lower()
            if query in place.name.lower() or query in label or query in place.category:
                self._place_row(ui, place)
                found += 1
            if found >= 20:
                break
        if not found:
            ui.empty("No results found", "search")

    def _place_row(self, ui: Ui, place: content.Place) -> None:
        _, icon, tint = CATEGORIES[place.category]
        away = distance_text(distance(ui.data["home"], place.name))
        ui.row(
            place.name,
            f"{place.rating} stars - {place.street}",
            icon=icon,
            tint=tint,
            trailing=away,
            on_tap=_to_place(place.name),
        )

    def _saved(self, ui: Ui) -> None:
        for name in ui.data["saved"]:
            self._place_row(ui, PLACES[name])
        if not ui.data["saved"]:
            ui.empty("No saved places", "bookmark")
        ui.header("Recent")
        for name in ui.data["recent_places"]:
            self._place_row(ui, PLACES[name])

    def _map(self, ui: Ui) -> None:
        chips: list[tuple[str, bool, Handler]] = [
            (CATEGORIES[kind][0], False, self._to_nearby(kind)) for kind in tuple(CATEGORIES)
        ][:_QUICK]
        ui.chips([*chips, ("More", False, lambda c: c.open("categories"))])
        top = ui.y + 2
        height = _MAP_HEIGHT if ui.version == 1 else _MAP_HEIGHT - 10
        zoom = int(ui.var("zoom", 1))
        paint = ("map", ui.data["home"] % 40, zoom)
        ui.place_at(paint, (0, top, WIDTH, height), "image", "", "Map")
        self._pins(ui, top, height, zoom)
        ui.place_at(("map_pin", "dot", (40, 110, 230)), (82, top + height // 2 - 14, 16, 20))
        bottom = top + height - 34
        buttons = (("zoom_in", 1), ("zoom_out", -1))
        for place, (icon, step) in enumerate(buttons if ui.version == 1 else buttons[::-1]):
            box = (WIDTH - 32, bottom - 60 + 30 * place, 26, 26)
            ui.place_at(
                ("map_button", icon, "text"), box, "button", "", "", self._zoom(zoom + step)
            )
        box = (WIDTH - 32, bottom, 26, 26)
        handler = self._zoom(1)
        ui.place_at(("map_button", "location", ui.color), box, "button", "", "My location", handler)

    def _pins(self, ui: Ui, top: int, height: int, zoom: int) -> None:
        for pin in ui.data["pins"].values():
            x = round(WIDTH / 2 + (pin["x"] + 10 - WIDTH / 2) * zoom) - 10
            y = round(height / 2 + (pin["y"] + 13 - height / 2) * zoom) - 13
            under_buttons = x > WIDTH - 54 and y > height - 124
            if 0 <= x <= WIDTH - 20 and 0 <= y <= height - 26 and not under_buttons:
                _, icon, tint = CATEGORIES[PLACES[pin["place"]].category]
                box = (x, top + y, 20, 26)
                handler = self._touch_pin(pin["place"])
                ui.place_at(("map_pin", icon, tint), box, "button", "", "", handler)

    def _touch_pin(self, name: str) -> Handler:
        return lambda c: c.open("place", name=name, pin=True)

    def _zoom(self, zoom: int) -> Handler:
        return lambda c: c.set_var("zoom", min(_MOST_ZOOM, max(1, zoom)))

    # Places

    def page_categories(self, ui: Ui) -> None:
        """All kinds of places."""
        ui.bar("Explore nearby")
        ui.space()
        ui.grid(
            [
                (("labelled", icon, label, tint), label, "", self._to_nearby(kind))
                for kind, (label, icon, tint) in CATEGORIES.items()
            ],
            columns=3,
            height=60,
            role="item",
        )

    def _to_nearby(self, category: str) -> Handler:
        return lambda c: c.open("nearby", category=category)

    def page_nearby(self, ui: Ui) -> None:
        """Places of a kind; they can be put in order of distance or rating."""
        category = ui.args["category"]
        ui.bar(CATEGORIES[category][0])
        order = str(ui.var("sort", "relevance"))
        ui.chips([(label, key == order, self._sort(key)) for key, label in _SORTS])
        places = list(of_category(category))
        if order == "distance":
            places.sort(key=lambda place: distance(ui.data["home"], place.name))
        elif order == "rating":
            places.sort(key=lambda place: -place.rating)
        for place in places:
            self._place_row(ui, place)

    def _sort(self, key: str) -> Handler:
        return lambda c: c.set_var("sort", key)

    def page_place(self, ui: Ui) -> None:
        """One place."""
        name = ui.args["name"]
        place = PLACES[name]
        label, icon, _ = CATEGORIES[place.category]
        saved = name in ui.data["saved"]
        star = ("star_filled" if saved else "star", "", self._save(name))
        share: tuple[str, str, Handler] = ("share", "Share", lambda c: c.toast("Link copied"))
        ui.bar("Place", [star, share] if ui.version == 1 else [share, star])
        ui.picture(("map", scatter(name) % 40, 3), 70)
        ui.text(name, LARGE, bold=True)
        ui.text(f"{place.rating} stars - {label}", SMALL, ink="muted")
        self._ways(ui, name)
        ui.row(place.street, icon="location")
        ui.row("Open today", icon="clock", trailing=f"until {place.open_until}")
        number = f"555-{scatter(name) % 10_000:04d}"
        ui.row("Call", number, icon="phone", on_tap=lambda c: c.toast(f"Calling {number}"))
        away = distance_text(distance(ui.data["home"], name))
        ui.row("Distance", icon=icon, trailing=away)

    def _ways(self, ui: Ui, name: str) -> None:
        """Directions and Start side by side; Start takes the way that is used most."""
        mode = ui.data["modes"][0]
        pair: list[tuple[str, str, Handler]] = [
            ("Directions", "outlined", lambda c: c.open("directions", to=name)),
            ("Start", "filled", lambda c: c.open("trip", to=name, mode=mode)),
        ]
        y = ui.y
        for index, (label, style, handler) in enumerate(pair if ui.version == 1 else pair[::-1]):
            box = (8 + 84 * index, y + 2, 80, 24)
            ui.place_at(("button", label, style, ui.color, True), box, "button", label, "", handler)
        ui.space(30)

    def _save(self, name: str) -> Handler:
        def save(control: Control) -> None:
            if name in control.data["saved"]:
                control.erase("saved", name)
                control.toast("Removed from saved places")
            else:
                control.write("saved", name, to=True)
                control.toast("Saved")

        return save

    # Getting there

    def page_directions(self, ui: Ui) -> None:
        """The way to a place: icons alone choose how in layout 1, labelled tabs in layout 2."""
        name = ui.args["to"]
        mode = str(ui.var("mode", ui.data["modes"][0]))
        ui.bar("Directions")
        if ui.version == 1:
            self._mode_icons(ui, mode)
        else:
            tabs = [(key, MODES[key][0], MODES[key][1]) for key in ui.data["modes"]]
            ui.tabs(tabs, mode, self._choose)
        ui.row("Your location", icon="location")
        ui.row(name, PLACES[name].street, icon="pin")
        ui.picture(("map", scatter(name) % 40, 2), 120)
        metres = distance(ui.data["home"], name)
        label, _, speed = MODES[mode]
        minutes = max(1, round(metres / 1000 / speed * 60))
        ui.text(f"{minutes} min ({distance_text(metres)})", LARGE, bold=True)
        ui.text(f"{label}: the fastest way right now", SMALL, ink="muted")
        ui.button("Start", lambda c: c.open("trip", to=name, mode=mode), icon="directions")

    def _mode_icons(self, ui: Ui, mode: str) -> None:
        width = WIDTH // len(MODES)
        y = ui.strip(26)
        for index, key in enumerate(ui.data["modes"]):
            paint = ("icon_tab", MODES[key][1], key == mode, ui.color)
            box = (index * width, y, width, 26)
            ui.pin(paint, box, "tab", "", "", self._choose(key)).checked = key == mode

    def _choose(self, mode: str) -> Handler:
        return lambda c: c.set_var("mode", mode)

    def page_trip(self, ui: Ui) -> None:
        """On the way."""
        name, mode = ui.args["to"], ui.args["mode"]
        ui.bar(f"To {name}")
        ui.picture(("map", scatter(name) % 40, 4), 210)
        metres = distance(ui.data["home"], name)
        ui.text(f"{max(1, round(metres / 1000 / MODES[mode][2] * 60))} min", HUGE, align="center")
        ui.text(f"{distance_text(metres)} - {MODES[mode][0]}", TITLE, ink="muted", align="center")
        ui.button("End", lambda c: c.back_to("main"), style="outlined")
