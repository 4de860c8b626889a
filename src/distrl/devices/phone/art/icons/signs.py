"""Glyphs that mark, rate, choose or arrange."""

from __future__ import annotations

from distrl.devices.phone.art.icons.strokes import (
    CLEAR,
    Glyph,
    heart_points,
    magnifier,
    outline,
    pencil,
    star_points,
)
from distrl.devices.phone.art.pen import Pen, arc_points

TICK = ((6.0, 12.4), (10.2, 16.6), (18.2, 7.6))
RIBBON = ((5.0, 3.0), (19.0, 3.0), (19.0, 21.0), (12.0, 16.6), (5.0, 21.0))


def _search(pen: Pen) -> None:
    magnifier(pen)


def _zoom_in(pen: Pen) -> None:
    _zoom_out(pen)
    pen.rect((8.6, 5, 11.4, 15))


def _zoom_out(pen: Pen) -> None:
    magnifier(pen, 8.4, 2.0)
    pen.rect((5, 8.6, 15, 11.4))


def _close(pen: Pen) -> None:
    pen.line(((5.5, 5.5), (18.5, 18.5)), width=2.8)
    pen.line(((5.5, 18.5), (18.5, 5.5)), width=2.8)


def _add(pen: Pen) -> None:
    pen.rect((10.4, 4, 13.6, 20))
    pen.rect((4, 10.4, 20, 13.6))


def _remove(pen: Pen) -> None:
    pen.rect((4, 10.4, 20, 13.6))


def _check(pen: Pen) -> None:
    pen.line(((4, 12.6), (9.4, 18), (20.4, 6)), width=3.0)


def _menu(pen: Pen) -> None:
    for y in (4, 10, 16):
        pen.rect((3, y, 21, y + 2.8))


def _more(pen: Pen) -> None:
    for y in (5, 12, 19):
        pen.disc((12, y), 2.3)


def _list(pen: Pen) -> None:
    for y in (5.5, 12, 18.5):
        pen.disc((4.2, y), 2)
        pen.rect((8.5, y - 1.2, 22, y + 1.2))


def _sort(pen: Pen) -> None:
    for y, right in ((4, 21), (10, 15), (16, 9)):
        pen.rect((3, y, right, y + 2.8))


def _filter(pen: Pen) -> None:
    pen.poly(((2.5, 3.5), (21.5, 3.5), (14.2, 12.5), (14.2, 20.5), (9.8, 18.5), (9.8, 12.5)))


def _grid(pen: Pen) -> None:
    for x in (3, 13):
        for y in (3, 13):
            pen.rect((x, y, x + 8, y + 8), r=0.8)


def _apps(pen: Pen) -> None:
    for x in (3, 10, 17):
        for y in (3, 10, 17):
            pen.rect((x, y, x + 4.4, y + 4.4), r=0.6)


def _dialpad(pen: Pen) -> None:
    for x in (6, 12, 18):
        for y in (3.2, 9, 14.8):
            pen.disc((x, y), 2)
    pen.disc((12, 20.8), 2)


def _star(pen: Pen) -> None:
    outline(pen, star_points((12, 12.6), 9.8, 4.4), 1.8)


def _star_filled(pen: Pen) -> None:
    pen.poly(star_points((12, 12.6), 11.4, 5.0))


def _heart(pen: Pen) -> None:
    points = heart_points()
    outline(pen, [(12 + (x - 12) * 0.9, 12.4 + (y - 12.4) * 0.9) for x, y in points], 2.0)


def _heart_filled(pen: Pen) -> None:
    pen.poly(heart_points())


def _bookmark(pen: Pen) -> None:
    outline(pen, [(12 + (x - 12) * 0.86, y) for x, y in RIBBON], 2.0)


def _bookmark_filled(pen: Pen) -> None:
    pen.poly(RIBBON)


