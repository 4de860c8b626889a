"""Speed, memory and leaks of `distrl serve openenv`.

The server runs in a process of its own, as it does for its users, and all clients in this one: on
two cores, each has one. The clients send the oracle's actions, recorded beforehand, and read every
answer as JSON. No pictures are asked for. The same recordings are played in this process for
comparison.
"""

from __future__ import annotations

import asyncio
import json
import re
import resource
import secrets
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import Request, urlopen

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from distrl.actions import to_text
from distrl.bench.phone import Recording, look_at_elements, record, steps_per_second
from distrl.clock import RealClock
from distrl.errors import PipelineError
from distrl.run.processes.child import OwnProcess
from distrl.tasks.suites import load_suite

SESSIONS = (1, 16, 64)
_TASKS = 128
"""Recordings that sessions play in turns."""
_STEPS_INTO = 3
"""How far into an episode the sessions are whose memory is measured."""
_START_SECONDS = 120.0
_ANSWER_SECONDS = 30.0
_ENDED_SECONDS = 20.0
_AT_ONCE = 50
"""Clients that are aborted side by side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeFigures:
    """What was measured."""

    steps_per_second_1: float
    """With one session, resets included."""
    steps_per_second_16: float
    steps_per_second_64: float
    in_process: float
    """Steps per second of the same recordings in one process, without a server."""
    in_process_ratio: float
    """Share of it that 16 sessions reach together."""
    memory_mb_64: float
    """Growth of the server for 64 sessions in the middle of different episodes."""
    aborted: int
    """Clients that went away without a goodbye, in the middle of an episode."""
    leaked: int
    """Sessions that the server still held afterwards."""


@dataclass(frozen=True, slots=True)
class _Server:
    origin: str
    token: str
    pid: int

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def sessions(self) -> int:
        """How many it holds."""
        asked = Request(f"{self.origin}/sessions", headers=self.headers)  # noqa: S310 - our own
        with urlopen(asked, timeout=_ANSWER_SECONDS) as answer:  # noqa: S310
            return int(json.load(answer)["active_sessions"])

    def resident_bytes(self) -> int:
        """Its memory now."""
        statm = Path(f"/proc/{self.pid}/statm").read_text()
        return int(statm.split()[1]) * resource.getpagesize()


def measure_serve(seconds: float = 5.0, *, aborted: int = 1000) -> ServeFigures:
    """Measure all of it, each speed for `seconds`."""
    recordings = record(load_suite("general").tasks("train")[:_TASKS])
    alone = steps_per_second(recordings, look_at_elements, seconds=seconds)
    with _served() as server:
        asyncio.run(_play(server, recordings, 1, seconds=1.0))  # every task is set up once
        memory = asyncio.run(_memory_of(server, recordings, max(SESSIONS)))
        speeds = {
            count: asyncio.run(_play(server, recordings, count, seconds=seconds))
            for count in SESSIONS
        }
        asyncio.run(_abort(server, recordings, aborted))
        RealClock().wait_until(lambda: server.sessions() == 0, timeout=_ENDED_SECONDS, poll=0.1)
        leaked = server.sessions()
    return ServeFigures(
        steps_per_second_1=speeds[1],
        steps_per_second_16=speeds[16],
        steps_per_second_64=speeds[64],
        in_process=alone,
        in_process_ratio=speeds[16] / alone,
        memory_mb_64=memory / 2**20,
        aborted=aborted,
        leaked=leaked,
    )


@contextmanager
def _served() -> Iterator[_Server]:
    token = secrets.token_urlsafe(32)
    with TemporaryDirectory(prefix="distrl-bench-") as folder:
        log = Path(folder) / "server.log"
        process = OwnProcess(
            ["-m", "distrl", "serve", "openenv", "--port", "0"],
            log=log,
            environment={"DISTRL_SERVE_TOKEN": token},
        )
        try:
            RealClock().wait_until(
                lambda: "http://" in log.read_text() or not process.running,
                timeout=_START_SECONDS,
            )
            found = re.search(r"http://\S+", log.read_text())
            if found is None:
                raise PipelineError(f"the server did not start: {process.exit_report()}")
            yield _Server(found[0], token, process.pid)
        finally:
            process.kill()


@asynccontextmanager
async def _session(server: _Server) -> AsyncIterator[ClientConnection]:
    address = server.origin.replace("http://", "ws://") + "/ws"
    async with connect(
        address, additional_headers=server.headers, proxy=None, compression=None
    ) as socket:
        yield socket


async def _ask(socket: ClientConnection, kind: str, **data: Any) -> None:
    await socket.send(msgspec.json.encode({"type": kind, "data": data}).decode(), text=True)
    answer = msgspec.json.decode(await asyncio.wait_for(socket.recv(), _ANSWER_SECONDS))
    if answer["type"] != "observation":
        raise PipelineError(f"the server answered {answer}")


async def _play(
    server: _Server, recordings: Sequence[Recording], count: int, *, seconds: float
) -> float:
    """Steps per second of so many sessions together."""
    start = time.perf_counter()

    async def one(number: int) -> int:
        steps = 0
        async with _session(server) as socket:
            own = islice(cycle(recordings), number, None)
            while time.perf_counter() - start < seconds:
                recording = next(own)
                await _ask(socket, "reset", task=recording.task.id)
                for action in recording.actions:
                    await _ask(socket, "step", action=to_text(action))
                steps += len(recording.actions)
        return steps

    steps = await asyncio.gather(*(one(number) for number in range(count)))
    return sum(steps) / (time.perf_counter() - start)


async def _begin(socket: ClientConnection, recording: Recording) -> None:
    await _ask(socket, "reset", task=recording.task.id)
    # One step is left, so that the episode has not ended.
    for action in recording.actions[: min(_STEPS_INTO, len(recording.actions) - 1)]:
        await _ask(socket, "step", action=to_text(action))


async def _memory_of(server: _Server, recordings: Sequence[Recording], count: int) -> int:
    """Bytes by which the server grows for so many sessions in the middle of episodes."""
    before = server.resident_bytes()
    sockets = []
    try:
        for recording in islice(cycle(recordings), count):
            opened = _session(server)
            socket = await opened.__aenter__()
            sockets.append(opened)
            await _begin(socket, recording)
        return max(0, server.resident_bytes() - before)
    finally:
        for opened in sockets:
            await opened.__aexit__(None, None, None)


async def _abort(server: _Server, recordings: Sequence[Recording], count: int) -> None:
    """Begin episodes and cut the connections, without any goodbye."""

    async def one(recording: Recording) -> None:
        async with _session(server) as socket:
            await _begin(socket, recording)
            socket.transport.abort()

    turns = list(islice(cycle(recordings), count))
    for first in range(0, count, _AT_ONCE):
        await asyncio.gather(*(one(recording) for recording in turns[first : first + _AT_ONCE]))
