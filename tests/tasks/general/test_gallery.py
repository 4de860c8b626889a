"""What the goals in Gallery accept, and that photos must be looked at."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed, added

from distrl.actions import to_text
from distrl.types import Element


def without_clock(elements: tuple[Element, ...]) -> tuple[Element, ...]:
    return tuple(element for element in elements if element.role != "status")


def test_nine_photos_that_differ_only_in_looks_need_nine_different_taps() -> None:
    taps: set[str] = set()
    screens: set[tuple[Element, ...]] = set()
    for seed in range(60):
        posed = Posed("open_photo", seed, subject="dog")
        posed.open("gallery")
        screens.add(without_clock(posed.elements))
        taps.add(to_text(posed.next_action()))
    assert len(screens) == 1
    assert len(taps) == 9


def test_the_same_subject_in_another_album_is_not_meant() -> None:
    posed = Posed("favourite_photo", album="Zoo animals", subject="cat")
    twin = {**posed.data("gallery")["photos"]["target"], "album": "", "favourite": True}
    posed.change("apps", "gallery", "photos", "twin", to=twin)
    assert not posed.reached
    posed.solve()


def test_deleting_leaves_the_other_eight_photos() -> None:
    posed = Posed("delete_photo", album="Zoo animals", subject="cat")
    before = set(posed.data("gallery")["photos"])
    posed.solve()
    assert before - set(posed.data("gallery")["photos"]) == {"target"}
    assert posed.side_effects == ()


def test_moving_the_wrong_photo_is_a_side_effect() -> None:
    posed = Posed("move_photo", album="Zoo animals", subject="cat")
    posed.change("apps", "gallery", "photos", "nine0", "album", to="target")
    assert not posed.reached
    assert posed.side_effects == ("apps.gallery.photos.nine0.album",)


def test_an_open_album_of_another_title_is_not_the_goal() -> None:
    posed = Posed("open_album", album="Zoo animals")
    others = [a["title"] for k, a in posed.data("gallery")["albums"].items() if k != "target"]
    posed.open("gallery")
    posed.tap("Albums")
    posed.tap(others[0])
    assert not posed.reached
    posed.solve()


def test_an_album_that_the_phone_has_already_is_taken_away_first() -> None:
    posed = Posed("open_album", album="Zoo animals")
    again = Posed("create_album", album="Zoo animals")
    assert any(a["title"] == "Zoo animals" for a in posed.data("gallery")["albums"].values())
    assert not again.reached
    again.solve()
    assert again.side_effects == ()


def _open_in_album(posed: Posed, album: str, subject: str) -> None:
    posed.open("gallery")
    posed.tap("Albums", role="tab")
    posed.tap(album)
    posed.tap_paint("photo", subject)


def _other_subject(posed: Posed) -> str:
    photos = posed.data("gallery")["photos"]
    return next(str(p["subject"]) for k, p in photos.items() if k.startswith("nine"))


def test_another_photo_of_the_nine_is_not_the_one() -> None:
    posed = Posed("open_photo", subject="dog")
    assert len(posed.data("gallery")["photos"]) == 9
    posed.open("gallery")
    posed.tap_paint("photo", _other_subject(posed))
    assert posed.page == "photo"
    assert not posed.reached
    posed.press("back")
    posed.tap_paint("photo", "dog")
    assert posed.reached


def test_a_photo_can_be_reached_by_swiping_from_another() -> None:
    posed = Posed("open_photo", subject="dog")
    keys = list(posed.data("gallery")["photos"])
    place = keys.index("target")
    beside = keys[place - 1] if place else keys[1]
    posed.open("gallery")
    posed.tap_paint("photo", posed.data("gallery")["photos"][beside]["subject"])
    posed.swipe("right" if place else "left")
    assert posed.reached


def test_a_heart_that_is_taken_back_does_not_count() -> None:
    posed = Posed("favourite_photo", album="Zoo animals", subject="cat")
    _open_in_album(posed, "Zoo animals", "cat")
    posed.tap_icon("heart")
    assert posed.reached
    assert posed.side_effects == ()
    posed.tap_icon("heart_filled")
    assert not posed.reached


def test_a_heart_for_another_photo_is_a_side_effect() -> None:
    posed = Posed("favourite_photo", album="Zoo animals", subject="cat")
    _open_in_album(posed, "Zoo animals", _other_subject(posed))
    posed.tap_icon("heart")
    assert not posed.reached
    assert len(posed.side_effects) == 1
    assert posed.side_effects[0].endswith(".favourite")


def test_a_photo_can_be_deleted_among_all_photos() -> None:
    posed = Posed("delete_photo", album="Zoo animals", subject="cat")
    posed.open("gallery")
    posed.tap("Photos", role="tab")
    posed.tap_paint("photo", "cat")
    posed.tap_icon("delete")
    posed.tap("Delete")
    assert posed.reached
    assert posed.side_effects == ()


def test_a_deletion_that_was_cancelled_keeps_the_photo() -> None:
    posed = Posed("delete_photo", album="Zoo animals", subject="cat")
    _open_in_album(posed, "Zoo animals", "cat")
    posed.tap_icon("delete")
    posed.tap("Cancel")
    assert not posed.reached
    assert posed.side_effects == ()


def test_moving_a_photo_out_of_the_album_does_not_delete_it() -> None:
    posed = Posed("delete_photo", album="Zoo animals", subject="cat")
    posed.change("apps", "gallery", "photos", "target", "album", to="")
    assert not posed.reached
    assert posed.side_effects == ("apps.gallery.photos.target.album",)
    posed.solve()


def test_a_photo_in_another_album_is_not_where_it_belongs() -> None:
    posed = Posed("move_photo", album="Zoo animals", subject="cat")
    albums = posed.data("gallery")["albums"]
    other = next(album["title"] for key, album in albums.items() if key != "target")
    posed.open("gallery")
    posed.tap_paint("photo", "cat")
    posed.tap_icon("folder")
    posed.tap(other)
    assert not posed.reached
    posed.tap_icon("folder")
    posed.tap("Zoo animals")
    assert posed.reached
    assert posed.side_effects == ()


def test_the_list_of_albums_is_not_the_album() -> None:
    posed = Posed("open_album", album="Zoo animals")
    posed.open("gallery")
    posed.tap("Albums", role="tab")
    assert not posed.reached
    posed.tap("Zoo animals")
    assert posed.reached
    posed.tap_paint("photo")
    assert not posed.reached


@pytest.mark.parametrize("title", ["Zoo", "zoo animals"])
def test_an_album_of_almost_the_title_stays_as_a_side_effect(title: str) -> None:
    posed = Posed("create_album", album="Zoo animals")
    posed.open("gallery")
    posed.tap("Albums", role="tab")
    before = posed.data("gallery")["albums"]
    posed.tap_icon("add")
    posed.type(title)
    posed.tap("Create")
    wrong = added(posed.data("gallery")["albums"], before)
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == (f"apps.gallery.albums.{wrong}",)
