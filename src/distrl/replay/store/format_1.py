"""Reads episodes of format 1: a row per step, and each screen as a picture and an element tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from distrl.errors import StoreError
from distrl.replay.store import picture_codec
from distrl.replay.wire import ELEMENTS, STEP
from distrl.types import Observation, Picture, StoredStep


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedScreen:
    """An observation; its elements and its picture by digest."""

    app: str
    keyboard: bool
    elements: bytes | None
    picture: bytes


def unpack_steps(rows: Sequence[bytes]) -> tuple[StoredStep, ...]:
    """The steps of an episode."""
    return tuple(map(STEP.decode, rows))


def unpack_screens(
    screens: Sequence[PackedScreen], trees: Mapping[bytes, bytes], pictures: Mapping[bytes, bytes]
) -> list[Observation]:
    """What was seen in an episode; pictures are decoded when somebody looks at them."""
    decoded = {digest: ELEMENTS.decode(blob) for digest, blob in trees.items()}
    shown = {
        digest: Picture(partial(picture_codec.decode, blob, digest))
        for digest, blob in pictures.items()
    }
    try:
        return [
            Observation(
                shown[screen.picture],
                None if screen.elements is None else decoded[screen.elements],
                screen.keyboard,
                screen.app,
            )
            for screen in screens
        ]
    except KeyError as missing:
        lost = missing.args[0].hex()
        raise StoreError(f"a stored episode is damaged: content {lost} is not there") from None
