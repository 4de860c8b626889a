"""The steps of an episode as one blob: what a learner reads.

Inputs that a policy has joined of pieces (`replay.pieces`) are split again. Large pieces, such as
the crops of a screen, come back in other episodes: they are kept once, by digest. Everything else
is deflated together, for steps of one episode have most of it in common.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import msgspec

from distrl.errors import StoreError
from distrl.replay.pieces import join, split
from distrl.replay.wire import Wire, inflate
from distrl.types import StoredStep

_LARGE = 512
"""Bytes of a piece from which on it is kept by digest; below, a digest would save little."""
_LARGEST = 64 * 2**20
"""Bytes of the largest piece."""
_DIGEST_BYTES = 10
"""Each step names its pieces, so digests are short: among ten million pieces, two are taken for
one with a probability of 4e-11."""


class Trajectory(msgspec.Struct, array_like=True, frozen=True):
    """Steps, with inputs apart."""

    steps: tuple[StoredStep, ...]
    """Without inputs, where these were split."""
    small: tuple[bytes, ...]
    """Distinct pieces that are kept here."""
    large: tuple[bytes, ...]
    """Digests of the others."""
    inputs: tuple[tuple[int, ...] | None, ...]
    """For each step, the places of its pieces in `small`, then `large`; None if not split."""


TRAJECTORY: Wire[Trajectory] = Wire("trajectory", Trajectory, deflated=True)


def pack(
    steps: Sequence[StoredStep], known: Callable[[bytes], bool]
) -> tuple[bytes, dict[bytes, bytes]]:
    """The blob of some steps, and the large pieces that are not `known` to the receiver."""
    parts = [split(step.inputs) if step.inputs else None for step in steps]
    distinct = {piece: None for pieces in parts if pieces is not None for piece in pieces}
    small = [piece for piece in distinct if len(piece) < _LARGE]
    large = {piece: _digest_of(piece) for piece in distinct if len(piece) >= _LARGE}
    places = {piece: place for place, piece in enumerate((*small, *large))}
    blob = TRAJECTORY.encode(
        Trajectory(
            tuple(
                step if pieces is None else replace(step, inputs=b"")
                for step, pieces in zip(steps, parts, strict=True)
            ),
            tuple(small),
            tuple(large.values()),
            tuple(
                None if pieces is None else tuple(places[piece] for piece in pieces)
                for pieces in parts
            ),
        )
    )
    new = {d: zlib.compress(piece) for piece, d in large.items() if not known(d)}
    return blob, new


def unpack(
    trajectory: Trajectory, pieces: Mapping[bytes, bytes], *, partial: bool = False
) -> tuple[StoredStep, ...]:
    """The steps again; StoreError when a piece is missing.

    If they may be `partial`, inputs with a missing piece are left out.
    """
    if len(trajectory.inputs) != len(trajectory.steps):
        raise StoreError("a stored trajectory is damaged: its parts are not of one episode")
    missing = [digest for digest in trajectory.large if digest not in pieces]
    if missing and not partial:
        raise StoreError(f"a stored trajectory is damaged: piece {missing[0].hex()} is not there")
    table = [*trajectory.small, *(pieces.get(digest) for digest in trajectory.large)]
    return tuple(
        step if places is None else replace(step, inputs=_joined(table, places))
        for step, places in zip(trajectory.steps, trajectory.inputs, strict=True)
    )


def inflated(contents: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
    """Stored pieces as they were, by digest; StoreError when one is damaged."""
    return {digest: _inflated(digest, data) for digest, data in contents.items()}


def _inflated(digest: bytes, data: bytes) -> bytes:
    try:
        piece = inflate(data, _LARGEST)
    except (zlib.error, ValueError) as cause:
        raise StoreError(f"stored piece {digest.hex()} cannot be read: {cause}") from cause
    if _digest_of(piece) != digest:
        raise StoreError(f"stored piece {digest.hex()} is something else")
    return piece


def _joined(table: Sequence[bytes | None], places: tuple[int, ...]) -> bytes:
    try:
        found = [table[place] for place in places]
    except IndexError:
        raise StoreError("a stored trajectory is damaged: it names a piece too many") from None
    whole = [piece for piece in found if piece is not None]
    return join(whole) if len(whole) == len(found) else b""


def _digest_of(piece: bytes) -> bytes:
    # A learner checks every piece: for so few bytes, BLAKE2 takes a fraction of SHA-256's time.
    return hashlib.blake2b(piece, digest_size=_DIGEST_BYTES).digest()
