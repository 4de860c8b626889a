"""Scenes of places: beach, mountain, city, sunset, tree, boat, snow, balloon."""

from __future__ import annotations

import numpy as np

from distrl.devices.phone.art.pen import Pen, Rgb, arc_points, smooth
from distrl.devices.phone.art.scenes.backdrops import (
    Scene,
    between,
    choose,
    clouds,
    darker,
    ground,
    hills,
    lighter,
    sea,
    sky,
)


def _beach(pen: Pen, rng: np.random.Generator) -> None:
    sky(pen, rng, 36)
    sea(pen, 36, (20, 158, 178))
    hills(pen, ((-20, 68), (20, 62), (50, 66), (80, 59), (120, 62)), (245, 250, 245))
    hills(pen, ((-20, 71), (20, 65), (50, 69), (80, 62), (120, 65)), (238, 214, 160))
    pen.oval((34, 85, 84, 94), (206, 178, 122))
    _parasol(pen, choose(rng, ((226, 54, 54), (240, 130, 20), (40, 90, 200), (214, 60, 140))))
    towel = choose(rng, ((60, 170, 110), (70, 110, 210), (240, 190, 40)))
    pen.poly(((8, 84), (26, 80), (36, 90), (15, 95)), towel)
    pen.poly(((14, 82.7), (19, 81.6), (28, 91.8), (22, 93.3)), lighter(towel, 0.6))


def _parasol(pen: Pen, color: Rgb) -> None:
    pen.line(((58, 34), (62, 90)), (120, 84, 56), 2.4)
    rim = arc_points((58, 56), 27, (188, 344))
    pen.poly([(x, 56 + (y - 56) * 0.9) for x, y in rim], color)
    for low, high in ((0.18, 0.36), (0.54, 0.72), (0.9, 1.0)):
        part = rim[int(low * len(rim)) : int(high * len(rim)) + 1]
        foot = [(31.5 + 52.5 * share, 53 - 2 * share) for share in (high, low)]
        edge = [(58 + (x - 58) * 0.5, 34 + (56 + (y - 56) * 0.9 - 34) * 0.5) for x, y in part[:1]]
        pen.poly(
            ((58, 31.7), *[(x, 56 + (y - 56) * 0.9) for x, y in part], *foot, *edge),
            (252, 250, 244),
        )


def _mountain(pen: Pen, rng: np.random.Generator) -> None:
    sky(pen, rng, 82)
    rock = choose(rng, ((108, 112, 128), (124, 116, 112), (92, 108, 130)))
    height = between(rng, 8, 16)
    _peak(pen, (80, height + 18), 44, lighter(rock, 0.15))
    _peak(pen, (12, height + 24), 40, lighter(rock, 0.22))
    _peak(pen, (44, height), 50, rock)
    hills(pen, ((-20, 74), (20, 70), (60, 77), (100, 71), (130, 75)), (70, 120, 72))
    hills(pen, ((-20, 90), (30, 84), (70, 89), (120, 82)), (48, 96, 56))
    for x in (6, 16, 78, 88, 97):
        y = between(rng, 84, 90)
        for lift in (0, 5, 10):
            wide = 6 - lift * 0.3
            pen.poly(((x - wide, y - lift), (x + wide, y - lift), (x, y - lift - 10)), (28, 68, 44))


def _peak(pen: Pen, top: tuple[float, float], half: float, rock: Rgb) -> None:
    x, y = top
    base = 84
    pen.poly((top, (x + half, base), (x - half, base)), rock)
    pen.poly((top, (x + half, base), (x + half * 0.1, base)), darker(rock, 0.22))
    drop = 22
    side = half * drop / (base - y)
    zig = [
        (x + side * t, y + drop + (7 if i % 2 else -3))
        for i, t in enumerate((1, 0.6, 0.25, -0.1, -0.5, -1))
    ]
    zig[0] = (x + side, y + drop)
    zig[-1] = (x - side, y + drop)
    pen.poly((top, *zig), (248, 250, 254))


