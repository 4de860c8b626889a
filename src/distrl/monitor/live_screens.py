"""What every device of a run shows right now, for whoever watches; nothing while nobody does.

    RUN/live/watched         touched by a watcher every second or so
    RUN/live/wall.json       written by the run while that is fresh: devices, tasks, last actions
    RUN/live/N.png           the screen of device number N
    RUN/live/control.jsonl   appended by a watcher that may: what the run should do

Noting what a device shows costs an assignment. Drawing and writing are done by a thread of its
own, which spends at most a fixed share of one core on it and leaves out what does not fit.
"""

from __future__ import annotations

import json
import logging
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from distrl.interfaces import Env, Transition, WrappedEnv
from distrl.types import Action, Observation, Outcome, Pixels, Task

LIVE, WATCHED, WALL, CONTROL = "live", "watched", "wall.json", "control.jsonl"
FRESH_SECONDS = 3.0
"""How long a touch of the watcher counts."""
_TICK_SECONDS, _IDLE_SECONDS = 0.1, 0.5
_MOST_SAVED = 0.05
"""Seconds of drawing that may be saved up for the next tick."""
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Seat:
    """What is known of one device."""

    device: str
    number: int
    task: Task | None = None
    step: int = 0
    action: Action | None = None
    """The last one, drawn where it hit."""
    seen: Observation | None = None
    outcome: Outcome | None = None
    """How its last episode ended; None while one is running."""
    written: Observation | None = None
    version: int = 0
    """Grows with every picture that was written."""


class WatchedEnv(WrappedEnv):
    """An environment that notes what it shows."""

    def __init__(self, inner: Env, seat: Seat) -> None:
        """Pass everything on to `inner`."""
        super().__init__(inner)
        self._seat = seat

    def reset(self, task: Task) -> Observation:
        """Prepare for a task."""
        seat = self._seat
        seat.task, seat.step, seat.action, seat.outcome = task, 0, None, None
        seat.seen = seen = super().reset(task)
        seat.task = replace(task, goal=self.goal)
        return seen

    def step(self, action: Action) -> Transition:
        """Carry out one action."""
        transition = super().step(action)
        seat = self._seat
        seat.action, seat.seen = action, transition.observation
        seat.step += 1
        seat.outcome = transition.outcome
        return transition


class Wall:
    """Shows devices to whoever watches a run's folder."""

    def __init__(
        self,
        folder: Path,
        *,
        encode: Callable[[Pixels], bytes],
        states: Callable[[], Mapping[str, Mapping[str, Any]]],
        obey: Callable[[Mapping[str, Any]], None],
        share: float = 0.01,
    ) -> None:
        """`states` adds what others know of each device; `obey` is told what a watcher wants.

        At most `share` of one core is spent.
        """
        self._folder = folder / LIVE
        self._encode, self._states, self._obey, self._share = encode, states, obey, share
        self._lock = threading.Lock()
        self._seats: dict[str, Seat] = {}
        self._next_number = 0
        self._read_to = self._control_size()
        self._saved = 0.0

    def watch(self, env: Env) -> Env:
        """The same environment, noted."""
        with self._lock:
            name = env.device_id
            seat = self._seats.setdefault(name, Seat(name, self._next_number))
            self._next_number = max(self._next_number, seat.number + 1)
        return WatchedEnv(env, seat)

    def forget(self, device: str) -> None:
        """Do not show a device any more that has left."""
        with self._lock:
            self._seats.pop(device, None)

    def is_watched(self) -> bool:
        """Whether somebody looks."""
        try:
            touched = (self._folder / WATCHED).stat().st_mtime
        except FileNotFoundError:
            return False
        return time.time() - touched < FRESH_SECONDS

    def run(self, stopping: threading.Event) -> None:
        """Write while somebody watches, until it is time to stop. A broken wall stops nobody."""
        at = time.monotonic()
        while not stopping.wait(_TICK_SECONDS if self.is_watched() else _IDLE_SECONDS):
            since, at = at, time.monotonic()
            if not self.is_watched():
                continue
            try:
                self.listen()
                self.write(at - since)
            except Exception as cause:  # noqa: BLE001 - a full disk, a picture that cannot be drawn
                _log.warning("the fleet's screens cannot be shown: %r", cause)

    def listen(self) -> int:
        """Obey what has been asked since the last time; how many requests that were."""
        size = self._control_size()
        if size <= self._read_to:
            return 0
        with (self._folder / CONTROL).open("rb") as file:
            file.seek(self._read_to)
            data = file.read(size - self._read_to)
        whole = data[: data.rfind(b"\n") + 1]
        self._read_to += len(whole)
        asked = 0
        for line in whole.splitlines():
            try:
                request = json.loads(line)
            except ValueError:
                continue
            if isinstance(request, dict):
                self._obey(request)
                asked += 1
        return asked

    def write(self, seconds: float) -> None:
        """Draw what has changed, as far as `seconds` of time allow, and say what is where."""
        self._saved = min(_MOST_SAVED, self._saved + self._share * seconds)
        if self._saved <= 0:
            return
        began = time.thread_time()
        self._folder.mkdir(exist_ok=True)
        states = self._states()
        with self._lock:
            seats = list(self._seats.values())
        # First the devices that a person has in hand, then those that were not drawn for longest.
        seats.sort(key=lambda seat: (not _taken(states, seat), seat.version))
        for seat in seats:
            if time.thread_time() - began < self._saved or _taken(states, seat):
                self._draw(seat)
        rows = [self._row(seat, states.get(seat.device, {})) for seat in seats]
        # A device that nobody has used yet is on the wall too.
        known = {seat.device for seat in seats}
        rows += [{"device": name, **state} for name, state in states.items() if name not in known]
        rows.sort(key=lambda row: _in_words_and_numbers(str(row["device"])))
        _put(self._folder / WALL, json.dumps({"at": time.time(), "devices": rows}).encode())
        self._saved -= time.thread_time() - began

    def _draw(self, seat: Seat) -> None:
        seen = seat.seen
        if seen is None or seen is seat.written:
            return
        _put(self._folder / f"{seat.number}.png", self._encode(seen.screen))
        seat.written = seen
        seat.version += 1

    def _row(self, seat: Seat, state: Mapping[str, Any]) -> dict[str, Any]:
        task, action = seat.task, seat.action
        return {
            "device": seat.device,
            "number": seat.number,
            "screen": seat.version,
            "task": task.id if task else None,
            "goal": task.goal if task else None,
            "template": task.template if task else None,
            "step": seat.step,
            "step_limit": task.step_limit if task else None,
            "app": seat.seen.app if seat.seen else None,
            "outcome": seat.outcome.value if seat.outcome else None,
            "action": None
            if action is None
            else {
                "kind": action.kind.value,
                "x": action.x,
                "y": action.y,
                "x2": action.x2,
                "y2": action.y2,
                "text": action.text,
                "key": action.key.value if action.key else None,
            },
            **state,
        }

    def _control_size(self) -> int:
        try:
            return (self._folder / CONTROL).stat().st_size
        except FileNotFoundError:
            return 0


def _taken(states: Mapping[str, Mapping[str, Any]], seat: Seat) -> bool:
    return bool(states.get(seat.device, {}).get("taken"))


def _in_words_and_numbers(name: str) -> list[tuple[bool, int, str]]:
    """A key that sorts phone-2 before phone-10."""
    parts = re.split(r"(\d+)", name)
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]


def _put(path: Path, data: bytes) -> None:
    """A reader sees the old file or the new one. Not synced: a crash may take it along."""
    aside = path.with_name(f".{path.name}.partial")
    aside.write_bytes(data)
    aside.replace(path)
