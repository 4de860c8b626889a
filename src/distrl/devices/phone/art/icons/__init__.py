"""Single-colour glyphs for bars, buttons and lists, drawn as alpha masks."""

from __future__ import annotations

from PIL import Image

from distrl.devices.phone.art.icons import (
    arrows,
    files,
    media,
    people,
    places,
    shopping,
    signs,
    system,
    times,
)
from distrl.devices.phone.art.pen import Pen, Pixels, check_size, oversampling, shrink, unknown

GLYPHS = {
    **arrows.GLYPHS,
    **files.GLYPHS,
    **media.GLYPHS,
    **people.GLYPHS,
    **places.GLYPHS,
    **shopping.GLYPHS,
    **signs.GLYPHS,
    **system.GLYPHS,
    **times.GLYPHS,
}
ICONS: tuple[str, ...] = tuple(sorted(GLYPHS))

UNITS = 24
"""Width and height of a glyph's drawing, in units."""


def icon_mask(name: str, size: int) -> Pixels:
    """The alpha mask of a glyph.

    Args:
        name: One of `ICONS`.
        size: Width and height in pixels.

    Returns:
        Coverage of each pixel, shape [size, size], 0 outside the glyph and 255 inside.

    Raises:
        ValueError: If nobody drew that name, or the size is not positive.
    """
    if name not in GLYPHS:
        raise unknown("icon", name, ICONS)
    check_size(size)
    factor = oversampling(size)
    image = Image.new("L", (size * factor, size * factor), 0)
    GLYPHS[name](Pen(image, size * factor / UNITS))
    return shrink(image, factor)