def _city(pen: Pen, rng: np.random.Generator) -> None:
    top = choose(rng, ((24, 30, 66), (38, 28, 74), (14, 40, 70)))
    pen.fade((pen.left, pen.top, pen.right, 100), top, lighter(top, 0.34))
    pen.disc((80, 16), 7, (248, 244, 214))
    ground(pen, 96, (40, 42, 52), (24, 24, 30))
    for layer, (low, high) in enumerate(((20, 44), (34, 70))):
        color = lighter(top, 0.2) if layer == 0 else darker(top, 0.35)
        x = pen.left - between(rng, 0, 6)
        while x < pen.right:
            wide = between(rng, 13, 19)
            _tower(pen, rng, (x, between(rng, low, high), x + wide, 98), color)
            x += wide + 1.4


def _tower(
    pen: Pen, rng: np.random.Generator, box: tuple[float, float, float, float], color: Rgb
) -> None:
    x0, y0, x1, y1 = box
    pen.rect(box, color)
    columns = int((x1 - x0 - 2) / 4)
    gap = (x1 - x0 - columns * 2.6) / (columns + 1)
    for row in range(int((y1 - y0 - 4) / 6)):
        for column in range(columns):
            if rng.random() < 0.68:
                x, y = x0 + gap + column * (2.6 + gap), y0 + 3.4 + 6 * row
                pen.rect((x, y, x + 2.6, y + 3.4), choose(rng, ((255, 214, 110), (255, 236, 170))))


def _sunset(pen: Pen, rng: np.random.Generator) -> None:
    top = choose(rng, ((94, 40, 110), (150, 46, 74), (70, 44, 120)))
    pen.fade((pen.left, pen.top, pen.right, 30), top, (236, 96, 66))
    pen.fade((pen.left, 30, pen.right, 64), (236, 96, 66), (255, 200, 92))
    x = between(rng, 42, 58)
    pen.disc((x, 58), 20, (255, 226, 130))
    pen.disc((x, 58), 17, (255, 244, 190))
    for y, long in ((22, 30), (30, 18), (40, 24)):
        start = between(rng, 0, 70)
        pen.line(((start, y), (start + long, y)), (250, 140, 100), 2.2)
    pen.fade((pen.left, 62, pen.right, pen.bottom), (226, 106, 70), (78, 34, 74))
    for i in range(6):
        reach = 15 - i * 1.8 + (3 if i % 2 else 0)
        pen.line(((x - reach, 66 + 6 * i), (x + reach, 66 + 6 * i)), (255, 214, 120), 2.2)


def _tree(pen: Pen, rng: np.random.Generator) -> None:
    pen.fade((pen.left, pen.top, pen.right, 88), (178, 218, 240), (240, 246, 236))
    hills(pen, ((-20, 84), (20, 79), (60, 81), (120, 76)), (150, 200, 92))
    pen.oval((22, 86, 82, 95), (112, 162, 68))
    leaf = choose(
        rng, ((52, 140, 60), (226, 136, 30), (74, 156, 50), (240, 150, 176), (196, 70, 40))
    )
    pen.poly(((45, 60), (55, 60), (57, 84), (62, 91), (38, 91), (43, 84)), (112, 76, 48))
    pen.line(((50, 66), (34, 48)), (112, 76, 48), 4)
    pen.line(((50, 64), (66, 46)), (112, 76, 48), 4)
    crown = ((50, 22, 19), (30, 34, 16), (70, 34, 16), (24, 48, 12), (76, 48, 12), (50, 44, 22))
    for x, y, r in crown:
        pen.disc((x, y + 2), r, darker(leaf, 0.2))
    for x, y, r in crown:
        pen.disc((x - 1, y - 2), r * 0.84, leaf)
    for _ in range(16):
        turn, reach = between(rng, 0, 360), between(rng, 4, 20)
        spot = arc_points((50, 31), reach, (turn, turn + 5))[0]
        pen.disc(spot, 2.4, lighter(leaf, 0.3))


