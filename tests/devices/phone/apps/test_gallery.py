"""Gallery: photos without words, albums, favourites and what can be done to a photo."""

from __future__ import annotations

import pytest
from tests.devices.phone.driver import Driver

from distrl import actions
from distrl.devices.phone import phone_time
from distrl.devices.phone.apps.gallery import CROPS, SELF, new_photo
from distrl.types import Element

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


def photos(driver: Driver) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = driver.data("gallery")["photos"]
    return found


def images(driver: Driver) -> int:
    return sum(element.role == "image" for element in driver.elements)


# The grid


@LAYOUTS
def test_every_photo_is_reached_by_scrolling(layout: int) -> None:
    driver = opened(layout)
    keys = {(p["subject"], p["variant"]) for p in photos(driver).values()}
    seen = set(driver.looks("photo"))
    for _ in range(8):
        driver.swipe("up")
        seen |= set(driver.looks("photo"))
    assert seen == keys


def test_the_layouts_have_three_and_four_photos_in_a_row() -> None:
    for layout, columns in ((1, 3), (2, 4)):
        lefts = {e.bounds[0] for e in opened(layout).elements if e.role == "image"}
        assert len(lefts) == columns


def test_a_gallery_without_photos_says_so_on_every_tab_of_photos() -> None:
    driver = opened()
    driver.change("apps", "gallery", "photos", to={})
    assert driver.sees("No photos")
    driver.tap("Favorites")
    assert driver.sees("No photos")


def test_favourites_are_only_those_with_a_heart() -> None:
    driver = opened()
    driver.tap("Favorites")
    assert images(driver) == sum(bool(p["favourite"]) for p in photos(driver).values()) == 1


def test_a_photo_of_the_future_is_not_shown_yet() -> None:
    driver = opened()
    later = driver.state["time"] + 10
    driver.change("apps", "gallery", "photos", to={"x": new_photo("dog", 1, time=later)})
    assert driver.sees("No photos")
    driver.wait(2)
    assert driver.looks("photo") == [("dog", 1)]


# Albums


@LAYOUTS
def test_an_album_counts_its_photos_and_shows_them(layout: int) -> None:
    driver = opened(layout)
    driver.tap("Albums")
    for key, album in driver.data("gallery")["albums"].items():
        held = sum(p["album"] == key for p in photos(driver).values())
        assert driver.element(album["title"]).description == f"{held} photos"
    driver.tap(driver.data("gallery")["albums"]["album0"]["title"])
    held = [p for p in photos(driver).values() if p["album"] == "album0"]
    assert set(driver.looks("photo")) == {(p["subject"], p["variant"]) for p in held}


def test_an_album_without_photos_has_a_cover_but_says_so_inside() -> None:
    driver = opened()
    driver.change("apps", "gallery", "albums", to={"a": {"title": "Fresh"}})
    driver.tap("Albums")
    assert driver.element("Fresh").description == "0 photos"
    driver.tap("Fresh")
    assert driver.sees("No photos")


def test_selfies_are_counted_but_are_no_covers() -> None:
    driver = opened()
    driver.change("apps", "gallery", "albums", to={"a": {"title": "Fresh"}})
    driver.change("apps", "gallery", "photos", to={"x": new_photo(SELF, 1, album="a")})
    driver.tap("Albums")
    assert driver.element("Fresh").description == "1 photos"
    assert driver.looks("captioned") == [("sunset", 0, "Fresh")]


def test_an_album_that_is_gone_says_so() -> None:
    driver = opened()
    driver.tap("Albums")
    driver.tap(driver.data("gallery")["albums"]["album0"]["title"])
    driver.change("apps", "gallery", "albums", to={})
    assert driver.sees("This album was deleted")


def test_an_album_needs_a_name_of_its_own() -> None:
    driver = opened()
    driver.tap("Albums")
    driver.tap_icon("add")
    assert not driver.can_tap("Create")
    driver.type(driver.data("gallery")["albums"]["album0"]["title"])
    assert not driver.can_tap("Create")
    with driver.changes():
        driver.tap("Cancel")
    driver.tap_icon("add")
    driver.type("Pond life")
    with driver.changes("apps.gallery.albums.album-*"):
        driver.tap("Create")
    assert driver.sees("Album created")


# One photo


@LAYOUTS
def test_a_photo_offers_the_same_six_icons_without_words(layout: int) -> None:
    driver = opened(layout)
    open_newest(driver)
    icons = {"heart", "share", "photo_edit", "folder", "info", "delete"}
    shown = {icon.replace("_filled", "") for icon in driver.icons()} - {"back"}
    assert shown == icons


def test_the_heart_changes_only_the_photo_that_is_open() -> None:
    driver = opened()
    key = open_newest(driver)
    driver.change("apps", "gallery", "photos", key, "favourite", to=False)
    with driver.changes(f"apps.gallery.photos.{key}.favourite"):
        driver.tap_icon("heart")


