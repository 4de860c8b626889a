"""Names of colours, as a person would call the main colour of an element on a screen."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from distrl.types import Pixels

# Shares of saturation and value. Below _PALE no hue is seen, only white, gray or black; dark orange
# and red are called brown.
_PALE, _DARK, _LIGHT = 0.15, 0.25, 0.9
_BROWN = 0.6
_HUES = (
    (15, "red"),
    (42, "orange"),
    (70, "yellow"),
    (165, "green"),
    (190, "teal"),
    (255, "blue"),
    (290, "purple"),
    (345, "pink"),
    (360, "red"),
)
"""Upper end of each colour on the hue circle, in degrees."""
COLORS = frozenset({name for _, name in _HUES} | {"black", "gray", "white", "brown"})
_OTHER_NAMES = {"grey": "gray", "violet": "purple", "turquoise": "teal"}


def colors_named(words: Sequence[str]) -> frozenset[str]:
    """The colour names among some words."""
    return frozenset(_OTHER_NAMES.get(word, word) for word in words) & COLORS


def colors_of(crops: Pixels) -> tuple[str, ...]:
    """The main colour of each crop [N, height, width, 3]: that of the median pixel."""
    # A sixteenth of the pixels has about the same median, at a sixteenth of the cost.
    few = crops[:, ::4, ::4].reshape(len(crops), -1, 3) if len(crops) else crops[:, 0]
    return tuple(color_of(*map(int, rgb)) for rgb in np.median(few, axis=1))


@lru_cache(maxsize=4096)
def color_of(red: int, green: int, blue: int) -> str:
    """The name of a colour."""
    hue, saturation, value = colorsys.rgb_to_hsv(red / 255, green / 255, blue / 255)
    if value < _DARK:
        return "black"
    if saturation < _PALE:
        return "white" if value > _LIGHT else "gray"
    # Red lies at both ends of the circle, so it is in the table twice.
    name = next(name for end, name in _HUES if hue * 360 <= end)
    return "brown" if name in ("orange", "red") and value < _BROWN else name
