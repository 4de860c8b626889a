"""The inputs of a step as stores of format 1 have them: a frozen copy of what wrote them."""

from __future__ import annotations

import zlib

import msgspec
import numpy as np

from distrl.policies.pointer.inputs import Inputs


def pack_1(inputs: Inputs) -> bytes:
    return msgspec.msgpack.encode(
        [
            inputs.goal,
            inputs.names,
            inputs.word_features.astype(np.float16).tobytes(),
            inputs.features.astype(np.float16).tobytes(),
            zlib.compress(inputs.crops.tobytes(), 1),
            inputs.history.astype(np.float16).tobytes(),
            inputs.trail,
            inputs.overview.astype(np.float16).tobytes(),
            inputs.enabled.tobytes(),
            inputs.typing,
        ]
    )
