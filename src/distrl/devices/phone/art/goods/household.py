"""Drawings of things for the house, the kitchen and the garden."""

from __future__ import annotations

from distrl.devices.phone.art.goods.paint import (
    DARK,
    GLASS,
    IRON,
    PAPER,
    STEEL,
    WOOD,
    Drawing,
    Paint,
    mirrored,
)
from distrl.devices.phone.art.pen import Pen, arc_points, spin


def _mug(pen: Pen, paint: Paint) -> None:
    pen.ring((72, 52), 17, paint.dark, 8)
    pen.rect((14, 18, 74, 90), paint.base, r=9)
    pen.rect((14, 18, 74, 50), paint.base)
    pen.rect((20, 30, 27, 80), paint.light, r=3)
    pen.oval((14, 10, 74, 27), paint.dark)
    pen.oval((17.6, 12, 70.4, 25), (98, 60, 36))


def _bottle(pen: Pen, paint: Paint) -> None:
    pen.rect((39, 2, 61, 17), IRON, r=3)
    pen.rect((42, 15, 58, 25), STEEL)
    pen.poly(mirrored(((50, 22), (42, 22), (32, 38), (32, 60), (50, 60))), paint.base)
    pen.rect((32, 38, 68, 97), paint.base, r=6)
    pen.rect((32, 52, 68, 76), paint.accent)
    pen.disc((50, 64), 6.6, paint.base)
    pen.rect((36.4, 36, 40.6, 50), paint.light, r=2)
    pen.rect((36.4, 78, 40.6, 91), paint.light, r=2)


def _lamp(pen: Pen, paint: Paint) -> None:
    pen.rect((47.4, 46, 52.6, 90), WOOD)
    pen.rect((30, 88, 70, 95), WOOD, r=3)
    pen.poly(((27, 51), (73, 51), (66, 56), (34, 56)), (255, 240, 170))
    pen.poly(((34, 6), (66, 6), (84, 52), (16, 52)), paint.base)
    pen.poly(((34, 6), (44, 6), (36, 52), (16, 52)), paint.light)
    pen.poly(((17.6, 48), (82.4, 48), (84, 52), (16, 52)), paint.dark)
    pen.line(((66, 54), (66, 68)), STEEL, 1.4)
    pen.disc((66, 70), 2.2, IRON)


def _chair(pen: Pen, paint: Paint) -> None:
    for x in (26, 74):
        pen.line(((x, 54), (x, 76)), WOOD, 4.6)
    pen.rect((24, 3, 76, 48), paint.base, r=8)
    pen.rect((31, 10, 69, 41), paint.light, r=5)
    pen.rect((29, 44, 35, 60), WOOD)
    pen.rect((65, 44, 71, 60), WOOD)
    pen.poly(((22, 54), (78, 54), (86, 68), (14, 68)), paint.base)
    pen.rect((14, 66, 86, 73), paint.dark, r=3)
    for x, foot in ((19, 16), (81, 84)):
        pen.line(((x, 74), (foot, 96)), WOOD, 5.4)


def _book(pen: Pen, paint: Paint) -> None:
    pen.poly(((26, 92), (34, 98), (90, 98), (84, 92)), PAPER)
    pen.rect((17, 4, 84, 94), paint.base, r=3)
    pen.rect((17, 4, 27, 94), paint.dark, r=3)
    pen.poly(((17, 90), (84, 90), (90, 97), (24, 97)), PAPER)
    pen.line(((18, 91), (25, 98), (90, 98)), paint.dark, 2.4)
    pen.rect((35, 18, 76, 25), paint.accent, r=1)
    pen.rect((41, 31, 70, 35), paint.accent, r=1)
    pen.disc((55.5, 62), 13, paint.accent)
    pen.poly(((55.5, 52), (64, 67), (47, 67)), paint.base)


def _toy(pen: Pen, paint: Paint) -> None:
    for x in (27, 73):
        pen.disc((x, 17), 12, paint.base)
        pen.disc((x, 17), 6.4, paint.light)
        pen.oval((x - 15, 74, x + 13, 98), paint.base)
        pen.disc((x, 87), 6, paint.light)
    pen.oval((8, 50, 34, 76), paint.dark)
    pen.oval((66, 50, 92, 76), paint.dark)
    pen.oval((24, 44, 76, 97), paint.base)
    pen.oval((34, 58, 66, 90), paint.light)
    pen.oval((21, 8, 79, 60), paint.base)
    pen.oval((37, 34, 63, 55), PAPER)
    for x in (38, 62):
        pen.disc((x, 29), 4, DARK)
        pen.disc((x + 1.2, 27.6), 1.3, PAPER)
    pen.oval((45, 37, 55, 44), DARK)
    pen.curve(((44, 48), (50, 51), (56, 48)), DARK, 1.6)