def test_the_details_tell_when_but_not_what() -> None:
    driver = opened()
    key = open_newest(driver)
    driver.tap_icon("info")
    time = int(str(photos(driver)[key]["time"]))
    assert driver.shows(phone_time.date_text(phone_time.day_of(time)))
    assert driver.shows(phone_time.clock_text(phone_time.minute_of(time)))
    assert not driver.shows(str(photos(driver)[key]["subject"]))
    driver.tap("Close")
    assert driver.page == "photo"


def test_the_details_of_a_photo_that_is_gone_say_so() -> None:
    driver = opened()
    open_newest(driver)
    driver.tap_icon("info")
    driver.change("apps", "gallery", "photos", to={})
    assert driver.sees("This photo was deleted.")


def test_sharing_finds_nobody_and_can_be_cancelled() -> None:
    driver = opened()
    open_newest(driver)
    with driver.changes():
        driver.tap_icon("share")
        driver.tap("Nearby")
        assert driver.sees("No device found")
        driver.tap_icon("share")
        driver.tap("Cancel")
    assert driver.page == "photo"


def test_swiping_stops_at_the_oldest_and_the_newest_photo() -> None:
    driver = opened()
    keys = list(photos(driver))
    open_newest(driver)
    driver.swipe("right")
    assert shown(driver) == keys[-1]
    for _ in range(len(keys) + 2):
        driver.swipe("left")
    assert shown(driver) == keys[0]
    driver.back()
    assert driver.page == "main"


def test_swiping_does_nothing_on_the_other_pages() -> None:
    driver = opened()
    before = driver.state["ui"]["stacks"]
    driver.swipe("left")
    assert driver.state["ui"]["stacks"] == before


def test_a_photo_moves_to_any_album_but_its_own() -> None:
    driver = opened()
    albums = {"a": {"title": "Fresh"}, "b": {"title": "Stale"}}
    driver.change("apps", "gallery", "albums", to=albums)
    key = open_newest(driver)
    driver.change("apps", "gallery", "photos", key, "album", to="a")
    driver.tap_icon("folder")
    assert [driver.can_tap(title, "item") for title in ("Fresh", "Stale")] == [False, True]
    with driver.changes(f"apps.gallery.photos.{key}.album"):
        driver.tap("Stale")
    assert driver.sees("Photo moved")


@pytest.mark.parametrize("crop", CROPS)
def test_each_crop_gives_the_photo_its_height(crop: str) -> None:
    driver = opened()
    key = open_newest(driver)
    driver.change("apps", "gallery", "photos", key, "crop", to=crop)
    picture = next(e for e in driver.elements if e.role == "image")
    assert round((picture.bounds[3] - picture.bounds[1]) * 400) == CROPS[crop][1]
    driver.tap_icon("photo_edit")
    assert driver.element(CROPS[crop][0], "button").checked


def test_a_saved_crop_changes_the_photo_alone() -> None:
    driver = opened()
    key = open_newest(driver)
    driver.tap_icon("photo_edit")
    driver.tap("Wide")
    with driver.changes(f"apps.gallery.photos.{key}.crop"):
        driver.tap("Save")
    assert driver.sees("Saved")


@pytest.mark.parametrize("icon", ["", "photo_edit"])
def test_the_pages_of_a_deleted_photo_say_so(icon: str) -> None:
    driver = opened()
    open_newest(driver)
    if icon:
        driver.tap_icon(icon)
    driver.change("apps", "gallery", "photos", to={})
    assert driver.sees("This photo was deleted")


def test_deleting_one_photo_keeps_the_others() -> None:
    driver = opened()
    key = open_newest(driver)
    driver.tap_icon("delete")
    with driver.changes(f"apps.gallery.photos.{key}"):
        driver.tap("Delete")
    assert driver.sees("Photo deleted")


def test_deleting_from_an_album_returns_to_the_album() -> None:
    driver = opened()
    driver.tap("Albums")
    driver.tap(driver.data("gallery")["albums"]["album0"]["title"])
    driver.tap_paint("photo")
    driver.tap_icon("delete")
    driver.tap("Delete")
    assert driver.page == "album"


def test_pages_of_a_photo_are_titled_and_nobody_nearby_is_chosen() -> None:
    driver = opened()
    open_newest(driver)
    driver.tap_icon("folder")
    assert driver.sees("Move to album")
    driver.tap("Navigate up")
    driver.tap_icon("share")
    assert driver.element("Nearby", "radio").checked is False


@LAYOUTS
def test_a_double_tap_enlarges_a_photo_and_makes_it_small_again(layout: int) -> None:
    driver = opened(layout)
    open_newest(driver)

    def photo() -> Element:
        return next(element for element in driver.elements if element.role == "image")

    def height() -> float:
        return photo().bounds[3] - photo().bounds[1]

    small = height()
    driver.perform(actions.tap(*photo().center))
    assert height() == small
    driver.perform(actions.double_tap(*photo().center))
    assert height() > small
    driver.perform(actions.double_tap(*photo().center))
    assert height() == small
