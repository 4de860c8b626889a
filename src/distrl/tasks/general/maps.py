"""Goals in Maps."""

from __future__ import annotations

from random import Random

from distrl.devices.phone.apps.maps import (
    CATEGORIES,
    MODES,
    PINNED,
    PLACES,
    distance,
    distance_text,
    of_category,
    scatter_pins,
)
from distrl.devices.phone.control import Control
from distrl.tasks.allowed_changes import Permission
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import PLACE, closed
from distrl.tasks.template import Params, Scene, Template

_WORDS = {
    "restaurant": "restaurant",
    "coffee shop": "coffee",
    "gas station": "fuel",
    "hotel": "hotel",
    "hospital": "hospital",
    "bank": "bank",
    "gym": "gym",
    "supermarket": "supermarket",
    "cinema": "cinema",
    "pharmacy": "pharmacy",
    "museum": "museum",
    "park": "park",
}
"""What people call each kind of place."""
_WAYS = {"by car": "car", "on foot": "walk", "by bus": "bus", "by bike": "bike"}


def show_place(hand: Hand, name: str) -> None:
    """The page of a place is open, by searching for its name."""
    hand.open("maps")
    if hand.at("place", name=name):
        return
    hand.on("main")
    hand.type("query", name)
    hand.tap(name, role="item")


def clear_search(hand: Hand) -> None:
    """The search field of the first page is empty."""
    if str(hand.var("query", "")).strip():
        hand.tap_icon("close")


