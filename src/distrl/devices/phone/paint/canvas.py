"""Drawing into a numpy array in layout units, from cached masks of text, icons and shapes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from distrl.devices.phone import art
from distrl.devices.phone.paint import fonts
from distrl.types import Pixels

Mask = npt.NDArray[np.uint8]
Rgb = tuple[int, int, int]
Color = Any
"""A colour name or three numbers."""

LIGHT: dict[str, Rgb] = {
    "bg": (250, 250, 252),
    "surface": (238, 240, 245),
    "faint": (226, 229, 236),
    "text": (28, 30, 36),
    "muted": (116, 120, 130),
    "primary": (52, 98, 190),
    "on_primary": (255, 255, 255),
    "white": (255, 255, 255),
    "line": (218, 221, 228),
    "key": (252, 252, 254),
    "danger": (200, 50, 50),
    "good": (30, 140, 70),
    "warn": (214, 140, 20),
}
DARK: dict[str, Rgb] = LIGHT | {
    "bg": (22, 23, 27),
    "surface": (36, 38, 44),
    "faint": (52, 55, 63),
    "text": (236, 237, 241),
    "muted": (150, 154, 164),
    "line": (58, 61, 69),
    "key": (70, 73, 82),
}


@lru_cache(maxsize=8192)
def text_mask(text: str, pixels: int, bold: bool) -> Mask:
    """The ink of a line of text, as tall as the font's line."""
    face = fonts.font(pixels)
    ascent, descent = face.getmetrics()
    width = max(1, int(np.ceil(face.getlength(text))) + 2)
    image = Image.new("L", (width, ascent + descent))
    draw = ImageDraw.Draw(image)
    draw.text((0, 0), text, font=face, fill=255)
    if bold:
        draw.text((max(1, round(pixels / 18)), 0), text, font=face, fill=255)
    return np.asarray(image)


@lru_cache(maxsize=2048)
def icon_mask(name: str, pixels: int) -> Mask:
    """The ink of an icon."""
    return art.icon_mask(name, max(4, pixels))


@lru_cache(maxsize=2048)
def round_mask(width: int, height: int, radius: int) -> Mask:
    """A rectangle with round corners, smooth at the edges."""
    # Drawn four times too large and averaged down: Pillow itself has hard edges.
    scale = 4
    image = Image.new("L", (width * scale, height * scale))
    box = (0, 0, width * scale - 1, height * scale - 1)
    ImageDraw.Draw(image).rounded_rectangle(box, radius * scale, fill=255)
    return np.asarray(image.resize((width, height), Image.Resampling.BOX))


@lru_cache(maxsize=1024)
def photo(subject: str, variant: int, width: int, height: int) -> Pixels:
    """A photo, drawn once per size."""
    return art.photo(subject, variant, width, height)


@lru_cache(maxsize=1024)
def product(kind: str, color: str, width: int, height: int) -> Pixels:
    """A product picture, drawn once per size."""
    return art.product(kind, color, width, height)


class Canvas:
    """One tile being painted. Arguments are layout units relative to the tile."""

    __slots__ = ("_colors", "_sx", "_sy", "pixels")

    def __init__(self, width: int, height: int, scale: tuple[float, float], *, dark: bool) -> None:
        """An undefined image of width x height pixels."""
        self.pixels: Pixels = np.empty((height, width, 3), np.uint8)
        self._sx, self._sy = scale
        self._colors = DARK if dark else LIGHT

    @property
    def width(self) -> float:
        """Width in layout units."""
        return float(self.pixels.shape[1] / self._sx)

    @property
    def height(self) -> float:
        """Height in layout units."""
        return float(self.pixels.shape[0] / self._sy)

    def rgb(self, color: Any) -> Rgb:
        """A colour by name of the theme, by name of the palette, or as it is."""
        if isinstance(color, str):
            return self._colors.get(color) or art.COLORS[color]
        red, green, blue = color
        return red, green, blue

    def accent(self, color: Color) -> Rgb:
        """A colour that can be read on the theme's own surfaces: lighter in the dark."""
        red, green, blue = self.rgb(color)
        if self._colors is LIGHT:
            return red, green, blue
        return (red + 255) // 2, (green + 255) // 2, (blue + 255) // 2

    def fill(self, color: Any) -> None:
        """Cover everything."""
        self.pixels[:] = self.rgb(color)

    def _blend(self, mask: Mask, left: int, top: int, color: Any) -> None:
        height, width = self.pixels.shape[:2]
        x0, y0 = max(0, left), max(0, top)
        x1, y1 = min(width, left + mask.shape[1]), min(height, top + mask.shape[0])
        if x0 >= x1 or y0 >= y1:
            return
        part = self.pixels[y0:y1, x0:x1]
        alpha = mask[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.int32)
        ink = np.array(self.rgb(color), np.int32)
        # Whole numbers, rounded: the same pixels on every machine.
        part[:] = part + ((ink - part) * alpha + 127) // 255

    def box(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        color: Any,
        radius: float = 0,
    ) -> None:
        """A filled rectangle."""
        left, top = round(x * self._sx), round(y * self._sy)
        width, height = max(1, round(w * self._sx)), max(1, round(h * self._sy))
        if radius <= 0:
            self.pixels[max(0, top) : top + height, max(0, left) : left + width] = self.rgb(color)
            return
        scaled = min(round(radius * min(self._sx, self._sy)), width // 2, height // 2)
        self._blend(round_mask(width, height, scaled), left, top, color)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        color: Any,
        *,
        bold: bool = False,
        align: str = "left",
    ) -> None:
        """A line of text; `y` is its middle, `x` its left, middle or right by `align`."""
        if not text:
            return
        # Below five pixels no letter can be told from another.
        mask = text_mask(text, max(5, round(size * min(self._sx, self._sy))), bold)
        left = x * self._sx - {"left": 0, "center": 0.5, "right": 1}[align] * mask.shape[1]
        self._blend(mask, round(left), round(y * self._sy - mask.shape[0] / 2), color)

    def icon(self, x: float, y: float, size: float, name: str, color: Any) -> None:
        """An icon with its middle at a point."""
        pixels = max(4, round(size * min(self._sx, self._sy)))
        left, top = round(x * self._sx - pixels / 2), round(y * self._sy - pixels / 2)
        self._blend(icon_mask(name, pixels), left, top, color)

    def image(self, x: float, y: float, picture: Pixels) -> None:
        """A picture that already has its size in pixels, at its top left corner."""
        left, top = round(x * self._sx), round(y * self._sy)
        height = min(picture.shape[0], self.pixels.shape[0] - top)
        width = min(picture.shape[1], self.pixels.shape[1] - left)
        if height > 0 and width > 0:
            self.pixels[top : top + height, left : left + width] = picture[:height, :width]

    def size(self, w: float, h: float) -> tuple[int, int]:
        """Layout units in pixels, for pictures."""
        return max(1, round(w * self._sx)), max(1, round(h * self._sy))
