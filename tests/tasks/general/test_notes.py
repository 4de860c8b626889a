"""What the goals in Notes accept and what they do not."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed, added, neighbour

from distrl.actions import to_text
from distrl.devices.phone.apps.notes import COLORS


def test_renaming_an_old_note_is_no_new_note() -> None:
    posed = Posed("create_note", title="Plant care")
    old = next(iter(posed.data("notes")["notes"].values()))
    posed.open("notes")
    posed.tap(old["title"], role="item")
    posed.tap_icon("edit")
    posed.fill("Title", "Plant care")
    posed.tap("Save")
    assert not posed.reached
    posed.solve()


def test_a_line_that_replaces_the_note_does_not_count() -> None:
    posed = Posed("add_to_note", line="Buy stamps", title="Plant care")
    posed.open("notes")
    posed.tap("Plant care", role="item")
    posed.tap_icon("edit")
    posed.fill("Note", "Buy stamps")
    posed.tap("Save")
    assert not posed.reached


def test_a_line_that_was_added_counts() -> None:
    posed = Posed("add_to_note", line="Buy stamps", title="Plant care")
    assert posed.solve() <= 7
    assert posed.side_effects == ()


def test_a_search_that_hides_the_note_is_written_over() -> None:
    for name in ("open_note", "delete_note", "pin_note"):
        posed = Posed(name, title="Plant care")
        posed.open("notes")
        posed.fill("Search notes", "zzz")
        posed.solve()
        assert posed.side_effects == ()


def test_a_search_for_something_else_is_not_enough() -> None:
    posed = Posed("search_notes", title="Plant care")
    posed.open("notes")
    posed.fill("Search notes", "Plant")
    assert not posed.reached
    posed.fill("Search notes", "plant care")
    assert posed.reached


def test_the_colour_of_a_note_can_only_be_seen() -> None:
    seen = {}
    for seed in range(8):
        posed = Posed("open_color_note", seed, color="green", title="Plant care")
        posed.open("notes")
        seen[to_text(posed.next_action())] = posed.elements
    assert len(seen) > 1
    assert len(set(seen.values())) == 1


def _write_note(posed: Posed, title: str, body: str = "") -> str:
    """Make a note by hand and return its id."""
    posed.open("notes")
    before = posed.data("notes")["notes"]
    posed.tap_icon("add")
    posed.fill("Title", title)
    if body:
        posed.fill("Note", body)
    posed.tap("Save")
    return added(posed.data("notes")["notes"], before)


def _open_note(posed: Posed, title: str) -> None:
    posed.open("notes")
    posed.fill("Search notes", title)
    posed.tap(title, role="item")


@pytest.mark.parametrize("title", ["Plant", "plant care", "Plant care tips"])
def test_a_title_that_is_almost_right_is_not_the_title(title: str) -> None:
    posed = Posed("create_note", title="Plant care")
    wrong = _write_note(posed, title)
    assert not posed.reached
    assert posed.side_effects == (f"apps.notes.notes.{wrong}",)


def test_a_new_note_may_say_more_than_its_title() -> None:
    posed = Posed("create_note", title="Plant care")
    _write_note(posed, "Plant care", "water on Mondays")
    assert posed.reached
    assert posed.side_effects == ()


def test_a_title_that_is_typed_but_not_saved_is_no_note() -> None:
    posed = Posed("create_note", title="Plant care")
    posed.open("notes")
    posed.tap_icon("add")
    posed.fill("Title", "Plant care")
    assert not posed.reached
    posed.press("back")
    assert not posed.reached


def test_the_second_note_of_the_title_is_a_side_effect() -> None:
    posed = Posed("create_note", title="Plant care")
    _write_note(posed, "Plant care")
    second = _write_note(posed, "Plant care")
    assert posed.reached
    assert posed.side_effects == (f"apps.notes.notes.{second}",)


def test_a_new_note_that_is_deleted_again_does_not_count() -> None:
    posed = Posed("create_note", title="Plant care")
    _write_note(posed, "Plant care")
    assert posed.reached
    posed.tap("Plant care", role="item")
    posed.tap_icon("delete")
    posed.tap("Delete")
    assert not posed.reached


def test_the_note_to_create_is_not_there_at_the_start() -> None:
    for seed in range(8):
        posed = Posed("create_note", seed, title="Plant care")
        titles = [note["title"] for note in posed.data("notes")["notes"].values()]
        assert titles
        assert "Plant care" not in titles


@pytest.mark.parametrize("template", ["delete_note", "open_note", "pin_note", "search_notes"])
def test_exactly_one_note_has_the_title(template: str) -> None:
    for seed in range(8):
        posed = Posed(template, seed, title="Plant care")
        titles = [note["title"] for note in posed.data("notes")["notes"].values()]
        assert titles.count("Plant care") == 1
        assert not posed.reached


def test_a_note_can_be_deleted_from_the_menu_of_a_long_press() -> None:
    posed = Posed("delete_note", title="Plant care")
    posed.open("notes")
    posed.long_press("Plant care", role="item")
    posed.tap("Delete")
    assert not posed.reached
    posed.tap("Delete")
    assert posed.reached
    assert posed.side_effects == ()


def test_a_deletion_that_was_cancelled_deletes_nothing() -> None:
    posed = Posed("delete_note", title="Plant care")
    _open_note(posed, "Plant care")
    posed.tap_icon("delete")
    posed.tap("Cancel")
    assert not posed.reached
    assert posed.side_effects == ()


def test_deleting_the_neighbour_of_the_note_is_a_side_effect() -> None:
    posed = Posed("delete_note", title="Plant care")
    key, other = neighbour(posed.data("notes")["notes"])
    _open_note(posed, other["title"])
    posed.tap_icon("delete")
    posed.tap("Delete")
    assert not posed.reached
    assert posed.side_effects == (f"apps.notes.notes.{key}",)


def test_a_renamed_note_is_not_deleted() -> None:
    posed = Posed("delete_note", title="Plant care")
    _open_note(posed, "Plant care")
    posed.tap_icon("edit")
    posed.fill("Title", "Something else")
    posed.tap("Save")
    assert not posed.reached
    assert posed.side_effects == ("apps.notes.notes.target.title",)


def test_a_note_can_be_pinned_from_the_menu_of_a_long_press() -> None:
    posed = Posed("pin_note", title="Plant care")
    posed.open("notes")
    posed.long_press("Plant care", role="item")
    posed.tap("Pin")
    assert posed.reached
    assert posed.side_effects == ()


def test_a_note_that_was_pinned_and_unpinned_is_not_pinned() -> None:
    posed = Posed("pin_note", title="Plant care")
    _open_note(posed, "Plant care")
    posed.tap_icon("star")
    assert posed.reached
    posed.tap_icon("star_filled")
    assert not posed.reached
    assert posed.side_effects == ()


def test_pinning_another_note_is_a_side_effect() -> None:
    posed = Posed("pin_note", title="Plant care")
    key, other = neighbour(posed.data("notes")["notes"])
    _open_note(posed, other["title"])
    posed.tap_icon("star")
    assert not posed.reached
    assert posed.side_effects == (f"apps.notes.notes.{key}.pinned",)


def test_a_note_behind_the_shade_or_another_app_is_not_shown() -> None:
    posed = Posed("open_note", title="Plant care")
    _open_note(posed, "Plant care")
    assert posed.reached
    posed.pull_shade()
    assert not posed.reached
    posed.press("back")
    assert posed.reached
    posed.press("home")
    assert not posed.reached


def test_another_note_is_not_the_one_to_open() -> None:
    posed = Posed("open_note", title="Plant care")
    _, other = neighbour(posed.data("notes")["notes"])
    _open_note(posed, other["title"])
    assert not posed.reached
    posed.solve()


def test_a_line_counts_once_it_is_entered() -> None:
    posed = Posed("add_to_note", line="Buy stamps", title="Plant care")
    _open_note(posed, "Plant care")
    posed.fill("Add a line", "Buy stamps")
    assert not posed.reached
    posed.press("enter")
    assert posed.reached
    assert posed.side_effects == ()


def test_a_line_in_another_note_is_a_side_effect() -> None:
    posed = Posed("add_to_note", line="Buy stamps", title="Plant care")
    key, other = neighbour(posed.data("notes")["notes"])
    _open_note(posed, other["title"])
    posed.fill("Add a line", "Buy stamps")
    posed.press("enter")
    assert not posed.reached
    assert posed.side_effects == (f"apps.notes.notes.{key}.body",)


def test_a_longer_line_is_not_the_line() -> None:
    posed = Posed("add_to_note", line="Buy stamps", title="Plant care")
    _open_note(posed, "Plant care")
    posed.fill("Add a line", "Buy stamps today")
    posed.press("enter")
    assert not posed.reached
    posed.solve()


def test_capital_letters_do_not_matter_to_a_search() -> None:
    posed = Posed("search_notes", title="Plant care")
    posed.open("notes")
    posed.fill("Search notes", " PLANT CARE ")
    assert posed.reached
    posed.fill("Search notes", "Plant carefully")
    assert not posed.reached


def test_a_note_of_another_colour_is_not_the_one() -> None:
    posed = Posed("open_color_note", color="green", title="Plant care")
    wrong = next(color for color in COLORS if color != "green")
    posed.open("notes")
    posed.tap_paint("sticky", COLORS[wrong])
    assert posed.page == "note"
    assert not posed.reached
    posed.press("back")
    posed.tap_paint("sticky", COLORS["green"])
    assert posed.reached
