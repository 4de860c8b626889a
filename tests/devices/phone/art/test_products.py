from itertools import combinations

import numpy as np
import pytest

from distrl.devices.phone import art


def difference(one: art.Pixels, other: art.Pixels) -> float:
    return float(np.abs(one.astype(np.float64) - other).mean())


def test_there_are_enough_kinds_and_colors() -> None:
    assert len(art.PRODUCT_KINDS) >= 24
    assert list(art.PRODUCT_KINDS) == sorted(set(art.PRODUCT_KINDS))
    assert len(art.COLORS) == 12


def test_colors_are_far_apart() -> None:
    for (one, a), (other, b) in combinations(art.COLORS.items(), 2):
        assert np.linalg.norm(np.subtract(a, b)) > 60, (one, other)


@pytest.mark.parametrize("size", [(1, 1), (10, 10), (60, 60), (80, 50), (50, 80)])
def test_pictures_have_the_asked_shape_and_type(size: tuple[int, int]) -> None:
    width, height = size
    for kind in art.PRODUCT_KINDS:
        pixels = art.product(kind, "blue", width, height)
        assert pixels.shape == (height, width, 3)
        assert pixels.dtype == np.uint8


@pytest.mark.parametrize("kind", art.PRODUCT_KINDS)
def test_products_stand_on_a_near_white_ground(kind: str) -> None:
    pixels = art.product(kind, "black", 90, 60)
    for corner in (pixels[0, 0], pixels[0, -1], pixels[-1, 0], pixels[-1, -1]):
        assert corner.min() > 230


@pytest.mark.parametrize("kind", art.PRODUCT_KINDS)
def test_products_are_seen_in_every_color(kind: str) -> None:
    for color in art.COLORS:
        pixels = art.product(kind, color, 40, 40).astype(np.float64)
        assert (np.abs(pixels - pixels[0, 0]).max(axis=2) > 20).mean() > 0.05, color


@pytest.mark.parametrize("kind", art.PRODUCT_KINDS)
def test_colors_show(kind: str) -> None:
    pictures = {color: art.product(kind, color, 40, 40) for color in art.COLORS}
    for (one, a), (other, b) in combinations(pictures.items(), 2):
        assert difference(a, b) > 1.5, (one, other)


@pytest.mark.parametrize("kind", art.PRODUCT_KINDS)
@pytest.mark.parametrize("color", sorted(art.COLORS))
def test_part_of_the_product_has_exactly_its_color(kind: str, color: str) -> None:
    distance = np.abs(art.product(kind, color, 80, 80).astype(int) - art.COLORS[color]).max(axis=2)
    assert (distance <= 2).mean() > 0.02


def test_kinds_differ_from_each_other_at_forty_pixels() -> None:
    pictures = {kind: art.product(kind, "red", 40, 40) for kind in art.PRODUCT_KINDS}
    for (one, a), (other, b) in combinations(pictures.items(), 2):
        assert difference(a, b) > 12, (one, other)


def test_the_same_arguments_give_the_same_pixels() -> None:
    assert np.array_equal(art.product("mug", "teal", 31, 47), art.product("mug", "teal", 31, 47))


def test_an_unknown_kind_is_answered_with_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"unknown product kind 'headphone'.*'headphones'"):
        art.product("headphone", "red", 40, 40)


def test_an_unknown_color_is_answered_with_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"unknown color 'grey'.*'gray'"):
        art.product("mug", "grey", 40, 40)


def test_sizes_without_pixels_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one pixel"):
        art.product("mug", "red", 40, -1)