def _ball(pen: Pen, paint: Paint) -> None:
    pen.disc((50, 50), 46, paint.accent)
    for i in range(6):
        pen.pie((50, 50), 46, (i * 60 - 20, i * 60 + 12), paint.base)
    pen.disc((50, 50), 15, paint.base)
    pen.disc((50, 50), 9, paint.accent)
    pen.ring((50, 50), 44.6, paint.dark, 2.8)
    pen.blob(((24, 26), (34, 16), (44, 14), (36, 22), (28, 32)), (255, 255, 255))


def _pan(pen: Pen, paint: Paint) -> None:
    pen.line(((62, 38), (95, 6)), paint.base, 8.6)
    pen.line(((58, 42), (68, 32)), STEEL, 6)
    pen.disc((38, 60), 36, paint.base)
    pen.disc((38, 60), 28.6, paint.dark)
    pen.disc((38, 60), 25.6, IRON)
    pen.arc((38, 60), 19, (190, 250), (120, 124, 134), 3)
    pen.disc((92, 9), 1.9, PAPER)


def _knife(pen: Pen, paint: Paint) -> None:
    about = (50, 52)
    blade = ((42, 40), (104, 40), (101, 48), (91, 57), (74, 63), (42, 64))
    edge = ((42, 57), (76, 56), (99, 47), (91, 57), (74, 63), (42, 64))
    grip = spin(((-2, 44), (18, 43), (38, 42), (38, 61), (22, 62), (0, 60)), -32, about)
    pen.poly(spin(blade, -32, about), STEEL)
    pen.poly(spin(edge, -32, about), (226, 230, 236))
    pen.poly(spin(((38, 39), (44, 39), (44, 66), (38, 66)), -32, about), IRON)
    pen.poly(grip, paint.base)
    pen.line((*grip, grip[0]), paint.base, 3)
    for x in (6, 17, 28):
        pen.disc(spin(((x, 52),), -32, about)[0], 2.4, paint.accent)


def _blender(pen: Pen, paint: Paint) -> None:
    pen.rect((44, 1, 56, 8), IRON, r=2)
    pen.rect((27, 6, 73, 13), paint.dark, r=2)
    pen.arc((74, 34), 12, (270, 450), paint.dark, 5)
    pen.poly(((27, 13), (74, 13), (67, 62), (34, 62)), GLASS)
    pen.poly(((29.6, 32), (71.4, 32), (67, 62), (34, 62)), (244, 150, 150))
    pen.poly(((32, 16), (37, 16), (41, 58), (37, 58)), (232, 242, 250))
    for y in (24, 33, 42):
        pen.line(((60, y), (66, y)), PAPER, 1.6)
    pen.rect((35, 60, 66, 67), IRON)
    pen.poly(((33, 66), (68, 66), (77, 96), (24, 96)), paint.base)
    pen.disc((50.5, 81), 8, paint.accent)
    pen.line(((50.5, 81), (54.5, 77)), paint.dark, 2.6)


def _tent(pen: Pen, paint: Paint) -> None:
    pen.line(((47, 10), (54, 2)), IRON, 2)
    pen.line(((53, 10), (46, 2)), IRON, 2)
    pen.poly(((50, 6), (98, 88), (2, 88)), paint.base)
    pen.poly(((50, 6), (98, 88), (72, 88)), paint.dark)
    pen.poly(((50, 24), (70, 88), (30, 88)), DARK)
    pen.poly(((50, 24), (44, 50), (38, 88), (28, 88)), paint.light)
    pen.poly(((50, 24), (56, 50), (62, 88), (72, 88)), paint.light)
    for x, end in ((4, 0), (96, 100)):
        pen.line(((x, 86), (end, 93)), IRON, 1.8)


def _plant(pen: Pen, paint: Paint) -> None:
    for turn in (-40, -15, 15, 40):
        leaf = ((50, 58), (42, 34), (50, 6), (58, 34))
        pen.blob(spin(leaf, turn, (50, 58)), (60, 146, 76))
        pen.line(spin(((50, 56), (50, 18)), turn, (50, 58)), (40, 112, 60), 1.4)
    pen.poly(((25, 58), (75, 58), (68, 96), (32, 96)), paint.base)
    pen.rect((21, 52, 79, 64), paint.light, r=3)
    pen.poly(arc_points((50, 80), 6, (0, 355)), paint.dark)


DRAWINGS: dict[str, Drawing] = {
    "ball": _ball,
    "blender": _blender,
    "book": _book,
    "bottle": _bottle,
    "chair": _chair,
    "knife": _knife,
    "lamp": _lamp,
    "mug": _mug,
    "pan": _pan,
    "plant": _plant,
    "tent": _tent,
    "toy": _toy,
}
