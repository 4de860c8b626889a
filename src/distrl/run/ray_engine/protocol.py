"""The protocol between the coordinator and a collecting host: exactly-once storage of episodes.

    coordinator                                                       collecting host
    -----------                                                       ---------------
    HostRequest(after=7, durable=5, jobs)  ------------------------>  forgets 1..5, queues the jobs
    stores 8 and 9  <------------------------  HostResponse(first=8, episodes, wanted)
    HostRequest(after=9, durable=9, jobs)  ------------------------>  forgets 6..9

A host numbers its episodes from 1 and keeps each until it is acknowledged as durable. Requests and
responses are idempotent, so delivery at least once is enough: a response that got lost is asked for
again by the same `after`, and a job that arrives twice is played once. Hence every acknowledged
episode is stored exactly once, whatever happens to the connection. Messages are msgpack with a
checksum; see `replay.wire`.
"""

from __future__ import annotations

from dataclasses import dataclass

from distrl.collect.jobs import Job
from distrl.replay.wire import Wire


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRequest:
    """From the coordinator to a host."""

    after: int
    """The number of the last episode that the coordinator has; those after it are asked for."""
    durable: int
    """All episodes up to this number are durable; never more than `after`."""
    jobs: tuple[Job, ...]
    """New jobs, and those that may not have arrived before."""
    version: int
    """The policy version that the coordinator knows to act there."""
    patience: float
    """Seconds that the host may wait for an episode, or for another version to act, before it
    responds (a long poll)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostResponse:
    """From a host to the coordinator; also its heartbeat."""

    first: int
    """The number of the first of `episodes`; the others follow without a gap."""
    episodes: tuple[bytes, ...]
    """Packed, oldest first."""
    wanted: int
    """How many more jobs it has room for."""
    version: int
    """The policy version that acts."""
    gauges: dict[str, float]
    """Its metrics; `monitor.reductions` says how those of several hosts are combined."""
    failed: str = ""
    """The traceback of what stopped it; empty while it works."""


REQUEST: Wire[HostRequest] = Wire("request", HostRequest)
RESPONSE: Wire[HostResponse] = Wire("response of a host", HostResponse)
