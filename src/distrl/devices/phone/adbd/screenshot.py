"""Screenshots of a served phone: its picture, each pixel repeated, as PNG."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from distrl.types import Pixels

_NO_FILTER, _LIKE_ABOVE = 0, 2
"""Kinds of rows: as they are, and as differences to the row above."""


def upscale(drawn: Pixels, scale: int) -> Pixels:
    """Every pixel repeated: scaled down again, it is the same picture."""
    return drawn.repeat(scale, axis=0).repeat(scale, axis=1)


def encode_png(drawn: Pixels, scale: int = 1) -> bytes:
    """A picture as PNG, enlarged. Rows that repeat the one above cost next to nothing."""
    height, width, depth = drawn.shape
    rows = np.zeros((height, scale, 1 + width * scale * depth), np.uint8)
    rows[:, 0, 0], rows[:, 1:, 0] = _NO_FILTER, _LIKE_ABOVE
    rows[:, 0, 1:] = drawn.repeat(scale, axis=1).reshape(height, -1)
    head = struct.pack(">IIBBBBB", width * scale, height * scale, 8, 2, 0, 0, 0)
    # Level 1: flat colours pack nearly as well as at higher levels, in a fraction of the time.
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 1)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in chunks
    )
