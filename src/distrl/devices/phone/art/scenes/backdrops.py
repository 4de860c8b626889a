"""Skies, seas and grounds that scenes share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from distrl.devices.phone.art.pen import Pen, Point, Rgb, mix, smooth

Scene = Callable[[Pen, np.random.Generator], None]
T = TypeVar("T")

BLACK: Rgb = (0, 0, 0)
WHITE: Rgb = (255, 255, 255)


def choose(rng: np.random.Generator, options: Sequence[T]) -> T:
    """One of `options`."""
    return options[int(rng.integers(len(options)))]


def between(rng: np.random.Generator, low: float, high: float) -> float:
    """A number from `low` to `high`."""
    return float(rng.uniform(low, high))


def darker(color: Rgb, share: float) -> Rgb:
    """The colour `share` of the way to black."""
    return mix(color, BLACK, share)


def lighter(color: Rgb, share: float) -> Rgb:
    """The colour `share` of the way to white."""
    return mix(color, WHITE, share)


def wall(pen: Pen, top: Rgb, bottom: Rgb) -> None:
    """Cover the whole picture with a gradient."""
    pen.fade((pen.left, pen.top, pen.right, pen.bottom), top, bottom)


def sky(pen: Pen, rng: np.random.Generator, horizon: float) -> None:
    """A day sky down to `horizon`, bluer or paler from picture to picture."""
    top = choose(rng, ((66, 150, 226), (92, 172, 238), (58, 134, 214)))
    pen.fade((pen.left, pen.top, pen.right, horizon), top, lighter(top, 0.62))


def clouds(pen: Pen, rng: np.random.Generator, count: int) -> None:
    """A few small clouds in the upper third of the middle square."""
    for _ in range(count):
        x, y = between(rng, 5, 95), between(rng, 4, 26)
        for dx, dy, r in ((-6, 1, 4), (0, -1, 5.6), (6, 1, 4.2)):
            pen.disc((x + dx, y + dy), r, (250, 252, 255))
        pen.rect((x - 8, y, x + 8, y + 5), (250, 252, 255), r=2.4)


def ground(pen: Pen, horizon: float, far: Rgb, near: Rgb) -> None:
    """A ground from `horizon` to the bottom edge."""
    pen.fade((pen.left, horizon, pen.right, pen.bottom), far, near)


def sea(pen: Pen, horizon: float, color: Rgb) -> None:
    """Water from `horizon` to the bottom edge, with a few glints."""
    ground(pen, horizon, lighter(color, 0.12), darker(color, 0.25))
    glint = lighter(color, 0.45)
    for i in range(int((pen.bottom - horizon) / 7)):
        y = horizon + 4 + 7 * i
        start = pen.left + (i * 37) % 23
        while start < pen.right:
            pen.line(((start, y), (start + 6 + i, y)), glint, 0.8)
            start += 27


def hills(pen: Pen, ridge: Sequence[Point], color: Rgb) -> None:
    """Smooth land below a ridge that is carried on to both edges."""
    first, last = ridge[0], ridge[-1]
    carried = [(min(pen.left, first[0]) - 1, first[1]), *ridge]
    carried.append((max(pen.right, last[0]) + 1, last[1]))
    path = smooth(carried, closed=False)
    pen.poly([*path, (path[-1][0], pen.bottom), (path[0][0], pen.bottom)], color)
