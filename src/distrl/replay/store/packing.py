"""Episodes as bytes: what the rows of a store, and messages between machines, are made of.

Pictures and element trees repeat, so each is kept once under the digest of its content, and the
head of an episode names them. As one blob (`PACKED`), an episode can go to another machine.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import TypeAlias

from distrl.errors import DistrlError, StoreError, boundary
from distrl.replay.store import picture_codec
from distrl.replay.store.picture_codec import Codec
from distrl.replay.wire import ELEMENTS, STEP, Wire
from distrl.types import (
    Episode,
    Observation,
    Outcome,
    Picture,
    StoredEpisode,
    StoredStep,
    Task,
    Verdict,
)

Contents: TypeAlias = Mapping[bytes, bytes]
"""Encoded pictures or element trees, by digest."""

_INTEGERS = 2**63
"""The first integer that no column of SQLite holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One line about an episode; finding and reading it costs no picture and no step."""

    number: int
    """Its place in the order of the store, from 1."""
    id: str
    task_id: str
    suite: str
    split: str
    template: str
    outcome: Outcome
    steps: int
    reward: float
    """Sum over its steps."""
    started: float
    ended: float
    device: str
    min_version: int | None
    """Oldest policy version among its steps; None without steps."""
    max_version: int | None
    fault: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedScreen:
    """An observation; its elements and its picture by digest."""

    app: str
    keyboard: bool
    elements: bytes | None
    picture: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """An episode without its steps."""

    id: str
    task: Task
    steps: int
    """How many there are."""
    outcome: Outcome
    verdicts: tuple[Verdict, ...]
    device: str
    started: float
    ended: float
    fault: str
    screens: tuple[PackedScreen, ...]
    """One for each step, and one more for what was shown at the end, if it was seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedEpisode:
    """An episode as blobs, and the line about it."""

    summary: Summary
    """Not numbered yet."""
    head: bytes
    steps: tuple[bytes, ...]
    trees: Contents
    pictures: Contents


_HEAD_FIELDS = tuple(f.name for f in fields(Head) if f.name not in ("steps", "screens"))
"""The fields that a head has in common with its episode."""

HEAD: Wire[Head] = Wire("episode", Head)
PACKED: Wire[PackedEpisode] = Wire("packed episode", PackedEpisode)


def pack(
    episode: Episode, *, codec: Codec = "webp", known: Callable[[bytes], bool] = lambda _: False
) -> PackedEpisode:
    """Encode an episode; pictures whose digest is `known` to the receiver are left out."""
    try:
        with boundary(StoreError, "something in it is broken"):
            return _pack(episode, codec, known)
    except DistrlError as cause:
        raise StoreError(f"episode {episode.id!r} cannot be stored: {cause}") from cause


def _pack(episode: Episode, codec: Codec, known: Callable[[bytes], bool]) -> PackedEpisode:
    trees: dict[bytes, bytes] = {}
    pictures: dict[bytes, bytes] = {}
    screens: list[PackedScreen] = []
    for seen in _observations(episode):
        screen = picture_codec.checked(seen.screen)
        digest = picture_codec.digest_of(screen)
        if digest not in pictures and not known(digest):
            pictures[digest] = picture_codec.encode(screen, codec)
        screens.append(
            PackedScreen(
                app=seen.app,
                keyboard=seen.keyboard,
                elements=_pack_tree(seen, trees),
                picture=digest,
            )
        )
    return PackedEpisode(
        summary=_storable(summarise(episode)),
        head=_pack_head(episode, tuple(screens)),
        steps=tuple(STEP.encode(StoredStep.of(step)) for step in episode.steps),
        trees=trees,
        pictures=pictures,
    )


def _observations(episode: Episode) -> tuple[Observation, ...]:
    seen = tuple(step.observation for step in episode.steps)
    return seen if episode.final is None else (*seen, episode.final)


