"""A screen as its display list: what its widgets look like and where, enough to draw it again.

A display list depends on the painters alone, not on apps or states: a store keeps it instead of
pixels, at about a fiftieth of the size. Its first piece is the size and theme, the others are the
widgets in paint order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import PIL

from distrl.devices.phone.paint import PAINTERS, render
from distrl.devices.phone.ui.view import HEIGHT, WIDTH, View, Widget
from distrl.types import Drawing, Pixels

_NAME = "phone"
_BUILT_IN = frozenset(PAINTERS) | {"enlarged", "scrim", "wallpaper"}
"""What `edition` vouches for; the painters of a plug-in app may change without notice."""
_LARGEST = 64 * 2**20
"""Pixels of the largest screen that is drawn: a damaged list can claim any size."""

_encode = msgspec.msgpack.Encoder().encode
_frame = msgspec.msgpack.Decoder(tuple[int, int, bool])
_widget = msgspec.msgpack.Decoder(tuple[Any, ...])


@cache
def edition() -> str:
    """Digest of all that decides how a widget looks: painters, art, layout units, and Pillow."""
    # Pillow brings the font and draws its letters.
    digest = hashlib.sha256(f"{PIL.__version__} {WIDTH} {HEIGHT}".encode())
    paint = Path(__file__).parent
    for folder in (paint, paint.parent / "art"):
        for source in sorted(folder.rglob("*.py")):
            digest.update(source.relative_to(paint.parent).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def describe(view: View, width: int, height: int) -> Drawing | None:
    """The display list of a screen; None where it has a widget that only a plug-in can paint."""
    pieces = [_encode((width, height, view.dark))]
    for place, widget in enumerate(view.widgets):
        paint = render.shown_paint(view, widget)
        if paint is None and place:  # shows nothing; the first one decides the background
            continue
        if paint is not None and paint[0] not in _BUILT_IN:
            return None
        box = (paint, widget.x, widget.y, widget.w, widget.h)
        clipped = widget.top != 0 or widget.bottom != HEIGHT
        pieces.append(_encode((*box, widget.top, widget.bottom) if clipped else box))
    return Drawing(_NAME, edition(), tuple(pieces))


def draw(pieces: Sequence[bytes]) -> Pixels:
    """The screen of a display list; ValueError or msgspec.MsgspecError if it is none."""
    if not pieces:
        raise ValueError("a display list has at least a size")
    width, height, dark = _frame.decode(pieces[0])
    if min(width, height) < 1 or width * height > _LARGEST:
        raise ValueError(f"a screen of {width} x {height} pixels")
    view = View("", "", dark=dark)
    view.widgets = [_placed(piece) for piece in pieces[1:]]
    return render.render(view, width, height)


def _placed(piece: bytes) -> Widget:
    paint, x, y, w, h, *clip = _widget.decode(piece)
    widget = Widget(None if paint is None else _hashable(paint), x, y, w, h)
    if clip:
        widget.top, widget.bottom = clip
    return widget


def _hashable(value: Any) -> Any:
    """Tuples again, as painters take them: msgpack knows lists only."""
    return tuple(map(_hashable, value)) if isinstance(value, list) else value
