"""Pure functions on screens: resize and compare."""

from __future__ import annotations

import numpy as np
from PIL import Image

from distrl.types import Pixels


def resize(screen: Pixels, width: int, height: int) -> Pixels:
    """Scale to a size, averaging when it shrinks; the same array when nothing changes."""
    if screen.shape[:2] == (height, width):
        return screen
    image = Image.fromarray(screen).resize((width, height), Image.Resampling.BOX)
    return np.asarray(image)


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
