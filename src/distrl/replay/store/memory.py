"""An episode store in memory, gone when its process ends: for tests and experiments."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace

from distrl.errors import StoreError
from distrl.replay.store import screen_lists, trajectories
from distrl.replay.store.packing import (
    HEAD,
    PackedEpisode,
    Summary,
    pack,
    unpack,
    unpack_for_learning,
)
from distrl.types import Episode, Outcome, StoredEpisode, StoredStep


class MemoryStore:
    """Keeps episodes packed, as the durable store does, so that both refuse the same ones."""

    def __init__(self) -> None:
        """Start empty."""
        self._turn = threading.Lock()
        self._numbers: dict[str, int] = {}
        self._episodes: list[PackedEpisode] = []
        self._closed = False

    def add(self, episode: Episode) -> None:
        """Return once the episode is here. Adding the same id again changes nothing."""
        if self._closed:
            raise StoreError("the episode store is closed")
        packed = pack(episode)
        with self._turn:
            if episode.id not in self._numbers:
                number = len(self._episodes) + 1
                summary = replace(packed.summary, number=number)
                self._numbers[episode.id] = number
                self._episodes.append(replace(packed, summary=summary))

    def add_later(self, episode: Episode) -> Future[None]:
        """Add at once; the future is already done."""
        if self._closed:
            raise StoreError("the episode store is closed")
        done: Future[None] = Future()
        try:
            self.add(episode)
        except StoreError as error:
            done.set_exception(error)
        else:
            done.set_result(None)
        return done

    def get(self, episode_id: str) -> Episode:
        """The stored episode; KeyError when there is none."""
        packed = self._episodes[self._numbers[episode_id] - 1]
        screens = screen_lists.SCREENS.decode(packed.screens)
        seen = screen_lists.unpack(screens, packed.pictures)
        return unpack(HEAD.decode(packed.head), _steps(packed), seen)

    def ids(self) -> Sequence[str]:
        """All ids in the order in which they were added."""
        return [packed.summary.id for packed in self._episodes]

    def count(self) -> int:
        """How many episodes there are."""
        return len(self._episodes)

    def read_after(self, number: int, limit: int) -> list[tuple[int, StoredEpisode]]:
        """The first `limit` episodes after a number, without anything that was seen in them."""
        return [
            (packed.summary.number, unpack_for_learning(HEAD.decode(packed.head), _steps(packed)))
            for packed in self._after(number, limit)
        ]

    def summaries(self, after: int = 0, limit: int = 1000) -> list[Summary]:
        """Lines about the first `limit` episodes after a number."""
        return [packed.summary for packed in self._after(after, limit)]

    def outcomes(
        self, *, suite: str | None = None, split: str | None = None, template: str | None = None
    ) -> Mapping[Outcome, int]:
        """How many episodes ended in which way, of all or of some."""
        return Counter(
            line.outcome
            for line in self.summaries(limit=self.count())
            if suite in (None, line.suite)
            and split in (None, line.split)
            and template in (None, line.template)
        )

    def close(self) -> None:
        """Refuse more; what is here can still be read."""
        self._closed = True

    def _after(self, number: int, limit: int) -> list[PackedEpisode]:
        first = max(0, number)
        return self._episodes[first : first + limit]


def _steps(packed: PackedEpisode) -> tuple[StoredStep, ...]:
    trajectory = trajectories.TRAJECTORY.decode(packed.trajectory)
    return trajectories.unpack(trajectory, trajectories.inflated(packed.pieces))