class FindPlace(Template):
    """The page of a place."""

    name = "find_place"
    phrasings = (
        "Find {place} on the map",
        "Search for {place} in Maps",
        "Show me where {place} is",
        "Look up the address of {place}",
    )
    params = {"place": PLACE}

    def check(self, scene: Scene, p: Params) -> bool:
        """It is open."""
        return scene.at("maps", "place", name=p["place"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Search for it."""
        show_place(hand, p["place"])


class NavigateTo(Template):
    """On the way to a place."""

    name = "navigate_to"
    unseen = True
    phrasings = (
        "Navigate to {place}",
        "Start navigation to {place}",
        "Take me to {place} with Maps",
        "Guide me to {place}",
    )
    params = {"place": PLACE}

    def check(self, scene: Scene, p: Params) -> bool:
        """The trip has begun."""
        return scene.at("maps", "trip", to=p["place"])

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it and start."""
        hand.open("maps")
        if hand.at("directions", to=p["place"]):
            hand.tap("Start")
        show_place(hand, p["place"])
        hand.tap("Start")


class SavePlace(Template):
    """A place among the saved ones, by a star without words."""

    name = "save_place"
    unseen = True
    phrasings = (
        "Save {place} in Maps",
        "Add {place} to my saved places",
        "Put a star on {place} on the map",
    )
    params = {"place": PLACE}

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """The place alone."""
        return (f"apps.maps.saved.{p['place']}",)

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """It is not saved yet."""
        control.erase_root("apps", "maps", "saved", p["place"])

    def check(self, scene: Scene, p: Params) -> bool:
        """It is saved."""
        return p["place"] in scene.data("maps")["saved"]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Open it and press the star."""
        show_place(hand, p["place"])
        hand.tap_icon("star")


class NearestPlace(Template):
    """The nearest place of a kind."""

    name = "nearest_place"
    unseen = True
    phrasings = (
        "Find the nearest {kind}",
        "Show me the closest {kind} on the map",
        "Open the {kind} that is nearest to me",
        "Which {kind} is closest to where I am? Open it in Maps",
        "Where is the nearest {kind}? Show its page",
        "Get me the details of the closest {kind}",
    )
    params = {"kind": closed("kind", *_WORDS)}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The phone is somewhere new, and the two nearest are not as far by what is shown."""
        names = [place.name for place in of_category(_WORDS[p["kind"]])]
        home = rng.randrange(100_000)
        while True:
            nearest = sorted(distance(home, name) for name in names)
            if distance_text(nearest[0]) != distance_text(nearest[1]):
                break
            home += 1
        control.write_root("apps", "maps", "home", to=home)

    def check(self, scene: Scene, p: Params) -> bool:
        """Its page is open."""
        return scene.at("maps", "place", name=self._nearest(scene.data("maps")["home"], p))

    def _nearest(self, home: int, p: Params) -> str:
        names = [place.name for place in of_category(_WORDS[p["kind"]])]
        return min(names, key=lambda name: distance(home, name))

    def oracle(self, hand: Hand, p: Params) -> None:
        """All places of the kind, in order of distance; the first."""
        hand.open("maps")
        kind = _WORDS[p["kind"]]
        label = CATEGORIES[kind][0]
        if hand.at("nearby", category=kind):
            if hand.var("sort") != "distance":
                hand.tap("Distance")
            hand.tap(self._nearest(hand.data("maps")["home"], p))
        if hand.at("categories"):
            hand.tap(label)
        hand.on("main")
        clear_search(hand)
        hand.tab("Explore")
        hand.tap_if(label)
        hand.tap("More")


class DirectionsBy(Template):
    """The way to a place by one means, whose icons stand in an order of the phone's own."""

    name = "directions_by"
    unseen = True
    phrasings = (
        "Get directions to {place} {way}",
        "How do I get to {place} {way}?",
        "Show the way to {place} {way} in Maps",
    )
    params = {"place": PLACE, "way": closed("way", *_WAYS)}
    visual = True

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """Another means stands first."""
        modes = rng.sample(tuple(MODES), len(MODES))
        while modes[0] == _WAYS[p["way"]]:
            rng.shuffle(modes)
        control.write_root("apps", "maps", "modes", to=modes)

    def check(self, scene: Scene, p: Params) -> bool:
        """The directions are shown for it."""
        chosen = scene.var("mode", scene.data("maps")["modes"][0])
        return scene.at("maps", "directions", to=p["place"]) and chosen == _WAYS[p["way"]]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Directions, then the icon."""
        hand.open("maps")
        if hand.at("directions", to=p["place"]):
            label, icon, _ = MODES[_WAYS[p["way"]]]
            tab = hand.find_paint("icon_tab", icon)
            if tab is not None:
                hand.touch(tab)
            hand.tap(label, role="tab")
        show_place(hand, p["place"])
        hand.tap("Directions", role="button")


class TouchPin(Template):
    """A pin on the map, which says by its icon alone what it is."""

    name = "touch_pin"
    unseen = True
    phrasings = (
        "Tap the {kind} pin on the map",
        "Open the {kind} marked on the map",
        "In Maps, select the pin of the {kind}",
        "See what the {kind} marker on the map is",
        "Touch the marker of the {kind} on the map",
        "Check the pin that stands for a {kind}",
    )
    params = {"kind": closed("pin_kind", *(w for w, kind in _WORDS.items() if kind in PINNED))}
    visual = True

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The pins stand anew."""
        control.write_root("apps", "maps", "pins", to=scatter_pins(rng))

    def check(self, scene: Scene, p: Params) -> bool:
        """A place of the kind was opened by its pin."""
        if not scene.at("maps", "place", pin=True):
            return False
        name = scene.state["ui"]["stacks"]["maps"][-1]["args"]["name"]
        return PLACES[name].category == _WORDS[p["kind"]]

    def oracle(self, hand: Hand, p: Params) -> None:
        """Look for the icon on the whole map."""
        hand.open("maps")
        hand.on("main")
        clear_search(hand)
        hand.tab("Explore")
        pin = hand.find_paint("map_pin", CATEGORIES[_WORDS[p["kind"]]][1])
        if pin is not None:
            hand.touch(pin)
        hand.tap_icon("zoom_out")


TEMPLATES: tuple[Template, ...] = (
    FindPlace(),
    NavigateTo(),
    SavePlace(),
    NearestPlace(),
    DirectionsBy(),
    TouchPin(),
)
