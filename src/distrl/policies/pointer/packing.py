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
from distrl.replay.pieces import join, read


class _Packed(msgspec.Struct, array_like=True, frozen=True):
    """All but the crops, which are pieces of their own: they come again on other screens."""

    goal: str
    names: tuple[str, ...]
    word_features: bytes
    features: bytes
    history: bytes
    trail: tuple[str, ...]
    overview: bytes
    enabled: bytes
    typing: bool


class _Packed1(msgspec.Struct, array_like=True, frozen=True):
    """As stores of format 1 have it: whole, with the crops deflated."""

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


_CROP_BYTES = i.CROP * i.CROP * 3
_decoder = msgspec.msgpack.Decoder(_Packed)
_decoder1 = msgspec.msgpack.Decoder(_Packed1)
_encoder = msgspec.msgpack.Encoder()


def pack(inputs: i.Inputs) -> bytes:
    """Encode inputs so that `unpack` gives them back exactly."""
    head = _Packed(
        inputs.goal,
        inputs.names,
        _half(inputs.word_features),
        _half(inputs.features),
        _half(inputs.history),
        inputs.trail,
        _half(inputs.overview),
        inputs.enabled.tobytes(),
        inputs.typing,
    )
    crops = inputs.crops.tobytes()
    # Nothing is deflated: this runs while a device waits for its action. A store does it later.
    cut = [crops[at : at + _CROP_BYTES] for at in range(0, len(crops), _CROP_BYTES)]
    return join([_encoder.encode(head), *cut])


def unpack(data: bytes, encoder: TextEncoder) -> i.Inputs:
    """Decode what `pack` wrote; the encoder supplies the vectors. DistrlError if damaged."""
    try:
        packed, crops = _opened(data)
        count = len(packed.names)
        if len(packed.enabled) != count or len(packed.trail) != i.HISTORY:
            raise ValueError("its parts are not of one screen")
        goal = encoder.goal(packed.goal)
        labels, touched = encoder.labels(packed.names), encoder.labels(packed.trail)
        return i.Inputs(
            goal=packed.goal,
            names=packed.names,
            words=goal.words,
            word_features=_array(packed.word_features, len(words_of(packed.goal)), i.WORD_FEATURES),
            labels=labels,
            features=_array(packed.features, count, i.CANDIDATE_FEATURES),
            crops=np.frombuffer(crops, np.uint8).reshape(count, i.CROP, i.CROP, 3),
            history=_array(packed.history, i.HISTORY, i.HISTORY_FEATURES),
            trail=packed.trail,
            trail_labels=touched,
            links=i.links_of(packed.goal, packed.trail, packed.names),
            alike=i.alike_of(touched, labels, goal.meanings),
            overview=_array(packed.overview, i.GLOBAL_FEATURES),
            enabled=np.frombuffer(packed.enabled, np.bool_),
            typing=packed.typing,
        )
    except (msgspec.DecodeError, zlib.error, ValueError, RecursionError) as cause:
        raise DistrlError(f"stored policy inputs cannot be read: {cause}") from cause


def _opened(data: bytes) -> tuple[_Packed | _Packed1, bytes]:
    """The inputs without their crops, and these."""
    pieces = read(data)
    if pieces:
        return _decoder.decode(pieces[0]), b"".join(pieces[1:])
    packed = _decoder1.decode(data)
    return packed, _decompress(packed.crops, len(packed.names) * _CROP_BYTES)


def _decompress(data: bytes, size: int) -> bytes:
    """The data, cut one byte after `size`."""
    # A damaged record or zip bomb then fails in `reshape`, instead of filling the memory.
    return zlib.decompressobj().decompress(data, size + 1)


def _half(values: i.Array) -> bytes:
    # Lossless: `inputs.half` has rounded the values already.
    return values.astype(np.float16).tobytes()


def _array(data: bytes, *shape: int) -> npt.NDArray[Any]:
    return np.frombuffer(data, np.float16).astype(np.float32).reshape(shape)