def _boat(pen: Pen, rng: np.random.Generator) -> None:
    sky(pen, rng, 66)
    clouds(pen, rng, 2)
    sea(pen, 66, (24, 88, 168))
    hull = choose(rng, ((190, 44, 44), (40, 52, 84), (236, 236, 232), (34, 120, 90)))
    sail = choose(rng, ((252, 252, 248), (252, 236, 200), (255, 224, 90)))
    pen.rect((48.6, 10, 50.8, 70), (96, 66, 44))
    pen.poly(((52.4, 14), (52.4, 63), (84, 63)), sail)
    pen.poly(((47, 18), (47, 63), (20, 63)), darker(sail, 0.1))
    pen.poly(((52.4, 34), (64.9, 34), (70, 42), (52.4, 42)), hull)
    pen.poly(((13, 68), (89, 68), (76, 84), (25, 84)), hull)
    pen.poly(((13, 68), (89, 68), (86.5, 71), (15.4, 71)), (250, 250, 250))
    pen.blob(((8, 86), (26, 82), (50, 85), (76, 82), (94, 86), (60, 88)), (206, 228, 244))


def _snow(pen: Pen, rng: np.random.Generator) -> None:
    pen.fade((pen.left, pen.top, pen.right, 82), (150, 172, 200), (216, 226, 238))
    hills(pen, ((-20, 76), (30, 70), (70, 76), (120, 70)), (240, 244, 250))
    pen.oval((26, 88, 78, 97), (206, 218, 234))
    for y, r in ((76, 20), (47, 15), (25, 11)):
        pen.disc((51, y), r, (204, 216, 232))
        pen.disc((49.5, y - 1), r * 0.94, (255, 255, 255))
    scarf = choose(rng, ((214, 40, 48), (40, 110, 200), (30, 150, 90), (236, 140, 20)))
    pen.rect((40, 33, 60, 38.6), scarf, r=2.4)
    pen.poly(((54, 37), (60, 37), (63, 54), (56, 54)), darker(scarf, 0.15))
    pen.rect((38, 14, 62, 17.6), (40, 40, 46))
    pen.rect((42, 2, 58, 16), (40, 40, 46))
    pen.rect((42, 11, 58, 14), scarf)
    for spot in ((46, 23), (54, 23), (50, 46), (50, 54)):
        pen.disc(spot, 1.7, (30, 30, 34))
    pen.poly(((50, 25.5), (62, 28.5), (50, 29.5)), (240, 130, 30))
    for points in (((37, 46), (20, 34), (13, 36)), ((63, 46), (82, 32), (88, 35))):
        pen.line(points, (96, 66, 44), 2)
    for _ in range(34):
        flake = (between(rng, pen.left, pen.right), between(rng, pen.top, 96))
        pen.disc(flake, between(rng, 0.7, 1.5), (255, 255, 255))


def _balloon(pen: Pen, rng: np.random.Generator) -> None:
    sky(pen, rng, pen.bottom)
    clouds(pen, rng, 2)
    hills(pen, ((-20, 96), (30, 92), (70, 95), (120, 90)), (112, 168, 84))
    pairs = (
        ((222, 48, 48), (255, 206, 60)),
        ((126, 60, 180), (255, 170, 200)),
        ((20, 130, 120), (250, 250, 250)),
        ((240, 120, 20), (60, 90, 190)),
    )
    main, stripe = choose(rng, pairs)
    for share, color in ((1.0, main), (0.66, stripe), (0.3, main)):
        half = [(50, 8), (50 + 20 * share, 13), (50 + 31 * share, 32), (50 + 24 * share, 50)]
        half.append((50 + 7 * share, 68))
        other = [(100 - x, y) for x, y in reversed(half[1:])]
        pen.poly(smooth([*half, *other], closed=True), color)
    for x in (44.5, 55.5):
        pen.line(((x, 67), (50 + (x - 50) * 0.9, 78)), (90, 70, 50), 0.9)
    pen.rect((43.6, 77, 56.4, 88), (148, 98, 54), r=1.6)
    pen.rect((43.6, 77, 56.4, 79.4), (104, 66, 36))


SCENES: dict[str, Scene] = {
    "balloon": _balloon,
    "beach": _beach,
    "boat": _boat,
    "city": _city,
    "mountain": _mountain,
    "snow": _snow,
    "sunset": _sunset,
    "tree": _tree,
}
