"""Glyphs of time and weather."""

from __future__ import annotations

from distrl.devices.phone.art.icons.strokes import CLEAR, Glyph, bolt, clock_face, cloud
from distrl.devices.phone.art.pen import Pen, spin


def _calendar(pen: Pen) -> None:
    pen.rect((3, 3.6, 21, 22), r=1.8)
    pen.rect((5.2, 9.4, 18.8, 19.8), CLEAR)
    for x in (6, 15.4):
        pen.rect((x, 1, x + 2.6, 5))
    pen.rect((12.4, 13.6, 16.8, 18))


def _clock(pen: Pen) -> None:
    clock_face(pen, (12, 12), 9.4)


def _alarm(pen: Pen) -> None:
    clock_face(pen, (12, 13.4), 7.8)
    pen.line(((2.6, 6.4), (6.8, 2.8)), width=2.4)
    pen.line(((17.2, 2.8), (21.4, 6.4)), width=2.4)


def _timer(pen: Pen) -> None:
    pen.rect((4, 1.6, 20, 4))
    pen.rect((4, 20, 20, 22.4))
    pen.poly(
        (
            (5.8, 4),
            (18.2, 4),
            (18.2, 7),
            (13, 12),
            (18.2, 17),
            (18.2, 20),
            (5.8, 20),
            (5.8, 17),
            (11, 12),
            (5.8, 7),
        )
    )
    pen.poly(((8, 5.4), (16, 5.4), (16, 6.4), (12, 10), (8, 6.4)), CLEAR)


def _stopwatch(pen: Pen) -> None:
    pen.rect((8.4, 0.8, 15.6, 3.2))
    pen.disc((12, 13.6), 9.2)
    pen.line(((18.4, 6.4), (20.2, 4.6)), width=2.4)
    pen.rect((10.8, 8, 13.2, 14.6), CLEAR)


def _history(pen: Pen) -> None:
    pen.arc((13, 12), 8.6, (-150, 140), width=2.2)
    pen.poly(((0.4, 9.6), (9.2, 9.6), (4.8, 14.6)))
    pen.line(((13, 7.4), (13, 12.4), (16.6, 14.4)), width=2.0)


def _cloud(pen: Pen) -> None:
    cloud(pen, 5.2)


def _rain(pen: Pen) -> None:
    cloud(pen, 0.6)
    for x in (7, 12.4, 17.8):
        pen.line(((x, 17.4), (x - 2, 22)), width=2.0)


def _snow(pen: Pen) -> None:
    for turn in (0, 60, 120):
        pen.line(spin(((12, 1.6), (12, 22.4)), turn), width=2.0)
    for turn in range(0, 360, 60):
        pen.line(spin(((9, 3), (12, 6), (15, 3)), turn), width=1.6)


def _storm(pen: Pen) -> None:
    cloud(pen, 0.6)
    bolt(pen, (0.4, -0.4), CLEAR)
    bolt(pen, (0, 1))


def _thermometer(pen: Pen) -> None:
    pen.rect((8.6, 1.4, 15.4, 17), r=3.4)
    pen.disc((12, 17.6), 5)
    pen.rect((10.8, 4, 13.2, 9), CLEAR, r=1.2)
    for y in (4, 7.4, 10.8):
        pen.rect((17, y, 20.4, y + 1.6))


GLYPHS: dict[str, Glyph] = {
    "alarm": _alarm,
    "calendar": _calendar,
    "clock": _clock,
    "cloud": _cloud,
    "history": _history,
    "rain": _rain,
    "snow": _snow,
    "stopwatch": _stopwatch,
    "storm": _storm,
    "thermometer": _thermometer,
    "timer": _timer,
}
