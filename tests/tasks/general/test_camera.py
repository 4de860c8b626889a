"""What the goals in Camera accept, and that its icons must be looked at."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed

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
