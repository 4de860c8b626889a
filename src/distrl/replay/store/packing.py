"""Episodes as bytes: what the rows of a store, and messages between machines, are made of.

    head         the task, the outcome, the verdicts: what stands for the whole episode
    trajectory   the steps without what was seen: what a learner reads (`trajectories.py`)
    screens      what was seen: drawn again from it, or pictures (`screen_lists.py`)

What many episodes have in common, parts of policy inputs and pictures, is kept once under the
digest of its content. As one blob (`PACKED`), an episode can go to another machine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TypeAlias

from distrl.errors import DistrlError, StoreError, boundary
from distrl.replay.store import format_1, screen_lists, trajectories
from distrl.replay.store.picture_codec import Codec
from distrl.replay.wire import Wire
from distrl.types import (
    Episode,
    Observation,
    Outcome,
    StoredEpisode,
    StoredStep,
    Task,
    Verdict,
)

Contents: TypeAlias = Mapping[bytes, bytes]
"""Encoded pictures or pieces of inputs, by digest."""

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
    screens: tuple[format_1.PackedScreen, ...] = ()
    """In format 1 only; since then, screens are a blob of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedEpisode:
    """An episode as blobs, and the line about it."""

    summary: Summary
    """Not numbered yet."""
    head: bytes
    trajectory: bytes
    screens: bytes
    pieces: Contents
    """Parts of policy inputs that many episodes have in common."""
    pictures: Contents
    """Screens that cannot be drawn again."""

    @property
    def shared(self) -> tuple[bytes, ...]:
        """Digests of what a receiver who has this episode need not be sent again."""
        return (*self.pieces, *self.pictures)


_HEAD_FIELDS = tuple(f.name for f in fields(Head) if f.name not in ("steps", "screens"))
"""The fields that a head has in common with its episode."""

HEAD: Wire[Head] = Wire("episode", Head)
PACKED: Wire[PackedEpisode] = Wire("packed episode", PackedEpisode)


def pack(
    episode: Episode, *, codec: Codec = "webp", known: Callable[[bytes], bool] = lambda _: False
) -> PackedEpisode:
    """Encode an episode; content whose digest is `known` to the receiver is left out."""
    try:
        with boundary(StoreError, "something in it is broken"):
            return _pack(episode, codec, known)
    except DistrlError as cause:
        raise StoreError(f"episode {episode.id!r} cannot be stored: {cause}") from cause


def _pack(episode: Episode, codec: Codec, known: Callable[[bytes], bool]) -> PackedEpisode:
    trajectory, pieces = trajectories.pack(tuple(map(StoredStep.of, episode.steps)), known)
    screens, pictures = screen_lists.pack(_observations(episode), codec, known)
    head = {name: getattr(episode, name) for name in _HEAD_FIELDS}
    return PackedEpisode(
        summary=_storable(summarise(episode)),
        head=HEAD.encode(Head(steps=len(episode.steps), **head)),
        trajectory=trajectory,
        screens=screens,
        pieces=pieces,
        pictures=pictures,
    )


def _observations(episode: Episode) -> tuple[Observation, ...]:
    seen = tuple(step.observation for step in episode.steps)
    return seen if episode.final is None else (*seen, episode.final)


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


def unpack(head: Head, steps: Sequence[StoredStep], seen: Sequence[Observation]) -> Episode:
    """The episode again; pictures are decoded or drawn when somebody looks at them."""
    if len(steps) != head.steps or len(seen) - head.steps not in (0, 1):
        raise StoreError(
            f"episode {head.id!r} is damaged: of {head.steps} steps, {len(steps)} are there, "
            f"with {len(seen)} screens"
        )
    return Episode(
        steps=tuple(step.at(seen[place]) for place, step in enumerate(steps)),
        final=seen[-1] if len(seen) > len(steps) else None,
        **{name: getattr(head, name) for name in _HEAD_FIELDS},
    )


def check_packed(packed: PackedEpisode) -> Episode:
    """The episode in what another machine packed; StoreError unless it is whole.

    What the sender left out, because the store has it, is there only: such a step has no inputs
    here, and such a picture cannot be looked at.
    """
    trajectory = trajectories.TRAJECTORY.decode(packed.trajectory)
    pieces = trajectories.inflated(packed.pieces)
    screens = screen_lists.SCREENS.decode(packed.screens)
    pictures = {digest: packed.pictures.get(digest, b"") for digest in screens.pictures}
    episode = unpack(
        HEAD.decode(packed.head),
        trajectories.unpack(trajectory, pieces, partial=True),
        screen_lists.unpack(screens, pictures),
    )
    if _storable(summarise(episode)) != packed.summary:
        raise StoreError(f"episode {episode.id!r} is not what the line about it says")
    return episode


def unpack_for_learning(head: Head, steps: tuple[StoredStep, ...]) -> StoredEpisode:
    """What a learner needs of it; nothing that was seen."""
    if len(steps) != head.steps:
        raise StoreError(
            f"episode {head.id!r} is damaged: of {head.steps} steps, {len(steps)} are there"
        )
    return StoredEpisode(id=head.id, task=head.task, outcome=head.outcome, steps=steps)
