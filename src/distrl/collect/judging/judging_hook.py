"""The judge of a run: it looks at finished episodes on their way to the store.

Collector --hand_over--> cases --> threads that judge --verdict--> finish --> store
                           |                                         ^
                           +-------- out of time: void --------------+

Collector   goes on at once. Where the judge rewards and has as many cases as it may, the
            collector waits for room, and holds no device meanwhile; where the judge only looks
            on, such an episode is stored without it
judge       has threads of its own; what it says after the deadline is not heard any more
run         watches over the deadlines; at the stop, every case that is left is void
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from random import Random

from distrl.collect.judging.verdicts import asked, heard, rewarded
from distrl.config.judges import JudgeConfig
from distrl.interfaces import EpisodeStore, Judge
from distrl.tasks.judges.evidence import void
from distrl.types import Episode, Verdict

_ROOM = 4
"""Cases in the queue per judging thread. Enough that no thread runs dry; few enough that a case
reaches a thread long before its deadline, which runs from its episode's end."""
_LOOK_SECONDS = 0.05
"""Between two looks at the deadlines: short beside the seconds that a verdict may take."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class _Case:
    episode: Episode
    due: float
    stored: Future[None] = field(default_factory=Future)


class Judging:
    """Judges episodes and hands them on to the store. Any thread may hand over."""

    def __init__(
        self,
        judge: Judge,
        store: EpisodeStore,
        config: JudgeConfig,
        *,
        seed: int = 0,
        finish: Callable[[Episode], Episode] = lambda episode: episode,
        acknowledged: Callable[[Episode], None] = lambda _: None,
    ) -> None:
        """Every judged episode is finished, stored, and acknowledged once it is durable.

        `seed` decides which episodes the judge is shown, if `config.share` is below 1.
        """
        self._judge, self._store, self._config, self._seed = judge, store, config, seed
        self._finish, self._acknowledged = finish, acknowledged
        self._changed = threading.Condition()
        self._waiting: deque[_Case] = deque()
        self._open: set[_Case] = set()
        self._storing = 0
        self._closed = False
        self._verdicts = self._void = self._passed_by = 0

    @property
    def seconds(self) -> float:
        """The longest that an episode is on its way to the store, but for the store itself."""
        return 2 * self._config.seconds

    def hand_over(self, episode: Episode) -> Future[None] | None:
        """Take an episode; the future is done when it is durable. None: it is not for the judge.

        What a fault ended is never judged.
        """
        if not episode.outcome.trainable or not self._is_shown(episode):
            return None
        with self._changed:
            if self._config.rewards:
                self._changed.wait_for(lambda: self._closed or self._room, self._config.seconds)
            has_place = self._room and not self._closed
            if not has_place and not self._config.rewards:
                self._passed_by += 1
                return None
            case = _Case(episode, time.monotonic() + self._config.seconds)
            self._open.add(case)
            if has_place:
                self._waiting.append(case)
            self._changed.notify_all()
        if not has_place:
            self._conclude(case, self._no_verdict("it has more to do than it can"))
        return case.stored

    def run(self, stopping: threading.Event) -> None:
        """Judge until it is time to stop."""
        for number in range(self._config.concurrency):
            # Daemons: a judge that hangs must not keep the process alive.
            threading.Thread(target=self._work, name=f"judge-{number}", daemon=True).start()
        try:
            while not stopping.wait(_LOOK_SECONDS):
                self._end_cases(time.monotonic(), f"none within {self._config.seconds:g} s")
        finally:
            self.close()

    def close(self) -> None:
        """Take nothing any more, and store what is there as it is; a second call does nothing."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._end_cases(float("inf"), "the run stopped before it had one")

    def gauges(self) -> dict[str, float]:
        """What it has said so far, and how busy it is."""
        with self._changed:
            return {
                "judge/verdicts": float(self._verdicts),
                "judge/void": float(self._void),
                "judge/passed_by": float(self._passed_by),
                "judge/waiting": float(len(self._open)),
            }

    @property
    def _room(self) -> bool:
        return len(self._open) + self._storing < _ROOM * self._config.concurrency

    def _is_shown(self, episode: Episode) -> bool:
        share = self._config.share
        return share >= 1 or Random(f"{self._seed} {episode.id} shown").random() < share

    def _work(self) -> None:
        while (case := self._next()) is not None:
            self._conclude(case, asked(self._judge, case.episode))

    def _next(self) -> _Case | None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or bool(self._waiting))
            return None if self._closed else self._waiting.popleft()

    def _no_verdict(self, reason: str) -> Verdict:
        return void(self._judge.name, reason)

    def _end_cases(self, now: float, reason: str) -> None:
        """Give up on the verdicts that were due."""
        with self._changed:
            late = sorted((case for case in self._open if case.due <= now), key=lambda c: c.due)
        for case in late:
            self._conclude(case, self._no_verdict(reason))

    def _conclude(self, case: _Case, verdict: Verdict) -> None:
        """Hand a case on to the store, with the first verdict that it gets."""
        with self._changed:
            if case not in self._open:
                return
            self._open.remove(case)
            self._storing += 1
            if case in self._waiting:
                self._waiting.remove(case)
            if verdict.success is None and not self._void:
                # Once: a judge that always fails would otherwise cost a run without a word.
                _log.warning("the judge did not decide on an episode: %s", verdict.reason)
            self._verdicts += verdict.success is not None
            self._void += verdict.success is None
            self._changed.notify_all()
        change = rewarded if self._config.rewards else heard
        try:
            episode = self._finish(change(case.episode, verdict))
            stored = self._store.add_later(episode)
        except Exception as error:  # noqa: BLE001 - raised where somebody waits for the episode
            self._settle(case, error)
        else:
            stored.add_done_callback(partial(self._tell, case, episode))

    def _tell(self, case: _Case, episode: Episode, stored: Future[None]) -> None:
        try:
            stored.result(0)
            self._acknowledged(episode)
        except Exception as error:  # noqa: BLE001 - raised where somebody waits for the episode
            self._settle(case, error)
        else:
            self._settle(case, None)

    def _settle(self, case: _Case, error: Exception | None) -> None:
        with self._changed:
            self._storing -= 1
            self._changed.notify_all()
        if error is None:
            case.stored.set_result(None)
        else:
            case.stored.set_exception(error)
