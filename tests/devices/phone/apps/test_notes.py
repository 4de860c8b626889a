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


@LAYOUTS
def test_a_new_note_takes_title_and_body_and_touches_no_other(layout: int) -> None:
    driver = opened(layout, a=note("Allergies"))
    driver.tap_icon("add")
    assert driver.device.observe().keyboard
    driver.type("Plant care")
    driver.fill("Note", "water the fern")
    with driver.changes("apps.notes.notes.note-*"):
        driver.tap("Save")
    assert driver.sees("Note saved")
    assert list(notes(driver).values())[-1] == note("Plant care", "water the fern")


@LAYOUTS
def test_a_phone_without_notes_says_so(layout: int) -> None:
    driver = opened(layout)
    assert driver.sees("No notes yet")
    assert titles(driver) == []


@LAYOUTS
def test_notes_stand_by_title_with_the_pinned_ones_first(layout: int) -> None:
    driver = opened(
        layout,
        a=note("Beach"),
        b=note("Allergies"),
        c=note("Zoo", pinned=True),
        d=note("Mail", pinned=True),
    )
    assert titles(driver) == ["Mail", "Zoo", "Allergies", "Beach"]


def test_a_tile_shows_a_star_only_when_it_is_pinned() -> None:
    driver = opened(a=note("Beach"), b=note("Zoo", pinned=True))
    marks = {title: mark for _, title, _, mark in driver.looks("sticky")}
    assert marks == {"Beach": "", "Zoo": "star_filled"}


@LAYOUTS
def test_all_of_many_notes_are_reached_by_scrolling(layout: int) -> None:
    many = {f"n{i}": note(f"Note {i:02d}") for i in range(33)}
    driver = opened(layout, **many)
    assert driver.scroll_through() == [f"Note {i:02d}" for i in range(33)]


def test_pinning_from_the_note_and_from_the_menu_are_the_same() -> None:
    driver = opened(a=note("Plant care"), b=note("Allergies"))
    driver.long_press("Plant care")
    with driver.changes("apps.notes.notes.a.pinned"):
        driver.tap("Pin")
    driver.tap("Plant care")
    driver.tap_icon("star_filled")
    assert not notes(driver)["a"]["pinned"]
    driver.tap_icon("star")
    driver.back()
    driver.long_press("Plant care")
    driver.tap("Unpin")
    assert not notes(driver)["a"]["pinned"]


@pytest.mark.parametrize("color", COLORS)
def test_every_colour_can_be_chosen_from_the_menu(color: str) -> None:
    driver = opened(a=note("Plant care", color="gray" if color != "gray" else "pink"))
    driver.long_press("Plant care")
    driver.tap("Color")
    with driver.changes("apps.notes.notes.a.color"):
        driver.tap(color.capitalize(), role="radio")
    assert (driver.page, notes(driver)["a"]["color"]) == ("main", color)


def test_the_colour_dialog_marks_the_colour_of_the_note() -> None:
    driver = opened(a=note("Plant care", color="pink"))
    driver.tap("Plant care")
    driver.tap_icon("palette")
    chosen = [e.text for e in driver.elements if e.role == "radio" and e.checked]
    assert chosen == ["Pink"]
    with driver.changes():
        driver.back()
    assert driver.page == "note"


def test_a_question_that_is_cancelled_deletes_nothing() -> None:
    driver = opened(a=note("Plant care"))
    driver.tap("Plant care")
    driver.tap_icon("delete")
    with driver.changes():
        driver.tap("Cancel")
    assert driver.page == "note"
    driver.tap_icon("delete")
    driver.tap("Delete")
    assert (driver.page, notes(driver)) == ("main", {})
    assert driver.sees("Note deleted")


@pytest.mark.parametrize("typed", ["", "   "])
def test_an_empty_line_is_not_added(typed: str) -> None:
    driver = opened(a=note("Plant care", "water"))
    driver.tap("Plant care")
    driver.tap_field("Add a line")
    with driver.changes():
        if typed:
            driver.type(typed)
        driver.press("enter")


def test_the_first_line_of_an_empty_note_has_no_blank_line_above() -> None:
    driver = opened(a=note("Plant care"))
    driver.tap("Plant care")
    driver.fill("Add a line", "buy soil")
    driver.press("enter")
    assert notes(driver)["a"]["body"] == "buy soil"


def test_editing_shows_what_is_there_and_saves_both_fields() -> None:
    driver = opened(a=note("Plant care", "water"))
    driver.tap("Plant care")
    driver.tap_icon("edit")
    assert (driver.var("title"), driver.var("body")) == ("Plant care", "water")
    driver.fill("Note", "water and light")
    with driver.changes("apps.notes.notes.a.body"):
        driver.tap("Save")
    assert driver.sees("water and light")


def test_a_note_cannot_be_saved_with_its_title_removed() -> None:
    driver = opened(a=note("Plant care"))
    driver.tap("Plant care")
    driver.tap_icon("edit")
    driver.fill("Title", "  ")
    assert not driver.can_tap("Save")
    with driver.changes():
        driver.tap("Save")


def test_leaving_the_editor_saves_nothing() -> None:
    driver = opened(a=note("Plant care"))
    driver.tap("Plant care")
    driver.tap_icon("edit")
    with driver.changes():
        driver.fill("Title", "Never")
        driver.back(2)
    assert driver.sees("Plant care")


def test_the_search_is_kept_while_a_note_is_read() -> None:
    driver = opened(a=note("Plant care"), b=note("Allergies"))
    driver.fill("Search notes", "plant")
    driver.tap("Plant care")
    driver.back()
    assert titles(driver) == ["Plant care"]


def test_a_tile_says_its_whole_body_on_one_line() -> None:
    driver = opened(a=note("Plant care", "water\nlight"))
    assert driver.element("Plant care").description == "water light"


def test_two_notes_may_have_one_title() -> None:
    driver = opened(a=note("Plant care"))
    driver.tap_icon("add")
    driver.type("Plant care")
    driver.tap("Save")
    assert titles(driver) == ["Plant care", "Plant care"]
