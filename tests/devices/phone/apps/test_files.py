"""Files: folders, order, search and what can be done to a file."""

from __future__ import annotations

from typing import Any

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.files import kind_of, motif_of

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])


def opened(layout: int = 1) -> Driver:
    driver = Driver(seed=3, layout=layout)
    driver.open("files")
    return driver


def in_folder(driver: Driver, folder: str) -> dict[str, dict[str, Any]]:
    files = driver.data("files")["files"]
    return {key: file for key, file in files.items() if file["folder"] == folder}


def listed(driver: Driver) -> list[str]:
    return [e.text for e in driver.elements if e.role == "item"]


@LAYOUTS
def test_a_folder_lists_its_own_files_by_name(layout: int) -> None:
    driver = opened(layout)
    driver.tap("Music")
    assert listed(driver) == sorted(file["name"] for file in in_folder(driver, "music").values())


def test_sorting_by_size_puts_the_largest_file_first() -> None:
    driver = opened()
    driver.tap("Pictures")
    driver.tap_icon("sort")
    driver.tap("Size")
    largest = max(in_folder(driver, "pictures").values(), key=lambda file: file["kb"])
    assert listed(driver)[0] == largest["name"]


@LAYOUTS
def test_a_file_found_by_search_can_be_deleted_after_asking(layout: int) -> None:
    driver = opened(layout)
    key, file = next(iter(driver.data("files")["files"].items()))
    driver.tap("Search")
    driver.type(file["name"])
    driver.tap(file["name"], role="item")
    driver.tap_icon("delete")
    assert key in driver.data("files")["files"]
    driver.tap("Delete")
    assert key not in driver.data("files")["files"]
    assert driver.page == "search"
    assert driver.sees("No files found")


def test_renaming_offers_the_old_name_and_replaces_it() -> None:
    driver = opened()
    driver.tap("Music")
    key, file = min(in_folder(driver, "music").items(), key=lambda item: item[1]["name"])
    driver.long_press(file["name"])
    driver.tap("Rename", role="button")
    assert driver.var("name") == file["name"]
    driver.type("hum.mp3")
    driver.tap("Rename", role="button")
    assert driver.data("files")["files"][key]["name"] == "hum.mp3"


def test_a_file_moves_to_any_folder_but_its_own() -> None:
    driver = opened()
    driver.tap("Music")
    key, file = min(in_folder(driver, "music").items(), key=lambda item: item[1]["name"])
    driver.tap(file["name"])
    driver.tap_icon("folder")
    driver.tap("Documents")
    assert driver.data("files")["files"][key]["folder"] == "documents"
    driver.tap_icon("folder")
    here = next(e for e in driver.elements if e.text == "Documents")
    assert not here.enabled


@LAYOUTS
def test_a_new_folder_needs_a_name_of_its_own(layout: int) -> None:
    driver = opened(layout)
    driver.tap_icon("add")
    driver.type("Music")
    assert not next(e for e in driver.elements if e.text == "Create").enabled
    driver.fill("Folder name", "Taxes")
    driver.tap("Create")
    assert "Taxes" in [f["name"] for f in driver.data("files")["folders"].values()]
    assert driver.sees("Taxes")


def test_what_was_opened_last_leads_the_recent_files() -> None:
    driver = opened()
    driver.tap("Music")
    name = listed(driver)[0]
    driver.tap(name)
    driver.press("back")
    driver.press("back")
    rows = [e.text for e in driver.elements if e.role == "item" and "." in e.text]
    assert rows[0] == name


def open_file(driver: Driver, folder: str = "Music") -> tuple[str, dict[str, Any]]:
    """Opens the first file of a folder."""
    driver.tap(folder)
    name = listed(driver)[0]
    key, file = next(
        item for item in in_folder(driver, folder.lower()).items() if item[1]["name"] == name
    )
    driver.tap(name)
    return key, file


# Folders


@LAYOUTS
@pytest.mark.parametrize("folder", ["Documents", "Downloads", "Music", "Pictures"])
def test_every_file_of_a_folder_is_reached_by_scrolling(folder: str, layout: int) -> None:
    driver = opened(layout)
    driver.tap(folder)
    files = in_folder(driver, folder.lower()).values()
    assert driver.scroll_through() == sorted(file["name"] for file in files)


