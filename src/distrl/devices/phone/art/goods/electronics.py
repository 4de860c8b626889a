"""Drawings of electronics."""

from __future__ import annotations

from distrl.devices.phone.art.goods.paint import (
    DARK,
    IRON,
    PAPER,
    STEEL,
    Drawing,
    Paint,
    lens,
    screen,
)
from distrl.devices.phone.art.pen import Box, Pen


def _headphones(pen: Pen, paint: Paint) -> None:
    pen.arc((50, 52), 36, (180, 360), paint.base, 9)
    pen.arc((50, 52), 37.6, (200, 340), paint.light, 3)
    for side in (-1, 1):
        pen.rect(_across(side, 31, 42, 50, 92), IRON, r=5)
        pen.rect(_across(side, 37, 45, 53, 89), paint.base, r=7)
        pen.rect(_across(side, 47, 50, 51, 84), paint.dark, r=2)


def _across(side: int, near: float, top: float, far: float, bottom: float) -> Box:
    x0, x1 = sorted((50 + side * near, 50 + side * far))
    return x0 - 4 * side, top, x1 - 4 * side, bottom


def _laptop(pen: Pen, paint: Paint) -> None:
    pen.rect((14, 18, 86, 70), paint.base, r=3)
    screen(pen, (18, 22, 82, 65))
    pen.poly(((14, 70), (86, 70), (99, 84), (1, 84)), paint.light)
    pen.poly(((19, 72), (81, 72), (87, 79), (13, 79)), DARK)
    pen.poly(((41, 80.4), (59, 80.4), (60, 83), (40, 83)), paint.dark)
    pen.rect((1, 84, 99, 88), paint.dark, r=1.6)


def _mouse(pen: Pen, paint: Paint) -> None:
    pen.curve(((50, 20), (53, 10), (64, 8), (72, 1)), IRON, 2.6)
    pen.rect((25, 18, 75, 96), paint.base, r=25)
    pen.oval((31, 52, 52, 92), paint.light)
    pen.oval((34, 50, 62, 92), paint.base)
    pen.line(((26, 50), (74, 50)), paint.dark, 2.2)
    pen.line(((50, 20), (50, 50)), paint.dark, 2.2)
    pen.rect((45.6, 26, 54.4, 44), DARK, r=4.4)
    pen.rect((47.6, 29, 52.4, 41), STEEL, r=2.4)


def _keyboard(pen: Pen, paint: Paint) -> None:
    pen.rect((1, 28, 99, 74), paint.base, r=5)
    pen.rect((1, 68, 99, 74), paint.dark, r=3)
    for row, shift in ((32, 0.0), (41.5, 2.0), (51, 0.0)):
        for column in range(9):
            x = 5 + shift + column * 10
            pen.rect((x, row, x + 8, row + 7.6), paint.accent, r=1.4)
    for x0, x1 in ((5, 20), (23, 76), (79, 94.6)):
        pen.rect((x0, 60.4, x1, 67), paint.accent, r=1.4)


def _phone(pen: Pen, paint: Paint) -> None:
    pen.rect((40, 3, 83, 90), paint.base, r=7)
    pen.rect((42.6, 5.6, 70, 34), paint.dark, r=6)
    for center in ((50, 13), (62, 13), (50, 26)):
        lens(pen, center, 5)
    pen.disc((62, 26), 2.6, (255, 236, 170))
    pen.rect((17, 12, 62, 97), DARK, r=7)
    pen.rect((18.4, 13.4, 60.6, 95.6), paint.base, r=6)
    pen.rect((20.4, 15.4, 58.6, 93.6), DARK, r=4.4)
    screen(pen, (22, 20, 57, 90))
    pen.rect((34, 16.4, 45, 18.6), IRON, r=1)


def _tablet(pen: Pen, paint: Paint) -> None:
    pen.rect((4, 14, 96, 86), paint.base, r=6)
    pen.rect((8, 18, 92, 82), DARK, r=3)
    screen(pen, (13, 21, 87, 79))
    for i, color in enumerate(((240, 90, 70), (250, 200, 70), (90, 190, 110), (240, 240, 240))):
        pen.rect((24 + i * 14, 62, 34 + i * 14, 72), color, r=2)
    pen.disc((10.4, 50), 1.2, STEEL)


def _watch(pen: Pen, paint: Paint) -> None:
    for y, far in ((30, 2), (70, 98)):
        pen.poly(((33, y), (67, y), (61, far), (39, far)), paint.base)
        pen.line(((50, (y + far) / 2), (50, far + (6 if far < 50 else -6))), paint.dark, 3)
    pen.rect((75, 44, 80, 56), STEEL, r=2)
    pen.disc((50, 50), 28, STEEL)
    pen.disc((50, 50), 24, PAPER)
    for x, y in ((50, 30), (70, 50), (50, 70), (30, 50)):
        pen.disc((x, y), 2, DARK)
    pen.line(((50, 36), (50, 50), (61, 56)), DARK, 3)
    pen.disc((50, 50), 2.8, paint.base)


