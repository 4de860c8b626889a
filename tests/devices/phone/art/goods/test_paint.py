"""The shades of a product's colour."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from distrl.devices.phone import art
from distrl.devices.phone.art.goods.paint import PAPER, SILVER, Paint, lens, mirrored, screen
from distrl.devices.phone.art.pen import Pen


@pytest.mark.parametrize("color", art.COLORS)
def test_shades_are_darker_and_lighter_than_the_colour(color: str) -> None:
    paint = Paint.of(art.COLORS[color])
    assert paint.base == art.COLORS[color]
    assert sum(paint.dark) < sum(paint.base)
    assert sum(paint.light) >= sum(paint.base)


@pytest.mark.parametrize("color", art.COLORS)
def test_an_accent_stands_out_on_its_colour(color: str) -> None:
    paint = Paint.of(art.COLORS[color])
    assert np.abs(np.subtract(paint.accent, paint.base)).max() > 50
    assert paint.accent == (SILVER if sum(paint.base) > 600 else PAPER)


def test_shapes_are_mirrored_across_the_middle() -> None:
    assert mirrored([(10, 0), (20, 5)]) == [(10, 0), (20, 5), (80, 5), (90, 0)]


def test_a_screen_fills_its_box_and_shines() -> None:
    image = Image.new("RGB", (100, 100))
    screen(Pen(image, 1.0), (20, 30, 80, 70))
    pixels = np.array(image)
    assert not pixels[:29].any()
    assert pixels[31:69, 21:79].any(axis=2).all()
    assert (pixels == (98, 150, 212)).all(axis=2).any()


def test_a_lens_is_round_and_has_a_glint() -> None:
    image = Image.new("RGB", (100, 100), (255, 255, 255))
    lens(Pen(image, 1.0), (50, 50), 30)
    pixels = np.array(image)
    assert (pixels[50, 10] == 255).all()
    assert (pixels[25, 25] == 255).all()
    assert pixels[50, 50].max() < 60
    assert (pixels == (220, 232, 250)).all(axis=2).any()
