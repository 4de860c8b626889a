"""Glyphs of buying and paying."""

from __future__ import annotations

from distrl.devices.phone.art.icons.strokes import CLEAR, Glyph
from distrl.devices.phone.art.pen import Pen


def _cart(pen: Pen) -> None:
    pen.line(((1.6, 3), (4.6, 3), (8, 14.6), (19.4, 14.6)), width=2.2)
    pen.poly(((5.6, 5), (22.6, 5), (19.6, 12.6), (7.8, 12.6)))
    pen.disc((9, 19.6), 2.4)
    pen.disc((18, 19.6), 2.4)


def _bag(pen: Pen) -> None:
    pen.arc((12, 7), 4.2, (180, 360), width=2.2)
    pen.poly(((3.6, 7), (20.4, 7), (22, 22.4), (2, 22.4)))
    pen.arc((12, 10.2), 4.2, (0, 180), CLEAR, 2.0)


def _gift(pen: Pen) -> None:
    pen.rect((1.6, 7, 22.4, 12), r=0.8)
    pen.rect((3.2, 13.2, 20.8, 22.4), r=0.8)
    pen.rect((10.8, 6.6, 13.2, 22.4), CLEAR)
    pen.ring((8.4, 4.4), 2.4, width=1.9)
    pen.ring((15.6, 4.4), 2.4, width=1.9)


def _card(pen: Pen) -> None:
    pen.rect((1, 4, 23, 20), r=2)
    pen.rect((1, 7.4, 23, 11.2), CLEAR)
    pen.rect((4, 15, 10, 17), CLEAR)


def _wallet(pen: Pen) -> None:
    pen.frame((2, 3.4, 20.6, 20.6), r=2.2, width=2.2)
    pen.rect((10, 7.6, 22.6, 16.4), CLEAR)
    pen.rect((11.4, 8.6, 22.8, 15.4), r=1)
    pen.disc((15.4, 12), 1.6, CLEAR)


GLYPHS: dict[str, Glyph] = {
    "bag": _bag,
    "card": _card,
    "cart": _cart,
    "gift": _gift,
    "wallet": _wallet,
}
