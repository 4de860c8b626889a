"""A small pen over Pillow: unit coordinates in, supersampled pixels out.

Every picture of the phone is drawn several times too large with a `Pen`, then averaged down with
`shrink`. Coordinates are units of the drawing (24 across for icons, 100 for pictures), never
pixels, so one drawing serves every size.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

Point = tuple[float, float]
Box = tuple[float, float, float, float]
Rgb = tuple[int, int, int]
Ink = int | Rgb | tuple[int, int, int, int]
Pixels = npt.NDArray[np.uint8]

CURVE_STEPS = 12
"""Straight pieces per curve piece."""


class Pen:
    """Draws filled shapes and round strokes in unit coordinates onto one image."""

    def __init__(self, image: Image.Image, unit: float, origin: Point = (0.0, 0.0)) -> None:
        """Draw on `image`, where one unit is `unit` pixels and (0, 0) lies at pixel `origin`."""
        self.image = image
        self._draw = ImageDraw.Draw(image)
        self._unit = unit
        self._origin = origin
        self.left = -origin[0] / unit
        self.top = -origin[1] / unit
        self.right = (image.width - origin[0]) / unit
        self.bottom = (image.height - origin[1]) / unit

    def rect(self, box: Box, ink: Ink = 255, r: float = 0.0) -> None:
        """Fill a rectangle, with corners of radius `r`."""
        if r > 0:
            self._draw.rounded_rectangle(self._box(box), r * self._unit, fill=ink)
        else:
            self._draw.rectangle(self._box(box), fill=ink)

    def frame(self, box: Box, ink: Ink = 255, r: float = 0.0, width: float = 2.0) -> None:
        """Stroke just inside a rectangle, with corners of radius `r`."""
        self._draw.rounded_rectangle(
            self._box(box), r * self._unit, outline=ink, width=self._pixels(width)
        )

    def disc(self, center: Point, r: float, ink: Ink = 255) -> None:
        """Fill a circle."""
        x, y = center
        self.oval((x - r, y - r, x + r, y + r), ink)

    def oval(self, box: Box, ink: Ink = 255) -> None:
        """Fill the ellipse inscribed in `box`."""
        self._draw.ellipse(self._box(box), fill=ink)

    def ring(self, center: Point, r: float, ink: Ink = 255, width: float = 2.0) -> None:
        """Stroke a circle whose middle line has radius `r`."""
        (x, y), reach = center, r + width / 2
        box = (x - reach, y - reach, x + reach, y + reach)
        self._draw.ellipse(self._box(box), outline=ink, width=self._pixels(width))

    def pie(self, center: Point, r: float, span: Point, ink: Ink = 255) -> None:
        """Fill the slice of a circle between two angles, clockwise from three o'clock."""
        self.poly((center, *arc_points(center, r, span)), ink)

    def arc(self, center: Point, r: float, span: Point, ink: Ink = 255, width: float = 2.0) -> None:
        """Stroke part of a circle between two angles, clockwise from three o'clock."""
        outer = arc_points(center, r + width / 2, span)
        inner = arc_points(center, r - width / 2, span)
        self.poly(outer + inner[::-1], ink)
        for end in arc_points(center, r, span)[:: len(outer) - 1]:
            self.disc(end, width / 2, ink)

    def poly(self, points: Sequence[Point], ink: Ink = 255) -> None:
        """Fill a polygon."""
        self._draw.polygon([self._pixel(point) for point in points], fill=ink)

    def blob(self, points: Sequence[Point], ink: Ink = 255) -> None:
        """Fill the smooth closed curve through `points`."""
        self.poly(smooth(points, closed=True), ink)

    def line(self, points: Sequence[Point], ink: Ink = 255, width: float = 2.0) -> None:
        """Stroke straight pieces through `points`, with round ends and corners."""
        for (x0, y0), (x1, y1) in pairwise(points):
            length = math.hypot(x1 - x0, y1 - y0) or 1.0
            dx, dy = (x1 - x0) / length * width / 2, (y1 - y0) / length * width / 2
            corners = ((x0 - dy, y0 + dx), (x1 - dy, y1 + dx), (x1 + dy, y1 - dx))
            self.poly((*corners, (x0 + dy, y0 - dx)), ink)
        for point in points:
            self.disc(point, width / 2, ink)

    def curve(self, points: Sequence[Point], ink: Ink = 255, width: float = 2.0) -> None:
        """Stroke the smooth open curve through `points`."""
        self.line(smooth(points, closed=False), ink, width)

    def fade(self, box: Box, top: Rgb, bottom: Rgb) -> None:
        """Fill a rectangle with a vertical gradient."""
        x0, y0, x1, y1 = self._box(box)
        rows = range(math.floor(y0), math.ceil(y1) + 1)
        for row in rows:
            ink = mix(top, bottom, (row - rows[0]) / max(len(rows) - 1, 1))
            self._draw.line((x0, row, x1, row), fill=ink)

    def _pixel(self, point: Point) -> Point:
        return (
            self._origin[0] + point[0] * self._unit,
            self._origin[1] + point[1] * self._unit,
        )

    def _box(self, box: Box) -> Box:
        x0, y0 = self._pixel(box[:2])
        x1, y1 = self._pixel(box[2:])
        return x0, y0, max(x0, x1 - 1), max(y0, y1 - 1)

    def _pixels(self, length: float) -> int:
        return max(1, round(length * self._unit))


