"""What holds for every app: ways out, themes, layouts, and what a finger can reach."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest
from tests.devices.phone.driver import Driver

from distrl import actions
from distrl.actions import Direction
from distrl.devices.phone import apps
from distrl.devices.phone.app import App
from distrl.devices.phone.art import ICONS
from distrl.devices.phone.paint import PAINTERS
from distrl.devices.phone.registry import find
from distrl.devices.phone.state import State, lasting_changes
from distrl.devices.phone.ui.view import HEIGHT, WIDTH, View, Widget
from distrl.types import Action

EVERY = pytest.mark.parametrize("name", apps.names())
MOST_PLACES = 60
LAYOUTS = pytest.mark.parametrize("layout", [1, 2])


def opened(name: str, layout: int = 1, seed: int = 0) -> Driver:
    driver = Driver(seed, layout=layout)
    driver.open(name)
    return driver


Place = tuple[str, str, bool]
"""A page, its tab, and whether it was scrolled."""


@cache
def reached(name: str, layout: int) -> dict[Place, State]:
    """The state in which each place of an app was first met, by one touch after another."""
    driver = opened(name, layout)
    met = {_place(driver): driver.state}
    ahead = [driver.state]
    for _ in range(MOST_PLACES):
        if not ahead:
            break
        state = ahead.pop(0)
        driver.device.restore(state)
        for action in _touches(driver.device.phone.view):
            driver.device.restore(state)
            driver.perform(action)
            if driver.app == name and _place(driver) not in met:
                met[_place(driver)] = driver.state
                ahead.append(driver.state)
    return met


def _place(driver: Driver) -> Place:
    top = driver.state["ui"]["stacks"][driver.app][-1]
    return top["name"], str(top["vars"].get("tab", "")), top["scroll"] > 0


def _touches(view: View) -> Iterator[Action]:
    """A tap on everything that answers, and a long press where that is heard."""
    for widget in view.widgets[view.live :]:
        element = widget.element()
        if element is None or not widget.enabled or widget.role == "keyboard":
            continue
        if widget.on_tap or widget.key:
            yield actions.tap(*element.center)
        if widget.on_long:
            yield actions.long_press(*element.center)
    yield actions.swipe_towards(Direction.UP)


def _views(name: str, layout: int) -> Iterator[tuple[Place, View]]:
    driver = Driver(layout=layout)
    for page, state in reached(name, layout).items():
        driver.device.restore(state)
        yield page, driver.device.phone.view


# Ways out


@EVERY
@LAYOUTS
def test_back_leads_home_from_every_page(name: str, layout: int) -> None:
    driver = Driver(layout=layout)
    for page, state in reached(name, layout).items():
        driver.device.restore(state)
        depth = len(state["ui"]["stacks"][name])
        driver.back(depth + 2)
        assert (driver.app, driver.page) == ("launcher", "main"), page


@EVERY
def test_home_leads_home_from_every_page_and_the_app_keeps_its_place(name: str) -> None:
    driver = Driver()
    for page, state in reached(name, 1).items():
        driver.device.restore(state)
        driver.press("home")
        assert (driver.app, driver.page) == ("launcher", "main"), page
        driver.open(name)
        assert driver.page == page[0]


@EVERY
def test_looking_at_every_page_changes_nothing(name: str) -> None:
    for state in reached(name, 1).values():
        before = json.dumps(state)
        driver = Driver()
        driver.device.restore(state)
        assert driver.elements
        assert json.dumps(driver.state) == before


# What a finger can reach


def _covered(view: View) -> list[str]:
    """Words or paints of what reports itself as touchable but lies under something else."""
    found = []
    for widget in view.widgets[view.live :]:
        element = widget.element()
        if element is None or not _answers(widget):
            continue
        x, y = element.center
        hit = view.hit(x * WIDTH, y * HEIGHT)
        if hit is not widget and not _partly_hit(view, widget):
            found.append(widget.text or widget.description or str(widget.paint))
    return found


def _answers(widget: Widget) -> bool:
    return bool(widget.on_tap or widget.on_drag or widget.on_long or widget.key)


def _partly_hit(view: View, widget: Widget) -> bool:
    left, top, right, bottom = widget.visible()
    spots = [(x, y) for x in range(left + 2, right, 5) for y in range(top + 2, bottom, 5)]
    return any(view.hit(x, y) is widget for x, y in spots)


@EVERY
@LAYOUTS
def test_everything_that_can_be_touched_can_be_reached(name: str, layout: int) -> None:
    for page, view in _views(name, layout):
        assert _covered(view) == [], page


@EVERY
@LAYOUTS
def test_elements_lie_within_the_screen_and_are_large_enough(name: str, layout: int) -> None:
    for page, view in _views(name, layout):
        for element in view.elements:
            left, top, right, bottom = element.bounds
            assert 0 <= left < right <= 1, (page, element)
            assert 0 <= top < bottom <= 1, (page, element)
            assert (right - left) * WIDTH >= 12, (page, element)


@EVERY
@LAYOUTS
def test_every_paint_has_a_painter_and_every_icon_a_drawing(name: str, layout: int) -> None:
    for page, view in _views(name, layout):
        for widget in view.widgets:
            if widget.paint is None or widget.paint[0] in ("wallpaper", "scrim"):
                continue
            assert widget.paint[0] in PAINTERS, page
            if widget.paint[0] == "glyph":
                assert widget.paint[1] in ICONS, page


@EVERY
@LAYOUTS
def test_words_on_the_screen_are_tidy(name: str, layout: int) -> None:
    for page, view in _views(name, layout):
        for element in view.elements:
            assert element.text == element.text.strip(), (page, element.text)
            assert "{" not in element.text + element.description, page


# Layouts and themes


@EVERY
def test_both_layouts_lead_to_the_same_pages(name: str) -> None:
    # A choice of Settings is a page in one layout and a dialog in the other.
    alike = {"choose": "choice"}
    one, two = ({alike.get(page, page) for page, *_ in reached(name, layout)} for layout in (1, 2))
    assert one == two


@EVERY
def test_the_first_screens_of_both_layouts_differ(name: str) -> None:
    one, two = opened(name, 1), opened(name, 2)
    assert one.device.phone.view.elements != two.device.phone.view.elements or [
        w.paint for w in one.device.phone.view.widgets
    ] != [w.paint for w in two.device.phone.view.widgets]


@EVERY
def test_the_dark_theme_changes_no_words(name: str) -> None:
    driver = Driver()
    for page, state in reached(name, 1).items():
        driver.device.restore(state)
        bright = driver.texts()
        driver.change("system", "dark", to=True)
        assert driver.texts() == bright, page


# Data


@EVERY
def test_an_app_is_made_the_same_from_the_same_seed_and_differs_between_seeds(name: str) -> None:
    app = find(name)
    made = [json.dumps(app.create(Random(seed))) for seed in (1, 1, 2)]
    assert made[0] == made[1]
    # The calculator begins with an empty history on every phone.
    assert (made[0] != made[2]) == (name != "calculator")


@EVERY
def test_opening_an_app_leaves_nothing_behind(name: str) -> None:
    driver = Driver()
    before = driver.state
    driver.open(name)
    driver.wait(2)
    driver.press("home")
    assert lasting_changes(before, driver.state, ()) == ()


@EVERY
def test_an_app_has_what_the_home_screen_needs(name: str) -> None:
    app = find(name)
    assert isinstance(app, App)
    assert app.icon in ICONS
    assert len(app.color) == 3
    assert app.title
    assert all(0 <= part <= 255 for part in app.color)


@EVERY
def test_a_sideways_swipe_on_the_first_page_never_leaves_the_app(name: str) -> None:
    driver = opened(name)
    for direction in ("left", "right"):
        driver.swipe(direction)
        assert driver.app == name
