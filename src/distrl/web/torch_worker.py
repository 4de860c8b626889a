"""Work for torch, done beside the page by one thread that lets everybody else go first.

Torch is imported when it is first needed: whoever only looks at charts never waits for it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from distrl.errors import DistrlError
from distrl.types import StoredEpisode
from distrl.web.microscope import RATIO_EPISODES
from distrl.web.runs import Run

if TYPE_CHECKING:
    from distrl.run.inspection.critic_values import CriticValues, EpisodeValues

T = TypeVar("T")

_AT_ONCE = 8
_NICENESS = 10


class TorchWorker:
    """Looks at episodes with a run's newest checkpoint. Any thread may ask."""

    def __init__(self) -> None:
        """Nothing is loaded yet."""
        self._worker = ThreadPoolExecutor(1, "thinker", initializer=_let_others_go_first)
        self._lock = threading.Lock()
        self._insights: dict[str, CriticValues] = {}
        self._ratios: dict[str, dict[str, float]] = {}
        self._measuring: dict[str, Future[None]] = {}
        self._closed = threading.Event()

    def do(self, work: Callable[[], T]) -> Future[T]:
        """Have something done by the thread that may use torch."""
        return self._worker.submit(work)

    def look(self, run: Run, number: int, *, timeout: float) -> tuple[str, EpisodeValues] | None:
        """What the newest checkpoint says of an episode, and its name; None without either."""

        def work() -> tuple[str, EpisodeValues] | None:
            insight = self._insight(run)
            episodes = _read(run, number - 1, 1)
            if insight is None or not episodes:
                return None
            (seen,) = insight.look(episodes)
            return insight.name, seen

        return self.do(work).result(timeout)

    def ratios(self, run: Run) -> tuple[dict[str, float], bool]:
        """Mean ratios by episode, as far as they are known, and whether more are on the way."""
        with self._lock:
            measuring = self._measuring.get(run.name)
            if measuring is None or measuring.done():
                known = self._ratios.setdefault(run.name, {})
                newest = len(run.index.table())
                if newest and self._is_behind(run, known):
                    measuring = self._measuring[run.name] = self.do(lambda: self._measure(run))
            busy = measuring is not None and not measuring.done()
            return dict(self._ratios.get(run.name, {})), busy

    def close(self) -> None:
        """Stop after what is being done."""
        self._closed.set()
        self._worker.shutdown(wait=True, cancel_futures=True)

    def _is_behind(self, run: Run, known: dict[str, float]) -> bool:
        """Whether nothing was measured yet, or by another checkpoint than the newest."""
        checkpoints = run.checkpoints()
        insight = self._insights.get(run.name)
        current = insight is not None and bool(checkpoints) and insight.name == checkpoints[-1].name
        return bool(checkpoints) and not (known and current)

    def _measure(self, run: Run) -> None:
        insight = self._insight(run)
        numbers = run.index.table().columns["number"][-RATIO_EPISODES:]
        fresh: dict[str, float] = {}
        last = int(numbers[0]) - 1 if len(numbers) else 0
        while insight is not None and not self._closed.is_set():
            episodes = _read(run, last, _AT_ONCE)
            if not episodes or len(fresh) >= RATIO_EPISODES:
                break
            last += len(episodes)
            for episode, seen in zip(episodes, insight.look(episodes), strict=True):
                if seen.mean_ratio is not None:
                    fresh[episode.id] = seen.mean_ratio
            with self._lock:
                self._ratios[run.name] = dict(fresh)

    def _insight(self, run: Run) -> CriticValues | None:
        """The newest checkpoint, loaded; None when there is none that can be used."""
        from distrl.run.inspection.critic_values import CriticValues, take_one_thread

        take_one_thread()
        checkpoints = run.checkpoints()
        held = self._insights.get(run.name)
        if held is not None and checkpoints and held.name == checkpoints[-1].name:
            return held
        # A checkpoint may be replaced while it is read; the next request finds the newer one.
        with suppress(DistrlError):
            held = self._insights[run.name] = CriticValues(run.folder, run.config)
        return held


def _read(run: Run, after: int, limit: int) -> Sequence[StoredEpisode]:
    reader = run.index.reader
    return [] if reader is None else [episode for _, episode in reader.read_after(after, limit)]


def _let_others_go_first() -> None:
    with suppress(OSError, AttributeError):  # only Linux counts niceness by thread
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
