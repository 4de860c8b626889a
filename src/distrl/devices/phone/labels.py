"""What the embedded phone can say: the names that it is filled with, and the words of its pages.

Names come from the content. The rest is found by looking: at the first screens of many phones, and
wherever touching things leads on a few of them. Nobody counts on the list being complete; it is for
those who want to know most labels ahead.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

from distrl import actions
from distrl.actions import Direction
from distrl.devices.phone import apps, content, nuisance
from distrl.devices.phone.control import Control, new_page
from distrl.devices.phone.initial_state import create_state
from distrl.devices.phone.registry import find
from distrl.devices.phone.state import State, put
from distrl.devices.phone.system import Phone
from distrl.devices.phone.ui.view import HEIGHT, WIDTH, View, Widget
from distrl.types import Action, Key

# Chosen together so that the list takes about a second.
_PHONES = 64
"""Phones whose first screens are looked at: dates and what the apps hold differ between them."""
_EXPLORED = 2
"""Phones on which things are touched, each with another layout: pages say the same on all."""
_VISITS = 2
"""How often the same place of a page is tried out."""
_STEPS = 6
"""How far from the first screen of an app."""
_VARIANTS = 15
"""Numbers that stand for every advertisement and every notice."""
_OVERLAYS = ("permission", "update", "updating", "ad", "consent", "notice")
_TYPED = "zigzag"
"""Typed into every field; nothing on the phone is called that."""
_NUMBER = re.compile(r"\d+")


@cache
def list_labels() -> tuple[str, ...]:
    """Most of what elements say, always in the same order; of labels that differ in numbers, one.

    Takes about a second, the first time.
    """
    walk = _Walk()
    walk.hear(_names())
    for state in _first_screens():
        walk.look(Phone(state))
    for state in _covered_screens():
        walk.look(Phone(state))
    for number in range(_EXPLORED):
        for state in _starts(number, layout=1 + number % 2):
            walk.explore(state)
    return tuple(walk.labels.values())


def labels_edition() -> str:
    """Changes whenever the phone's code does, and with it perhaps its labels."""
    digest = sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _names() -> Iterator[str]:
    """What things are called, as far as it is shown on a line of its own."""
    c = content
    for plain in (c.ALARM_LABELS, c.ALBUMS, c.BLUETOOTH_DEVICES, c.EVENTS, c.PEOPLE):
        yield from plain
    for plain in (c.PROMO_CODES, c.QUERIES, c.REMINDERS, c.TEXTS, c.WIFI_NETWORKS):
        yield from plain
    for product in c.PRODUCTS:
        yield from (product.name, product.brand, product.kind, product.category, *product.colors)
    for shop in c.SHOPS:
        yield from (shop.name, shop.host)
    for site in c.SITES:
        yield from (site.title, site.host)
    for song in c.SONGS:
        yield from (song.title, song.artist)
    yield from (article.headline for article in c.ARTICLES)
    yield from (city.name for city in c.CITIES)
    yield from (file.name for file in c.FILES)
    yield from (mail.subject for mail in c.MAILS)
    yield from (note.title for note in c.NOTES)
    yield from (place.name for place in c.PLACES)
    yield from (app.name for app in c.STORE_APPS)
    yield from (video.title for video in c.VIDEOS)


class _Walk:
    """Touches everything wherever something new is said or a new place is reached."""

    def __init__(self) -> None:
        self.labels: dict[str, str] = {}
        """The first label of each kind, by the label without its numbers."""
        self._visits: Counter[tuple[object, ...]] = Counter()

    def hear(self, labels: Iterable[str]) -> bool:
        """Note labels; whether one is new."""
        before = len(self.labels)
        for label in labels:
            self.labels.setdefault(_NUMBER.sub("0", label.lower()), label)
        return len(self.labels) > before

    def look(self, phone: Phone) -> bool:
        """Note what a screen says; whether something is new."""
        return self.hear(element.text or element.description for element in phone.view.elements)

    def explore(self, start: State) -> None:
        """Touch everything on a screen, and on the screens that this leads to."""
        phone = Phone(start)
        self.look(phone)
        ahead = deque([(start, 0)])
        while ahead:
            state, steps = ahead.popleft()
            phone.state = state
            place = _place(state, phone.view)
            self._visits[place] += 1
            if self._visits[place] > _VISITS:
                continue
            for action in _actions(phone.view):
                phone.state = state
                phone.act(action)
                new = self.look(phone) or not self._visits[_place(phone.state, phone.view)]
                if new and steps < _STEPS:
                    ahead.append((phone.state, steps + 1))


def _place(state: State, view: View) -> tuple[object, ...]:
    """Where on the phone a screen is; lists of other things are the same place."""
    scroll = state["ui"]["stacks"][view.app][-1]["scroll"]
    focus = state["ui"]["focus"] or {"key": None, "all": None}
    return view.app, view.page, view.covered, scroll, focus["key"], focus["all"]


def _actions(view: View) -> Iterator[Action]:
    """What can be tried on a screen."""
    for widget in view.widgets[view.live :]:
        if not widget.enabled or widget.role == "keyboard":
            continue
        if widget.on_tap or widget.on_drag or widget.key:
            yield actions.tap(*_middle(widget))
        if widget.on_long:
            yield actions.long_press(*_middle(widget))
    if view.keyboard:
        yield actions.type_text(_TYPED)
        yield actions.press(Key.ENTER)
    yield actions.swipe_towards(Direction.UP)
    if not view.max_scroll:
        yield actions.swipe_towards(Direction.LEFT)


def _middle(widget: Widget) -> tuple[float, float]:
    left, top, right, bottom = widget.visible()
    return (left + right) / 2 / WIDTH, (top + bottom) / 2 / HEIGHT


def _phone(seed: int, *, layout: int = 1) -> State:
    layouts = dict.fromkeys(("launcher", "system", *apps.names()), layout)
    state = create_state(seed, nuisance_rate=0.0, weights=nuisance.WEIGHTS, layouts=layouts)
    promoted: State = put(state, ("nuisance", "promo"), True)
    return promoted


def _in_app(state: State, app: str) -> Control:
    control = Control(state, "launcher")
    control.start(app)
    return control


def _first_screens() -> Iterator[State]:
    for seed in range(_PHONES):
        state = _phone(seed)
        yield from (_in_app(state, app).state for app in ("launcher", *apps.names()))


def _covered_screens() -> Iterator[State]:
    """Apps under everything that may stand above them."""
    state = _phone(0)
    for app in ("launcher", *apps.names()):
        for kind in _OVERLAYS if find(app).permission else _OVERLAYS[1:]:
            for variant in range(_VARIANTS if app == "browser" else 1):
                control = _in_app(state, app)
                control.write_ui("overlay", {"kind": kind, "app": app, "variant": variant})
                yield control.state
        control = _in_app(state, app)
        page = {**new_page("main", {}), "ready": control.time + 1}
        control.write_ui("stacks", {app: [page]})
        yield control.state


def _starts(seed: int, *, layout: int) -> Iterator[State]:
    """Every app, every shop, which are found by typing only, and the shade."""
    state = _phone(seed, layout=layout)
    for app in ("launcher", *apps.names()):
        yield _in_app(state, app).state
    for shop in content.SHOPS:
        control = _in_app(state, "browser")
        control.open("shop", host=shop.host)
        yield control.state
    control = Control(state, "launcher")
    control.write_ui("shade", to=True)
    yield control.state
