"""From a View to pixels: every distinct widget is painted once and then copied as a tile."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from threading import Lock
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from distrl.devices.phone.paint import PAINTERS, wallpaper
from distrl.devices.phone.paint.canvas import Canvas
from distrl.devices.phone.ui.view import HEIGHT, WIDTH, Paint, View, Widget
from distrl.types import Pixels

_TILE_BYTES = 256 * 2**20
"""What the cached tiles of a process may take. A bound is needed because typed texts make ever
new tiles."""


class Tiles:
    """Painted widgets, the oldest go first. Many threads may draw at once."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held = 0
        self._tiles: dict[tuple[Any, ...], Pixels] = {}
        self._adding = Lock()
        # Reading takes no lock: looking up a key is atomic, and a tile is never changed.
        self.get = self._tiles.get

    def add(self, key: tuple[Any, ...], tile: Pixels) -> None:
        """Keep a tile; whoever was first with its key stays."""
        with self._adding:
            if key in self._tiles:
                return
            self._tiles[key] = tile
            self._held += tile.nbytes
            while self._held > self._limit:
                old = self._tiles.pop(next(iter(self._tiles)))
                self._held -= old.nbytes


_WORDY = 34
"""Layout units from which on a widget has room for words: narrower ones are boxes and switches."""

_tiles = Tiles(_TILE_BYTES)
_painting = Lock()
"""One tile is painted at a time: painters share fonts, which are not made for many threads."""


class Box(NamedTuple):
    """Where a widget stands, in pixels."""

    x0: int
    y0: int
    x1: int
    y1: int
    """What can be seen of it, unless something lies above."""
    width: int
    height: int
    """Of its tile."""
    left: int
    top: int
    """Where its tile begins; outside of what can be seen where it is clipped."""


Layer: TypeAlias = tuple[Box, Paint]


def render(view: View, width: int, height: int) -> Pixels:
    """Draw a screen at a size."""
    layers = place(view, width, height)
    frame = compose(layers, (0, 0, width, height), width, height, dark=view.dark)
    frame.setflags(write=False)
    return frame


def shown_paint(view: View, widget: Widget) -> Paint | None:
    """How a widget of a screen is painted: larger, where the screen has larger letters."""
    paint, font = widget.paint, view.look.font
    if font == 100 or paint is None or paint[0] not in ENLARGED or widget.w < _WORDY:
        return paint
    return ("enlarged", font, paint)


def place(view: View, width: int, height: int) -> list[Layer]:
    """What shows on a screen of a size, in paint order: the background first."""
    first = view.widgets[0].paint if view.widgets else None
    ground = first if first is not None and first[0] == "wallpaper" else ("fill", "bg")
    layers: list[Layer] = [(Box(0, 0, width, height, width, height, 0, 0), ground)]
    for widget in view.widgets:
        paint = shown_paint(view, widget)
        if paint is None or paint[0] == "wallpaper":
            continue
        box = _box(widget.x, widget.y, widget.w, widget.h, widget.top, widget.bottom, width, height)
        if box is not None:
            layers.append((box, paint))
    return layers


# Widgets stand at the same few places on screen after screen.
@lru_cache(maxsize=65536)
def _box(
    x: int, y: int, w: int, h: int, top: int, bottom: int, width: int, height: int
) -> Box | None:
    """The place of a widget on a screen of a size; None if nothing of it can be seen."""
    sx, sy = width / WIDTH, height / HEIGHT
    left, above = round(x * sx), round(y * sy)
    right, below = round((x + w) * sx), round((y + h) * sy)
    x0, x1 = max(0, left), min(width, right)
    y0, y1 = max(above, round(top * sy), 0), min(below, round(bottom * sy), height)
    if x0 >= x1 or y0 >= y1:
        return None
    return Box(x0, y0, x1, y1, right - left, below - above, left, above)


