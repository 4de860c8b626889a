"""What the goals in Files accept and what they do not."""

from __future__ import annotations

from tests.tasks.general.posed import Posed, neighbour

from distrl.devices.phone.apps.files import FOLDERS, SORTS


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


def _open_in(posed: Posed, folder: str, name: str) -> None:
    posed.open("files")
    posed.tap(folder)
    posed.tap(name)


def test_the_file_is_found_by_a_part_of_its_name() -> None:
    posed = Posed("open_file", file="tax_return.pdf")
    posed.open("files")
    posed.tap_icon("search")
    posed.type("tax_re")
    assert not posed.reached
    posed.tap("tax_return.pdf")
    assert posed.reached


def test_another_file_of_the_folder_is_not_the_one() -> None:
    posed = Posed("open_file", file="tax_return.pdf")
    _, other = neighbour(posed.data("files")["files"], folder="documents")
    _open_in(posed, "Documents", other["name"])
    assert posed.page == "file"
    assert not posed.reached


def test_a_recent_file_counts_from_its_folder_too() -> None:
    posed = Posed("open_recent_file", file="tax_return.pdf")
    assert "target" in posed.data("files")["recent_files"]
    _open_in(posed, "Documents", "tax_return.pdf")
    assert posed.reached
    assert posed.side_effects == ()


def test_a_file_can_be_deleted_from_the_menu_of_a_long_press() -> None:
    posed = Posed("delete_file", file="tax_return.pdf", folder="Documents")
    posed.open("files")
    posed.tap("Documents")
    posed.long_press("tax_return.pdf")
    posed.tap("Delete")
    posed.tap("Cancel")
    assert not posed.reached
    posed.long_press("tax_return.pdf")
    posed.tap("Delete")
    posed.tap("Delete")
    assert posed.reached
    assert posed.side_effects == ()


def test_deleting_the_neighbour_of_a_file_is_a_side_effect() -> None:
    posed = Posed("delete_file", file="tax_return.pdf", folder="Documents")
    key, other = neighbour(posed.data("files")["files"], folder="documents")
    _open_in(posed, "Documents", other["name"])
    posed.tap_icon("delete")
    posed.tap("Delete")
    assert not posed.reached
    assert posed.side_effects == (f"apps.files.files.{key}",)


def test_a_file_that_was_moved_away_is_not_deleted() -> None:
    posed = Posed("delete_file", file="tax_return.pdf", folder="Documents")
    posed.change("apps", "files", "files", "target", "folder", to="music")
    assert not posed.reached
    assert posed.side_effects == ("apps.files.files.target.folder",)


def test_a_new_name_that_is_cancelled_changes_nothing() -> None:
    posed = Posed("rename_file", file="tax_return.pdf", name="star_chart.pdf", folder="Documents")
    _open_in(posed, "Documents", "tax_return.pdf")
    posed.tap_icon("edit")
    posed.fill("Name", "star_chart.pdf")
    posed.tap("Cancel")
    assert not posed.reached
    assert posed.side_effects == ()


def test_no_file_has_the_new_name_at_the_start() -> None:
    for seed in range(8):
        posed = Posed(
            "rename_file", seed, file="tax_return.pdf", name="star_chart.pdf", folder="Documents"
        )
        names = [file["name"] for file in posed.data("files")["files"].values()]
        assert names.count("tax_return.pdf") == 1
        assert "star_chart.pdf" not in names


def test_renaming_another_file_is_a_side_effect() -> None:
    posed = Posed("rename_file", file="tax_return.pdf", name="star_chart.pdf", folder="Documents")
    key, other = neighbour(posed.data("files")["files"], folder="documents")
    _open_in(posed, "Documents", other["name"])
    posed.tap_icon("edit")
    posed.fill("Name", "star_chart.pdf")
    posed.tap("Rename", role="button")
    assert not posed.reached
    assert posed.side_effects == (f"apps.files.files.{key}.name",)


def test_a_file_can_be_moved_from_the_menu_of_a_long_press() -> None:
    posed = Posed("move_file", file="tax_return.pdf", source="Documents", folder="Music")
    posed.open("files")
    posed.tap("Documents")
    posed.long_press("tax_return.pdf")
    posed.tap("Move")
    posed.tap("Music")
    assert posed.reached
    assert posed.side_effects == ()


def test_a_file_in_a_third_folder_is_not_where_it_belongs() -> None:
    posed = Posed("move_file", file="tax_return.pdf", source="Documents", folder="Music")
    third = next(name for name in FOLDERS if name not in ("Documents", "Music"))
    _open_in(posed, "Documents", "tax_return.pdf")
    posed.tap_icon("folder")
    posed.tap(third)
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == ()


def test_a_folder_that_is_typed_but_not_created_does_not_count() -> None:
    posed = Posed("create_folder", title="Garden diary")
    posed.open("files")
    posed.tap_icon("add")
    posed.type("Garden diary")
    posed.tap("Cancel")
    assert not posed.reached


def test_renaming_a_folder_by_force_is_a_side_effect() -> None:
    posed = Posed("create_folder", title="Garden diary")
    posed.change("apps", "files", "folders", "music", "name", to="Garden diary")
    assert posed.reached
    assert posed.side_effects == ("apps.files.folders.music.name",)


def test_sorting_another_folder_is_a_side_effect() -> None:
    posed = Posed("sort_folder", folder="Music", order="size")
    now = posed.data("files")["folders"]["documents"]["sort"]
    wanted = next(order for order in SORTS if order != now)
    posed.open("files")
    posed.tap("Documents")
    posed.tap_icon("sort")
    posed.tap(SORTS[wanted])
    assert not posed.reached
    assert posed.side_effects == ("apps.files.folders.documents.sort",)


def test_another_order_is_not_the_one_asked_for() -> None:
    posed = Posed("sort_folder", folder="Music", order="size")
    other = next(order for order in SORTS if order != "size")
    posed.change("apps", "files", "folders", "music", "sort", to=other)
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == ()


def test_another_recent_file_is_not_the_one() -> None:
    posed = Posed("open_recent_file", file="tax_return.pdf")
    data = posed.data("files")
    other = next(key for key in data["recent_files"] if key != "target")
    posed.open("files")
    assert not posed.reached
    posed.tap(data["files"][other]["name"], role="item")
    assert posed.page == "file"
    assert not posed.reached
