"""Text measures in layout units, independent of the size a screen is drawn at."""

from __future__ import annotations

from functools import lru_cache

from PIL import ImageFont

BODY, SMALL, TITLE, LARGE, HUGE = 9, 8, 11, 15, 26
"""Font sizes in layout units."""

_REFERENCE = 64
"""Height in pixels at which characters are measured. Large, and scaled down from there: hinting
would round small ones, and a line would break elsewhere on a larger screen."""


@lru_cache(maxsize=256)
def font(pixels: int) -> ImageFont.FreeTypeFont:
    """The phone's typeface, which ships inside Pillow, at a height in pixels."""
    loaded = ImageFont.load_default(max(1, pixels))
    assert isinstance(loaded, ImageFont.FreeTypeFont), "Pillow was built without FreeType"
    return loaded


@lru_cache(maxsize=4096)
def _advance(character: str) -> float:
    return float(font(_REFERENCE).getlength(character)) / _REFERENCE


# Larger than the number of the phone's own texts, which are measured on every screen anew; typed
# ones come and go.
@lru_cache(maxsize=16384)
def text_width(text: str, size: float) -> float:
    """How wide a line is at a font size, both in layout units."""
    return sum(_advance(character) for character in text) * size


@lru_cache(maxsize=16384)
def wrap(text: str, size: float, width: float) -> tuple[str, ...]:
    """Break text into lines that fit a width; a longer word stands alone."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            longer = f"{line} {word}" if line else word
            if line and text_width(longer, size) > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return tuple(lines)


@lru_cache(maxsize=16384)
def shorten(text: str, size: float, width: float) -> str:
    """Cut a line to a width, with dots where something is missing."""
    if text_width(text, size) <= width:
        return text
    room, kept = width - text_width("...", size), 0
    for character in text:
        room -= _advance(character) * size
        if room < 0:
            break
        kept += 1
    return f"{text[:kept].rstrip()}..."
