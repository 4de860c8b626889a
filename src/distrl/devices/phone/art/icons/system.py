"""Glyphs of the phone itself: radios, power, sound, screen and keys."""

from __future__ import annotations

from distrl.devices.phone.art.icons.strokes import (
    CLEAR,
    Glyph,
    mirrored,
    outline,
    slash,
    star_points,
    waves,
)
from distrl.devices.phone.art.pen import Pen, arc_points, spin


def _wifi(pen: Pen) -> None:
    center = (12, 20.5)
    pen.disc((12, 19.2), 2.2)
    waves(pen, center, (6.0, 10.4, 14.8), (225, 315))


def _bluetooth(pen: Pen) -> None:
    pen.line(((6, 7), (17.5, 16.5), (12, 21.5), (12, 2.5), (17.5, 7.5), (6, 17)), width=2.2)


def _airplane(pen: Pen) -> None:
    half = [(12, 1.2), (10.4, 3), (10.4, 9), (1.5, 14.6), (1.5, 17), (10.4, 14.4)]
    pen.poly(mirrored([*half, (10.8, 19), (8, 21.2), (8, 22.8), (12, 21.8)]))


def _brightness(pen: Pen) -> None:
    pen.poly(star_points((12, 12), 11.4, 8.6, 8))
    pen.disc((12, 12), 6.2, CLEAR)
    pen.pie((12, 12), 6.2, (-90, 90))


def _moon(pen: Pen) -> None:
    pen.disc((11, 12.6), 9.4)
    pen.disc((15.8, 8.6), 7.8, CLEAR)


def _sun(pen: Pen) -> None:
    pen.disc((12, 12), 5)
    for turn in range(0, 360, 45):
        pen.line(spin(((12, 1.8), (12, 4)), turn), width=2.2)


def _horn(pen: Pen) -> None:
    pen.poly(((2, 8.5), (6.5, 8.5), (12.5, 2.8), (12.5, 21.2), (6.5, 15.5), (2, 15.5)))


def _volume(pen: Pen) -> None:
    _horn(pen)
    waves(pen, (12.5, 12), (4.4, 8.8), (-48, 48))


def _mute(pen: Pen) -> None:
    _horn(pen)
    pen.line(((15.6, 8.8), (22, 15.2)), width=2.2)
    pen.line(((15.6, 15.2), (22, 8.8)), width=2.2)


def _vibrate(pen: Pen) -> None:
    pen.rect((7.5, 3, 16.5, 21), r=1.6)
    pen.rect((9.6, 6, 14.4, 17), CLEAR)
    for x, side in ((4.6, -1.0), (19.4, 1.0)):
        pen.line(((x, 7), (x + side, 12), (x, 17)), width=1.8)
        pen.line(((x + 2.8 * side, 9), (x + 2.8 * side, 15)), width=1.6)


def _battery(pen: Pen) -> None:
    pen.rect((9, 1.5, 15, 5))
    pen.frame((5.6, 3.6, 18.4, 22.6), r=1.8, width=2.0)
    pen.rect((8.8, 11, 15.2, 19.6))


def _signal(pen: Pen) -> None:
    for i, top in enumerate((17, 12.4, 7.8, 3)):
        pen.rect((2 + 5.4 * i, top, 5.8 + 5.4 * i, 21.4), r=0.5)


def _hotspot(pen: Pen) -> None:
    pen.disc((12, 13), 2.6)
    waves(pen, (12, 13), (6, 10.2), (130, 410))


def _flashlight(pen: Pen) -> None:
    pen.rect((6, 1.5, 18, 4.4))
    pen.poly(((6, 5.8), (18, 5.8), (15.4, 10.6), (15.4, 22.4), (8.6, 22.4), (8.6, 10.6)))
    pen.disc((12, 14), 1.7, CLEAR)


def _screen(pen: Pen) -> None:
    pen.frame((1.5, 3.5, 22.5, 17.5), r=1.4, width=2.2)
    pen.rect((10, 17, 14, 20))
    pen.rect((6.5, 19.4, 17.5, 21.6))


def _cast(pen: Pen) -> None:
    pen.line(((2.5, 6.5), (2.5, 4.5), (21.5, 4.5), (21.5, 19.5), (15, 19.5)), width=2.2)
    pen.pie((1.5, 20.5), 3.4, (270, 360))
    for r in (6.4, 10.2):
        pen.arc((1.8, 20.2), r, (272, 358), width=2.0)


def _accessibility(pen: Pen) -> None:
    pen.disc((12, 3.6), 2.6)
    pen.line(((3.4, 8.4), (12, 9.4), (20.6, 8.4)), width=2.4)
    pen.rect((9.4, 8.8, 14.6, 15.4))
    pen.line(((10.4, 14.8), (9.2, 21.4)), width=2.4)
    pen.line(((13.6, 14.8), (14.8, 21.4)), width=2.4)


def _plug(pen: Pen) -> None:
    pen.rect((7, 1.5, 9.6, 8))
    pen.rect((14.4, 1.5, 17, 8))
    pen.poly(((4.6, 7.4), (19.4, 7.4), (19.4, 12.4), (14.6, 18), (9.4, 18), (4.6, 12.4)))
    pen.rect((10.6, 17, 13.4, 23))


def _keyboard(pen: Pen) -> None:
    pen.rect((1, 5, 23, 19), r=1.8)
    for y in (7.6, 11):
        for x in (3.6, 7.4, 11.2, 15, 18.8):
            pen.rect((x, y, x + 2, y + 2), CLEAR)
    pen.rect((7.4, 14.6, 16.8, 16.6), CLEAR)


def _mic(pen: Pen) -> None:
    pen.rect((8.6, 1.8, 15.4, 14.6), r=3.4)
    pen.arc((12, 11), 7, (0, 180), width=2.0)
    pen.rect((11, 17.6, 13, 22))
    pen.rect((8, 20.6, 16, 22.4))


