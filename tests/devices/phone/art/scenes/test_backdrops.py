"""Skies, seas and grounds that scenes share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image

from distrl.devices.phone.art.pen import Pen, Pixels
from distrl.devices.phone.art.scenes import backdrops

HORIZON = 50.0


def drawn(draw: Callable[[Pen], None]) -> Pixels:
    """A picture of 100 units each way, black where nothing was drawn."""
    image = Image.new("RGB", (200, 200))
    draw(Pen(image, 2.0))
    return np.array(image)


def inked(pixels: Pixels) -> np.ndarray:
    """Rows that have ink over their whole width."""
    rows: np.ndarray = (pixels.sum(axis=2) > 0).all(axis=1)
    return rows


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_choosing_gives_every_option_in_its_turn() -> None:
    generator = rng()
    assert {backdrops.choose(generator, "abc") for _ in range(50)} == set("abc")


def test_numbers_between_stay_between() -> None:
    generator = rng()
    drawn_numbers = [backdrops.between(generator, 3, 5) for _ in range(100)]
    assert all(3 <= number <= 5 for number in drawn_numbers)
    assert len(set(drawn_numbers)) == 100


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_darker_and_lighter_go_to_black_and_white(share: float) -> None:
    color = (100, 150, 200)
    dark, light = backdrops.darker(color, share), backdrops.lighter(color, share)
    assert sum(dark) <= sum(color) <= sum(light)
    if share == 1.0:
        assert (dark, light) == (backdrops.BLACK, backdrops.WHITE)


def test_a_wall_covers_everything() -> None:
    pixels = drawn(lambda pen: backdrops.wall(pen, (10, 20, 30), (200, 210, 220)))
    assert inked(pixels).all()
    assert pixels[0].mean() < pixels[-1].mean()


def test_a_sky_ends_at_the_horizon_and_is_paler_there() -> None:
    pixels = drawn(lambda pen: backdrops.sky(pen, rng(), HORIZON))
    assert inked(pixels)[:98].all()
    assert not inked(pixels)[104:].any()
    assert pixels[95].mean() > pixels[2].mean()


def test_ground_and_sea_begin_at_the_horizon() -> None:
    for draw in (
        lambda pen: backdrops.ground(pen, HORIZON, (90, 120, 60), (60, 90, 40)),
        lambda pen: backdrops.sea(pen, HORIZON, (40, 90, 160)),
    ):
        rows = inked(drawn(draw))
        assert not rows[:96].any()
        assert rows[104:].all()


def test_a_sea_has_glints() -> None:
    color = (40, 90, 160)
    sea = drawn(lambda pen: backdrops.sea(pen, HORIZON, color))
    glint = backdrops.lighter(color, 0.45)
    assert (np.abs(sea.astype(int) - glint).max(axis=2) <= 2).any()


@pytest.mark.parametrize("count", [0, 1, 4])
def test_clouds_are_pale_and_in_the_upper_third(count: int) -> None:
    pixels = drawn(lambda pen: backdrops.clouds(pen, rng(), count))
    rows = np.nonzero(pixels.any(axis=(1, 2)))[0]
    assert (len(rows) > 0) == (count > 0)
    if count:
        assert rows.max() < 80
        assert pixels.max() >= 250


def test_hills_reach_both_edges_and_the_bottom() -> None:
    ridge = [(20.0, 60.0), (50.0, 40.0), (80.0, 55.0)]
    pixels = drawn(lambda pen: backdrops.hills(pen, ridge, (60, 120, 60)))
    assert inked(pixels)[140:].all()
    assert pixels[90, 100].any()
    assert not pixels[10].any()
