"""Serves a suite as an OpenEnv environment from a thread, for the time of a `with`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from distrl.checks import require_whole
from distrl.config.devices import PhoneConfig
from distrl.errors import ConfigError
from distrl.integrations.openenv.app import Server, make_app
from distrl.integrations.openenv.exchange import Exchange
from distrl.integrations.openenv.protocol import MOST_BYTES
from distrl.integrations.openenv.sessions import Sessions
from distrl.integrations.play_session import PlaySession, TaskBook
from distrl.web.guard import Access
from distrl.web.serve import Place, Served, Site, serving_site

MOST_SESSIONS = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What is served."""

    suite: str = "general"
    split: str = "train"
    """Where tasks are drawn from unless a client says it."""
    sessions: int = 64
    """How many there may be at once."""
    idle_seconds: float = 600.0
    """A session ends after so long without a message."""
    screens: bool = False
    """Whether observations have the screen where a message does not say it."""
    phone: PhoneConfig | None = None
    """How embedded phones are made."""


@contextmanager
def serving_openenv(offer: Offer, place: Place | None = None) -> Iterator[Served]:
    """Serve until the `with` ends; ConfigError for what there is not, or a port that is taken."""
    require_whole("sessions", offer.sessions, low=1, high=MOST_SESSIONS)
    if not offer.idle_seconds > 0:
        raise ConfigError(f"the idle time must be above 0 seconds, got {offer.idle_seconds}")
    book = TaskBook(offer.suite, offer.split)
    sessions = Sessions(
        lambda name: PlaySession(book, name=name, phone=offer.phone),
        limit=offer.sessions,
        idle_seconds=offer.idle_seconds,
    )
    server = Server(
        Exchange(sessions, book, screens=offer.screens), in_loop=book.suite.device == "phone"
    )

    def open_site(_: Access) -> Site:
        return Site(make_app(server), lambda: None, socket_bytes=MOST_BYTES)

    try:
        with serving_site(open_site, replace(place or Place(), allow_control=True)) as served:
            yield served
    finally:
        sessions.close_all()
