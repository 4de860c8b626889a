"""Small photographs for galleries and messages: one drawn scene per subject, many variants."""

from __future__ import annotations

import zlib

import numpy as np
from PIL import Image

from distrl.devices.phone.art.pen import (
    Pen,
    Pixels,
    check_size,
    oversampling,
    shrink,
    unknown,
)
from distrl.devices.phone.art.scenes import animals, outdoors, things

SCENES = {**animals.SCENES, **outdoors.SCENES, **things.SCENES}
SUBJECTS: tuple[str, ...] = tuple(sorted(SCENES))

UNITS = 100
"""Width and height of a scene's middle square, in units."""


def photo(subject: str, variant: int, width: int, height: int) -> Pixels:
    """A photograph of a subject.

    The subject fills the middle square; wider or taller pictures show more of its surroundings.

    Args:
        subject: One of `SUBJECTS`.
        variant: Picks the framing, the light, the colours and the details; any integer.
        width: Width in pixels.
        height: Height in pixels.

    Returns:
        Colours, shape [height, width, 3].

    Raises:
        ValueError: If nobody drew that subject, or a side is not positive.
    """
    if subject not in SCENES:
        raise unknown("subject", subject, SUBJECTS)
    check_size(width, height)
    factor = oversampling(max(width, height))
    image = Image.new("RGB", (width * factor, height * factor))
    rng = np.random.default_rng((zlib.crc32(subject.encode()), variant % 2**32))
    light = rng.uniform(0.92, 1.04) * rng.uniform(0.97, 1.03, 3)
    SCENES[subject](_aimed(image, rng), rng)
    pixels = np.clip(shrink(image, factor) * light, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(pixels[:, ::-1]) if variant % 2 else pixels


def _aimed(image: Image.Image, rng: np.random.Generator) -> Pen:
    """A pen over the middle square, held slightly off as a hand holds a camera."""
    side = min(image.size)
    unit = side / UNITS * float(rng.uniform(0.93, 1.03))
    shift = rng.uniform(-3, 3, 2) * unit
    corner = [(length - UNITS * unit) / 2 for length in image.size]
    return Pen(image, unit, (corner[0] + float(shift[0]), corner[1] + float(shift[1])))
