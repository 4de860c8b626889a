"""What the goals in Notes accept and what they do not."""

from __future__ import annotations

from tests.tasks.general.posed import Posed

from distrl.actions import to_text


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
