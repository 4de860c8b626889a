"""What the goals in Camera accept, and that its icons must be looked at."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed, added

from distrl.actions import to_text
from distrl.types import Element


def without_clock(elements: tuple[Element, ...]) -> tuple[Element, ...]:
    return tuple(element for element in elements if element.role != "status")


@pytest.mark.parametrize(
    ("template", "parameters", "places"),
    [
        ("take_photo", {"lens": "front"}, 2),
        ("camera_flash", {"switch": "on"}, 4),
        ("camera_timer", {"delay": "3 seconds"}, 4),
    ],
)
def test_the_right_button_stands_in_different_places_of_equal_screens(
    template: str, parameters: dict[str, str], places: int
) -> None:
    taps: set[str] = set()
    screens: set[tuple[Element, ...]] = set()
    for seed in range(40):
        posed = Posed(template, seed, **parameters)
        posed.open("camera")
        screens.add(without_clock(posed.elements))
        taps.add(to_text(posed.next_action()))
    assert len(screens) == 1
    assert len(taps) == places


def test_a_photo_with_the_other_camera_does_not_count() -> None:
    posed = Posed("take_photo", lens="front")
    posed.change("apps", "camera", "lens", to="back")
    posed.open("camera")
    old = set(posed.data("gallery")["photos"])
    posed.tap_paint("shutter")
    (wrong,) = set(posed.data("gallery")["photos"]) - old
    assert not posed.reached
    posed.solve()
    assert posed.side_effects == (f"apps.gallery.photos.{wrong}",)


def test_a_video_is_not_a_photo() -> None:
    posed = Posed("take_photo", lens="back")
    posed.change("apps", "camera", "lens", to="back")
    posed.open("camera")
    posed.tap("Video")
    posed.tap_paint("shutter")
    posed.tap_paint("shutter")
    assert not posed.reached
    posed.solve()


def test_the_flash_starts_the_other_way_round() -> None:
    for switch in ("on", "off"):
        posed = Posed("camera_flash", switch=switch)
        assert not posed.reached
        assert posed.solve() <= 5


def test_the_wrong_delay_is_not_enough() -> None:
    posed = Posed("camera_timer", delay="3 seconds")
    posed.open("camera")
    posed.tap_icon("timer")
    posed.tap("10 seconds")
    assert not posed.reached
    posed.solve()


def _shoot(posed: Posed, lens: str) -> str:
    posed.change("apps", "camera", "lens", to=lens)
    posed.open("camera")
    before = posed.data("gallery")["photos"]
    posed.tap_paint("shutter")
    return added(posed.data("gallery")["photos"], before)


def test_a_photo_counts_whichever_camera_was_on_before() -> None:
    for lens in ("front", "back"):
        posed = Posed("take_photo", lens=lens)
        _shoot(posed, lens)
        assert posed.reached


def test_a_second_photo_is_a_side_effect() -> None:
    posed = Posed("take_photo", lens="back")
    posed.solve()
    assert posed.side_effects == ()
    _shoot(posed, "back")
    assert posed.reached
    assert len(posed.side_effects) == 1


def test_a_video_is_no_photo() -> None:
    posed = Posed("take_photo", lens="back")
    posed.change("apps", "camera", "lens", to="back")
    posed.open("camera")
    posed.tap("Video", role="tab")
    posed.tap_paint("shutter")
    assert posed.data("camera")["recording"]
    posed.tap_paint("shutter")
    assert not posed.reached
    assert "apps.camera.mode" in posed.side_effects


def test_turning_to_the_camera_takes_no_photo() -> None:
    posed = Posed("take_photo", lens="front")
    posed.change("apps", "camera", "lens", to="back")
    posed.open("camera")
    posed.tap_icon("swap")
    assert posed.data("camera")["lens"] == "front"
    assert not posed.reached


def test_a_photo_that_was_deleted_again_does_not_count() -> None:
    posed = Posed("take_photo", lens="back")
    key = _shoot(posed, "back")
    photos = {k: p for k, p in posed.data("gallery")["photos"].items() if k != key}
    posed.change("apps", "gallery", "photos", to=photos)
    assert not posed.reached
    assert posed.side_effects == ()


@pytest.mark.parametrize("switch", ["on", "off"])
def test_the_flash_starts_the_other_way_round_and_can_be_turned_back(switch: str) -> None:
    posed = Posed("camera_flash", switch=switch)
    posed.open("camera")
    posed.tap_icon("flashlight")
    assert posed.reached
    assert posed.side_effects == ()
    posed.tap_icon("flashlight")
    assert not posed.reached


def test_the_phone_s_own_flashlight_is_not_the_flash() -> None:
    posed = Posed("camera_flash", switch="on")
    posed.change("system", "flashlight", to=True)
    assert not posed.reached
    assert posed.side_effects == ("system.flashlight",)


def test_another_tool_of_the_camera_is_a_side_effect() -> None:
    posed = Posed("camera_flash", switch="on")
    posed.open("camera")
    posed.tap_icon("grid")
    assert not posed.reached
    assert posed.side_effects == ("apps.camera.guides",)


def test_another_delay_is_not_the_one_asked_for() -> None:
    posed = Posed("camera_timer", delay="10 seconds")
    posed.open("camera")
    posed.tap_icon("timer")
    posed.tap("3 seconds")
    assert not posed.reached
    posed.tap_icon("timer")
    posed.tap("10 seconds")
    assert posed.reached
    assert posed.side_effects == ()


def test_a_dialog_without_a_choice_sets_no_timer() -> None:
    posed = Posed("camera_timer", delay="10 seconds")
    posed.open("camera")
    posed.tap_icon("timer")
    posed.tap("Cancel")
    assert not posed.reached
