"""Pure functions on screens: resize, crop and compare."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PIL import Image

from distrl.types import Bounds, Picture, Pixels

_Places = npt.NDArray[np.intp]


def resize(screen: Pixels, width: int, height: int) -> Pixels:
    """Scale to a size, averaging when it shrinks; the same array when nothing changes."""
    if screen.shape[:2] == (height, width):
        return screen
    image = Image.fromarray(screen).resize((width, height), Image.Resampling.BOX)
    return np.asarray(image)


def crop_grid(bounds: Bounds, width: int, height: int, side: int) -> tuple[_Places, _Places]:
    """The `side` rows and columns of a screen that a crop of a box samples."""
    left, top, right, bottom = bounds
    y0, x0 = int(top * height), int(left * width)
    y1, x1 = max(y0 + 1, int(bottom * height)), max(x0 + 1, int(right * width))
    # A wide row has its icon at the left end: crop there instead of squeezing the whole row.
    x1 = min(x1, x0 + 2 * (y1 - y0))
    rows = np.linspace(y0, y1 - 1, side).astype(np.intp).clip(0, height - 1)
    columns = np.linspace(x0, x1 - 1, side).astype(np.intp).clip(0, width - 1)
    return rows, columns


def crops_of(picture: Picture, boxes: Sequence[Bounds], side: int) -> Pixels:
    """[N, side, side, 3] the screen at each box, resampled to a fixed size.

    Only they are drawn where the picture can do that; the whole screen otherwise.
    """
    if picture.draw_crops is not None:
        return picture.draw_crops(boxes, side)
    screen = picture.pixels
    height, width = screen.shape[:2]
    places = b"".join([_crop_places(box, width, height, side) for box in boxes])
    # One `take` for all of them costs a fifth of indexing with rows and columns for each.
    crops = screen.reshape(-1, 3).take(np.frombuffer(places, np.intp), axis=0)
    return crops.reshape(len(boxes), side, side, 3)


@lru_cache(maxsize=16384)
def _crop_places(bounds: Bounds, width: int, height: int, side: int) -> bytes:
    """Flat pixel indices of a crop, as bytes of intp."""
    rows, columns = crop_grid(bounds, width, height, side)
    places: _Places = rows[:, None] * width + columns
    return places.tobytes()


def same(first: Pixels, second: Pixels) -> bool:
    """Whether two screens are equal to the pixel."""
    return first.shape == second.shape and bool(np.array_equal(first, second))


def changed_share(first: Pixels, second: Pixels, *, tolerance: int = 8) -> float:
    """The share of pixels that differ by more than `tolerance` in a channel; 1 if sizes differ."""
    if first.shape != second.shape:
        return 1.0
    difference = np.abs(first.astype(np.int16) - second.astype(np.int16)).max(axis=-1)
    return float((difference > tolerance).mean())


def is_blank(screen: Pixels, *, tolerance: int = 8) -> bool:
    """Whether the whole screen shows one colour, as a lost or black frame does."""
    low = screen.reshape(-1, screen.shape[-1]).min(axis=0).astype(np.int16)
    high = screen.reshape(-1, screen.shape[-1]).max(axis=0).astype(np.int16)
    return bool(((high - low) <= tolerance).all())
