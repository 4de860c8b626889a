import numpy as np
import pytest

from distrl.devices.phone import art
from distrl.devices.phone.art import maps


def share(pixels: art.Pixels, color: tuple[int, int, int]) -> float:
    return float((np.abs(pixels.astype(int) - color).max(axis=2) <= 3).mean())


@pytest.mark.parametrize("size", [(1, 1), (60, 40), (40, 60), (180, 400)])
def test_maps_have_the_asked_shape_and_type(size: tuple[int, int]) -> None:
    width, height = size
    pixels = art.map_tile(4, width, height)
    assert pixels.shape == (height, width, 3)
    assert pixels.dtype == np.uint8


@pytest.mark.parametrize("seed", range(12))
def test_a_town_has_land_water_parks_and_roads(seed: int) -> None:
    pixels = art.map_tile(seed, 180, 400)
    assert share(pixels, maps.LAND) > 0.2
    for color in (maps.WATER, maps.PARK, maps.AVENUE, maps.HIGHWAY):
        assert share(pixels, color) > 0.002


def test_buildings_appear_when_close() -> None:
    assert share(art.map_tile(1, 120, 120), maps.BUILDING) < 0.02
    assert share(art.map_tile(1, 120, 120, zoom=2), maps.BUILDING) > 0.05


def test_zoom_keeps_the_centre() -> None:
    far = art.map_tile(4, 200, 200)[75:125, 75:125].astype(np.float64)
    near = art.map_tile(4, 200, 200, zoom=4).reshape(50, 4, 50, 4, 3).mean(axis=(1, 3))
    elsewhere = art.map_tile(4, 200, 200)[:50, :50]
    assert np.abs(far - near).mean() < np.abs(elsewhere - near).mean()


def test_size_only_changes_the_resolution() -> None:
    small = art.map_tile(2, 60, 90)
    large = art.map_tile(2, 180, 270).astype(np.float64)
    shrunk = large.reshape(90, 3, 60, 3, 3).mean(axis=(1, 3))
    assert np.abs(small - shrunk).mean() < 4


def test_the_same_arguments_give_the_same_pixels() -> None:
    assert np.array_equal(art.map_tile(9, 50, 70, zoom=3), art.map_tile(9, 50, 70, zoom=3))


def test_seeds_give_different_towns() -> None:
    assert len({art.map_tile(seed, 60, 60).tobytes() for seed in (-1, 0, 1, 2, 2**40)}) == 5


def test_zooms_below_one_are_refused() -> None:
    with pytest.raises(ValueError, match="zoom starts at 1"):
        art.map_tile(0, 40, 40, zoom=0)


def test_sizes_without_pixels_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one pixel"):
        art.map_tile(0, 0, 40)
