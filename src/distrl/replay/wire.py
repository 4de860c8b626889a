"""Typed serialisation: msgpack with a CRC-32, checked on encode and decode, deflated where it pays.

No pickle: blobs come from other machines, and decoding one runs no code. Fields have names, so that
older blobs can still be read after a field with a default was added. Anything that is not such a
blob raises StoreError.
"""

from __future__ import annotations

import zlib
from typing import Any, Generic, TypeVar

import msgspec
import numpy as np

from distrl.errors import StoreError
from distrl.types import Element, StoredStep

T = TypeVar("T")

# A CRC-32: it detects damage on the way, and is no protection against somebody who means harm.
_CHECK_BYTES = 4
_LARGEST = 2**30
"""Bytes that a deflated blob may come to: a small one can claim any size."""


class Wire(Generic[T]):
    """Writes and reads one kind of noun."""

    def __init__(self, name: str, kind: Any, *, deflated: bool = False) -> None:
        """`name` is for messages; `kind` is the type that blobs are checked against."""
        self._name, self._deflated = name, deflated
        self._encoder = msgspec.msgpack.Encoder(enc_hook=_plain)
        self._decoder: msgspec.msgpack.Decoder[T] = msgspec.msgpack.Decoder(kind)

    def encode(self, noun: T) -> bytes:
        """The noun as bytes; StoreError for what `decode` would refuse."""
        try:
            data = self._encoder.encode(noun)
            # Decoded at once: what could not be read back must fail here, where it was made.
            self._decoder.decode(data)
        # Unencodable text is a ValueError, an integer over 64 bits an OverflowError.
        except (msgspec.MsgspecError, TypeError, ValueError, OverflowError) as cause:
            raise StoreError(f"this {self._name} cannot be stored: {cause}") from cause
        if self._deflated:
            data = zlib.compress(data)
        return data + _check_of(data)

    def decode(self, blob: bytes) -> T:
        """The noun again; StoreError for anything that `encode` did not write."""
        data, check = blob[:-_CHECK_BYTES], blob[-_CHECK_BYTES:]
        if check != _check_of(data):
            raise StoreError(f"stored {self._name} is damaged: its checksum does not match")
        try:
            if self._deflated:
                data = inflate(data, _LARGEST)
            return self._decoder.decode(data)
        except (zlib.error, msgspec.MsgspecError, ValueError, RecursionError) as cause:
            raise StoreError(f"stored {self._name} cannot be read: {cause}") from cause


def inflate(data: bytes, most: int) -> bytes:
    """What was deflated; ValueError if it is cut off or comes to more than `most` bytes."""
    stream = zlib.decompressobj()
    # One byte more than allowed: a zip bomb fails here, instead of filling the memory.
    found = stream.decompress(data, most + 1)
    if len(found) > most or not stream.eof:
        raise ValueError("it is cut off, or larger than it may be")
    return found


def _check_of(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(_CHECK_BYTES, "big")


def _plain(value: object) -> object:
    """Numbers of numpy become Python's own; nothing else is let in."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"got {type(value).__name__}")


ELEMENTS: Wire[tuple[Element, ...]] = Wire("element tree", tuple[Element, ...])
STEP: Wire[StoredStep] = Wire("step", StoredStep)
