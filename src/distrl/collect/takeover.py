"""Takeover: a person takes a device of a running fleet, acts on it and gives it back.

    take --> the next decision on the device waits --act--> it is carried out, as a person's step
                                  |
                                  +--give, or nobody acts for a while--> the policy goes on

The episode goes on as any other: it is judged, stored and learned from. A person's step has no
log-probability and the digest `human`. Where the policy can express the action, the step carries
the policy's own decision, so that a learner can imitate it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from distrl.interfaces import Express
from distrl.types import Action, Choice, Situation

HUMAN = "human"
"""Stands in place of the weights' digest where a person decided."""


class Takeover:
    """Which devices a person controls now. Any thread may call."""

    def __init__(
        self,
        express: Express,
        version: Callable[[], int],
        *,
        patience: float | None = 120.0,
        most_pending: int = 16,
    ) -> None:
        """A person who does nothing for `patience` seconds has left, and the policy goes on.

        Meanwhile the collector waits, so the device sends no heartbeat: its lease must be longer.
        None waits for ever. At most `most_pending` actions wait for a slow device.
        """
        self._express, self._version, self._patience = express, version, patience
        self._most_pending = most_pending
        self._changed = threading.Condition()
        self._actions: dict[str, list[Action]] = {}
        """Of the devices that are taken, what is still to be carried out."""
        self._waiting: set[str] = set()
        self._closed = False

    def take(self, device: str) -> None:
        """From its next decision on, a device waits for a person."""
        with self._changed:
            if not self._closed:
                self._actions.setdefault(device, [])

    def give(self, device: str) -> None:
        """The policy goes on with a device."""
        with self._changed:
            self._actions.pop(device, None)
            self._changed.notify_all()

    def act(self, device: str, action: Action) -> bool:
        """Carry an action out on a device; False when it is not taken, or too many wait."""
        with self._changed:
            if len(self._actions.get(device, ())) >= self._most_pending:
                return False
            if device not in self._actions:
                return False
            self._actions[device].append(action)
            self._changed.notify_all()
            return True

    def choose(self, device: str, situation: Situation) -> Choice | None:
        """A person's choice, once there is one; None when the device is the policy's."""
        with self._changed:
            if device not in self._actions:
                return None
            self._waiting.add(device)
            acted = self._changed.wait_for(
                lambda: self._closed or bool(self._actions.get(device, [None])),
                timeout=self._patience,
            )
            self._waiting.discard(device)
            queue = self._actions.get(device)
            if not acted or self._closed or not queue:
                self._actions.pop(device, None)
                return None
            action = queue.pop(0)
        decision, inputs = self._express(situation, action)
        return Choice(
            action=action,
            decision=decision,
            inputs=inputs,
            version=self._version(),
            digest=HUMAN,
        )

    def pending(self, device: str) -> int:
        """How many actions of the person wait to be carried out on a device."""
        with self._changed:
            return len(self._actions.get(device, ()))

    def states(self) -> dict[str, bool]:
        """The devices that are taken, and whether each waits for its person now."""
        with self._changed:
            return {device: device in self._waiting for device in self._actions}

    def close(self) -> None:
        """Nobody waits for a person any more."""
        with self._changed:
            self._closed = True
            self._actions.clear()
            self._changed.notify_all()
