from __future__ import annotations

import numpy as np
import pytest

from distrl.policies.pointer.colors import color_of, colors_named, colors_of


@pytest.mark.parametrize(
    ("rgb", "name"),
    [
        ((220, 40, 40), "red"),
        ((255, 176, 95), "orange"),
        ((255, 226, 95), "yellow"),
        ((142, 217, 120), "green"),
        ((0, 150, 136), "teal"),
        ((130, 188, 255), "blue"),
        ((150, 80, 200), "purple"),
        ((255, 147, 201), "pink"),
        ((110, 70, 40), "brown"),
        ((201, 203, 210), "gray"),
        ((10, 10, 12), "black"),
        ((250, 250, 250), "white"),
    ],
)
def test_colours_have_the_names_that_people_give_them(rgb: tuple[int, int, int], name: str) -> None:
    assert color_of(*rgb) == name


def test_every_colour_has_a_name() -> None:
    values = range(0, 256, 15)
    assert all(color_of(r, g, b) for r in values for g in values for b in values)


def test_the_colour_of_a_crop_is_that_of_most_of_it() -> None:
    crop = np.zeros((16, 16, 3), np.uint8)
    crop[:] = (142, 217, 120)
    crop[4:7] = 0
    assert colors_of(np.stack([crop, np.full_like(crop, 255)])) == ("green", "white")
    assert colors_of(np.zeros((0, 16, 16, 3), np.uint8)) == ()


def test_colours_are_found_among_words_by_any_of_their_names() -> None:
    assert colors_named(["the", "grey", "or", "violet", "note"]) == {"gray", "purple"}
    assert colors_named(["open", "it"]) == frozenset()
