"""Scenes of animals and plants: dog, cat, bird, flower."""

from __future__ import annotations

import numpy as np

from distrl.devices.phone.art.pen import Pen, Rgb, spin
from distrl.devices.phone.art.scenes.backdrops import (
    Scene,
    between,
    choose,
    darker,
    ground,
    lighter,
    wall,
)

INK: Rgb = (36, 30, 30)


def _dog(pen: Pen, rng: np.random.Generator) -> None:
    pen.fade((pen.left, pen.top, pen.right, 56), (184, 222, 244), (222, 240, 232))
    ground(pen, 56, (126, 190, 84), (84, 150, 60))
    fur = choose(rng, ((196, 138, 78), (146, 96, 58), (222, 184, 120), (120, 112, 108)))
    dark = darker(fur, 0.42)
    pen.blob(((24, 106), (28, 78), (50, 70), (72, 78), (76, 106)), fur)
    pen.blob(((50, 10), (70, 16), (76, 38), (70, 60), (50, 70), (30, 60), (24, 38), (30, 16)), fur)
    for side in (-1, 1):
        ear = ((16, 14), (27, 14), (34, 30), (36, 52), (30, 58), (24, 46))
        pen.blob([(50 + side * x, y) for x, y in ear], dark)
    pen.oval((35, 40, 65, 70), lighter(fur, 0.66))
    _eyes(pen, (39, 61), 35, 4.0)
    pen.blob(((43, 46), (50, 44.6), (57, 46), (54, 52), (50, 54), (46, 52)), INK)
    pen.line(((50, 53), (50, 59)), INK, 1.4)
    pen.blob(((45.6, 60), (54.4, 60), (54, 69), (50, 71.6), (46, 69)), (236, 110, 124))
    pen.curve(((41, 58), (45, 61), (50, 59), (55, 61), (59, 58)), INK, 1.6)
    pen.rect((34, 76, 66, 81.4), choose(rng, ((208, 44, 48), (40, 100, 200))), r=2.4)
    pen.disc((50, 82.6), 3.4, (250, 206, 70))


def _eyes(pen: Pen, columns: tuple[float, float], y: float, r: float) -> None:
    for x in columns:
        pen.disc((x, y), r, INK)
        pen.disc((x + r * 0.3, y - r * 0.34), r * 0.32, (255, 255, 255))


def _cat(pen: Pen, rng: np.random.Generator) -> None:
    top = choose(rng, ((122, 84, 128), (96, 92, 150), (150, 84, 96)))
    wall(pen, top, darker(top, 0.3))
    fur = choose(rng, ((238, 152, 62), (128, 130, 140), (244, 236, 224), (74, 70, 78)))
    stripe = darker(fur, 0.3)
    pen.blob(((20, 106), (26, 80), (50, 72), (74, 80), (80, 106)), fur)
    for side in (-1, 1):
        pen.poly([(50 + side * x, y) for x, y in ((8, 26), (30, 4), (34, 42))], fur)
        pen.poly([(50 + side * x, y) for x, y in ((15, 24), (28, 11), (30, 32))], (244, 168, 170))
    pen.oval((13, 20, 87, 80), fur)
    for x in (42, 50, 58):
        pen.line(((x, 22), (50 + (x - 50) * 0.8, 33)), stripe, 3)
    iris = choose(rng, ((170, 216, 80), (250, 210, 70)))
    for x in (34, 66):
        pen.oval((x - 8, 38, x + 8, 54), iris)
        pen.oval((x - 2.4, 39, x + 2.4, 53), INK)
        pen.disc((x + 2, 42.6), 1.6, (255, 255, 255))
    pen.oval((36, 54, 64, 74), lighter(fur, 0.6))
    pen.poly(((45, 56), (55, 56), (50, 61.6)), (232, 100, 120))
    pen.curve(((40, 65), (45, 68), (50, 63), (55, 68), (60, 65)), INK, 1.5)
    for side in (-1, 1):
        for y, end in ((59, 54), (62, 62), (65, 70)):
            pen.line(((50 + side * 17, y), (50 + side * 46, end)), (255, 255, 255), 1.1)


def _bird(pen: Pen, rng: np.random.Generator) -> None:
    wall(pen, (244, 240, 214), (206, 226, 190))
    body = choose(rng, ((40, 122, 214), (214, 54, 54), (250, 200, 40), (28, 150, 140)))
    pen.line(((pen.left, 84), (30, 79), (pen.right, 74)), (110, 76, 50), 4.6)
    for x, y, turn in ((12, 74, -30), (88, 68, 20), (94, 82, 140)):
        leaf = ((x, y), (x + 8, y - 6), (x + 16, y), (x + 8, y + 6))
        pen.blob(spin(leaf, turn, (x, y)), (96, 160, 70))
    pen.poly(((24, 60), (2, 78), (6, 86), (34, 72)), darker(body, 0.3))
    pen.blob(((26, 62), (34, 40), (54, 32), (72, 40), (76, 58), (62, 74), (42, 76)), body)
    pen.disc((66, 32), 16, body)
    pen.blob(((56, 56), (70, 48), (76, 58), (66, 72), (50, 75)), (252, 244, 230))
    pen.blob(((24, 66), (36, 46), (52, 46), (56, 56), (44, 66)), darker(body, 0.25))
    pen.poly(((80, 27), (94, 33), (80, 38)), (246, 156, 34))
    pen.disc((70, 29), 3.4, (255, 255, 255))
    pen.disc((70.8, 29), 2.2, INK)
    for x in (50, 58):
        pen.line(((x, 74), (x + 1, 79)), (200, 120, 40), 1.8)


def _flower(pen: Pen, rng: np.random.Generator) -> None:
    wall(pen, (52, 120, 66), (24, 78, 44))
    for _ in range(12):
        spot = (between(rng, pen.left, pen.right), between(rng, pen.top, pen.bottom))
        pen.disc(spot, between(rng, 3, 8), (66, 138, 78))
    petal = choose(
        rng, ((240, 86, 140), (250, 250, 250), (250, 190, 30), (178, 96, 214), (230, 60, 50))
    )
    pen.curve(((50, 44), (52, 76), (48, 104)), (112, 190, 74), 4.4)
    pen.blob(((50, 88), (62, 76), (82, 74), (72, 88)), (112, 190, 74))
    count = choose(rng, (6, 8, 10))
    for i in range(count):
        wide = 96 / count
        shape = ((50, 40), (50 - wide, 20), (50, 2), (50 + wide, 20))
        pen.blob(spin(shape, i * 360 / count, (50, 42)), darker(petal, 0.14))
        inner = ((50, 38), (50 - wide * 0.72, 20), (50, 6), (50 + wide * 0.72, 20))
        pen.blob(spin(inner, i * 360 / count, (50, 42)), petal)
    pen.disc((50, 42), 11, (120, 76, 30))
    pen.disc((50, 42), 9, (248, 200, 60))


SCENES: dict[str, Scene] = {"bird": _bird, "cat": _cat, "dog": _dog, "flower": _flower}
