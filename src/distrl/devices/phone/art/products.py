"""Product pictures for shops: one drawing per kind, in any of a dozen colours."""

from __future__ import annotations

from PIL import Image, ImageFilter

from distrl.devices.phone.art.goods import clothing, electronics, household
from distrl.devices.phone.art.goods.paint import Paint
from distrl.devices.phone.art.pen import (
    Pen,
    Pixels,
    Rgb,
    centred,
    check_size,
    mix,
    oversampling,
    shrink,
    unknown,
)

DRAWINGS = {**clothing.DRAWINGS, **electronics.DRAWINGS, **household.DRAWINGS}
PRODUCT_KINDS: tuple[str, ...] = tuple(sorted(DRAWINGS))

COLORS: dict[str, Rgb] = {
    "red": (212, 38, 42),
    "orange": (247, 128, 16),
    "yellow": (252, 210, 36),
    "green": (52, 150, 56),
    "blue": (34, 94, 214),
    "purple": (124, 46, 172),
    "pink": (246, 124, 172),
    "brown": (120, 72, 40),
    "black": (36, 37, 42),
    "white": (252, 252, 252),
    "gray": (146, 150, 156),
    "teal": (0, 154, 160),
}

BACKGROUND: Rgb = (244, 244, 246)
OUTLINE: Rgb = (64, 66, 74)
UNITS = 108
"""Units across the middle square: the drawing's 100 and a margin."""


def product(kind: str, color: str, width: int, height: int) -> Pixels:
    """A product picture on a near-white ground.

    Args:
        kind: One of `PRODUCT_KINDS`.
        color: One of `COLORS`; the colour of the product's main part.
        width: Width in pixels.
        height: Height in pixels.

    Returns:
        Colours, shape [height, width, 3].

    Raises:
        ValueError: If nobody drew that kind or named that colour, or a side is not positive.
    """
    if kind not in DRAWINGS:
        raise unknown("product kind", kind, PRODUCT_KINDS)
    if color not in COLORS:
        raise unknown("color", color, COLORS)
    check_size(width, height)
    factor = oversampling(max(width, height))
    layer = Image.new(
        "RGBA", (width * factor, height * factor), (*mix(COLORS[color], OUTLINE, 0.2), 0)
    )
    DRAWINGS[kind](_inset(layer), Paint.of(COLORS[color]))
    return shrink(_on_ground(layer), factor)


def _inset(image: Image.Image) -> Pen:
    unit = min(image.size) / UNITS
    margin = (UNITS - 100) / 2 * unit
    middle = centred(image, UNITS)
    return Pen(image, unit, (margin - middle.left * unit, margin - middle.top * unit))


def _on_ground(layer: Image.Image) -> Image.Image:
    """Put a drawing on the shop's ground with a thin outline and a soft shadow."""
    unit = min(layer.size) / UNITS
    alpha = layer.getchannel("A")
    shadow = alpha.filter(ImageFilter.BoxBlur(2.4 * unit)).point(lambda level: level * 0.28)
    outline = alpha.filter(ImageFilter.BoxBlur(0.5 * unit)).point(lambda level: level * 3.0)
    ground = Image.new("RGB", layer.size, BACKGROUND)
    ground.paste(OUTLINE, (0, round(2.2 * unit)), shadow)
    ground.paste((132, 136, 146), (0, 0), outline)
    ground.paste(layer.convert("RGB"), (0, 0), alpha)
    return ground