def compose(
    layers: Sequence[Layer],
    region: tuple[int, int, int, int],
    width: int,
    height: int,
    *,
    dark: bool,
) -> Pixels:
    """Draw a part of a screen (left, top, right, bottom) from what shows there, lowest first.

    The lowest layer has to cover all of it.
    """
    left, top, right, bottom = region
    scale = width / WIDTH, height / HEIGHT
    frame = np.empty((bottom - top, right - left, 3), np.uint8)
    for (x0, y0, x1, y1, across, down, x, y), paint in layers:
        if paint[0] == "scrim":
            # Half as bright: one shift of the whole frame instead of a blend.
            frame >>= 1
            continue
        tile = _tile(paint, across, down, dark, scale)
        if x0 < left or y0 < top or x1 > right or y1 > bottom:
            x0, y0, x1, y1 = max(left, x0), max(top, y0), min(right, x1), min(bottom, y1)
        part = frame[y0 - top : y1 - top, x0 - left : x1 - left]
        if paint[0] in OVERLAYS:
            tile = tile[:, y0 - y : y1 - y, x0 - x : x1 - x]
            _lay_over(part, tile[0], tile[1])
        else:
            part[...] = tile[y0 - y : y1 - y, x0 - x : x1 - x]
    return frame


def _tile(paint: Paint, width: int, height: int, dark: bool, scale: tuple[float, float]) -> Pixels:
    key = (paint, width, height, dark, scale)
    tile = _tiles.get(key)
    if tile is None:
        with _painting:
            make = _layers if paint[0] in OVERLAYS else _paint
            tile = make(paint, width, height, dark, scale)
        _tiles.add(key, tile)
    return tile


def _paint(
    paint: tuple[Any, ...],
    width: int,
    height: int,
    dark: bool,
    scale: tuple[float, float],
) -> Pixels:
    if paint[0] == "wallpaper":
        return wallpaper(paint[1], width, height)
    if paint[0] == "enlarged":
        # As on a canvas of fewer units, so that painters cut words off where the room ends.
        _, percent, paint = paint
        scale = scale[0] * percent / 100, scale[1] * percent / 100
    canvas = Canvas(width, height, scale, dark=dark)
    PAINTERS[paint[0]](canvas, *paint[1:])
    return canvas.pixels


ENLARGED = frozenset(
    {
        "bottom_tab",
        "button",
        "card",
        "chip",
        "entry",
        "field",
        "line",
        "lines",
        "notice",
        "offer",
        "row",
        "tile",
        "top_tab",
    }
)
"""Painters whose letters follow the font size; the others paint pictures, or to fixed places."""


OVERLAYS = frozenset(
    {
        "app_icon",
        "fab",
        "map_button",
        "map_pin",
        "overline",
        "page_dot",
        "panel",
        "search_pill",
        "toast",
    }
)
"""Painters that leave what is below them visible at their edges."""
SEEN_THROUGH = OVERLAYS | {"scrim"}


def _lay_over(part: Pixels, through: Pixels, ink: Pixels) -> None:
    """Blend: `through` is how much of what is below shows, in 255ths; `ink` is added."""
    # (p + 128 + (p + 128 >> 8)) >> 8 is p / 255 rounded, for 16 bits and without a division.
    product = np.multiply(part, through, dtype=np.uint16)
    product += 128
    product += product >> 8
    product >>= 8
    product += ink
    part[:] = product


def _layers(
    paint: tuple[Any, ...],
    width: int,
    height: int,
    dark: bool,
    scale: tuple[float, float],
) -> Pixels:
    """Paint on black and on white: the difference is how much shows through."""
    images = []
    for backdrop in (0, 255):
        canvas = Canvas(width, height, scale, dark=dark)
        canvas.pixels[:] = backdrop
        PAINTERS[paint[0]](canvas, *paint[1:])
        images.append(canvas.pixels.astype(np.int16))
    through = np.clip(images[1] - images[0], 0, 255)
    return np.stack([through, images[0]]).astype(np.uint8)
