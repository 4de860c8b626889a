"""Serialises inputs for the store.

Vectors of words and labels are left out: they are 384 numbers each, and the reader looks them up
in the same text encoder.
"""

from __future__ import annotations

import zlib
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from distrl.errors import DistrlError
from distrl.policies.pointer import inputs as i
from distrl.policies.pointer.text_encoder import TextEncoder, words_of


class _Packed(msgspec.Struct, array_like=True, frozen=True):
    goal: str
    names: tuple[str, ...]
    word_features: bytes
    features: bytes
    crops: bytes
    history: bytes
    trail: tuple[str, ...]
    overview: bytes
    enabled: bytes
    typing: bool


_decoder = msgspec.msgpack.Decoder(_Packed)
_encoder = msgspec.msgpack.Encoder()


def pack(inputs: i.Inputs) -> bytes:
    """Encode inputs so that `unpack` gives them back exactly."""
    return _encoder.encode(
        _Packed(
            inputs.goal,
            inputs.names,
            _half(inputs.word_features),
            _half(inputs.features),
            # Level 1, the fastest: this runs while a device waits for its action.
            zlib.compress(inputs.crops.tobytes(), 1),
            _half(inputs.history),
            inputs.trail,
            _half(inputs.overview),
            inputs.enabled.tobytes(),
            inputs.typing,
        )
    )


def unpack(data: bytes, encoder: TextEncoder) -> i.Inputs:
    """Decode what `pack` wrote; the encoder supplies the vectors. DistrlError if damaged."""
    try:
        packed = _decoder.decode(data)
        count = len(packed.names)
        crops = np.frombuffer(_decompress(packed.crops, count * i.CROP * i.CROP * 3), np.uint8)
        if len(packed.enabled) != count or len(packed.trail) != i.HISTORY:
            raise ValueError("its parts are not of one screen")
        return i.Inputs(
            goal=packed.goal,
            names=packed.names,
            words=encoder.goal(packed.goal).words,
            word_features=_array(packed.word_features, len(words_of(packed.goal)), i.WORD_FEATURES),
            labels=encoder.labels(packed.names),
            features=_array(packed.features, count, i.CANDIDATE_FEATURES),
            crops=crops.reshape(count, i.CROP, i.CROP, 3),
            history=_array(packed.history, i.HISTORY, i.HISTORY_FEATURES),
            trail=packed.trail,
            trail_labels=encoder.labels(packed.trail),
            links=i.links_of(packed.goal, packed.trail, packed.names),
            overview=_array(packed.overview, i.GLOBAL_FEATURES),
            enabled=np.frombuffer(packed.enabled, np.bool_),
            typing=packed.typing,
        )
    except (msgspec.DecodeError, zlib.error, ValueError, RecursionError) as cause:
        raise DistrlError(f"stored policy inputs cannot be read: {cause}") from cause


def _decompress(data: bytes, size: int) -> bytes:
    """The data, cut one byte after `size`."""
    # A damaged record or zip bomb then fails in `reshape`, instead of filling the memory.
    return zlib.decompressobj().decompress(data, size + 1)


def _half(values: i.Array) -> bytes:
    # Lossless: `inputs.half` has rounded the values already.
    return values.astype(np.float16).tobytes()


def _array(data: bytes, *shape: int) -> npt.NDArray[Any]:
    return np.frombuffer(data, np.float16).astype(np.float32).reshape(shape)
