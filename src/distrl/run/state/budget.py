"""When a run ends: its budget, and the last status of the learner's process."""

from __future__ import annotations

import time
from typing import Any

from distrl.errors import PipelineError
from distrl.run.local.pipeline import COLLECTOR
from distrl.run.processes.child import Message
from distrl.run.processes.supervisor import Supervisor

SILENCE_SECONDS = 120.0
"""A learner that says nothing for so long hangs: its status comes after every update, and no update
should take nearly as long."""


class LearnerStatus:
    """What the learner's process said last."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.ready = False
        self.heard = 0
        self.at = time.monotonic()
        self._values: dict[str, Any] = {}

    def on_message(self, message: Message) -> None:
        """Take a message in."""
        self.at = time.monotonic()
        self.ready = self.ready or "ready" in message
        if "status" in message:
            self.heard += 1
            self._values = message["status"]

    @property
    def idle(self) -> bool:
        """Whether it has nothing to do until more is collected."""
        return self._values.get("waiting_for") is not None


class Budget:
    """Says when to end: time is up, or enough is collected and learned from."""

    def __init__(self, seconds: float, supervisor: Supervisor, status: LearnerStatus) -> None:
        """Start counting now."""
        self._limit, self._supervisor, self._status = seconds, supervisor, status
        self._began = time.monotonic()
        self._heard_at_end: int | None = None

    @property
    def seconds(self) -> float:
        """Spent so far; never more than the limit."""
        return min(self._limit, time.monotonic() - self._began)

    def is_spent(self) -> bool:
        """Whether it is time to end; PipelineError when the learner hangs."""
        status = self._status
        if time.monotonic() - status.at > SILENCE_SECONDS:
            raise PipelineError(f"the learner has said nothing for {SILENCE_SECONDS:g} s")
        if self.seconds >= self._limit:
            return True
        if self._supervisor.running(COLLECTOR):
            return False
        # All episodes are there. The learner still learns from them as much as the replay ratio
        # allows: the second status from now on was made with all of them in view.
        if self._heard_at_end is None:
            self._heard_at_end = status.heard
        return status.heard >= self._heard_at_end + 2 and status.idle
