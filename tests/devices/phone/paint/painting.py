"""Single tiles for the tests of painters."""

from __future__ import annotations

from typing import Any

import numpy as np

from distrl.devices.phone.paint import PAINTERS
from distrl.devices.phone.paint.canvas import Canvas
from distrl.types import Pixels

SIZE = (120, 40)


def tile(
    painter: str,
    *arguments: Any,
    size: tuple[int, int] = SIZE,
    dark: bool = False,
    scale: float = 1.0,
) -> Pixels:
    """What a painter makes of a grey tile of a size in layout units."""
    width, height = (round(side * scale) for side in size)
    canvas = Canvas(width, height, (scale, scale), dark=dark)
    canvas.pixels[:] = 128
    PAINTERS[painter](canvas, *arguments)
    return canvas.pixels


def same(one: Pixels, other: Pixels) -> bool:
    """Whether two tiles are equal in every pixel."""
    return np.array_equal(one, other)


class Sample:
    """Arguments of a painter, and for each of them another value that must be seen."""

    def __init__(self, painter: str, *pairs: tuple[Any, Any], size: tuple[int, int] = SIZE) -> None:
        self.painter = painter
        self.size = size
        self.base = tuple(first for first, _ in pairs)
        self.others = tuple(second for _, second in pairs)

    def paint(self, changed: int | None = None, **look: Any) -> Pixels:
        """The tile of the first values, with one of them replaced by the second."""
        arguments = list(self.base)
        if changed is not None:
            arguments[changed] = self.others[changed]
        return tile(self.painter, *arguments, size=self.size, **look)


def unseen(sample: Sample, **look: Any) -> list[int]:
    """Places of the arguments that make no difference to the tile."""
    before = sample.paint(**look)
    return [n for n in range(len(sample.base)) if same(sample.paint(n, **look), before)]
