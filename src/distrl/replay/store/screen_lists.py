"""What was seen in an episode as one blob: elements, and a drawing or a picture, of each screen.

Most widgets and elements of a screen were on the one before: each distinct one is kept once, and a
screen is a list of places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import msgspec

from distrl.errors import StoreError
from distrl.replay.store import picture_codec
from distrl.replay.store.picture_codec import Codec
from distrl.replay.store.redraw import noted, redrawn
from distrl.replay.wire import Wire
from distrl.types import Bounds, Drawing, Element, Observation, Picture

Places = tuple[int, ...]


class Drawn(msgspec.Struct, array_like=True, frozen=True):
    """The drawing of a screen."""

    by: str
    edition: str
    pieces: Places
    pixels: bytes | None


class Screen(msgspec.Struct, array_like=True, frozen=True):
    """An observation."""

    app: str
    keyboard: bool
    elements: Places | None
    shown: Drawn | bytes
    """What it is drawn from, or the digest of its picture."""


class Screens(msgspec.Struct, array_like=True, frozen=True):
    """All that was seen in an episode."""

    elements: tuple[tuple[str, str, str, Bounds, bool, bool | None, bool, bool], ...]
    """The fields of each distinct Element."""
    pieces: tuple[bytes, ...]
    """The distinct pieces of all drawings."""
    screens: tuple[Screen, ...]
    """One for each step, and one more for what was shown at the end, if it was seen."""

    @property
    def pictures(self) -> set[bytes]:
        """Digests of the pictures in it."""
        return {screen.shown for screen in self.screens if isinstance(screen.shown, bytes)}


SCREENS: Wire[Screens] = Wire("list of screens", Screens, deflated=True)


def pack(
    seen: Sequence[Observation], codec: Codec, known: Callable[[bytes], bool]
) -> tuple[bytes, dict[bytes, bytes]]:
    """The blob of some observations, and the pictures that are not `known` to the receiver."""
    elements: dict[Element, int] = {}
    pieces: dict[bytes, int] = {}
    pictures: dict[bytes, bytes] = {}

    def shown(one: Observation) -> Drawn | bytes:
        drawing = one.picture.drawing
        if drawing is None:
            return _add_picture(one, codec, known, pictures)
        places = tuple(pieces.setdefault(piece, len(pieces)) for piece in drawing.pieces)
        return Drawn(drawing.by, drawing.edition, places, noted(one, drawing))

    def tree(one: Observation) -> Places | None:
        if one.elements is None:
            return None
        return tuple(elements.setdefault(element, len(elements)) for element in one.elements)

    screens = tuple(Screen(one.app, one.keyboard, tree(one), shown(one)) for one in seen)
    listed = tuple(map(_fields, elements))
    return SCREENS.encode(Screens(listed, tuple(pieces), screens)), pictures


def _add_picture(
    seen: Observation, codec: Codec, known: Callable[[bytes], bool], pictures: dict[bytes, bytes]
) -> bytes:
    screen = picture_codec.checked(seen.screen)
    digest = picture_codec.digest_of(screen)
    if digest not in pictures and not known(digest):
        pictures[digest] = picture_codec.encode(screen, codec)
    return digest


def _fields(
    element: Element,
) -> tuple[str, str, str, Bounds, bool, bool | None, bool, bool]:
    return (
        element.role,
        element.text,
        element.description,
        element.bounds,
        element.enabled,
        element.checked,
        element.focused,
        element.editable,
    )


def unpack(screens: Screens, pictures: Mapping[bytes, bytes]) -> list[Observation]:
    """The observations again; a picture is decoded or drawn when somebody looks at it."""
    elements = [Element(*values) for values in screens.elements]
    try:
        return [
            Observation(
                picture_of(screens, screen, pictures),
                None if screen.elements is None else tuple(elements[k] for k in screen.elements),
                screen.keyboard,
                screen.app,
            )
            for screen in screens.screens
        ]
    except IndexError:
        raise StoreError("a stored list of screens is damaged: it names one too many") from None


def picture_of(screens: Screens, screen: Screen, pictures: Mapping[bytes, bytes]) -> Picture:
    """The picture of one of the screens; StoreError if it is not among the pictures."""
    shown = screen.shown
    if isinstance(shown, Drawn):
        pieces = tuple(screens.pieces[place] for place in shown.pieces)
        return redrawn(Drawing(shown.by, shown.edition, pieces, shown.pixels))
    if shown not in pictures:
        raise StoreError(f"a stored episode is damaged: content {shown.hex()} is not there")
    return Picture(partial(picture_codec.decode, pictures[shown], shown))
