"""Notes, driven by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.notes import COLORS

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])


def note(title: str, body: str = "", **more: Any) -> dict[str, Any]:
    return {"title": title, "body": body, "color": "yellow", "pinned": False, **more}


def opened(layout: int = 1, **notes: dict[str, Any]) -> Driver:
    driver = Driver(layout=layout)
    driver.change("apps", "notes", "notes", to=notes)
    driver.open("notes")
    return driver


def notes(driver: Driver) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = driver.data("notes")["notes"]
    return found


def titles(driver: Driver) -> list[str]:
    return [e.text for e in driver.elements if e.role == "item"]


@LAYOUTS
def test_a_new_note_needs_a_title(layout: int) -> None:
    driver = opened(layout)
    driver.tap_icon("add")
    driver.tap("Save")
    assert driver.page == "edit"
    driver.fill("Title", "Plant care")
    driver.tap("Save")
    assert list(notes(driver).values()) == [note("Plant care")]


@LAYOUTS
def test_the_search_looks_at_titles_and_bodies(layout: int) -> None:
    driver = opened(
        layout, a=note("Plant care", "water the fern"), b=note("Fern shop"), c=note("x")
    )
    driver.fill("Search notes", "FERN")
    assert titles(driver) == ["Fern shop", "Plant care"]
    driver.fill("Search notes", "nothing like it")
    assert driver.sees("No notes found")


def test_a_pinned_note_stands_first() -> None:
    driver = opened(a=note("Allergies"), z=note("Zoo trip"))
    driver.tap("Zoo trip")
    driver.tap_icon("star")
    driver.press("back")
    assert titles(driver) == ["Zoo trip", "Allergies"]


def test_a_line_is_added_below_the_others() -> None:
    driver = opened(a=note("Plant care", "water the fern"))
    driver.tap("Plant care")
    driver.fill("Add a line", "buy soil")
    driver.press("enter")
    assert notes(driver)["a"]["body"] == "water the fern\nbuy soil"
    assert driver.var("line") == ""


def test_editing_keeps_colour_and_pin() -> None:
    driver = opened(a=note("Plant care", color="pink", pinned=True))
    driver.tap("Plant care")
    driver.tap_icon("edit")
    driver.fill("Title", "Fern care")
    driver.tap("Save")
    assert notes(driver)["a"] == note("Fern care", color="pink", pinned=True)


@LAYOUTS
def test_the_colour_of_a_note_is_seen_and_not_said(layout: int) -> None:
    driver = opened(layout, a=note("Plant care"))
    before = driver.elements
    driver.tap("Plant care")
    driver.tap_icon("palette")
    driver.tap("Blue")
    driver.press("back")
    assert driver.elements == before
    driver.tap_paint("sticky", COLORS["blue"])
    assert driver.page == "note"


def test_the_menu_of_a_long_press_deletes_after_a_question() -> None:
    driver = opened(a=note("Plant care"), b=note("Allergies"))
    driver.long_press("Plant care")
    driver.tap("Delete")
    driver.tap("Delete")
    assert set(notes(driver)) == {"b"}
    assert driver.page == "main"


def test_tiles_stand_in_two_columns_and_a_list_in_one() -> None:
    for layout, columns in ((1, 2), (2, 1)):
        driver = opened(layout, a=note("Plant care"), b=note("Allergies"))
        places = [e.bounds[0] for e in driver.elements if e.role == "item"]
        assert len(set(places)) == columns


def test_the_page_of_a_deleted_note_says_so() -> None:
    driver = opened(a=note("Plant care"))
    driver.tap("Plant care")
    driver.change("apps", "notes", "notes", to={})
    assert driver.sees("This note was deleted")
