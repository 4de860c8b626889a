"""The shades of one product colour, and the shapes that products share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from distrl.devices.phone.art.pen import Box, Pen, Point, Rgb, mix

STEEL: Rgb = (192, 197, 206)
SILVER: Rgb = (182, 186, 196)
IRON: Rgb = (66, 69, 77)
DARK: Rgb = (30, 32, 38)
PAPER: Rgb = (250, 249, 244)
GLASS: Rgb = (176, 206, 226)
WOOD: Rgb = (186, 136, 84)


@dataclass(frozen=True, kw_only=True, slots=True)
class Paint:
    """A product's main colour and the shades drawn beside it."""

    base: Rgb
    dark: Rgb
    light: Rgb
    accent: Rgb
    """Stands out on the base: pale on most colours, grey on pale ones."""

    @classmethod
    def of(cls, color: Rgb) -> Paint:
        """The shades of `color`."""
        dim = sum(color) < 150
        pale = sum(color) > 600
        return cls(
            base=color,
            dark=mix(color, (0, 0, 0), 0.45 if dim else 0.2 if pale else 0.3),
            light=mix(color, (255, 255, 255), 0.24 if dim else 0.35),
            accent=SILVER if pale else PAPER,
        )


Drawing = Callable[[Pen, Paint], None]


def mirrored(points: Sequence[Point]) -> list[Point]:
    """`points`, followed by their mirror image across the middle, back to the start."""
    return [*points, *((100 - x, y) for x, y in reversed(points))]


def screen(pen: Pen, box: Box) -> None:
    """A lit display: blue with a pale slanted reflection."""
    x0, y0, x1, y1 = box
    pen.fade(box, (66, 120, 190), (34, 60, 120))
    wide = x1 - x0
    shine = ((x0 + wide * 0.55, y0), (x0 + wide * 0.82, y0), (x0 + wide * 0.4, y1 - 0.5))
    pen.poly((*shine, (x0 + wide * 0.13, y1 - 0.5)), (98, 150, 212))


def lens(pen: Pen, center: Point, r: float) -> None:
    """A camera lens with a glint."""
    x, y = center
    pen.disc(center, r, DARK)
    pen.ring(center, r * 0.86, STEEL, r * 0.12)
    pen.disc(center, r * 0.62, (44, 62, 104))
    pen.disc(center, r * 0.36, (18, 22, 40))
    pen.disc((x - r * 0.24, y - r * 0.26), r * 0.15, (220, 232, 250))
