"""The batcher (inference server): all decisions that wait share one forward pass.

    Collector[N] --Situation--> waiting --+
                                          | a pass: everything that waits, at most `most`
    Collector[N] <---Choice--- policy <---+
                                 ^ between two passes
    WeightChannel --> NewestWeights (fetches in the background)

A collector waits for its choice. The batcher waits for a first situation, then for more of them
only while some collector is still on its device, and no longer than `patience`. It never waits
for weights.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import contextmanager
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias

from distrl.errors import PipelineError, ServiceError
from distrl.interfaces import ActingPolicy, Policy
from distrl.types import Choice, Situation
from distrl.weights.newest_weights import NewestWeights

_IDLE_SECONDS = 0.2
"""How often a loop with nothing to do looks whether it should stop."""
_SMOOTHING = 0.05
"""Weight of the newest pass in the moving averages (EMA) of the gauges."""


Canary: TypeAlias = Callable[[Mapping[str, str], int], object]
"""Called with the notes and the version of the weights just loaded; raises PipelineError if the
policy that acts does not agree with the learner about them."""


@dataclass(frozen=True, slots=True)
class _Question:
    situation: Situation
    prepared: Any
    answer: Future[Choice]


class Batcher:
    """Decides for many collectors at once. One thread runs it; any thread may ask it."""

    def __init__(
        self,
        policy: ActingPolicy,
        weights: NewestWeights,
        *,
        canary: Canary | None = None,
        patience: float = 0.0,
        most: int = 64,
        answer_seconds: float = 60.0,
    ) -> None:
        """Decide with `policy`; a collector gives up after waiting `answer_seconds`."""
        self._policy, self._weights, self._canary = policy, weights, canary
        self._patience, self._most, self._answer_seconds = patience, most, answer_seconds
        self._queue: SimpleQueue[_Question] = SimpleQueue()
        self._lock = threading.Lock()
        self._slots = 0
        self._closed: str | None = None
        self.version = 0
        self.passes = self.decisions = self.loads = 0
        self._pass_seconds = 0.0
        self._batch = 0.0

    @contextmanager
    def slot(self) -> Iterator[Policy]:
        """A place for one collector, for the time of an episode."""
        with self._lock:
            self._slots += 1
        try:
            yield self
        finally:
            with self._lock:
                self._slots -= 1

    @property
    def slots(self) -> int:
        """How many collectors there are."""
        return self._slots

    @property
    def waiting(self) -> int:
        """How many situations no pass has taken up yet."""
        return self._queue.qsize()

    def begin(self, seed: int) -> None:
        """Nothing to do: every situation brings its own seed."""

    def act(self, situations: Sequence[Situation]) -> list[Choice]:
        """Wait for the choices; PipelineError when there will be none.

        ServiceError when a served model gave no answer: that ends an episode, not the run.
        """
        asked = [_Question(s, self._policy.prepare(s), Future()) for s in situations]
        for question in asked:
            self._queue.put(question)
        # `close` sets this first and empties the queue after it: a question that was put between
        # the two is refused here, so no collector waits for a batcher that has ended.
        if self._closed is not None:
            self._refuse_all(self._closed)
        # After asking: packing overlaps with the pass, in this collector's own thread.
        packed = [self._policy.pack(question.prepared) for question in asked]
        try:
            choices = [question.answer.result(self._answer_seconds) for question in asked]
        except FutureTimeout:
            raise PipelineError(
                f"the policy did not decide within {self._answer_seconds:g} s"
            ) from None
        return [
            choice if choice.inputs else replace(choice, inputs=data)
            for choice, data in zip(choices, packed, strict=True)
        ]

    def decide(
        self, situations: Sequence[Situation], prepared: Sequence[Any]
    ) -> Sequence[Choice | ServiceError]:
        """One forward pass with the newest weights."""
        self.refresh()
        started = time.perf_counter()
        choices = self._policy.decide(situations, prepared)
        self._note(len(situations), time.perf_counter() - started)
        return choices

    def refresh(self) -> None:
        """Take new weights over, if there are any, and check that they act as they should."""
        published = self._weights.take()
        if published is None:
            return
        self._policy.load(published.weights, published.version, published.digest)
        self.version = self._policy.version
        self.loads += 1
        if self._canary is not None:
            self._canary(published.notes, published.version)

    def step(self) -> int:
        """Decide for all that wait; returns how many, 0 when nobody asked for a while."""
        waiting = self._gather()
        if not waiting:
            return 0
        try:
            choices = self.decide(
                [question.situation for question in waiting],
                [question.prepared for question in waiting],
            )
        except BaseException as error:  # whatever it is, collectors must not wait for ever
            for question in waiting:
                question.answer.set_exception(PipelineError(f"the policy failed: {error!r}"))
            raise
        for question, choice in zip(waiting, choices, strict=True):
            if isinstance(choice, ServiceError):
                question.answer.set_exception(choice)
            else:
                question.answer.set_result(choice)
        return len(waiting)

    def run(self, stopping: threading.Event) -> None:
        """Decide until it is time to stop, then tell all who wait."""
        reason = "the policy failed"
        try:
            while not stopping.is_set():
                self.step()
            reason = "the run is stopping"
        finally:
            self.close(reason)

    def close(self, reason: str) -> None:
        """Answer nobody any more."""
        self._closed = reason
        self._refuse_all(reason)

    def gauges(self) -> dict[str, float]:
        """How many decisions share a pass, how long it takes, how new its weights are."""
        return {
            "batcher/batch": self._batch,
            "batcher/pass_ms": 1000 * self._pass_seconds,
            "batcher/passes": self.passes,
            "batcher/decisions": self.decisions,
            "batcher/version": self.version,
        }

    def _gather(self) -> list[_Question]:
        try:
            waiting = [self._queue.get(timeout=_IDLE_SECONDS)]
        except Empty:
            return []
        deadline = time.monotonic() + self._patience
        while len(waiting) < self._most:
            try:
                waiting.append(self._queue.get_nowait())
            except Empty:
                # When every collector waits for this pass, nobody is left who could still ask.
                left = deadline - time.monotonic()
                if left <= 0 or len(waiting) >= self._slots:
                    break
                try:
                    waiting.append(self._queue.get(timeout=left))
                except Empty:
                    break
        return waiting

    def _note(self, size: int, seconds: float) -> None:
        self.passes += 1
        self.decisions += size
        # A plain mean over the first passes: an EMA from 0 would start far too low.
        share = max(_SMOOTHING, 1 / self.passes)
        self._batch += share * (size - self._batch)
        self._pass_seconds += share * (seconds - self._pass_seconds)

    def _refuse_all(self, reason: str) -> None:
        while True:
            try:
                question = self._queue.get_nowait()
            except Empty:
                return
            question.answer.set_exception(PipelineError(f"no decision: {reason}"))
