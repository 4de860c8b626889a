"""Weights as bytes: safetensors, with a digest of the weights and a seal over everything else.

The digest is of names, types, shapes and numbers, so it is the same however the weights travelled.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from typing import Any

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor

from distrl.errors import WeightsError
from distrl.interfaces import Published


def digest_of(weights: Mapping[str, Tensor]) -> str:
    """SHA-256 of weights by name, in hexadecimal."""
    total = hashlib.sha256()
    for name in sorted(weights):
        tensor = weights[name].detach().cpu().contiguous()
        total.update(f"{name}\0{tensor.dtype}\0{tuple(tensor.shape)}\0".encode())
        total.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return total.hexdigest()


def seal(
    weights: Mapping[str, Tensor], version: int, notes: Mapping[str, str] | None = None
) -> tuple[bytes, str]:
    """Bytes that `unseal` reads back, and the digest of the weights."""
    # Copies: safetensors refuses tensors that share memory, and the learner goes on changing them.
    copies = {name: tensor.detach().cpu().clone().contiguous() for name, tensor in weights.items()}
    digest = digest_of(copies)
    noted = json.dumps(dict(notes or {}), sort_keys=True)
    metadata = {
        "version": str(version),
        "digest": digest,
        "notes": noted,
        "seal": _seal_of(version, digest, noted),
    }
    return safetensors.torch.save(copies, metadata), digest


def unseal(data: bytes, version: int) -> Published:
    """Read bytes of `seal`; WeightsError unless they are exactly what was sealed."""
    try:
        metadata = _metadata(data)
        weights = safetensors.torch.load(data)
        digest, noted = metadata["digest"], metadata["notes"]
        if metadata["seal"] != _seal_of(version, digest, noted):
            raise WeightsError(f"weights of version {version}: the seal is broken")
    except (SafetensorError, struct.error, ValueError, KeyError, TypeError) as cause:
        raise WeightsError(f"weights of version {version} cannot be read: {cause!r}") from cause
    found = digest_of(weights)
    if found != digest:
        raise WeightsError(
            f"weights of version {version} are damaged: digest {found[:12]}, not {digest[:12]}"
        )
    return Published(weights, version, digest, json.loads(noted))


def _seal_of(version: int, digest: str, noted: str) -> str:
    return hashlib.sha256(f"{version}\0{digest}\0{noted}".encode()).hexdigest()


def _metadata(data: bytes) -> dict[str, Any]:
    """The metadata in the header of a safetensors file."""
    (length,) = struct.unpack("<Q", data[:8])
    metadata: dict[str, Any] = json.loads(data[8 : 8 + length])["__metadata__"]
    return metadata
