"""Files: folders, order, search and what can be done to a file."""

from __future__ import annotations

from typing import Any

import pytest
from tests.devices.phone.driver import Driver

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
