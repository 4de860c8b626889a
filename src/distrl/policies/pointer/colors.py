"""Colours by their names: what a person would call the colour of a thing on a screen."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from distrl.types import Pixels

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
"""Where each colour ends on the wheel, in degrees."""
COLORS = frozenset({name for _, name in _HUES} | {"black", "gray", "white", "brown"})
_OTHER_NAMES = {"grey": "gray", "violet": "purple", "turquoise": "teal"}


def colors_named(words: Sequence[str]) -> frozenset[str]:
    """The colours among some words."""
    return frozenset(_OTHER_NAMES.get(word, word) for word in words) & COLORS


def colors_of(crops: Pixels) -> tuple[str, ...]:
    """The colour that fills most of each crop [N, height, width, 3]."""
    # A sixteenth of the pixels tells as much.
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
    name = next(name for end, name in _HUES if hue * 360 <= end)
    return "brown" if name in ("orange", "red") and value < _BROWN else name
