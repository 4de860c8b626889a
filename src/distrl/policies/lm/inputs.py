"""Inputs of the lm policy as stored with a step: tokens, options, and frozen layers' outputs."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from distrl.errors import DistrlError
from distrl.policies.lm.options import OptionTree, Tokens, tree_of
from distrl.types import Pixels

States: TypeAlias = npt.NDArray[np.float16]

_MAX_SIDE = 4096
"""Pixels per side of a picture that is accepted when read back, so that a damaged record cannot
make the reader allocate gigabytes."""


@dataclass(frozen=True, slots=True, eq=False)
class LmInputs:
    """A tokenized prompt with its options."""

    tokens: Tokens
    goal: int
    """Number of tokens of the goal, which start at `lead`."""
    options: tuple[Tokens, ...]
    """Legal actions, each with the end token."""
    lead: int = 0
    states: States | None = None
    """[prompt and action without its last token, width] outputs of the frozen layers."""
    picture: Pixels | None = None
    """The screenshot, for vision-language models."""

    @property
    def tree(self) -> OptionTree:
        """The options as a prefix tree."""
        return tree_of(self.options)


class _Packed(msgspec.Struct, array_like=True, frozen=True):
    tokens: tuple[int, ...]
    goal: int
    options: tuple[tuple[int, ...], ...]
    lead: int
    rows: int
    states: bytes
    shape: tuple[int, ...]
    picture: bytes


_decoder = msgspec.msgpack.Decoder(_Packed)
_encoder = msgspec.msgpack.Encoder()


def pack(inputs: LmInputs) -> bytes:
    """Encode inputs so that `unpack` gives them back exactly."""
    states, picture = inputs.states, inputs.picture
    return _encoder.encode(
        _Packed(
            inputs.tokens,
            inputs.goal,
            inputs.options,
            inputs.lead,
            0 if states is None else len(states),
            b"" if states is None else states.tobytes(),
            () if picture is None else picture.shape,
            # Level 1, the fastest: this runs while a device waits for its action.
            b"" if picture is None else zlib.compress(picture.tobytes(), 1),
        )
    )


def unpack(data: bytes) -> LmInputs:
    """Decode what `pack` wrote; DistrlError for anything else."""
    try:
        packed = _decoder.decode(data)
        states = None
        if packed.rows:
            states = np.frombuffer(packed.states, np.float16).reshape(packed.rows, -1)
        return LmInputs(
            tokens=packed.tokens,
            goal=packed.goal,
            options=packed.options,
            lead=packed.lead,
            states=states,
            picture=_picture(packed.picture, packed.shape) if packed.picture else None,
        )
    except (msgspec.DecodeError, zlib.error, ValueError, RecursionError) as cause:
        raise DistrlError(f"stored policy inputs cannot be read: {cause}") from cause


def _picture(data: bytes, shape: tuple[int, ...]) -> Pixels:
    if len(shape) != 3 or shape[2] != 3 or not all(0 < side <= _MAX_SIDE for side in shape):
        raise ValueError(f"a picture has no shape {shape}")
    size = int(np.prod(shape))
    # Stop one byte after the expected size: a zip bomb fails in `reshape` instead of in memory.
    pixels = zlib.decompressobj().decompress(data, size + 1)
    return np.frombuffer(pixels, np.uint8).reshape(shape)
