"""Crops of a screen without the screen: what a policy looks at is drawn, and nothing else.

    boxes --crop_grid--> sampled pixels --> widgets that show there --> a crop from the cache,
                                                                        or composed of their tiles

Most boxes are those of widgets that stand alone, so nearly every crop has been made before.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from distrl.devices.phone.paint import render
from distrl.devices.phone.paint.render import SEEN_THROUGH, Layer, Tiles
from distrl.devices.phone.ui.view import View
from distrl.screens import crop_grid
from distrl.types import Bounds, Pixels

_CROP_BYTES = 32 * 2**20
"""Bound of the cached crops of a process: some 40,000 of 16 by 16 pixels."""

_crops = Tiles(_CROP_BYTES)


class _Grid(NamedTuple):
    """The pixels that a crop samples."""

    left: int
    top: int
    right: int
    bottom: int
    """Around all of them; right and bottom are one past the last."""
    rows: npt.NDArray[np.intp]
    columns: npt.NDArray[np.intp]
    """Counted from the top left."""
    shape: bytes
    """Rows and columns, to tell grids of other shapes apart."""


def draw_crops(view: View, width: int, height: int, boxes: Sequence[Bounds], side: int) -> Pixels:
    """[N, side, side, 3], equal to what `screens.crops_of` samples from the drawn screen."""
    layers = render.place(view, width, height)
    layers.reverse()
    look = (view.dark, width, height)
    crops = np.empty((len(boxes), side, side, 3), np.uint8)
    for number, box in enumerate(boxes):
        crops[number] = _crop(layers, _grid(box, width, height, side), look)
    return crops


@lru_cache(maxsize=16384)
def _grid(box: Bounds, width: int, height: int, side: int) -> _Grid:
    rows, columns = crop_grid(box, width, height, side)
    left, top = int(columns[0]), int(rows[0])
    rows, columns = rows - top, columns - left
    shape = rows.tobytes() + columns.tobytes()
    return _Grid(
        left, top, left + int(columns[-1]) + 1, top + int(rows[-1]) + 1, rows, columns, shape
    )


def _crop(below: Sequence[Layer], grid: _Grid, look: tuple[bool, int, int]) -> Pixels:
    left, top, right, bottom, _, _, shape = grid
    # What shows inside the box, topmost first, down to the first widget that covers it all.
    layers: list[Layer] = []
    key: list[Any] = [shape, look]
    for layer in below:
        box, paint = layer
        if box[1] >= bottom or box[3] <= top or box[0] >= right or box[2] <= left:
            continue
        x0, y0, x1, y1, across, down, x, y = box
        layers.append(layer)
        key += paint, across, down, x - left, y - top
        if x0 > left or y0 > top or x1 < right or y1 < bottom:
            key += x0 - left, y0 - top, x1 - left, y1 - top
        elif paint[0] not in SEEN_THROUGH:
            break
    found = tuple(key)
    crop = _crops.get(found)
    if crop is None:
        dark, width, height = look
        layers.reverse()
        frame = render.compose(layers, (left, top, right, bottom), width, height, dark=dark)
        crop = frame[grid.rows[:, None], grid.columns]
        _crops.add(found, crop)
    return crop
