"""Glyphs of maps, journeys and the places on the way."""

from __future__ import annotations

from distrl.devices.phone.art.icons.strokes import CLEAR, Glyph, drop
from distrl.devices.phone.art.pen import Pen


def _map(pen: Pen) -> None:
    pen.poly(
        ((2, 4.6), (8, 2.4), (16, 4.8), (22, 2.4), (22, 19.4), (16, 21.6), (8, 19.2), (2, 21.4))
    )
    pen.poly(((8.4, 4.8), (15.6, 7), (15.6, 19), (8.4, 16.8)), CLEAR)


def _pin(pen: Pen) -> None:
    drop(pen, (12, 23), 7.8)
    pen.disc((12, 9.4), 3.0, CLEAR)


def _location(pen: Pen) -> None:
    pen.ring((12, 12), 7, width=2.0)
    pen.disc((12, 12), 3.4)
    for box in ((11, 0.6, 13, 5), (11, 19, 13, 23.4), (0.6, 11, 5, 13), (19, 11, 23.4, 13)):
        pen.rect(box)


def _directions(pen: Pen) -> None:
    pen.poly(((12, 0.6), (23.4, 12), (12, 23.4), (0.6, 12)))
    pen.line(((8.6, 15.6), (8.6, 11), (13, 11)), CLEAR, 2.2)
    pen.poly(((13, 7), (17.4, 11), (13, 15)), CLEAR)


def _car(pen: Pen) -> None:
    pen.poly(((2, 11), (4.8, 4.4), (19.2, 4.4), (22, 11), (22, 18.6), (2, 18.6)))
    pen.rect((3, 17, 6.6, 21.4), r=0.8)
    pen.rect((17.4, 17, 21, 21.4), r=0.8)
    pen.poly(((5, 10.6), (6.6, 6.4), (17.4, 6.4), (19, 10.6)), CLEAR)
    pen.disc((6.2, 14.4), 1.6, CLEAR)
    pen.disc((17.8, 14.4), 1.6, CLEAR)


def _bus(pen: Pen) -> None:
    pen.rect((3.6, 1.8, 20.4, 19.4), r=2.6)
    pen.rect((5, 18, 8.4, 22.4), r=0.8)
    pen.rect((15.6, 18, 19, 22.4), r=0.8)
    pen.rect((6, 5.4, 11.2, 11.2), CLEAR)
    pen.rect((12.8, 5.4, 18, 11.2), CLEAR)
    pen.disc((7.4, 15.2), 1.5, CLEAR)
    pen.disc((16.6, 15.2), 1.5, CLEAR)


def _truck(pen: Pen) -> None:
    pen.rect((0.6, 4.6, 14, 17), r=0.8)
    pen.poly(((15.4, 8), (19.6, 8), (23.4, 12.6), (23.4, 17), (15.4, 17)))
    pen.poly(((17, 9.6), (19, 9.6), (21, 12.2), (17, 12.2)), CLEAR)
    for x in (5.8, 18.4):
        pen.disc((x, 17.4), 3.6, CLEAR)
        pen.disc((x, 17.4), 2.6)


def _restaurant(pen: Pen) -> None:
    for x in (3.4, 6.4, 9.4):
        pen.rect((x, 2, x + 1.7, 9))
    pen.pie((7.25, 8.6), 3.85, (0, 180))
    pen.rect((6, 10, 8.5, 22.4), r=0.8)
    pen.poly(((15, 4), (19, 1.8), (19, 13.6), (14, 13.6), (14, 8)))
    pen.rect((16.4, 12, 19, 22.4), r=0.8)


def _coffee(pen: Pen) -> None:
    pen.ring((17.4, 8), 3.6, width=2.0)
    pen.rect((3, 3, 18, 16), r=2.6)
    pen.rect((3, 3, 18, 8))
    pen.rect((2, 18.6, 20, 21.2))


def _fuel(pen: Pen) -> None:
    pen.rect((3, 2, 14, 22), r=1.2)
    pen.rect((5.4, 4.8, 11.6, 9.8), CLEAR)
    pen.line(((15.6, 4), (19.6, 8), (19.6, 17.6)), width=2.0)
    pen.line(((14, 12.6), (16.6, 12.6), (16.6, 17.6)), width=1.8)
    pen.arc((18.1, 17.6), 1.5, (0, 180), width=1.8)


def _hotel(pen: Pen) -> None:
    pen.rect((1, 4, 3.4, 20.4))
    pen.rect((1, 14, 23, 17.4))
    pen.rect((20.6, 14, 23, 20.4))
    pen.disc((7, 10.2), 2.7)
    pen.poly(((11, 7.4), (19, 7.4), (23, 11), (23, 13), (11, 13)))


def _hospital(pen: Pen) -> None:
    pen.rect((2.4, 2.4, 21.6, 21.6), r=2)
    pen.rect((10, 5.6, 14, 18.4), CLEAR)
    pen.rect((5.6, 10, 18.4, 14), CLEAR)


def _bank(pen: Pen) -> None:
    pen.poly(((12, 1), (22.6, 7), (22.6, 9), (1.4, 9), (1.4, 7)))
    for x in (3.6, 10.4, 17.2):
        pen.rect((x, 10.6, x + 3.2, 17.6))
    pen.rect((1.4, 19, 22.6, 22.2))


def _home(pen: Pen) -> None:
    pen.poly(((12, 2), (23.2, 12.4), (20, 12.4), (20, 21.6), (4, 21.6), (4, 12.4), (0.8, 12.4)))
    pen.rect((9.4, 14, 14.6, 21.6), CLEAR)


def _store(pen: Pen) -> None:
    pen.rect((3.4, 2, 20.6, 4.2))
    pen.poly(((3.4, 5.4), (20.6, 5.4), (22.8, 11.4), (1.2, 11.4)))
    for x in (4.8, 9.6, 14.4, 19.2):
        pen.disc((x, 11), 2.6)
    pen.rect((3.4, 14.4, 5.8, 22))
    pen.rect((12.6, 14.4, 20.6, 22))
    pen.rect((3.4, 19.8, 14, 22))


GLYPHS: dict[str, Glyph] = {
    "bank": _bank,
    "bus": _bus,
    "car": _car,
    "coffee": _coffee,
    "directions": _directions,
    "fuel": _fuel,
    "home": _home,
    "hospital": _hospital,
    "hotel": _hotel,
    "location": _location,
    "map": _map,
    "pin": _pin,
    "restaurant": _restaurant,
    "store": _store,
    "truck": _truck,
}
