"""Gallery: photos without words, albums, favourites and what can be done to a photo."""

from __future__ import annotations

import pytest
from tests.devices.phone.driver import Driver

from distrl.devices.phone import phone_time
from distrl.devices.phone.apps.gallery import CROPS, SELF, new_photo

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])


def opened(layout: int = 1) -> Driver:
    driver = Driver(seed=3, layout=layout)
    driver.open("gallery")
    return driver


def shown(driver: Driver) -> str:
    key: str = driver.state["ui"]["stacks"]["gallery"][-1]["args"]["id"]
    return key


def open_newest(driver: Driver) -> str:
    key, photo = list(driver.data("gallery")["photos"].items())[-1]
    driver.tap_paint("photo", photo["subject"], photo["variant"])
    return str(key)


@LAYOUTS
def test_photos_carry_neither_text_nor_description(layout: int) -> None:
    driver = opened(layout)
    photos = [e for e in driver.elements if e.role == "image"]
    assert len(photos) >= 12
    assert not any(e.text or e.description for e in photos)


def test_the_newest_photo_comes_first() -> None:
    driver = opened()
    key = open_newest(driver)
    assert shown(driver) == key
    first = next(iter(driver.data("gallery")["photos"]))
    assert first != key


@LAYOUTS
def test_the_heart_makes_a_favourite_and_takes_it_back(layout: int) -> None:
    driver = opened(layout)
    key = open_newest(driver)
    before = driver.data("gallery")["photos"][key]["favourite"]
    driver.tap_icon("heart_filled" if before else "heart")
    assert driver.data("gallery")["photos"][key]["favourite"] is not before
    driver.tap_icon("heart" if before else "heart_filled")
    assert driver.data("gallery")["photos"][key]["favourite"] is before


@LAYOUTS
def test_deleting_asks_first_and_returns_to_the_grid(layout: int) -> None:
    driver = opened(layout)
    key = open_newest(driver)
    driver.tap_icon("delete")
    driver.tap("Cancel")
    assert key in driver.data("gallery")["photos"]
    driver.tap_icon("delete")
    driver.tap("Delete")
    assert key not in driver.data("gallery")["photos"]
    assert driver.page == "main"


def test_a_photo_moves_to_an_album_and_shows_there() -> None:
    driver = opened()
    driver.change("apps", "gallery", "albums", to={"a": {"title": "Fresh"}})
    key = open_newest(driver)
    driver.tap_icon("folder")
    driver.tap("Fresh")
    assert driver.data("gallery")["photos"][key]["album"] == "a"
    driver.press("back")
    driver.tap("Albums")
    driver.tap("Fresh")
    assert len([e for e in driver.elements if e.role == "image"]) == 1


def test_swiping_turns_to_the_photo_beside() -> None:
    driver = opened()
    keys = list(driver.data("gallery")["photos"])
    open_newest(driver)
    driver.swipe("left")
    assert shown(driver) == keys[-2]
    driver.swipe("right")
    assert shown(driver) == keys[-1]


def test_a_crop_is_kept_only_when_saved() -> None:
    driver = opened()
    key = open_newest(driver)
    driver.tap_icon("photo_edit")
    driver.tap("Square")
    driver.tap("Cancel")
    assert driver.data("gallery")["photos"][key]["crop"] == "original"
    driver.tap_icon("photo_edit")
    driver.tap("Square")
    driver.tap("Save")
    assert driver.data("gallery")["photos"][key]["crop"] == "square"


@LAYOUTS
def test_a_new_album_appears_among_the_albums(layout: int) -> None:
    driver = opened(layout)
    driver.tap("Albums")
    driver.tap_icon("add")
    driver.type("Pond life")
    driver.tap("Create")
    assert driver.sees("Pond life")
