"""From a View to pixels: every distinct widget is painted once and then copied as a tile."""

from __future__ import annotations

from threading import Lock
from typing import Any

import numpy as np

from distrl.devices.phone.paint import PAINTERS, wallpaper
from distrl.devices.phone.paint.canvas import Canvas
from distrl.devices.phone.ui.view import HEIGHT, WIDTH, View, Widget
from distrl.types import Pixels

_TILE_BYTES = 256 * 2**20
"""What the cached tiles of a process may take. A bound is needed because typed texts make ever
new tiles."""


class _Tiles:
    """Painted widgets, the oldest go first. Many threads may draw at once."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held = 0
        self._tiles: dict[tuple[Any, ...], Pixels] = {}
        self._adding = Lock()
        # Reading takes no lock: looking up a key is atomic, and a tile is never changed.
        self.get = self._tiles.get

    def add(self, key: tuple[Any, ...], tile: Pixels) -> None:
        with self._adding:
            if key in self._tiles:
                return
            self._tiles[key] = tile
            self._held += tile.nbytes
            while self._held > self._limit:
                old = self._tiles.pop(next(iter(self._tiles)))
                self._held -= old.nbytes


_tiles = _Tiles(_TILE_BYTES)


def render(view: View, width: int, height: int) -> Pixels:
    """Draw a screen at a size."""
    sx, sy = width / WIDTH, height / HEIGHT
    frame = _background(view, width, height)
    for widget in view.widgets:
        paint = widget.paint
        if paint is None or paint[0] == "wallpaper":
            continue
        if paint[0] == "scrim":
            # Half as bright: one shift of the whole frame instead of a blend.
            frame >>= 1
            continue
        _blit(frame, widget, view.dark, sx, sy)
    frame.setflags(write=False)
    return frame


def _background(view: View, width: int, height: int) -> Pixels:
    first = view.widgets[0].paint if view.widgets else None
    kind = first if first is not None and first[0] == "wallpaper" else ("bg",)
    key = (kind, width, height, view.dark)
    tile = _tiles.get(key)
    if tile is None:
        if kind[0] == "wallpaper":
            tile = wallpaper(kind[1], width, height)
        else:
            canvas = Canvas(width, height, (1.0, 1.0), dark=view.dark)
            canvas.fill("bg")
            tile = canvas.pixels
        _tiles.add(key, tile)
    return tile.copy()


def _blit(frame: Pixels, widget: Widget, dark: bool, sx: float, sy: float) -> None:
    left, top = round(widget.x * sx), round(widget.y * sy)
    right, bottom = round((widget.x + widget.w) * sx), round((widget.y + widget.h) * sy)
    x0, x1 = max(0, left), min(frame.shape[1], right)
    y0 = max(top, round(widget.top * sy), 0)
    y1 = min(bottom, round(widget.bottom * sy), frame.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    paint = widget.paint
    assert paint is not None
    overlay = paint[0] in OVERLAYS
    key = (paint, right - left, bottom - top, dark, sx, sy)
    tile = _tiles.get(key)
    if tile is None:
        make = _layers if overlay else _paint
        tile = make(paint, right - left, bottom - top, dark, (sx, sy))
        _tiles.add(key, tile)
    rows, columns = slice(y0 - top, y1 - top), slice(x0 - left, x1 - left)
    part = frame[y0:y1, x0:x1]
    if overlay:
        _lay_over(part, tile[0, rows, columns], tile[1, rows, columns])
    else:
        part[:] = tile[rows, columns]


def _paint(
    paint: tuple[Any, ...],
    width: int,
    height: int,
    dark: bool,
    scale: tuple[float, float],
) -> Pixels:
    canvas = Canvas(width, height, scale, dark=dark)
    PAINTERS[paint[0]](canvas, *paint[1:])
    return canvas.pixels


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