def arc_points(center: Point, r: float, span: Point) -> list[Point]:
    """Points along a circle between two angles in degrees, both ends included."""
    count = max(2, math.ceil(abs(span[1] - span[0]) / 5) + 1)
    angles = (math.radians(span[0] + (span[1] - span[0]) * i / (count - 1)) for i in range(count))
    return [(center[0] + r * math.cos(a), center[1] + r * math.sin(a)) for a in angles]


def smooth(points: Sequence[Point], *, closed: bool) -> list[Point]:
    """Points along the Catmull-Rom curve through `points`."""
    if closed:
        knots = [points[-1], *points, points[0], points[1]]
    else:
        knots = [points[0], *points, points[-1]]
    path: list[Point] = []
    for a, b, c, d in zip(knots, knots[1:], knots[2:], knots[3:], strict=False):
        path.extend(_piece((a, b, c, d), i / CURVE_STEPS) for i in range(CURVE_STEPS))
    return path if closed else [*path, points[-1]]


def _piece(knots: tuple[Point, Point, Point, Point], t: float) -> Point:
    x, y = (_cubic(axis, t) for axis in zip(*knots, strict=True))
    return x, y


def _cubic(knots: Sequence[float], t: float) -> float:
    a, b, c, d = knots
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))


def spin(points: Iterable[Point], degrees: float, about: Point = (12.0, 12.0)) -> list[Point]:
    """`points` turned clockwise about a point."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    offsets = ((x - about[0], y - about[1]) for x, y in points)
    return [(about[0] + x * cos - y * sin, about[1] + x * sin + y * cos) for x, y in offsets]


def mix(first: Rgb, second: Rgb, share: float) -> Rgb:
    """The colour `share` of the way from `first` to `second`."""
    r, g, b = (round(a + (z - a) * share) for a, z in zip(first, second, strict=True))
    return r, g, b


def oversampling(side: int) -> int:
    """How many times too large to draw a picture whose longer side is `side` pixels."""
    return min(16, max(2, math.ceil(256 / side)))


def centred(image: Image.Image, span: float) -> Pen:
    """A pen whose square of `span` units fits the shorter side and lies in the middle."""
    side = min(image.size)
    origin = ((image.width - side) / 2, (image.height - side) / 2)
    return Pen(image, side / span, origin)


def shrink(image: Image.Image, factor: int) -> Pixels:
    """The image averaged down by `factor`, as an array."""
    return np.array(image.reduce(factor), dtype=np.uint8)


def check_size(*sides: int) -> None:
    """Refuse pictures without pixels."""
    if min(sides) < 1:
        raise ValueError(f"a picture needs at least one pixel each way, got {sides}")


def unknown(what: str, name: str, known: Iterable[str]) -> ValueError:
    """The error for a name that nobody drew, naming the nearest one."""
    names = sorted(known)
    nearest = get_close_matches(name, names, n=1, cutoff=0.0)
    return ValueError(f"unknown {what} {name!r}; the nearest is {nearest[0]!r}")
