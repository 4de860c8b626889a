"""Shapes that several glyphs share."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from distrl.devices.phone.art.pen import Box, Pen, Point, arc_points, spin

Glyph = Callable[[Pen], None]

CLEAR = 0
"""Ink that cuts back to transparent."""


def slash(pen: Pen) -> None:
    """Cross a glyph out, from top left to bottom right."""
    pen.line(((4.5, 2.5), (22.5, 20.5)), CLEAR, 2.6)
    pen.line(((2.5, 3.0), (21.0, 21.5)), width=2.2)


def head(pen: Pen, tip: Point, degrees: float, size: float = 4.0) -> None:
    """Fill an arrowhead whose tip points along `degrees`, clockwise from three o'clock."""
    x, y = tip
    pen.poly(spin(((x, y), (x - size, y - size), (x - size, y + size)), degrees, tip))


def chevron(pen: Pen, tip: Point, degrees: float, size: float = 6.0, width: float = 2.4) -> None:
    """Stroke an open arrowhead whose tip points along `degrees`."""
    x, y = tip
    corners = ((x - size, y - size), tip, (x - size, y + size))
    pen.line(spin(corners, degrees, tip), width=width)


def star_points(center: Point, outer: float, inner: float, spikes: int = 5) -> list[Point]:
    """Corners of a star with its first spike up."""
    angles = (math.pi * i / spikes - math.pi / 2 for i in range(2 * spikes))
    reach = (outer if i % 2 == 0 else inner for i in range(2 * spikes))
    pairs = zip(angles, reach, strict=True)
    return [(center[0] + r * math.cos(a), center[1] + r * math.sin(a)) for a, r in pairs]


def outline(pen: Pen, points: Sequence[Point], width: float = 2.0) -> None:
    """Stroke a closed shape."""
    pen.line((*points, points[0]), width=width)


def magnifier(pen: Pen, r: float = 6.8, width: float = 2.4) -> None:
    """A lens about (10, 10) with its handle to the bottom right."""
    pen.ring((10, 10), r, width=width)
    pen.line(((10.4 + r * 0.72, 10.4 + r * 0.72), (21, 21)), width=3.0)


def page(pen: Pen, box: Box, fold: float = 6.0) -> None:
    """A solid sheet whose top right corner is folded over."""
    _, y0, x1, _ = box
    pen.rect(box, r=1.6)
    pen.poly(((x1 - fold, y0), (x1, y0), (x1, y0 + fold)), CLEAR)
    pen.poly(((x1 - fold + 0.8, y0 + 0.8), (x1 - 0.8, y0 + fold - 0.8), (x1 - fold + 0.8, y0 + 6)))
    pen.line(((x1 - fold, y0), (x1 - fold, y0 + fold), (x1, y0 + fold)), CLEAR, 1.4)


def cloud(pen: Pen, top: float = 4.0) -> None:
    """A cloud 20 wide and 13 high."""
    pen.disc((7, top + 8.2), 5)
    pen.disc((12, top + 5.6), 5.6)
    pen.disc((18, top + 8.8), 4.4)
    pen.rect((6, top + 8, 19, top + 13.2), r=1)


def bolt(pen: Pen, shift: Point = (0.0, 0.0), ink: int = 255) -> None:
    """A lightning bolt about 8 wide and 11 high, its top near (13, 11)."""
    dx, dy = shift
    corners = ((13.5, 11), (8.5, 18), (11.6, 18), (10.4, 23), (16, 15.6), (12.6, 15.6), (15, 11))
    pen.poly([(x + dx, y + dy) for x, y in corners], ink)


def waves(pen: Pen, center: Point, radii: Sequence[float], span: Point) -> None:
    """Arcs of growing radius about one point."""
    for r in radii:
        pen.arc(center, r, span, width=2.2)


def drop(pen: Pen, tip: Point, size: float, ink: int = 255) -> None:
    """A pin or drop shape: a round head with its point at `tip`, below."""
    x, y = tip
    center = (x, y - size * 1.75)
    pen.poly((tip, *arc_points(center, size, (155, 385))), ink)


def pencil(pen: Pen, tip: Point, length: float, width: float = 5.0) -> None:
    """A pencil leaning to the right, its point at `tip` at the bottom left."""
    x, y = tip
    half = width / 2
    body = ((x + 4, y - half), (x + length - 4, y - half), (x + length - 4, y + half))
    pen.poly(spin((tip, *body, (x + 4, y + half)), -45, tip))
    cap = ((x + length - 2.6, y - half), (x + length, y - half), (x + length, y + half))
    pen.poly(spin((*cap, (x + length - 2.6, y + half)), -45, tip))


def pencil_gap(pen: Pen, tip: Point, length: float) -> None:
    """Cut the room for a pencil, so that it stands clear of what lies under it."""
    x, y = tip
    corners = ((x - 2, y - 4), (x + length, y - 4), (x + length, y + 4), (x - 2, y + 4))
    pen.poly(spin(corners, -45, tip), CLEAR)


def mirrored(points: Sequence[Point], axis: float = 12.0) -> list[Point]:
    """`points`, followed by their mirror image across a vertical axis, back to the start."""
    return [*points, *((2 * axis - x, y) for x, y in reversed(points))]


def bust(pen: Pen, center: Point, scale: float = 1.0, ink: int = 255) -> None:
    """A head over shoulders; `center` is the neck, and scale 1 is 16 wide."""
    x, y = center
    pen.disc((x, y - 5.2 * scale), 4.2 * scale, ink)
    corners = arc_points((x, y + 8.4 * scale), 8 * scale, (180, 360))
    pen.poly([(px, y + 8 * scale + (py - y - 8.4 * scale) * 0.86) for px, py in corners], ink)


def clock_face(pen: Pen, center: Point, r: float) -> None:
    """A ring with two hands at four o'clock."""
    x, y = center
    pen.ring(center, r, width=2.2)
    pen.line(((x, y - r * 0.58), (x, y), (x + r * 0.46, y + r * 0.3)), width=2.0)


def heart_points() -> list[Point]:
    """Outline of a heart that fills the glyph."""
    left = [(12.0, 21.0), (5.0, 14.8), *arc_points((7.2, 8.6), 5.2, (140, 318)), (12.0, 6.6)]
    return mirrored(left)


def bubble(pen: Pen, box: Box, tail: Sequence[Point], ink: int = 255) -> None:
    """A speech bubble: a rounded box with a tail."""
    pen.rect(box, ink, r=2.4)
    pen.poly(tail, ink)


def handset(pen: Pen, degrees: float) -> None:
    """A telephone receiver, its ends pointing down when `degrees` is zero."""
    half = [(12, 7.6), (7.8, 8.0), (4.2, 9.4), (1.6, 12.0), (1.6, 17.0), (6.6, 16.4), (7.8, 12.9)]
    corners = spin(mirrored([*half, (12, 12.4)]), degrees)
    pen.poly(corners)
    outline(pen, corners, 1.4)
