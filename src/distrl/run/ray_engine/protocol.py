"""The protocol between the coordinator and a collecting host: what travels, and how often it may.

    coordinator                                                       collecting host
    -----------                                                       ---------------
    HostRequest(after=7, durable=5, jobs)  ------------------------>  forgets 1..5, queues the jobs
    stores 8 and 9  <------------------------  HostResponse(first=8, episodes, wanted)
    HostRequest(after=9, durable=9, jobs)  ------------------------>  forgets 6..9

A host numbers its episodes from 1 and keeps each until it is told that it is durable. Both sides
may repeat themselves: an answer that got lost is asked for again by the same `after`, and a job
that arrives twice is played once. So every acknowledged episode is stored exactly once, whatever
happens to the line between the two. All of it is checked msgpack; see `replay.wire`.
"""

from __future__ import annotations

from dataclasses import dataclass

from distrl.collect.collector import Job
from distrl.replay.wire import Wire


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRequest:
    """What a host is told."""

    after: int
    """The number of its last episode that has arrived."""
    durable: int
    """All up to this number are on the disk; never more than `after`."""
    jobs: tuple[Job, ...]
    """Episodes to play."""
    patience: float
    """Seconds that the answer may wait for something to tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostResponse:
    """What a host answers."""

    first: int
    """The number of the first of these episodes; the others follow."""
    episodes: tuple[bytes, ...]
    """Packed, oldest first."""
    wanted: int
    """How many more jobs it would take now."""
    version: int
    """The policy version that acts."""
    gauges: dict[str, float]
    """Its numbers."""
    failed: str = ""
    """Why it cannot go on, if it cannot."""


REQUEST: Wire[HostRequest] = Wire("request", HostRequest)
RESPONSE: Wire[HostResponse] = Wire("response of episodes", HostResponse)
