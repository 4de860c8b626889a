"""Glyphs of files, letters and reading matter."""

from __future__ import annotations

from distrl.devices.phone.art.icons.strokes import (
    CLEAR,
    Glyph,
    mirrored,
    outline,
    page,
    pencil,
    pencil_gap,
)
from distrl.devices.phone.art.pen import Pen


def _folder(pen: Pen) -> None:
    pen.rect((1.5, 4, 11, 9), r=1.4)
    pen.rect((1.5, 6.4, 22.5, 20.4), r=1.6)


def _file(pen: Pen) -> None:
    page(pen, (4, 1.5, 20, 22.5))


def _pdf(pen: Pen) -> None:
    outline(pen, ((5, 2.6), (14, 2.6), (19, 7.4), (19, 21.4), (5, 21.4)), 1.6)
    pen.rect((0.6, 10, 23.4, 19), r=1)
    pen.line(((3.8, 17), (3.8, 12), (6, 12), (6, 14.4), (3.8, 14.4)), CLEAR, 1.3)
    pen.line(
        ((10.2, 12), (10.2, 17), (12, 17), (13.2, 15.8), (13.2, 13.2), (12, 12), (10.2, 12)),
        CLEAR,
        1.3,
    )
    pen.line(((17.4, 17), (17.4, 12), (20.6, 12)), CLEAR, 1.3)
    pen.line(((17.4, 14.5), (19.8, 14.5)), CLEAR, 1.3)


def _note(pen: Pen) -> None:
    pen.poly(((3, 3), (21, 3), (21, 14.6), (14.6, 21), (3, 21)))
    pen.poly(((14.4, 14.4), (19.4, 14.4), (14.4, 19.4)), CLEAR)
    pen.rect((6.2, 6.6, 17.8, 8.6), CLEAR)
    pen.rect((6.2, 10.6, 14, 12.6), CLEAR)


def _draft(pen: Pen) -> None:
    page(pen, (2.5, 1.5, 17.5, 21.5), 5)
    for y in (9.2, 12.8):
        pen.rect((5.4, y, 13.6, y + 1.6), CLEAR)
    pencil_gap(pen, (11, 22.4), 18)
    pencil(pen, (11, 22.4), 16, 4.6)


def _inbox(pen: Pen) -> None:
    pen.rect((2.4, 3, 21.6, 21), r=2)
    pen.rect((4.8, 5.4, 19.2, 14), CLEAR)
    pen.poly(((8, 13), (16, 13), (14.8, 17), (9.2, 17)), CLEAR)


def _archive(pen: Pen) -> None:
    pen.rect((1.5, 3, 22.5, 7.6), r=0.8)
    pen.rect((3, 9, 21, 21.4), r=1)
    pen.rect((8, 11.4, 16, 14), CLEAR)


def _copy(pen: Pen) -> None:
    pen.line(((4, 16.5), (4, 2.6), (14.6, 2.6)), width=2.2)
    pen.rect((7.4, 6, 21, 22.6), r=1.6)
    pen.rect((9.8, 8.4, 18.6, 20.2), CLEAR)


def _book(pen: Pen) -> None:
    pen.poly(mirrored([(11.2, 6), (7, 4), (1.2, 4), (1.2, 19), (7, 19), (11.2, 21.2)]))
    pen.rect((11.2, 5.6, 12.8, 22), CLEAR)
    for y in (8.4, 12.2):
        pen.rect((3.6, y, 8.6, y + 1.6), CLEAR)


def _news(pen: Pen) -> None:
    pen.rect((1, 8, 5, 21), r=1)
    pen.rect((4.4, 3, 23, 21), r=1)
    pen.rect((7, 5.6, 20.4, 8), CLEAR)
    pen.rect((7, 10, 12.6, 15.6), CLEAR)
    for y in (10, 12.4, 14.8):
        pen.rect((14.4, y, 20.4, y + 1.2), CLEAR)
    pen.rect((7, 17.2, 20.4, 18.6), CLEAR)


def _tag(pen: Pen) -> None:
    pen.poly(((2, 2), (11.6, 2), (22.4, 12.8), (12.8, 22.4), (2, 11.6)))
    pen.disc((6.6, 6.6), 2.0, CLEAR)


GLYPHS: dict[str, Glyph] = {
    "archive": _archive,
    "book": _book,
    "copy": _copy,
    "draft": _draft,
    "file": _file,
    "folder": _folder,
    "inbox": _inbox,
    "news": _news,
    "note": _note,
    "pdf": _pdf,
    "tag": _tag,
}