def test_the_first_page_says_how_full_the_phone_is() -> None:
    driver = opened()
    assert driver.sees(f"{driver.data('files')['used']} GB of 64 GB used")


def test_the_first_page_lists_at_most_five_recent_files() -> None:
    driver = opened()
    for _ in range(2):
        driver.tap("Documents")
        for name in listed(driver)[:4]:
            driver.tap(name)
            driver.back()
        driver.back()
    assert len(driver.data("files")["recent_files"]) == 5
    assert len(set(driver.data("files")["recent_files"])) == 5


def test_opening_a_file_leaves_nothing_lasting() -> None:
    driver = opened()
    with driver.changes():
        open_file(driver)


@pytest.mark.parametrize(
    ("label", "field", "largest_first"),
    [("Name", "name", False), ("Size", "kb", True), ("Date", "day", True)],
)
def test_a_folder_is_sorted_by(label: str, field: str, largest_first: bool) -> None:
    driver = opened()
    driver.change("apps", "files", "folders", "pictures", "sort", to="date")
    driver.tap("Pictures")
    driver.tap_icon("sort")
    driver.tap(label, role="radio")
    files = {file["name"]: file for file in in_folder(driver, "pictures").values()}
    values = [files[name][field] for name in driver.scroll_through()]
    assert values == sorted(values, reverse=largest_first)


def test_each_folder_has_an_order_of_its_own() -> None:
    driver = opened()
    driver.tap("Pictures")
    driver.tap_icon("sort")
    with driver.changes("apps.files.folders.pictures.sort"):
        driver.tap("Size")
    driver.tap_icon("sort")
    assert driver.element("Size", "radio").checked
    with driver.changes():
        driver.tap("Cancel")


def test_an_empty_folder_and_one_that_is_gone_say_so() -> None:
    driver = opened()
    driver.change("apps", "files", "files", to={})
    driver.tap("Music")
    assert driver.sees("This folder is empty")
    driver.change("apps", "files", "folders", to={})
    assert driver.sees("This folder was deleted")


@LAYOUTS
def test_a_new_folder_is_empty_and_takes_files(layout: int) -> None:
    driver = opened(layout)
    driver.tap_icon("add")
    assert not driver.can_tap("Create")
    driver.type("Taxes")
    with driver.changes("apps.files.folders.folder-*"):
        driver.tap("Create")
    assert driver.sees("Folder created")
    key, _ = open_file(driver)
    driver.tap_icon("folder")
    with driver.changes(f"apps.files.files.{key}.folder"):
        driver.tap("Taxes")
    assert driver.sees("Moved to Taxes")
    assert driver.element("Folder").description == "Taxes"


def test_a_new_folder_can_be_thought_better_of() -> None:
    driver = opened()
    driver.tap_icon("add")
    driver.type("Taxes")
    with driver.changes():
        driver.tap("Cancel")
    assert driver.page == "main"


# One file


def test_a_file_shows_its_size_date_and_folder() -> None:
    driver = opened()
    _, file = open_file(driver)
    kb = file["kb"]
    assert driver.element("Size").description == (
        f"{kb} KB" if kb < 1000 else f"{kb / 1000:.1f} MB"
    )
    assert driver.element("Folder").description == "Music"


def test_a_picture_is_previewed_and_other_files_have_an_icon() -> None:
    driver = opened()
    open_file(driver, "Pictures")
    assert driver.looks("photo")
    driver.back(2)
    open_file(driver, "Music")
    assert not driver.looks("photo")
    assert driver.looks("round_button")[0][0] == "music"


@pytest.mark.parametrize(
    ("name", "icon"),
    [
        ("a.pdf", "pdf"),
        ("b.txt", "note"),
        ("c.jpg", "image"),
        ("d.mp3", "music"),
        ("e.zip", "archive"),
        ("noend", "file"),
    ],
)
def test_the_end_of_its_name_decides_the_icon_of_a_file(name: str, icon: str) -> None:
    assert kind_of(name)[0] == icon


