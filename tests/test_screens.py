from __future__ import annotations

import numpy as np
import pytest

from distrl import screens
from distrl.types import Bounds, Picture, Pixels


def _noise(width: int, height: int, seed: int = 0) -> Pixels:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)


def test_resize_gives_the_size_asked_for() -> None:
    assert screens.resize(_noise(180, 400), 90, 200).shape == (200, 90, 3)
    assert screens.resize(_noise(18, 40), 45, 44).shape == (44, 45, 3)


def test_resize_to_the_same_size_is_the_same_array() -> None:
    frame = _noise(18, 40)
    assert screens.resize(frame, 18, 40) is frame


def test_shrinking_averages() -> None:
    frame = np.zeros((2, 2, 3), np.uint8)
    frame[0, 0] = 200
    assert screens.resize(frame, 1, 1)[0, 0].tolist() == [50, 50, 50]


def test_one_pixel_makes_two_screens_different() -> None:
    frame = _noise(18, 40)
    other = frame.copy()
    assert screens.same(frame, other)
    other[3, 4, 1] ^= 1
    assert not screens.same(frame, other)
    assert not screens.same(frame, frame[:-1])


def test_changed_share_counts_pixels_beyond_the_tolerance() -> None:
    frame = np.full((10, 10, 3), 100, np.uint8)
    other = frame.copy()
    other[:5, 0] = 108
    other[:5, 1, 2] = 109
    assert screens.changed_share(frame, other) == pytest.approx(0.05)
    assert screens.changed_share(frame, other, tolerance=0) == pytest.approx(0.10)
    assert screens.changed_share(frame, frame) == 0.0


def test_changed_share_does_not_wrap_around() -> None:
    black, white = np.zeros((2, 2, 3), np.uint8), np.full((2, 2, 3), 255, np.uint8)
    assert screens.changed_share(black, white) == screens.changed_share(white, black) == 1.0


def test_screens_of_different_size_differ_everywhere() -> None:
    assert screens.changed_share(_noise(18, 40), _noise(40, 18)) == 1.0


def test_blank_is_one_colour_within_the_tolerance() -> None:
    frame = np.full((10, 10, 3), (10, 20, 200), np.uint8)
    assert screens.is_blank(frame)
    frame[0, 0, 0] += 8
    assert screens.is_blank(frame)
    frame[0, 0, 0] += 1
    assert not screens.is_blank(frame)


def test_the_crop_of_a_wide_box_shows_its_left_end() -> None:
    pixels = np.zeros((100, 100, 3), np.uint8)
    pixels[:, 50:] = 255
    assert not screens.crops_of(Picture(pixels), [(0.0, 0.4, 1.0, 0.5)], 16).any()


@pytest.mark.parametrize(
    "bounds",
    [
        (0.0, 0.0, 0.0, 0.0),
        (1.0, 1.0, 1.0, 1.0),
        (0.0, 1.0, 1.0, 1.0),
        (0.999, 0.0, 1.0, 1.0),
        (0.5, 0.5, 0.5001, 0.5001),
    ],
)
def test_a_box_at_the_edge_or_without_size_has_a_crop_too(
    bounds: Bounds,
) -> None:
    white = np.full((64, 32, 3), 255, np.uint8)
    assert (screens.crops_of(Picture(white), [bounds], 16) == 255).all()
