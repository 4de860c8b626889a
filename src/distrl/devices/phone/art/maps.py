"""Street maps: a small made-up town per seed, seen from above at any zoom.

The town is laid out in units about its centre, so the same seed shows the same streets at every
size and zoom; zooming in narrows the view to the middle and adds the buildings.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from PIL import Image

from distrl.devices.phone.art.pen import (
    Box,
    Pen,
    Pixels,
    Point,
    Rgb,
    check_size,
    oversampling,
    shrink,
    smooth,
    spin,
)

Turn = Callable[[Sequence[Point]], list[Point]]

LAND: Rgb = (242, 239, 233)
BUILDING: Rgb = (226, 220, 212)
PARK: Rgb = (190, 226, 178)
TREES: Rgb = (160, 206, 150)
WATER: Rgb = (150, 202, 240)
CASING: Rgb = (208, 204, 198)
STREET: Rgb = (255, 255, 255)
AVENUE: Rgb = (254, 232, 160)
HIGHWAY: Rgb = (250, 178, 88)

VIEW = 100.0
"""Units across the shorter side of the picture at zoom 1."""
REACH = 300.0
"""Units from the centre to the end of the town."""
BUILDINGS_FROM = 2
"""First zoom that shows buildings."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Road:
    """One road and how it is drawn."""

    points: Sequence[Point]
    width: float
    color: Rgb


@dataclass(frozen=True, kw_only=True, slots=True)
class Town:
    """Everything a map shows, in units about the centre."""

    blocks: Sequence[Box]
    parks: Sequence[Box]
    roads: Sequence[Road]
    river: Sequence[Point]
    river_width: float
    highway: Sequence[Point]
    angle: float
    """Clockwise turn of blocks, parks and roads, still to be made, in degrees."""


def map_tile(seed: int, width: int, height: int, *, zoom: int = 1) -> Pixels:
    """A street map.

    Args:
        seed: Picks the town; any integer.
        width: Width in pixels.
        height: Height in pixels.
        zoom: How many times closer than the whole view, from 1; the centre stays.

    Returns:
        Colours, shape [height, width, 3].

    Raises:
        ValueError: If the zoom or a side is not positive.
    """
    check_size(width, height)
    if zoom < 1:
        raise ValueError(f"zoom starts at 1, got {zoom}")
    factor = oversampling(max(width, height))
    image = Image.new("RGB", (width * factor, height * factor), LAND)
    unit = min(image.size) / VIEW * zoom
    pen = Pen(image, unit, (image.width / 2, image.height / 2))
    _draw(pen, _town(seed), zoom)
    return shrink(image, factor)


def _town(seed: int) -> Town:
    rng = np.random.default_rng(seed % 2**64)
    columns, rows = _cuts(rng, 13, 22), _cuts(rng, 10, 17)
    blocks = [(x0, y0, x1, y1) for x0, x1 in pairwise(columns) for y0, y1 in pairwise(rows)]
    heading = 90.0 * int(rng.integers(4)) + float(rng.uniform(-20, 20))
    chosen = rng.random(len(blocks)) < 0.09
    return Town(
        blocks=[block for block, park in zip(blocks, chosen, strict=True) if not park],
        parks=[block for block, park in zip(blocks, chosen, strict=True) if park],
        roads=[*_streets(rng, columns, upright=True), *_streets(rng, rows, upright=False)],
        river=spin(_bend(rng, lane=float(rng.uniform(14, 34))), heading, (0, 0)),
        river_width=float(rng.uniform(7, 13)),
        highway=spin(_bend(rng, lane=float(rng.uniform(-30, 30))), heading + 90, (0, 0)),
        angle=float(rng.uniform(-24, 24)),
    )


def _cuts(rng: np.random.Generator, low: float, high: float) -> list[float]:
    """Places where streets cross an axis, from one end of the town to the other."""
    cuts = [-REACH]
    while cuts[-1] < REACH:
        cuts.append(cuts[-1] + float(rng.uniform(low, high)))
    return cuts


