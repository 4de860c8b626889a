"""Drawings of clothes and of what one carries."""

from __future__ import annotations

from distrl.devices.phone.art.goods.paint import DARK, IRON, PAPER, STEEL, Drawing, Paint, mirrored
from distrl.devices.phone.art.pen import Pen, arc_points, smooth


def _shoe(pen: Pen, paint: Paint) -> None:
    upper = (
        (6, 38),
        (12, 26),
        (22, 30),
        (34, 30),
        (42, 24),
        (52, 32),
        (64, 46),
        (84, 54),
        (96, 64),
    )
    pen.poly([*smooth(upper, closed=False), (97, 74), (5, 74)], paint.base)
    pen.poly(((5, 44), (18, 44), (20, 74), (5, 74)), paint.dark)
    pen.poly([*arc_points((97, 76), 17, (190, 268)), (97, 74), (80, 74)], paint.dark)
    for i in range(4):
        x, y = 47 + i * 7, 32 + i * 6
        pen.line(((x, y), (x - 9, y + 7)), paint.accent, 2.6)
    pen.curve(((26, 62), (38, 64), (56, 54), (70, 58)), paint.accent, 4)
    pen.rect((3, 72, 99, 84), PAPER, r=5)
    pen.rect((3, 79, 99, 84), IRON, r=2.4)


def _shirt(pen: Pen, paint: Paint) -> None:
    half = ((50, 18), (40, 14), (34, 9), (20, 15), (2, 38), (16, 51), (25, 43), (25, 93), (50, 93))
    pen.poly(mirrored(half), paint.base)
    pen.poly(mirrored(((50, 25), (41, 20), (34, 9), (37, 8), (50, 8))), paint.dark)
    pen.poly(mirrored(((50, 20), (43, 16), (38, 8), (50, 8))), (244, 244, 246))
    for x0, x1 in ((25, 27), (75, 73)):
        pen.line(((x0, 44), (x1, 34)), paint.dark, 1.8)
    pen.rect((25, 89, 75, 91), paint.dark)


def _jacket(pen: Pen, paint: Paint) -> None:
    for side in (0, 1):
        sleeve = ((32, 16), (14, 24), (4, 80), (17, 84), (28, 46))
        pen.poly([(100 - x if side else x, y) for x, y in sleeve], paint.dark)
        cuff = ((4.6, 76), (17.6, 80), (16, 87), (3, 83))
        pen.poly([(100 - x if side else x, y) for x, y in cuff], DARK)
    pen.poly(mirrored(((50, 12), (36, 12), (24, 20), (24, 92), (50, 92))), paint.base)
    pen.poly(mirrored(((50, 30), (36, 6), (50, 10))), paint.dark)
    for side in (-1, 1):
        pen.poly(
            [(50 + side * x, y) for x, y in ((17, 7), (22, 16), (10, 34), (1, 24))], paint.light
        )
        pen.line(((50 + side * 20, 62), (50 + side * 10, 70)), paint.dark, 2.4)
    pen.line(((50, 26), (50, 91)), STEEL, 2.6)
    pen.rect((24, 86, 76, 92), paint.dark)


def _hat(pen: Pen, paint: Paint) -> None:
    pen.poly(arc_points((42, 62), 36, (180, 360)), paint.base)
    pen.line(((42, 28), (42, 60)), paint.dark, 1.8)
    pen.arc((42, 62), 20, (186, 268), paint.dark, 1.8)
    pen.arc((42, 62), 20, (272, 354), paint.dark, 1.8)
    pen.disc((42, 26), 4, paint.dark)
    pen.blob(
        ((60, 60), (78, 58), (96, 66), (99, 76), (84, 72), (50, 70), (8, 68), (8, 61)), paint.dark
    )
    pen.rect((6, 58, 78, 66), paint.light, r=3)


def _backpack(pen: Pen, paint: Paint) -> None:
    pen.arc((50, 14), 10, (180, 360), IRON, 4.4)
    for x in (14, 86):
        pen.rect((x - 8, 48, x + 8, 84), paint.dark, r=6)
    pen.rect((16, 12, 84, 95), paint.base, r=20)
    pen.rect((16, 60, 84, 95), paint.base, r=8)
    pen.arc((50, 44), 26, (190, 350), paint.dark, 2.6)
    pen.rect((24, 54, 76, 89), paint.dark, r=6)
    pen.rect((27, 57, 73, 86), paint.light, r=4)
    pen.rect((24, 64, 76, 68), paint.dark)
    pen.rect((46.6, 64, 53.4, 75), STEEL, r=2)
    pen.rect((40, 27, 60, 37), paint.accent, r=2)


DRAWINGS: dict[str, Drawing] = {
    "backpack": _backpack,
    "hat": _hat,
    "jacket": _jacket,
    "shirt": _shirt,
    "shoe": _shoe,
}