def _thumb(*, up: bool) -> Glyph:
    palm = [
        (8, 10),
        (13.2, 2),
        (15.4, 3.6),
        (14.4, 8.8),
        (21.6, 8.8),
        (22, 12),
        (19.4, 20),
        (8, 20),
    ]
    cuff = [(2.0, 9.6), (6.0, 9.6), (6.0, 21.0), (2.0, 21.0)]
    if not up:
        palm = [(x, 24 - y) for x, y in palm]
        cuff = [(x, 24 - y) for x, y in cuff]

    def draw(pen: Pen) -> None:
        pen.poly(palm)
        outline(pen, palm, 1.4)
        pen.poly(cuff)

    return draw


def _flag(pen: Pen) -> None:
    pen.rect((4, 2, 6.4, 22))
    pen.poly(((6, 3), (21, 3), (17, 8.5), (21, 14), (6, 14)))


def _mark(pen: Pen) -> None:
    pen.rect((10.6, 7, 13.4, 14), CLEAR)
    pen.disc((12, 17), 1.6, CLEAR)


def _info(pen: Pen) -> None:
    pen.disc((12, 12), 10)
    pen.disc((12, 7.2), 1.7, CLEAR)
    pen.rect((10.6, 10.4, 13.4, 18), CLEAR)


def _warning(pen: Pen) -> None:
    pen.poly(((12, 1.5), (23.5, 21.5), (0.5, 21.5)))
    pen.rect((10.7, 8.6, 13.3, 15), CLEAR)
    pen.disc((12, 18), 1.5, CLEAR)


def _help(pen: Pen) -> None:
    pen.ring((12, 12), 9.6, width=2.0)
    pen.arc((12, 9.4), 3.2, (180, 400), width=2.2)
    pen.line(((14.2, 11.6), (12, 13.4), (12, 14.2)), width=2.2)
    pen.disc((12, 17.4), 1.4)


def _spam(pen: Pen) -> None:
    pen.poly([arc_points((12, 12), 11, (turn, turn + 5))[0] for turn in range(22, 382, 45)])
    _mark(pen)


def _circle(pen: Pen) -> None:
    pen.disc((12, 12), 9.6)


def _square(pen: Pen) -> None:
    pen.rect((3, 3, 21, 21), r=1)


def _dot(pen: Pen) -> None:
    pen.disc((12, 12), 4.2)


def _radio_off(pen: Pen) -> None:
    pen.ring((12, 12), 8.8, width=2.2)


def _radio_on(pen: Pen) -> None:
    _radio_off(pen)
    pen.disc((12, 12), 5)


def _box_off(pen: Pen) -> None:
    pen.frame((3, 3, 21, 21), r=2.2, width=2.2)


def _box_on(pen: Pen) -> None:
    pen.rect((3, 3, 21, 21), r=2.2)
    pen.line(TICK, CLEAR, 2.4)


def _edit(pen: Pen) -> None:
    pencil(pen, (3, 21), 24, 6.4)


def _delete(pen: Pen) -> None:
    pen.rect((8.6, 2, 15.4, 5))
    pen.rect((4, 3.6, 20, 6.2))
    pen.poly(((5.6, 7.8), (18.4, 7.8), (17.6, 22), (6.4, 22)))
    for x in (9.4, 14.6):
        pen.line(((x, 10.6), (x, 19)), CLEAR, 1.6)


GLYPHS: dict[str, Glyph] = {
    "add": _add,
    "apps": _apps,
    "bookmark": _bookmark,
    "bookmark_filled": _bookmark_filled,
    "box_off": _box_off,
    "box_on": _box_on,
    "check": _check,
    "circle": _circle,
    "close": _close,
    "delete": _delete,
    "dialpad": _dialpad,
    "dot": _dot,
    "edit": _edit,
    "filter": _filter,
    "flag": _flag,
    "grid": _grid,
    "heart": _heart,
    "heart_filled": _heart_filled,
    "help": _help,
    "info": _info,
    "list": _list,
    "menu": _menu,
    "more": _more,
    "radio_off": _radio_off,
    "radio_on": _radio_on,
    "remove": _remove,
    "search": _search,
    "sort": _sort,
    "spam": _spam,
    "square": _square,
    "star": _star,
    "star_filled": _star_filled,
    "thumb_down": _thumb(up=False),
    "thumb_up": _thumb(up=True),
    "warning": _warning,
    "zoom_in": _zoom_in,
    "zoom_out": _zoom_out,
}
