"""Shapes that several glyphs share."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from PIL import Image

from distrl.devices.phone.art.icons import strokes
from distrl.devices.phone.art.pen import Pen, Pixels

SCALE = 10


def drawn(draw: Callable[[Pen], None], ground: int = 0) -> Pixels:
    """A glyph of 24 units each way, ten pixels to the unit."""
    image = Image.new("L", (24 * SCALE, 24 * SCALE), ground)
    draw(Pen(image, SCALE))
    return np.array(image)


def middle(pixels: Pixels) -> tuple[float, float]:
    """Where the ink is, on average, in units."""
    rows, columns = np.nonzero(pixels)
    return float(columns.mean() / SCALE), float(rows.mean() / SCALE)


@pytest.mark.parametrize(
    ("degrees", "side"), [(0, (-1, 0)), (90, (0, -1)), (180, (1, 0)), (270, (0, 1))]
)
@pytest.mark.parametrize("shape", [strokes.head, strokes.chevron])
def test_arrowheads_lie_behind_their_tip(
    shape: Callable[..., None], degrees: float, side: tuple[int, int]
) -> None:
    x, y = middle(drawn(lambda pen: shape(pen, (12, 12), degrees)))
    assert math.copysign(1, x - 12) * abs(side[0]) == side[0]
    assert math.copysign(1, y - 12) * abs(side[1]) == side[1]


@pytest.mark.parametrize("spikes", [4, 5, 8])
def test_a_star_has_its_spikes_with_the_first_one_up(spikes: int) -> None:
    points = strokes.star_points((12, 12), 10, 4, spikes)
    reach = [math.hypot(x - 12, y - 12) for x, y in points]
    assert len(points) == 2 * spikes
    assert points[0] == pytest.approx((12, 2))
    assert reach[::2] == pytest.approx([10] * spikes)
    assert reach[1::2] == pytest.approx([4] * spikes)


def test_a_slash_cuts_a_gap_beside_its_line() -> None:
    pixels = drawn(strokes.slash, ground=255)
    assert pixels[110, 135] == 0
    assert pixels[140, 135] == 255


def test_an_outline_is_closed_and_hollow() -> None:
    square = ((6, 6), (18, 6), (18, 18), (6, 18))
    pixels = drawn(lambda pen: strokes.outline(pen, square))
    assert pixels[120, 60]
    assert not pixels[120, 120]


def test_a_page_has_a_folded_corner() -> None:
    pixels = drawn(lambda pen: strokes.page(pen, (4, 2, 20, 22)))
    assert pixels[120, 120]
    assert not pixels[25, 198]
    assert pixels[215, 190]


def test_waves_grow_around_one_point() -> None:
    pixels = drawn(lambda pen: strokes.waves(pen, (12, 20), (4, 8, 12), (225, 315)))
    column = pixels[:, 120] > 0
    edges = np.count_nonzero(np.diff(column.astype(int)) == 1)
    assert edges == 3


def test_a_drop_points_down() -> None:
    pixels = drawn(lambda pen: strokes.drop(pen, (12, 22), 6))
    widths = (pixels > 0).sum(axis=1)
    assert widths[215] < widths[115]
    assert pixels[219, 120]


def test_points_are_mirrored_across_an_axis() -> None:
    assert strokes.mirrored([(3, 1), (5, 2)]) == [(3, 1), (5, 2), (19, 2), (21, 1)]
    assert strokes.mirrored([(3, 1)], axis=5) == [(3, 1), (7, 1)]


@pytest.mark.parametrize("draw", [strokes.cloud, strokes.magnifier, strokes.bolt])
def test_shared_shapes_stay_within_the_glyph(draw: Callable[..., None]) -> None:
    pixels = drawn(draw)
    assert pixels.any()
    assert not pixels[0].any()
    assert not pixels[:, 0].any()


def test_a_heart_is_symmetric() -> None:
    points = strokes.heart_points()
    flipped = {(round(24 - x, 6), round(y, 6)) for x, y in points}
    assert flipped == {(round(x, 6), round(y, 6)) for x, y in points}


def test_a_bust_scales_about_the_neck() -> None:
    small, large = (
        drawn(partial(strokes.bust, center=(12, 12), scale=scale)).astype(bool).sum()
        for scale in (0.5, 1.0)
    )
    assert large == pytest.approx(4 * small, rel=0.1)


def test_a_pencil_begins_at_its_tip_and_leans_right() -> None:
    pixels = drawn(lambda pen: strokes.pencil(pen, (3, 21), 18))
    x, y = middle(pixels)
    assert x > 6
    assert y < 18
    assert pixels[205:215, 28:40].any()


def test_a_gap_for_a_pencil_is_wider_than_the_pencil() -> None:
    gap = drawn(lambda pen: strokes.pencil_gap(pen, (3, 21), 18), ground=255) == 0
    pencil = drawn(lambda pen: strokes.pencil(pen, (3, 21), 18)) > 0
    assert gap.sum() > pencil.sum()
    assert (pencil & ~gap).sum() < 0.1 * pencil.sum()


def test_a_receiver_turns_with_its_angle() -> None:
    upright, turned = (drawn(partial(strokes.handset, degrees=degrees)) for degrees in (0, 180))
    assert middle(upright)[1] == pytest.approx(24 - middle(turned)[1], abs=0.3)