def test_the_motif_of_a_picture_follows_its_name() -> None:
    assert motif_of("puppy_on_sofa.jpg")[0] == "dog"
    assert motif_of("IMG_0001.jpg") == motif_of("IMG_0001.jpg")


def test_renaming_a_file_changes_its_name_alone() -> None:
    driver = opened()
    key, _ = open_file(driver)
    driver.tap_icon("edit")
    driver.type("hum.mp3")
    with driver.changes(f"apps.files.files.{key}.name"):
        driver.tap("Rename")
    assert driver.sees("File renamed")
    assert driver.sees("hum.mp3")


@pytest.mark.parametrize("typed", ["", "   "])
def test_a_file_cannot_lose_its_name(typed: str) -> None:
    driver = opened()
    open_file(driver)
    driver.tap_icon("edit")
    driver.change("ui", "stacks", "files", to=_with_var(driver, "name", typed))
    assert not driver.can_tap("Rename")
    with driver.changes():
        driver.tap("Cancel")
    assert driver.page == "file"


def _with_var(driver: Driver, key: str, value: str) -> list[dict[str, Any]]:
    *below, top = driver.state["ui"]["stacks"]["files"]
    return [*below, {**top, "vars": {**top["vars"], key: value}}]


def test_deleting_from_the_menu_stays_in_the_folder() -> None:
    driver = opened()
    driver.tap("Music")
    name = listed(driver)[0]
    driver.long_press(name)
    driver.tap("Delete")
    with driver.changes("apps.files.files.*"):
        driver.tap("Delete")
    assert driver.page == "folder"
    assert driver.sees("File deleted")
    assert name not in listed(driver)


def test_moving_from_the_menu_returns_to_the_folder() -> None:
    driver = opened()
    driver.tap("Music")
    name = listed(driver)[0]
    driver.long_press(name)
    driver.tap("Move")
    driver.tap("Pictures")
    assert driver.page == "folder"
    assert name not in listed(driver)


def test_deleting_can_be_cancelled() -> None:
    driver = opened()
    open_file(driver)
    driver.tap_icon("delete")
    with driver.changes():
        driver.tap("Cancel")
    assert driver.page == "file"


def test_there_is_nobody_to_share_with() -> None:
    driver = opened()
    open_file(driver)
    with driver.changes():
        driver.tap("Share")
    assert driver.sees("Nobody nearby to share with")


def test_the_page_of_a_deleted_file_says_so() -> None:
    driver = opened()
    open_file(driver)
    driver.change("apps", "files", "files", to={})
    assert driver.sees("This file was deleted")


# Search


def test_the_search_begins_empty_and_ignores_capitals() -> None:
    driver = opened()
    driver.tap("Search")
    assert driver.sees("Type a part of the name")
    name = next(iter(driver.data("files")["files"].values()))["name"]
    driver.type(name.upper())
    assert name in listed(driver)


def test_the_search_finds_files_of_all_folders() -> None:
    driver = opened()
    driver.tap("Music")
    driver.tap("Search")
    driver.type(".")
    files = driver.data("files")["files"].values()
    assert set(driver.scroll_through()) == {file["name"] for file in files}


def test_recent_files_that_are_gone_are_not_listed() -> None:
    driver = opened()
    key = driver.data("files")["recent_files"][0]
    name = driver.data("files")["files"][key]["name"]
    assert name in driver.scroll_through()
    kept = {k: f for k, f in driver.data("files")["files"].items() if k != key}
    driver.change("apps", "files", "files", to=kept)
    assert name not in driver.scroll_through()


@pytest.mark.parametrize(("kb", "text"), [(20, "20 KB"), (999, "999 KB"), (1000, "1.0 MB")])
def test_sizes_are_written_in_megabytes_from_a_thousand_kilobytes(kb: int, text: str) -> None:
    driver = opened()
    driver.tap("Music")
    name = listed(driver)[0]
    key = next(k for k, file in in_folder(driver, "music").items() if file["name"] == name)
    driver.change("apps", "files", "files", key, "kb", to=kb)
    driver.tap(name)
    assert driver.element("Size").description == text