def _streets(rng: np.random.Generator, cuts: Sequence[float], *, upright: bool) -> list[Road]:
    """One road along each cut; every fourth is an avenue, and lesser ones may end early."""
    roads = []
    for i, at in enumerate(cuts):
        avenue = i % 4 == 1
        start, end = (-REACH, REACH) if avenue else _stretch(rng)
        points = ((at, start), (at, end)) if upright else ((start, at), (end, at))
        color = AVENUE if avenue else STREET
        roads.append(Road(points=points, width=2.9 if avenue else 1.8, color=color))
    return roads


def _stretch(rng: np.random.Generator) -> Point:
    if rng.random() < 0.6:
        return -REACH, REACH
    middle = float(rng.uniform(-20, 20))
    return (-REACH, middle) if rng.random() < 0.5 else (middle, REACH)


def _bend(rng: np.random.Generator, *, lane: float) -> list[Point]:
    """A winding line across the whole town, `lane` units from the centre at its middle."""
    steps = np.arange(-REACH, REACH + 1, 30)
    sway = rng.uniform(5, 13) * np.sin(steps / rng.uniform(18, 40) + rng.uniform(0, math.tau))
    knots = [(float(lane + dx), float(y)) for dx, y in zip(sway, steps, strict=True)]
    return smooth(knots, closed=False)


def _draw(pen: Pen, town: Town, zoom: int) -> None:
    def turned(points: Sequence[Point]) -> list[Point]:
        return spin(points, town.angle, (0, 0))

    seen = math.hypot(max(-pen.left, pen.right), max(-pen.top, pen.bottom)) + 25
    for park in _near(town.parks, seen):
        _park(pen, park, turned)
    if zoom >= BUILDINGS_FROM:
        for block in _near(town.blocks, seen):
            _houses(pen, block, turned)
    slim = zoom**-0.4
    _pave(pen, [road for road in town.roads if road.color == STREET], turned, slim)
    pen.line(town.river, WATER, town.river_width)
    _pave(pen, [road for road in town.roads if road.color == AVENUE], turned, slim)
    pen.line(town.highway, (226, 140, 50), 4.6 * slim)
    pen.line(town.highway, HIGHWAY, 3.6 * slim)


def _pave(pen: Pen, roads: Sequence[Road], turned: Turn, slim: float) -> None:
    for road in roads:
        pen.line(turned(road.points), CASING, (road.width + 0.7) * slim)
    for road in roads:
        pen.line(turned(road.points), road.color, road.width * slim)


def _near(boxes: Sequence[Box], seen: float) -> list[Box]:
    return [box for box in boxes if max(abs(box[0]), abs(box[1])) < seen]


def _park(pen: Pen, box: Box, turned: Turn) -> None:
    x0, y0, x1, y1 = box
    pen.poly(turned(((x0, y0), (x1, y0), (x1, y1), (x0, y1))), PARK)
    for i in range(5):
        across, down = (0.22 + 0.37 * i) % 0.8 + 0.1, (0.3 + 0.61 * i) % 0.8 + 0.1
        spot = turned(((x0 + (x1 - x0) * across, y0 + (y1 - y0) * down),))[0]
        pen.disc(spot, 1.2, TREES)


def _houses(pen: Pen, box: Box, turned: Turn) -> None:
    x0, y0, x1, y1 = box[0] + 2.2, box[1] + 2.2, box[2] - 2.2, box[3] - 2.2
    count = max(1, int((x1 - x0) / 4.4))
    wide, middle = (x1 - x0) / count, (y0 + y1) / 2
    for i in range(count):
        left, right = x0 + i * wide + 0.4, x0 + (i + 1) * wide - 0.4
        deep = 0.7 + 0.3 * ((i * 5 + int(x0 * 3)) % 3) / 2
        for street, depth in ((y0, 1), (y1, -1)):
            back = street + depth * (middle - y0 - 0.4) * deep
            pen.poly(
                turned(((left, street), (right, street), (right, back), (left, back))), BUILDING
            )
