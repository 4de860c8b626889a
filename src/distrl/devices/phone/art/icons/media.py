"""Glyphs of players, cameras and pictures."""

from __future__ import annotations

from distrl.devices.phone.art.icons.strokes import CLEAR, Glyph, pencil, pencil_gap
from distrl.devices.phone.art.pen import Pen


def _play(pen: Pen) -> None:
    pen.poly(((6, 3), (21, 12), (6, 21)))


def _pause(pen: Pen) -> None:
    pen.rect((5.6, 4, 10, 20))
    pen.rect((14, 4, 18.4, 20))


def _stop(pen: Pen) -> None:
    pen.rect((6.6, 6.6, 17.4, 17.4), r=0.8)


def _next(pen: Pen) -> None:
    pen.poly(((4, 4), (16, 12), (4, 20)))
    pen.rect((17, 4, 20.2, 20))


def _previous(pen: Pen) -> None:
    pen.poly(((20, 4), (8, 12), (20, 20)))
    pen.rect((3.8, 4, 7, 20))


def _record(pen: Pen) -> None:
    pen.ring((12, 12), 10.4, width=1.4)
    pen.disc((12, 12), 7.6)


def _camera(pen: Pen) -> None:
    pen.rect((1.5, 6, 22.5, 20.5), r=2)
    pen.poly(((7, 6.5), (9, 3), (15, 3), (17, 6.5)))
    pen.disc((12, 13.2), 5.2, CLEAR)
    pen.disc((12, 13.2), 3.2)


def _landscape(pen: Pen) -> None:
    pen.poly(((4.8, 17.6), (9.2, 11.4), (12.2, 15), (15.4, 10.4), (20, 17.6)), CLEAR)


def _image(pen: Pen) -> None:
    pen.rect((2, 3, 22, 21), r=2)
    _landscape(pen)
    pen.disc((8, 7.6), 1.8, CLEAR)


def _photo_edit(pen: Pen) -> None:
    pen.frame((2, 4, 20, 22), r=1.8, width=2.2)
    pen.poly(((4.8, 19), (8.4, 13.6), (11, 16.4), (13.2, 13.8), (17, 19)))
    pencil_gap(pen, (11.5, 12.5), 18)
    pencil(pen, (11.5, 12.5), 14.5, 4.4)


def _music(pen: Pen) -> None:
    pen.poly(((9, 3), (20.6, 3), (20.6, 7), (11.4, 7), (11.4, 18.6), (9, 18.6)))
    pen.disc((7.4, 18.4), 4)


def _video(pen: Pen) -> None:
    pen.rect((1.5, 5.5, 16, 18.5), r=1.8)
    pen.poly(((15, 12), (22.5, 6), (22.5, 18)))


def _playlist(pen: Pen) -> None:
    for y in (4, 9):
        pen.rect((2, y, 18, y + 2.6))
    pen.rect((2, 14, 11, 16.6))
    pen.poly(((13.6, 12.6), (22.6, 17.6), (13.6, 22.6)))


def _crop(pen: Pen) -> None:
    pen.line(((6.5, 2), (6.5, 17.5), (22, 17.5)), width=2.2)
    pen.line(((2, 6.5), (17.5, 6.5), (17.5, 22)), width=2.2)


GLYPHS: dict[str, Glyph] = {
    "camera": _camera,
    "crop": _crop,
    "image": _image,
    "music": _music,
    "next": _next,
    "pause": _pause,
    "photo_edit": _photo_edit,
    "play": _play,
    "playlist": _playlist,
    "previous": _previous,
    "record": _record,
    "stop": _stop,
    "video": _video,
}
