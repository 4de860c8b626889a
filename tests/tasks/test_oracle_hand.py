from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.devices.phone.driver import Driver

from distrl import actions
from distrl.devices.phone import apps
from distrl.tasks.oracle_hand import Do, Hand, clear_the_way
from distrl.types import Action, Kind


def _turn(driver: Driver, way: Callable[[Hand], None]) -> Action | None:
    """The action that a turn ends with; None when there is nothing left to do."""
    try:
        way(Hand(driver.device.phone))
    except Do as turn:
        return turn.action
    return None


def _follow(driver: Driver, way: Callable[[Hand], None], limit: int = 25) -> int:
    """Take turns until nothing is left to do, and count them."""
    for count in range(limit):
        action = _turn(driver, way)
        if action is None:
            return count
        driver.perform(action)
    pytest.fail(f"still busy after {limit} actions")


@pytest.mark.parametrize("layout", [1, 2])
@pytest.mark.parametrize("app", apps.names())
def test_app_is_opened_from_the_home_screen(app: str, layout: int) -> None:
    driver = Driver(layout=layout)
    assert 1 <= _follow(driver, lambda hand: hand.open(app)) <= 3
    assert driver.app == app


@pytest.mark.parametrize("start", ["drawer", "shade", "other app", "dialog"])
def test_app_is_opened_from_anywhere(start: str) -> None:
    driver = Driver()
    if start == "drawer":
        driver.swipe("up")
    elif start == "shade":
        driver.pull_shade()
    else:
        driver.open("notes")
        if start == "dialog":
            driver.tap(next(e.text for e in driver.elements if e.role == "item"))
            driver.tap_icon("delete")
    _follow(driver, lambda hand: hand.open("clock"))
    assert driver.app == "clock"


def _long_list() -> Driver:
    driver = Driver()
    like = next(iter(driver.data("notes")["notes"].values()))
    notes = {f"n{i}": {**like, "title": f"Note {i:02d}"} for i in range(40)}
    driver.change("apps", "notes", "notes", to=notes)
    driver.open("notes")
    return driver


def _tap_note(hand: Hand) -> None:
    if not hand.at("note"):
        hand.tap("Note 33")


def test_tap_scrolls_down_to_what_is_out_of_sight() -> None:
    driver = _long_list()
    _follow(driver, _tap_note)
    assert driver.shows("Note 33")
    assert driver.page == "note"


def test_tap_scrolls_up_to_what_is_out_of_sight() -> None:
    driver = _long_list()
    for _ in range(20):
        driver.swipe("up")

    def way(hand: Hand) -> None:
        if not hand.at("note"):
            hand.tap("Note 00")

    _follow(driver, way)
    assert driver.page == "note"


def test_tap_clears_the_keyboard_away_first() -> None:
    driver = _long_list()
    driver.tap_field("Search notes")
    _follow(driver, _tap_note)
    assert driver.page == "note"


def test_tap_goes_back_from_where_the_words_are_not() -> None:
    driver = Driver()
    driver.open("notes")
    assert _turn(driver, lambda hand: hand.tap("no such words")) == actions.press("back")


def test_type_replaces_what_the_field_holds() -> None:
    driver = Driver()
    driver.open("notes")
    driver.fill("Search notes", "wrong")
    assert _follow(driver, lambda hand: hand.type("query", "tea")) == 2
    assert driver.var("query") == "tea"
    assert _turn(driver, lambda hand: hand.type("query", "tea")) is None


def test_submit_ends_with_enter() -> None:
    driver = Driver()
    driver.open("notes")
    kinds = []
    for _ in range(3):
        action = _turn(driver, lambda hand: hand.submit("query", "tea"))
        assert action is not None
        kinds.append(action.kind)
        driver.perform(action)
    assert kinds == [Kind.TAP, Kind.TYPE, Kind.PRESS]


def test_tab_and_switch_do_nothing_when_they_are_right() -> None:
    driver = Driver()
    driver.open("clock")
    assert _follow(driver, lambda hand: hand.tab("Timer")) == 1
    assert _follow(driver, lambda hand: hand.tab("Timer")) == 0


@pytest.mark.parametrize("on", [True, False])
def test_switch_is_flipped_at_most_once(on: bool) -> None:
    driver = Driver()
    driver.pull_shade()
    assert _follow(driver, lambda hand: hand.switch("Flashlight", on=on)) == int(on)
    assert driver.state["system"]["flashlight"] is on


def test_shade_is_pulled_once() -> None:
    driver = Driver()
    assert _follow(driver, lambda hand: hand.shade()) == 1
    assert driver.state["ui"]["shade"]


def _picker(page: str, **arguments: object) -> Driver:
    driver = Driver()
    driver.open("notes")
    from distrl.devices.phone.control import Control

    control = Control(driver.state, "notes")
    control.open(page, key="chosen", **arguments)
    driver.device.restore(control.state)
    return driver


@pytest.mark.parametrize("minutes", [0, 55, 420, 715, 720, 785, 1435])
def test_time_is_picked(minutes: int) -> None:
    driver = _picker("@time", minutes=425)

    def way(hand: Hand) -> None:
        if hand.at("@time"):
            hand.pick_time(minutes)

    assert _follow(driver, way) <= 6
    assert driver.var("chosen") == minutes


@pytest.mark.parametrize("day", [0, 1, 24, 25, 89, 400])
def test_date_is_picked(day: int) -> None:
    driver = _picker("@date", day=20)

    def way(hand: Hand) -> None:
        if hand.at("@date"):
            hand.pick_date(day)

    _follow(driver, way)
    assert driver.var("chosen") == day


@pytest.mark.parametrize("kind", ["permission", "update", "updating", "ad", "consent", "notice"])
@pytest.mark.parametrize("shade", [True, False])
def test_way_is_cleared_of_every_nuisance(kind: str, shade: bool) -> None:
    driver = Driver()
    driver.open("clock")
    if shade:
        driver.pull_shade()
    until = driver.state["time"] + 14
    driver.change("ui", "overlay", to={"kind": kind, "app": "clock", "variant": 1, "until": until})
    assert _follow(driver, clear_the_way) <= 4


def test_slow_page_is_waited_for() -> None:
    driver = Driver()
    driver.open("notes")
    stack = driver.state["ui"]["stacks"]["notes"]
    page = {**stack[0], "ready": driver.state["time"] + 7}
    driver.change("ui", "stacks", "notes", to=[page])
    assert _turn(driver, clear_the_way) == actions.wait()
    assert _follow(driver, clear_the_way) == 2


def test_icon_is_found_by_how_it_looks() -> None:
    driver = Driver()
    driver.open("notes")
    assert Hand(driver.device.phone).find_icon("add") is not None
    assert Hand(driver.device.phone).find_icon("airplane") is None
    driver.perform(_turn(driver, lambda hand: hand.tap_icon("add")) or actions.wait())
    assert driver.page == "edit"
