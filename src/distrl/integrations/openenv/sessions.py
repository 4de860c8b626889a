"""The sessions of a server: how many there may be, whose they are, and when they end.

Any thread may call. Opening is serialised, so that no more sessions are opened than there may be;
everything else is one operation on a dictionary.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from distrl.integrations.openenv.protocol import Code, MessageError
from distrl.integrations.play_session import PlaySession, SavedTurn

MOST_SNAPSHOTS = 64
"""That a session keeps; the oldest are forgotten."""


@dataclass(slots=True, eq=False)
class Held:
    """One session."""

    id: str
    play: PlaySession
    used: float
    """When a client last asked for something."""
    episode_id: str | None = None
    step_count: int = 0
    attached: bool = False
    """Whether it belongs to a connection, and ends with it."""
    busy: bool = False
    """Whether a message is being carried out."""
    snapshots: dict[str, SavedTurn] = field(default_factory=dict)


class Sessions:
    """All sessions of a server, by id."""

    def __init__(
        self,
        make_session: Callable[[str], PlaySession],
        *,
        limit: int,
        idle_seconds: float,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Hold at most `limit` sessions, each until `idle_seconds` pass without a message."""
        self._make, self.limit, self.idle_seconds, self._now = (
            make_session,
            limit,
            idle_seconds,
            now,
        )
        self._held: dict[str, Held] = {}
        self._opening = Lock()

    @property
    def count(self) -> int:
        """Sessions that are held now."""
        return len(self._held)

    def open(self) -> Held:
        """A new session; MessageError when there are enough."""
        with self._opening:
            if len(self._held) >= self.limit:
                raise MessageError(
                    Code.CAPACITY_REACHED,
                    f"all {self.limit} sessions are in use; close one, or start the server with a "
                    "higher --sessions",
                )
            name = secrets.token_hex(16)
            held = Held(name, self._make(f"session-{name[:8]}"), self._now())
            self._held[name] = held
        return held

    def find(self, session_id: object) -> Held:
        """A session by its id, which counts as a sign of life; MessageError if there is none."""
        held = self._held.get(session_id) if isinstance(session_id, str) else None
        if held is None:
            raise MessageError(
                Code.SESSION_ERROR,
                f"unknown session_id {str(session_id)[:80]!r}: it never was, was closed, or was "
                f"idle for {self.idle_seconds:g} s",
            )
        held.used = self._now()
        return held

    def attach(self, session_id: str) -> Held:
        """Give a session to a connection; MessageError if it has one already."""
        held = self.find(session_id)
        if held.attached:
            raise MessageError(Code.SESSION_ERROR, "this session belongs to another connection")
        held.attached = True
        return held

    def keep(self, held: Held, saved: SavedTurn) -> str:
        """File a snapshot; returns its id, which any session may restore."""
        name = secrets.token_hex(8)
        held.snapshots[name] = saved
        while len(held.snapshots) > MOST_SNAPSHOTS:
            del held.snapshots[next(iter(held.snapshots))]
        return name

    def snapshot(self, name: str) -> SavedTurn:
        """A snapshot by its id; MessageError if it is gone."""
        for held in tuple(self._held.values()):
            if (saved := held.snapshots.get(name)) is not None:
                return saved
        raise MessageError(
            Code.VALIDATION_ERROR,
            f"unknown snapshot {name[:80]!r}: a session keeps its {MOST_SNAPSHOTS} newest, and "
            "they end with it",
        )

    def close(self, held: Held) -> None:
        """End a session; a second call does nothing."""
        if self._held.pop(held.id, None) is not None:
            held.play.close()

    def close_idle(self) -> int:
        """End the sessions without a connection that nobody has used for long; how many."""
        before = self._now() - self.idle_seconds
        idle = [
            held
            for held in tuple(self._held.values())
            if held.used < before and not held.attached and not held.busy
        ]
        for held in idle:
            self.close(held)
        return len(idle)

    def close_all(self) -> None:
        """End all of them."""
        for held in tuple(self._held.values()):
            self.close(held)
