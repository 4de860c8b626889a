"""Glyphs of people and of the ways they reach each other."""

from __future__ import annotations

from distrl.devices.phone.art.icons.strokes import CLEAR, Glyph, bubble, bust, handset
from distrl.devices.phone.art.pen import Pen, arc_points, spin


def _phone(pen: Pen) -> None:
    handset(pen, -135)


def _hang_up(pen: Pen) -> None:
    handset(pen, 0)


def _message(pen: Pen) -> None:
    bubble(pen, (2, 3, 22, 18), ((2, 15), (2, 22.4), (8, 16)))
    for y in (7.2, 11.6):
        pen.rect((5.6, y, 18.4, y + 2), CLEAR)


def _chat(pen: Pen) -> None:
    bubble(pen, (6.5, 8.5, 22.5, 19), ((17, 18), (22.5, 16), (22.5, 23)))
    pen.rect((0, 0, 19.2, 15.2), CLEAR, r=2.4)
    bubble(pen, (1.5, 2, 17.4, 13.4), ((1.5, 11), (1.5, 18.4), (7, 12.6)))


def _mail(pen: Pen) -> None:
    pen.rect((1.5, 4.5, 22.5, 19.5), r=1.8)
    pen.line(((2.6, 6.6), (12, 13.4), (21.4, 6.6)), CLEAR, 2.0)


def _mail_open(pen: Pen) -> None:
    pen.poly(((2, 9.4), (12, 2), (22, 9.4), (22, 22), (2, 22)))
    pen.poly(((5, 9.8), (12, 4.8), (19, 9.8), (12, 14)), CLEAR)
    pen.line(((3, 11.6), (12, 16.8), (21, 11.6)), CLEAR, 1.8)


def _person(pen: Pen) -> None:
    bust(pen, (12, 12.4), 1.12)


def _people(pen: Pen) -> None:
    bust(pen, (16.8, 12), 0.84)
    bust(pen, (8.4, 12.6), 1.12, CLEAR)
    bust(pen, (8.2, 13), 0.94)


def _contacts(pen: Pen) -> None:
    pen.rect((2, 4, 22, 20), r=1.8)
    pen.rect((4, 1, 20, 2.6))
    pen.rect((4, 21.4, 20, 23))
    bust(pen, (12, 13), 0.72, CLEAR)


def _walk(pen: Pen) -> None:
    pen.disc((13.4, 3.2), 2.5)
    pen.line(((12.6, 8), (11.4, 14)), width=4)
    pen.line(((11.4, 14.2), (14.6, 17.2), (15.6, 22)), width=2.4)
    pen.line(((10.8, 14.2), (9.4, 18.4), (6.6, 22)), width=2.4)
    pen.line(((11.6, 7.6), (7.2, 9.6), (6.4, 13)), width=2.0)
    pen.line(((13.6, 8), (15.8, 11.2), (19, 12)), width=2.0)


def _fitness(pen: Pen) -> None:
    pen.poly(spin(((5, 10.6), (19, 10.6), (19, 13.4), (5, 13.4)), -45))
    for x, reach in ((4.4, 6.2), (19.6, 6.2), (0.8, 3.8), (23.2, 3.8)):
        corners = ((x - 1.5, 12 - reach), (x + 1.5, 12 - reach))
        corners_below = ((x + 1.5, 12 + reach), (x - 1.5, 12 + reach))
        pen.poly(spin((*corners, *corners_below), -45))


def _bike(pen: Pen) -> None:
    pen.ring((5.2, 16.4), 4.0, width=1.8)
    pen.ring((18.8, 16.4), 4.0, width=1.8)
    pen.line(((5.2, 16.4), (9.2, 9), (15.8, 9), (11.4, 16.4), (5.2, 16.4)), width=1.6)
    pen.line(((18.8, 16.4), (14.8, 5), (17.8, 5)), width=1.8)
    pen.line(((11.4, 16.4), (8.6, 7)), width=1.6)
    pen.rect((6, 5.6, 11, 7.6))


def _attach(pen: Pen) -> None:
    pen.line(((7, 7), (7, 17)), width=2.0)
    pen.arc((12, 17), 5, (0, 180), width=2.0)
    pen.line(((17, 17), (17, 6)), width=2.0)
    pen.arc((13.6, 6), 3.4, (180, 360), width=2.0)
    pen.line(((10.2, 6), (10.2, 16)), width=2.0)
    pen.arc((12, 16), 1.8, (0, 180), width=2.0)
    pen.line(((13.8, 16), (13.8, 8)), width=2.0)


def _trophy(pen: Pen) -> None:
    pen.arc((6, 7), 3.6, (60, 280), width=2.0)
    pen.arc((18, 7), 3.6, (-100, 120), width=2.0)
    pen.poly(((6, 2), (18, 2), (18, 8), *arc_points((12, 9), 6, (0, 180)), (6, 8)))
    pen.rect((10.6, 14, 13.4, 20))
    pen.rect((6.5, 19.6, 17.5, 22.4))


GLYPHS: dict[str, Glyph] = {
    "attach": _attach,
    "bike": _bike,
    "chat": _chat,
    "contacts": _contacts,
    "fitness": _fitness,
    "hang_up": _hang_up,
    "mail": _mail,
    "mail_open": _mail_open,
    "message": _message,
    "people": _people,
    "person": _person,
    "phone": _phone,
    "trophy": _trophy,
    "walk": _walk,
}