def _camera(pen: Pen, paint: Paint) -> None:
    pen.poly(((34, 28), (40, 14), (62, 14), (68, 28)), paint.dark)
    pen.rect((12, 20, 26, 30), IRON, r=2)
    pen.rect((3, 26, 97, 84), paint.base, r=7)
    pen.rect((3, 38, 97, 70), DARK)
    lens(pen, (51, 54), 25)
    pen.disc((86, 33), 3, (240, 70, 60))
    pen.rect((10, 30, 25, 35), paint.light, r=1.6)


def _speaker(pen: Pen, paint: Paint) -> None:
    pen.rect((24, 3, 76, 97), paint.base, r=6)
    pen.rect((24, 91, 76, 97), paint.dark, r=3)
    for y, r in ((26, 13), (66, 21)):
        pen.disc((50, y), r, paint.dark)
        pen.disc((50, y), r * 0.86, DARK)
        pen.disc((50, y), r * 0.6, IRON)
        pen.disc((50, y), r * 0.28, STEEL)


def _monitor(pen: Pen, paint: Paint) -> None:
    pen.poly(((43, 72), (57, 72), (60, 90), (40, 90)), paint.dark)
    pen.rect((26, 88, 74, 94), paint.base, r=2.4)
    pen.rect((2, 10, 98, 76), paint.base, r=4)
    screen(pen, (6, 14, 94, 68))
    pen.disc((50, 72), 1.4, paint.accent)


def _charger(pen: Pen, paint: Paint) -> None:
    pen.rect((30, 3, 36, 24), STEEL, r=1)
    pen.rect((48, 3, 54, 24), STEEL, r=1)
    pen.rect((18, 20, 66, 64), paint.base, r=8)
    pen.rect((18, 54, 66, 64), paint.dark, r=5)
    pen.poly(((45, 26), (33, 43), (41, 43), (38, 53), (51, 37), (43, 37)), paint.accent)
    cable = ((42, 64), (42, 82), (56, 92), (74, 84), (78, 66), (78, 54))
    pen.curve(cable, IRON, 4)
    pen.rect((72, 36, 84, 56), paint.base, r=2.4)
    pen.rect((74.4, 27, 81.6, 36), STEEL, r=1)


def _battery(pen: Pen, paint: Paint) -> None:
    for x, tall in ((10, 18), (54, 18)):
        pen.rect((x + 11, tall - 9, x + 25, tall + 4), STEEL, r=2)
        pen.rect((x, tall, x + 36, 92), paint.base, r=5)
        pen.rect((x, tall, x + 36, tall + 18), (206, 152, 66), r=5)
        pen.rect((x, tall + 9, x + 36, tall + 18), (206, 152, 66))
        pen.rect((x + 4, tall + 22, x + 9, 86), paint.light, r=2)
        pen.rect((x + 12, 60, x + 28, 64), paint.accent)
        pen.rect((x + 18, 54, x + 22, 70), paint.accent)


def _vacuum(pen: Pen, paint: Paint) -> None:
    pen.curve(((22, 76), (8, 50), (26, 20), (60, 10), (74, 26)), IRON, 4.4)
    pen.line(((72, 20), (87, 86)), STEEL, 5)
    pen.line(((68, 8), (72, 22)), DARK, 5)
    pen.poly(((76, 84), (97, 84), (99, 93), (72, 93)), DARK)
    pen.poly(((8, 80), (10, 62), (22, 52), (46, 52), (60, 64), (62, 80)), paint.base)
    pen.rect((8, 76, 62, 84), paint.dark, r=3)
    pen.rect((18, 60, 34, 68), paint.light, r=3)
    for x in (18, 52):
        pen.disc((x, 85), 9, DARK)
        pen.disc((x, 85), 4, STEEL)


def _drill(pen: Pen, paint: Paint) -> None:
    pen.rect((76, 25, 99, 28), STEEL)
    pen.poly(((62, 18), (78, 22), (78, 31), (62, 36)), IRON)
    pen.rect((8, 12, 64, 42), paint.base, r=6)
    pen.rect((8, 34, 64, 42), paint.dark, r=4)
    for x in (14, 20, 26):
        pen.rect((x, 18, x + 3, 30), paint.dark)
    pen.poly(((14, 40), (36, 40), (32, 74), (10, 74)), paint.base)
    pen.poly(((36, 42), (44, 42), (39, 54), (34, 54)), DARK)
    pen.rect((3, 72, 44, 92), DARK, r=4)
    pen.rect((8, 78, 39, 84), paint.base, r=1.6)


DRAWINGS: dict[str, Drawing] = {
    "battery": _battery,
    "camera": _camera,
    "charger": _charger,
    "drill": _drill,
    "headphones": _headphones,
    "keyboard": _keyboard,
    "laptop": _laptop,
    "monitor": _monitor,
    "mouse": _mouse,
    "phone": _phone,
    "speaker": _speaker,
    "tablet": _tablet,
    "vacuum": _vacuum,
    "watch": _watch,
}