def _settings(pen: Pen) -> None:
    for turn in range(0, 360, 45):
        pen.poly(spin(((10, 0.8), (14, 0.8), (15, 6), (9, 6)), turn))
    pen.disc((12, 12), 8.2)
    pen.disc((12, 12), 3.6, CLEAR)


def _body(pen: Pen) -> None:
    pen.rect((4, 10, 20, 22.4), r=1.8)
    pen.disc((12, 15.4), 1.9, CLEAR)
    pen.rect((11.2, 16, 12.8, 19.4), CLEAR)


def _lock(pen: Pen) -> None:
    pen.arc((12, 7), 4.6, (180, 360), width=2.4)
    pen.rect((6.2, 7, 8.6, 11))
    pen.rect((15.4, 7, 17.8, 11))
    _body(pen)


def _unlock(pen: Pen) -> None:
    pen.arc((18.2, 7), 4.2, (180, 360), width=2.4)
    pen.rect((12.8, 7, 15.2, 11))
    _body(pen)


def _key(pen: Pen) -> None:
    pen.disc((7, 12), 5.8)
    pen.disc((7, 12), 2.2, CLEAR)
    pen.rect((12, 10.4, 23, 13.6))
    pen.rect((19.4, 12, 22.4, 17.6))
    pen.rect((15, 12, 17.4, 16.4))


def _bell(pen: Pen) -> None:
    half = [(12, 3.4), (8.6, 4.4), (6.2, 7.4), (5.6, 11.6), (5.2, 15.4), (3, 18.4)]
    pen.poly(mirrored(half))
    pen.disc((12, 3.2), 1.8)
    pen.pie((12, 19.6), 2.8, (0, 180))


def _bell_off(pen: Pen) -> None:
    _bell(pen)
    slash(pen)


def _eye(pen: Pen) -> None:
    pen.poly((*arc_points((12, 18.6), 12.6, (212, 328)), *arc_points((12, 5.4), 12.6, (32, 148))))
    pen.disc((12, 12), 4.6, CLEAR)
    pen.disc((12, 12), 2.6)


def _eye_off(pen: Pen) -> None:
    _eye(pen)
    slash(pen)


def _incognito(pen: Pen) -> None:
    pen.poly(((7, 2.5), (10, 3.4), (14, 3.4), (17, 2.5), (18.8, 10), (5.2, 10)))
    pen.rect((1, 9.6, 23, 12), r=1)
    pen.ring((6.6, 17.6), 3.5, width=2.2)
    pen.ring((17.4, 17.6), 3.5, width=2.2)
    pen.line(((10, 16.6), (14, 16.6)), width=1.8)


def _tabs(pen: Pen) -> None:
    pen.line(((3, 7), (3, 21), (17, 21)), width=2.2)
    pen.rect((6.5, 2, 22, 17.5), r=1.2)
    pen.rect((9, 8, 19.6, 15), CLEAR)


def _globe(pen: Pen) -> None:
    pen.ring((12, 12), 9.4, width=2.0)
    pen.rect((3, 11.1, 21, 12.9))
    pen.rect((11.1, 3, 12.9, 21))
    for side in (1.0, -1.0):
        bow = [(12, 3), (12 + 4 * side, 7), (12 + 5 * side, 12), (12 + 4 * side, 17), (12, 21)]
        pen.curve(bow, width=1.6)


def _calculator(pen: Pen) -> None:
    pen.rect((4, 1.5, 20, 22.5), r=1.8)
    pen.rect((6.8, 4.4, 17.2, 8.4), CLEAR)
    for x in (7, 10.8, 14.6):
        for y in (11, 14.8, 18.4):
            pen.rect((x, y, x + 2.2, y + 2.2), CLEAR)


def _palette(pen: Pen) -> None:
    pen.disc((12, 12), 10.4)
    pen.pie((12, 12), 12, (20, 62), CLEAR)
    pen.disc((15.4, 17.4), 3.2)
    for center in ((6, 12.4), (8.6, 7), (14.6, 6.2), (18.4, 10.4)):
        pen.disc(center, 1.7, CLEAR)


def _game(pen: Pen) -> None:
    half = [(12, 7), (6.4, 6), (3.6, 8), (1.4, 17.4), (3.4, 19.4), (8, 15.4), (12, 15.4)]
    pen.poly(mirrored(half))
    outline(pen, mirrored(half), 1.2)
    pen.rect((5, 10.3, 10, 11.9), CLEAR)
    pen.rect((6.7, 8.6, 8.3, 13.6), CLEAR)
    pen.disc((15, 12.4), 1.3, CLEAR)
    pen.disc((18, 9.8), 1.3, CLEAR)


GLYPHS: dict[str, Glyph] = {
    "accessibility": _accessibility,
    "airplane": _airplane,
    "battery": _battery,
    "bell": _bell,
    "bell_off": _bell_off,
    "bluetooth": _bluetooth,
    "brightness": _brightness,
    "calculator": _calculator,
    "cast": _cast,
    "eye": _eye,
    "eye_off": _eye_off,
    "flashlight": _flashlight,
    "game": _game,
    "globe": _globe,
    "hotspot": _hotspot,
    "incognito": _incognito,
    "key": _key,
    "keyboard": _keyboard,
    "lock": _lock,
    "mic": _mic,
    "moon": _moon,
    "mute": _mute,
    "palette": _palette,
    "plug": _plug,
    "screen": _screen,
    "settings": _settings,
    "signal": _signal,
    "sun": _sun,
    "tabs": _tabs,
    "unlock": _unlock,
    "vibrate": _vibrate,
    "volume": _volume,
    "wifi": _wifi,
}
