"""Drawing in layout units into a tile."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.devices.phone.paint.canvas import (
    DARK,
    LIGHT,
    Canvas,
    icon_mask,
    round_mask,
    text_mask,
)

RED = (200, 40, 40)


def blank(width: int = 60, height: int = 40, scale: float = 1.0, *, dark: bool = False) -> Canvas:
    canvas = Canvas(width, height, (scale, scale), dark=dark)
    canvas.fill((0, 0, 0))
    return canvas


def inked(canvas: Canvas) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of what was drawn, the last two excluded."""
    rows, columns = np.nonzero(canvas.pixels.any(axis=2))
    return int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1


@pytest.mark.parametrize("scale", [0.5, 1.0, 3.0])
def test_sizes_are_layout_units_whatever_the_pixels(scale: float) -> None:
    canvas = blank(60, 30, scale)
    assert (canvas.width, canvas.height) == (60 / scale, 30 / scale)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_box_covers_its_units(scale: float) -> None:
    canvas = blank(round(60 * scale), round(40 * scale), scale)
    canvas.box(10, 5, 20, 15, RED)
    assert inked(canvas) == tuple(round(n * scale) for n in (10, 5, 30, 20))


@given(st.integers(-80, 80), st.integers(-80, 80), st.integers(1, 90), st.integers(1, 90))
def test_what_lies_outside_is_cut_off(x: int, y: int, w: int, h: int) -> None:
    canvas = blank()
    canvas.box(x, y, w, h, RED, radius=3)
    canvas.text(x, y, "words", 9, RED)
    canvas.icon(x, y, 20, "star", RED)
    assert canvas.pixels.shape == (40, 60, 3)


def test_a_thin_box_has_at_least_one_pixel() -> None:
    canvas = blank(scale=0.3)
    canvas.box(5, 5, 0.5, 0.5, RED)
    assert canvas.pixels.any()


def test_round_corners_are_left_out() -> None:
    canvas = blank()
    canvas.box(0, 0, 40, 40, RED, radius=20)
    assert not canvas.pixels[0, 0].any()
    assert tuple(canvas.pixels[20, 20]) == RED


@pytest.mark.parametrize("align", ["left", "center", "right"])
def test_text_is_aligned_to_its_point(align: str) -> None:
    canvas = blank(120, 40)
    canvas.text(60, 20, "words", 9, RED, align=align)
    left, top, right, bottom = inked(canvas)
    assert abs((top + bottom) / 2 - 20) < 4
    middle = (left + right) / 2
    assert {"left": middle > 65, "center": 55 < middle < 65, "right": middle < 55}[align]


def test_no_text_draws_nothing() -> None:
    canvas = blank()
    canvas.text(10, 10, "", 9, RED)
    assert not canvas.pixels.any()


def test_bold_text_has_more_ink() -> None:
    plain, bold = text_mask("words", 18, False), text_mask("words", 18, True)
    assert bold.sum() > plain.sum()


def test_larger_text_is_larger() -> None:
    small, large = text_mask("words", 9, False), text_mask("words", 18, False)
    assert large.shape[0] > small.shape[0]
    assert large.shape[1] > small.shape[1]


def test_an_icon_stands_around_its_point() -> None:
    canvas = blank()
    canvas.icon(30, 20, 20, "box_on", RED)
    left, top, right, bottom = inked(canvas)
    assert abs((left + right) / 2 - 30) <= 2
    assert abs((top + bottom) / 2 - 20) <= 2


def test_icons_have_at_least_four_pixels() -> None:
    assert icon_mask("star", 1).shape == (4, 4)


def test_a_picture_keeps_its_pixels_and_is_cut_at_the_edge() -> None:
    canvas = blank()
    picture = np.full((20, 20, 3), 77, np.uint8)
    canvas.image(50, 30, picture)
    assert inked(canvas) == (50, 30, 60, 40)
    assert (canvas.pixels[30:, 50:] == 77).all()


def test_sizes_of_pictures_are_at_least_a_pixel() -> None:
    assert blank(scale=2.0).size(10, 5) == (20, 10)
    assert blank(scale=0.01).size(10, 5) == (1, 1)


@pytest.mark.parametrize("name", LIGHT)
def test_every_name_of_the_light_theme_is_in_the_dark_one(name: str) -> None:
    assert name in DARK
    assert blank().rgb(name) == LIGHT[name]
    assert blank(dark=True).rgb(name) == DARK[name]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_can_be_read_on_every_ground(theme: dict[str, tuple[int, int, int]]) -> None:
    for ground in ("bg", "surface", "faint", "key"):
        contrast = abs(sum(theme["text"]) - sum(theme[ground])) / 3
        assert contrast > 100, ground


def test_colours_go_by_name_of_the_palette_or_as_they_are() -> None:
    assert blank().rgb("teal") == (0, 154, 160)
    assert blank().rgb([1, 2, 3]) == (1, 2, 3)
    with pytest.raises(KeyError):
        blank().rgb("no such colour")


def test_accents_are_lighter_in_the_dark() -> None:
    assert blank().accent(RED) == RED
    assert all(a > b for a, b in zip(blank(dark=True).accent(RED), RED, strict=True))


@given(st.integers(1, 60), st.integers(1, 60), st.integers(0, 30))
def test_masks_of_round_boxes_have_their_size_and_are_symmetric(w: int, h: int, r: int) -> None:
    mask = round_mask(w, h, min(r, w // 2, h // 2))
    assert mask.shape == (h, w)
    assert np.abs(mask.astype(int) - mask[:, ::-1]).max() <= 64
