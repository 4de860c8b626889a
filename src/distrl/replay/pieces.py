"""Bytes that are made of pieces, many of which repeat: between steps, and between episodes.

Whoever packs a policy's inputs joins their pieces; a store splits them and keeps each distinct
one once. Both are exact, and any other bytes are one whole.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(list[bytes])


def join(pieces: Sequence[bytes]) -> bytes:
    """The pieces as one."""
    return _encoder.encode(pieces)


def read(joined: bytes) -> list[bytes] | None:
    """The pieces of what was joined; None for anything else, as far as that can be seen."""
    try:
        return _decoder.decode(joined)
    except (msgspec.MsgspecError, RecursionError):
        return None


def split(joined: bytes) -> list[bytes] | None:
    """The pieces that `join` makes exactly these bytes of; None if there are none."""
    pieces = read(joined)
    # There is more than one way to write a list.
    return pieces if pieces is not None and join(pieces) == joined else None