def _pack_tree(seen: Observation, trees: dict[bytes, bytes]) -> bytes | None:
    if seen.elements is None:
        return None
    blob = ELEMENTS.encode(seen.elements)
    # 16 bytes: even among billions of trees, two with the same digest are not to be expected.
    digest = hashlib.sha256(blob).digest()[:16]
    trees[digest] = blob
    return digest


def _pack_head(episode: Episode, screens: tuple[PackedScreen, ...]) -> bytes:
    return HEAD.encode(
        Head(
            steps=len(episode.steps),
            screens=screens,
            **{name: getattr(episode, name) for name in _HEAD_FIELDS},
        )
    )


def _storable(summary: Summary) -> Summary:
    """The summary itself; StoreError when a column could not hold it."""
    for name in ("reward", "started", "ended"):
        if not math.isfinite(getattr(summary, name)):
            raise StoreError(f"{name} must be a finite number, got {getattr(summary, name)}")
    for version in (summary.min_version, summary.max_version):
        if version is not None and not -_INTEGERS <= version < _INTEGERS:
            raise StoreError(f"a version must fit into 64 bits, got {version}")
    return summary


def summarise(episode: Episode, number: int = 0) -> Summary:
    """The line about an episode."""
    task = episode.task
    versions = [int(step.choice.version) for step in episode.steps]
    return Summary(
        number=number,
        id=episode.id,
        task_id=task.id,
        suite=task.suite,
        split=task.split,
        template=task.template,
        outcome=episode.outcome,
        steps=len(episode.steps),
        reward=float(sum(step.reward for step in episode.steps)),
        started=float(episode.started),
        ended=float(episode.ended),
        device=episode.device,
        min_version=min(versions, default=None),
        max_version=max(versions, default=None),
        fault=episode.fault,
    )


def unpack(head: bytes, steps: Sequence[bytes], trees: Contents, pictures: Contents) -> Episode:
    """The episode again; pictures are decoded when somebody looks at them."""
    opened, done = _open(head, steps)
    seen = _unpack_screens(opened, trees, pictures)
    return Episode(
        steps=tuple(step.at(seen[place]) for place, step in enumerate(done)),
        final=seen[-1] if len(seen) > len(done) else None,
        **{name: getattr(opened, name) for name in _HEAD_FIELDS},
    )


def check_packed(packed: PackedEpisode) -> Episode:
    """The episode in what another machine packed; StoreError unless it is whole.

    Pictures that the sender left out, because the store has them, can be looked at only there.
    """
    digests = (screen.picture for screen in HEAD.decode(packed.head).screens)
    pictures = {digest: packed.pictures.get(digest, b"") for digest in digests}
    episode = unpack(packed.head, packed.steps, packed.trees, pictures)
    if _storable(summarise(episode)) != packed.summary:
        raise StoreError(f"episode {episode.id!r} is not what the line about it says")
    return episode


def unpack_for_learning(head: bytes, steps: Sequence[bytes]) -> StoredEpisode:
    """What a learner needs of it; nothing that was seen."""
    opened, done = _open(head, steps)
    return StoredEpisode(id=opened.id, task=opened.task, outcome=opened.outcome, steps=done)


def _open(head: bytes, steps: Sequence[bytes]) -> tuple[Head, tuple[StoredStep, ...]]:
    opened = HEAD.decode(head)
    if len(steps) != opened.steps or len(opened.screens) - opened.steps not in (0, 1):
        raise StoreError(
            f"episode {opened.id!r} is damaged: of {opened.steps} steps, {len(steps)} are there, "
            f"with {len(opened.screens)} screens"
        )
    return opened, tuple(STEP.decode(blob) for blob in steps)


def _unpack_screens(head: Head, trees: Contents, pictures: Contents) -> list[Observation]:
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
            for screen in head.screens
        ]
    except KeyError as missing:
        lost = missing.args[0].hex()
        raise StoreError(f"episode {head.id!r} is damaged: content {lost} is not there") from None
