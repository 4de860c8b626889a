"""Weights as bytes: safetensors, with a digest of the weights and a seal over everything else.

The digest is of names, types, shapes and numbers, so it is the same however the weights travelled.
The format is that of the safetensors library, which reads these bytes too. Numbers are copied once
in either direction, not three times as by the library: devices act with older weights meanwhile.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor

from distrl.errors import WeightsError
from distrl.interfaces import Published

Sealed: TypeAlias = bytes | bytearray | memoryview
"""Bytes of `seal`, wherever they are kept."""

_DTYPES = {
    "F64": torch.float64,
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I64": torch.int64,
    "I32": torch.int32,
    "I16": torch.int16,
    "I8": torch.int8,
    "U8": torch.uint8,
    "BOOL": torch.bool,
}
"""Types of numbers by their names in a header."""
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}


def digest_of(weights: Mapping[str, Tensor]) -> str:
    """SHA-256 of weights by name, in hexadecimal."""
    total = hashlib.sha256()
    for name in sorted(weights):
        tensor = weights[name].detach().cpu().contiguous()
        total.update(f"{name}\0{tensor.dtype}\0{tuple(tensor.shape)}\0".encode())
        total.update(_numbers(tensor))
    return total.hexdigest()


def seal(
    weights: Mapping[str, Tensor], version: int, notes: Mapping[str, str] | None = None
) -> tuple[bytes, str]:
    """Bytes that `unseal` reads back, and the digest of the weights."""
    here = {name: tensor.detach().cpu().contiguous() for name, tensor in weights.items()}
    digest = digest_of(here)
    noted = json.dumps(dict(notes or {}), sort_keys=True)
    metadata = {
        "version": str(version),
        "digest": digest,
        "notes": noted,
        "seal": _seal_of(version, digest, noted),
    }
    # Wide numbers first, so that each begins at a multiple of its size, as readers want it.
    order = sorted(here, key=lambda name: (-here[name].element_size(), name))
    header: dict[str, Any] = {"__metadata__": metadata}
    end = 0
    for name in order:
        tensor = here[name]
        start, end = end, end + tensor.numel() * tensor.element_size()
        shape, dtype = list(tensor.shape), _NAMES[tensor.dtype]
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [start, end]}
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    numbers = (_numbers(here[name]) for name in order)
    return b"".join((struct.pack("<Q", len(text)), text, *numbers)), digest


def unseal(data: Sealed, version: int) -> Published:
    """Read bytes of `seal`; WeightsError unless they are exactly what was sealed."""
    try:
        header, begin = _header(data)
        metadata = header.pop("__metadata__")
        digest, noted = metadata["digest"], metadata["notes"]
        if metadata["seal"] != _seal_of(version, digest, noted):
            raise WeightsError(f"weights of version {version}: the seal is broken")
        weights = _tensors(header, data, begin)
    except (struct.error, ValueError, KeyError, TypeError, RuntimeError, OverflowError) as cause:
        raise WeightsError(f"weights of version {version} cannot be read: {cause!r}") from cause
    found = digest_of(weights)
    if found != digest:
        raise WeightsError(
            f"weights of version {version} are damaged: digest {found[:12]}, not {digest[:12]}"
        )
    return Published(weights, version, digest, json.loads(noted))


def _numbers(tensor: Tensor) -> memoryview:
    """The numbers of a contiguous tensor, not copied."""
    return tensor.reshape(-1).view(torch.uint8).numpy().data


def _seal_of(version: int, digest: str, noted: str) -> str:
    return hashlib.sha256(f"{version}\0{digest}\0{noted}".encode()).hexdigest()


def _header(data: Sealed) -> tuple[dict[str, Any], int]:
    """The header of a safetensors file, and where its numbers begin."""
    (length,) = struct.unpack("<Q", data[:8])
    header: dict[str, Any] = json.loads(bytes(data[8 : 8 + length]))
    return header, 8 + length


def _tensors(header: Mapping[str, Any], data: Sealed, begin: int) -> dict[str, Tensor]:
    """The tensors that a header describes: views of one copy of the numbers."""
    copy = np.frombuffer(data, np.uint8, offset=begin).copy()
    if copy.size != max((entry["data_offsets"][1] for entry in header.values()), default=0):
        raise ValueError(f"{copy.size} bytes of numbers are not what the header says")
    numbers = torch.from_numpy(copy)
    return {
        name: numbers[slice(*entry["data_offsets"])]
        .view(_DTYPES[entry["dtype"]])
        .reshape(entry["shape"])
        for name, entry in header.items()
    }
