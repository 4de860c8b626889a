"""What the goals in Files accept and what they do not."""

from __future__ import annotations

from tests.tasks.general.posed import Posed


def test_a_file_opened_from_its_folder_counts_as_well_as_one_found_by_search() -> None:
    posed = Posed("open_file", file="tax_return.pdf")
    posed.open("files")
    posed.tap("Documents")
    posed.tap("tax_return.pdf")
    assert posed.reached
    assert posed.side_effects == ()


def test_the_recent_file_is_reached_even_when_others_have_pushed_it_out() -> None:
    posed = Posed("open_recent_file", file="tax_return.pdf")
    posed.change("apps", "files", "recent_files", to=[])
    posed.solve()


def test_deleting_another_file_is_a_side_effect_and_not_the_goal() -> None:
    posed = Posed("delete_file", file="tax_return.pdf", folder="Documents")
    posed.open("files")
    posed.tap("Music")
    other = next(e.text for e in posed.elements if e.role == "item")
    posed.long_press(other)
    posed.tap("Delete")
    posed.tap("Delete")
    assert not posed.reached
    assert len(posed.side_effects) == 1
    posed.press("back")
    posed.solve()


def test_a_wrong_new_name_can_be_put_right() -> None:
    posed = Posed("rename_file", file="tax_return.pdf", name="star_chart.pdf", folder="Documents")
    posed.open("files")
    posed.tap("Documents")
    posed.long_press("tax_return.pdf")
    posed.tap("Rename", role="button")
    posed.type("oops.pdf")
    posed.tap("Rename", role="button")
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == ()


def test_a_file_moved_to_the_wrong_folder_is_found_and_moved_again() -> None:
    posed = Posed("move_file", file="tax_return.pdf", source="Documents", folder="Music")
    posed.change("apps", "files", "files", "target", "folder", to="pictures")
    assert not posed.reached
    posed.solve()


def test_a_folder_that_is_sorted_already_is_never_posed() -> None:
    for seed in range(12):
        posed = Posed("sort_folder", seed, folder="Music", order="size")
        assert not posed.reached
    assert posed.solve() <= 6


def test_a_folder_of_another_name_is_not_the_one_asked_for() -> None:
    posed = Posed("create_folder", title="Garden diary")
    posed.open("files")
    old = set(posed.data("files")["folders"])
    posed.tap_icon("add")
    posed.type("Garden")
    posed.tap("Create")
    (wrong,) = set(posed.data("files")["folders"]) - old
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == (f"apps.files.folders.{wrong}",)
