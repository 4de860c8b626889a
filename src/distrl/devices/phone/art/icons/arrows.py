"""Glyphs that point somewhere: navigation, transfer and turning."""

from __future__ import annotations

from distrl.devices.phone.art.icons.strokes import CLEAR, Glyph, chevron, head, outline
from distrl.devices.phone.art.pen import Pen, spin


def _shaft(degrees: float) -> Glyph:
    def draw(pen: Pen) -> None:
        pen.line(spin(((4, 12), (19, 12)), degrees), width=2.4)
        chevron(pen, spin(((20, 12),), degrees)[0], degrees, 7)

    return draw


def _block(degrees: float) -> Glyph:
    corners = ((22, 12), (12, 22), (12, 16), (3, 16), (3, 8), (12, 8), (12, 2))

    def draw(pen: Pen) -> None:
        pen.poly(spin(corners, degrees))

    return draw


def _chevron(degrees: float) -> Glyph:
    def draw(pen: Pen) -> None:
        chevron(pen, spin(((16, 12),), degrees)[0], degrees, 7.5, 2.8)

    return draw


def _shift(pen: Pen) -> None:
    outline(pen, ((12, 3), (21, 12.5), (16, 12.5), (16, 20.5), (8, 20.5), (8, 12.5), (3, 12.5)))


def _enter(pen: Pen) -> None:
    pen.line(((20, 5), (20, 13), (5, 13)), width=2.4)
    chevron(pen, (3.5, 13), 180, 5.5)


def _backspace(pen: Pen) -> None:
    pen.poly(((1, 12), (8, 4), (23, 4), (23, 20), (8, 20)))
    pen.line(((11.5, 8.5), (18.5, 15.5)), CLEAR, 2.2)
    pen.line(((11.5, 15.5), (18.5, 8.5)), CLEAR, 2.2)


def _tray(pen: Pen) -> None:
    pen.rect((4, 19, 20, 21.6))


def _download(pen: Pen) -> None:
    _tray(pen)
    pen.rect((9, 2, 15, 9))
    head(pen, (12, 16.5), 90, 8)


def _upload(pen: Pen) -> None:
    _tray(pen)
    head(pen, (12, 2), 270, 8)
    pen.rect((9, 9.5, 15, 16.5))


def _refresh(pen: Pen) -> None:
    pen.arc((12, 12), 8, (20, 310), width=2.4)
    pen.poly(((20.5, 2.5), (20.5, 11), (12, 11)))


def _undo(pen: Pen) -> None:
    pen.arc((12.5, 16.5), 8, (215, 375), width=2.6)
    pen.poly(((2.5, 5.5), (2.5, 15), (12, 15)))


def _reply(pen: Pen) -> None:
    pen.poly(((1.5, 11), (10, 3), (10, 19)))
    pen.curve(((9, 11), (15, 11.6), (19.5, 15), (21.5, 20)), width=4.4)


def _share(pen: Pen) -> None:
    pen.line(((18, 5), (6, 12), (18, 19)), width=1.8)
    for center in ((18, 5), (6, 12), (18, 19)):
        pen.disc(center, 3.4)


def _send(pen: Pen) -> None:
    pen.poly(((2, 3), (23, 12), (2, 21), (2, 14), (14, 12), (2, 10)))


def _swap(pen: Pen) -> None:
    pen.line(((3, 8), (17, 8)), width=2.4)
    head(pen, (22, 8), 0, 5)
    pen.line(((7, 16), (21, 16)), width=2.4)
    head(pen, (2, 16), 180, 5)


def _data(pen: Pen) -> None:
    pen.line(((7.5, 8), (7.5, 20)), width=2.6)
    head(pen, (7.5, 2), 270, 5.5)
    pen.line(((16.5, 4), (16.5, 16)), width=2.6)
    head(pen, (16.5, 22), 90, 5.5)


def _repeat(pen: Pen) -> None:
    pen.line(((4, 11), (4, 6), (17, 6)), width=2.2)
    head(pen, (22, 6), 0, 4.6)
    pen.line(((20, 13), (20, 18), (7, 18)), width=2.2)
    head(pen, (2, 18), 180, 4.6)


def _shuffle(pen: Pen) -> None:
    pen.line(((3, 18.5), (7, 18.5), (15, 5.5), (17, 5.5)), width=2.2)
    pen.line(((3, 5.5), (7, 5.5), (15, 18.5), (17, 18.5)), width=2.2)
    head(pen, (22.5, 5.5), 0, 4.6)
    head(pen, (22.5, 18.5), 0, 4.6)


def _expand(pen: Pen) -> None:
    pen.line(((7, 17), (17, 7)), width=2.2)
    pen.poly(((12.5, 2.5), (21.5, 2.5), (21.5, 11.5)))
    pen.poly(((2.5, 12.5), (2.5, 21.5), (11.5, 21.5)))


def _rotate(pen: Pen) -> None:
    outline(pen, spin(((8, 4.5), (16, 4.5), (16, 19.5), (8, 19.5)), -45), 2.0)
    pen.arc((12, 12), 10.6, (280, 350), width=1.8)
    pen.arc((12, 12), 10.6, (100, 170), width=1.8)
    head(pen, (10.8, 1.6), 185, 3.2)
    head(pen, (13.2, 22.4), 5, 3.2)


GLYPHS: dict[str, Glyph] = {
    "back": _shaft(180),
    "backspace": _backspace,
    "chevron_down": _chevron(90),
    "chevron_right": _chevron(0),
    "data": _data,
    "down": _block(90),
    "download": _download,
    "enter": _enter,
    "expand": _expand,
    "forward": _shaft(0),
    "left": _block(180),
    "refresh": _refresh,
    "repeat": _repeat,
    "reply": _reply,
    "right": _block(0),
    "rotate": _rotate,
    "send": _send,
    "share": _share,
    "shift": _shift,
    "shuffle": _shuffle,
    "swap": _swap,
    "undo": _undo,
    "up": _block(270),
    "upload": _upload,
}
