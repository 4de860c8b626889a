"""Scenes of things: car, pizza, guitar, cake."""

from __future__ import annotations

import numpy as np

from distrl.devices.phone.art.pen import Pen, Rgb, arc_points, smooth, spin
from distrl.devices.phone.art.scenes.backdrops import (
    Scene,
    between,
    choose,
    darker,
    ground,
    lighter,
    sky,
    wall,
)


def _car(pen: Pen, rng: np.random.Generator) -> None:
    sky(pen, rng, 56)
    ground(pen, 56, (164, 186, 128), (140, 166, 104))
    pen.rect((pen.left, 66, pen.right, 92), (92, 94, 100))
    x = pen.left + between(rng, 0, 10)
    while x < pen.right:
        pen.rect((x, 85.4, x + 12, 87.6), (240, 236, 214))
        x += 22
    paint = choose(
        rng, ((214, 40, 40), (28, 90, 200), (246, 190, 30), (30, 140, 96), (240, 240, 242))
    )
    roof = ((22, 52), (33, 33), (62, 33), (77, 52))
    pen.poly(roof, paint)
    pen.line((*roof, roof[0]), paint, 4)
    body = ((5, 54), (22, 50), (78, 50), (94, 56), (96, 72), (4, 72))
    pen.poly(body, paint)
    pen.line((*body, body[0]), paint, 4)
    for glass in (
        ((27, 50), (35, 36.6), (47, 36.6), (47, 50)),
        ((50, 50), (50, 36.6), (61, 36.6), (71.6, 50)),
    ):
        pen.poly(glass, (196, 226, 240))
    pen.line(((48.5, 52), (48.5, 70)), darker(paint, 0.3), 1)
    pen.rect((52, 55, 58, 57), darker(paint, 0.4))
    pen.rect((92, 57, 97, 62), (255, 236, 150), r=1)
    pen.rect((3, 56, 7, 61), (240, 90, 60), r=1)
    for wheel in (24, 76):
        pen.disc((wheel, 72), 11, (34, 34, 38))
        pen.disc((wheel, 72), 5.6, (204, 206, 212))


def _pizza(pen: Pen, rng: np.random.Generator) -> None:
    wood = choose(rng, ((150, 106, 68), (118, 84, 60), (176, 136, 94)))
    wall(pen, wood, darker(wood, 0.15))
    for i in range(int(pen.top // 17), int(pen.bottom // 17) + 1):
        pen.rect((pen.left, 17 * i, pen.right, 17 * i + 0.9), darker(wood, 0.3))
    pen.disc((50, 51), 46, (232, 230, 226))
    pen.disc((50, 50), 42, (204, 140, 66))
    pen.disc((50, 50), 36.6, (206, 66, 36))
    pen.disc((50, 50), 35, (250, 206, 96))
    start = between(rng, 0, 60)
    for ring_r, count in ((25, 6), (10, 2)):
        for i in range(count):
            x, y = arc_points((50, 50), ring_r, (start + i * 360 / count, start + 720))[0]
            pen.disc((x, y), 6.6, (150, 34, 30))
            pen.disc((x, y), 5.6, (206, 58, 48))
    for i in range(7):
        x, y = arc_points((50, 50), 16 + 14 * (i % 2), (start + 30 + i * 51, start + 720))[0]
        pen.blob(
            spin(((x - 4, y), (x, y - 2), (x + 4, y), (x, y + 2)), i * 47, (x, y)), (60, 130, 52)
        )
    for turn in (start, start + 60, start + 120):
        line = spin(((50, 9), (50, 91)), turn, (50, 50))
        pen.line(line, (196, 130, 60), 1.1)


def _guitar(pen: Pen, rng: np.random.Generator) -> None:
    top = choose(rng, ((42, 52, 62), (62, 42, 50), (38, 58, 54)))
    wall(pen, lighter(top, 0.16), darker(top, 0.35))
    wood = choose(rng, ((216, 142, 66), (178, 84, 40), (232, 186, 110)))
    half = [(50, 48), (61, 46), (68, 53), (65, 62), (72, 72), (74, 84), (64, 95), (50, 97)]
    shape = [*half, *((100 - x, y) for x, y in half[-2:0:-1])]
    tilt = 24.0
    body = spin(smooth(shape, closed=True), tilt, (50, 62))
    pen.poly(body, wood)
    pen.line((*body, body[0]), darker(wood, 0.5), 1.8)
    neck = ((47, -4), (53, -4), (53.6, 62), (46.4, 62))
    pen.poly(spin(neck, tilt, (50, 62)), (134, 88, 56))
    pen.poly(
        spin(((44.6, -18), (55.4, -18), (54, -2), (46, -2)), tilt, (50, 62)), darker(wood, 0.4)
    )
    for fret in range(0, 50, 7):
        pen.line(spin(((47, fret), (53, fret)), tilt, (50, 62)), (200, 196, 190), 0.6)
    hole = spin(((50, 66),), tilt, (50, 62))[0]
    pen.disc(hole, 8.4, darker(wood, 0.5))
    pen.disc(hole, 7.2, (32, 22, 20))
    pen.poly(spin(((42, 82), (58, 82), (58, 85), (42, 85)), tilt, (50, 62)), (60, 38, 28))
    for x in (48.2, 50, 51.8):
        pen.line(spin(((x, -10), (x, 83)), tilt, (50, 62)), (206, 198, 186), 0.4)


def _cake(pen: Pen, rng: np.random.Generator) -> None:
    wall(pen, (252, 226, 232), (246, 202, 214))
    ground(pen, 82, (250, 246, 240), (232, 222, 214))
    icing: Rgb = choose(rng, ((250, 250, 246), (244, 132, 164), (112, 66, 40), (130, 200, 220)))
    sponge = choose(rng, ((226, 170, 96), (120, 70, 44), (240, 206, 120)))
    pen.oval((6, 80, 94, 94), (214, 216, 222))
    for box, lip in (((14, 54, 86, 88), 10), ((26, 30, 74, 56), 9)):
        x0, y0, x1, y1 = box
        pen.rect(box, sponge, r=3)
        pen.rect((x0, (y0 + y1) / 2 + 3, x1, (y0 + y1) / 2 + 6), lighter(icing, 0.3))
        pen.rect((x0 - 1, y0 - 2, x1 + 1, y0 + lip), darker(icing, 0.05), r=4)
        for i in range(int((x1 - x0) // 8)):
            x = x0 + 4 + i * ((x1 - x0 - 8) / ((x1 - x0) // 8 - 1))
            pen.disc((x, y0 + lip - 1 + 3 * (i % 2)), 4.2, darker(icing, 0.05))
    for i in range(8):
        pen.disc((19 + i * 9, 57), 2, choose(rng, ((214, 40, 70), (250, 200, 60), (90, 170, 90))))
    for x in (36, 45.4, 54.6, 64):
        pen.rect((x - 1.6, 15, x + 1.6, 29), choose(rng, ((80, 140, 230), (240, 90, 120))))
        pen.blob(((x, 4), (x + 3, 11), (x, 15), (x - 3, 11)), (255, 170, 40))
        pen.blob(((x, 8), (x + 1.5, 11.6), (x, 14), (x - 1.5, 11.6)), (255, 240, 150))


SCENES: dict[str, Scene] = {"cake": _cake, "car": _car, "guitar": _guitar, "pizza": _pizza}
