import numpy as np
import pytest
from PIL import Image

from distrl.devices.phone.art.pen import (
    Pen,
    arc_points,
    centred,
    mix,
    oversampling,
    shrink,
    smooth,
    spin,
    unknown,
)


def canvas(side: int = 40) -> tuple[Image.Image, Pen]:
    image = Image.new("L", (side, side), 0)
    return image, Pen(image, side / 10)


def test_units_are_scaled_to_pixels() -> None:
    image, pen = canvas()
    pen.rect((1, 2, 3, 5))
    rows, columns = np.nonzero(np.array(image))
    assert (columns.min(), columns.max(), rows.min(), rows.max()) == (4, 11, 8, 19)


def test_a_line_is_as_wide_as_asked_and_round_at_its_ends() -> None:
    image, pen = canvas(200)
    pen.line(((2, 5), (8, 5)), width=2)
    ink = np.array(image) > 0
    assert ink[:, 100].sum() == pytest.approx(40, abs=2)
    assert ink[100].sum() == pytest.approx(160, abs=2)
    assert not ink[81, 21]


def test_a_ring_is_hollow() -> None:
    image, pen = canvas(200)
    pen.ring((5, 5), 3, width=1)
    ink = np.array(image) > 0
    assert not ink[100, 100]
    assert ink[100, 160]
    assert ink.sum() == pytest.approx(np.pi * (3.5**2 - 2.5**2) * 400, rel=0.05)


def test_an_arc_covers_only_its_span() -> None:
    image, pen = canvas(200)
    pen.arc((5, 5), 3, (0, 90), width=1)
    ink = np.array(image) > 0
    assert ink[142, 142]
    assert not ink[58, 58]


def test_a_fade_runs_from_top_to_bottom() -> None:
    image = Image.new("RGB", (4, 50))
    Pen(image, 1).fade((0, 0, 4, 50), (0, 0, 0), (200, 100, 50))
    pixels = np.array(image)
    assert pixels[0].max() < 8
    assert np.allclose(pixels[-1], (200, 100, 50), atol=6)
    assert (np.diff(pixels[:, 0, 0].astype(int)) >= 0).all()


def test_the_middle_square_fits_the_shorter_side() -> None:
    pen = centred(Image.new("RGB", (300, 100)), 100)
    assert (pen.left, pen.top, pen.right, pen.bottom) == (-100, 0, 200, 100)


def test_smooth_curves_pass_through_their_points() -> None:
    corners = [(0.0, 0.0), (4.0, 1.0), (5.0, 6.0)]
    assert set(corners) <= set(smooth(corners, closed=True))
    path = smooth(corners, closed=False)
    assert (path[0], path[-1]) == (corners[0], corners[-1])


def test_spin_turns_clockwise_on_the_screen() -> None:
    assert spin(((13, 12),), 90) == [pytest.approx((12, 13))]


def test_arc_points_include_both_ends() -> None:
    points = arc_points((0, 0), 2, (0, 180))
    assert points[0] == pytest.approx((2, 0))
    assert points[-1] == pytest.approx((-2, 0))


def test_mix_goes_from_one_color_to_the_other() -> None:
    assert mix((0, 0, 0), (10, 20, 30), 0) == (0, 0, 0)
    assert mix((0, 0, 0), (10, 20, 30), 0.5) == (5, 10, 15)
    assert mix((0, 0, 0), (10, 20, 30), 1) == (10, 20, 30)


@pytest.mark.parametrize(("side", "factor"), [(1, 16), (12, 16), (64, 4), (180, 2), (1200, 2)])
def test_small_pictures_are_oversampled_more(side: int, factor: int) -> None:
    assert oversampling(side) == factor


def test_shrink_averages() -> None:
    image = Image.fromarray(np.array([[0, 100], [100, 200]], dtype=np.uint8))
    assert shrink(image, 2).tolist() == [[100]]


def test_unknown_names_the_nearest() -> None:
    assert str(unknown("fruit", "aple", ("pear", "apple"))) == (
        "unknown fruit 'aple'; the nearest is 'apple'"
    )
