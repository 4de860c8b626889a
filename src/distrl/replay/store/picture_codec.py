"""Screens as lossless pictures that any browser can show.

Per 180x400 screen of the embedded phone, on one busy core: WebP (method 0) 3.6 ms and 14.7 KB; PNG
without row filters 0.9 ms and 13.3 KB, and no limit of 16,383 pixels a side.
"""

from __future__ import annotations

import hashlib
import io
import struct
import zlib
from typing import Literal, TypeAlias

import numpy as np
from PIL import Image

from distrl.errors import StoreError, boundary
from distrl.types import Pixels

Codec: TypeAlias = Literal["webp", "png"]

_EFFORT = 40
"""WebP's effort at method 0: from 40 on it packs a fifth smaller than below, for the same time."""
_LEVEL = 3
"""zlib's effort for PNG: the next one takes half as much time again and saves 4 %."""
_LARGEST = 64 * 2**20
"""Pixels of the largest picture that is decoded."""


def digest_of(screen: Pixels) -> bytes:
    """16 bytes by which a screen is known: of its size and its pixels."""
    digest = hashlib.sha256(repr(screen.shape).encode())
    digest.update(np.ascontiguousarray(screen).data)
    return digest.digest()[:16]


def checked(screen: Pixels) -> Pixels:
    """The screen itself; StoreError when it is no RGB picture."""
    if screen.dtype != np.uint8 or screen.ndim != 3 or screen.shape[2] != 3 or not screen.size:
        raise StoreError(
            f"a screen is uint8 [height, width, 3], got {screen.dtype} {list(screen.shape)}"
        )
    return screen


def encode(screen: Pixels, codec: Codec = "webp") -> bytes:
    """Pack a screen; no pixel is lost."""
    if codec == "png":
        return _png(screen)
    packed = io.BytesIO()
    with boundary(StoreError, "a screen cannot be encoded as WebP"):
        image = Image.fromarray(screen)
        image.save(packed, "WEBP", lossless=True, method=0, quality=_EFFORT)
    return packed.getvalue()


def decode(packed: bytes, digest: bytes) -> Pixels:
    """The screen again; StoreError when it is damaged or another one than `digest` says."""
    with boundary(StoreError, f"stored picture {digest.hex()} cannot be read"):
        with Image.open(io.BytesIO(packed), formats=("WEBP", "PNG")) as image:
            # Before it is decoded: a small file can claim to be a huge picture.
            if image.width * image.height > _LARGEST:
                raise StoreError(f"stored picture {digest.hex()} is too large: {image.size}")
            screen = np.asarray(image.convert("RGB"))
        if digest_of(screen) != digest:
            raise StoreError(f"stored picture {digest.hex()} shows something else")
    return screen


def _png(screen: Pixels) -> bytes:
    """PNG without row filters: they cost more time than they save on drawn screens."""
    height, width, _ = screen.shape
    rows = np.zeros((height, 1 + width * 3), np.uint8)  # each row starts with "no filter"
    rows[:, 1:] = screen.reshape(height, -1)
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows.data, _LEVEL)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )
