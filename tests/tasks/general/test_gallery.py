"""What the goals in Gallery accept, and that photos must be looked at."""

from __future__ import annotations

from tests.tasks.general.posed import Posed

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
