"""Screens that are drawn again from what was stored, when somebody looks.

Drawing code changes. A stored drawing names its edition, and one in sixteen also has the digest of
the pixels that the device showed. Where either differs here, the picture says so (`doubt`), and a
warning is logged: nobody takes it for what the device showed.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from distrl.errors import StoreError, boundary
from distrl.plugins import tell_once
from distrl.replay.store.picture_codec import checked, digest_of
from distrl.types import Drawing, Observation, Picture, Pixels

DRAWERS: Mapping[str, str] = {"phone": "distrl.devices.phone.paint.display_list"}
"""Modules that draw, by the name in a drawing; imported when they are first needed."""

_NOTED = 16
"""One drawing in so many gets the digest of its pixels: a digest needs the screen drawn, which
would otherwise be the largest part of storing it."""


class Drawer(Protocol):
    """What a module of DRAWERS has."""

    edition: Callable[[], str]
    draw: Callable[[Sequence[bytes]], Pixels]


def noted(seen: Observation, drawing: Drawing) -> bytes | None:
    """The digest of the pixels of a drawing that is to be stored, if it shall have one."""
    if drawing.pixels is not None or seen.picture.doubt:
        return drawing.pixels
    # By content, so that the same screens have one in every episode and on every host.
    chosen = zlib.crc32(b"".join(drawing.pieces)) % _NOTED == 0
    return digest_of(checked(seen.screen)) if chosen else None


def redrawn(drawing: Drawing) -> Picture:
    """The picture of a stored drawing."""

    def draw() -> Pixels:
        with boundary(StoreError, "a stored drawing cannot be drawn again"):
            pixels = checked(_drawer(drawing.by).draw(drawing.pieces))
        if drawing.pixels is not None:
            same = digest_of(pixels) == drawing.pixels
            picture.doubt = "" if same else _changed(drawing)
        if picture.doubt:
            tell_once(picture.doubt)
        return pixels

    picture = Picture(draw, describe=lambda: drawing)
    if drawing.by in DRAWERS and drawing.edition != _drawer(drawing.by).edition():
        picture.doubt = _changed(drawing)
    return picture


@cache
def _drawer(name: str) -> Drawer:
    if name not in DRAWERS:
        raise StoreError(f"nobody here draws for {name!r}")
    return cast(Drawer, import_module(DRAWERS[name]))


def _changed(drawing: Drawing) -> str:
    return (
        f"screens of edition {drawing.edition} of the {drawing.by} are drawn anew here, by edition "
        f"{_drawer(drawing.by).edition()}: they may differ from what the device showed"
    )
