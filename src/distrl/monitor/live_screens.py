"""Live screens: what every device of a run shows now, written only while somebody watches.

    RUN/live/watched         touched by a watcher every second or so
    RUN/live/screens.json    written by the run while that is fresh: devices, tasks, last actions
    RUN/live/N.png           the screen of device number N
    RUN/live/control.jsonl   appended by a watcher that may: what the run should do

Noting what a device shows costs an assignment. Encoding and writing are done by one thread, which
spends at most a fixed share of one core and skips the screens for which there is no time.
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

LIVE, WATCHED, SCREENS, CONTROL = "live", "watched", "screens.json", "control.jsonl"
FRESH_SECONDS = 3.0
"""How long a touch of the watcher counts: it may miss two."""
# Ten times a second looks live; twice a second is soon enough to notice that somebody has come.
_TICK_SECONDS, _IDLE_SECONDS = 0.1, 0.5
_MOST_SAVED = 0.05
"""Most seconds of encoding that may be saved up (a token bucket): a burst after a quiet time must
not take a core from the collectors for longer."""
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class DeviceSlot:
    """What one device shows.

    Its collector writes the fields and the thread that draws reads them, without a lock: each field
    is assigned at once, and a screen that is one step ahead of its action does no harm.
    """

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
    """An environment that notes in a DeviceSlot what its device shows."""

    def __init__(self, inner: Env, slot: DeviceSlot) -> None:
        """Pass everything on to `inner`."""
        super().__init__(inner)
        self._slot = slot

    def reset(self, task: Task) -> Observation:
        """Prepare for a task."""
        slot = self._slot
        slot.task, slot.step, slot.action, slot.outcome = task, 0, None, None
        slot.seen = seen = super().reset(task)
        slot.task = replace(task, goal=self.goal)
        return seen

    def step(self, action: Action) -> Transition:
        """Carry out one action."""
        transition = super().step(action)
        slot = self._slot
        slot.action, slot.seen = action, transition.observation
        slot.step += 1
        slot.outcome = transition.outcome
        return transition


class LiveScreens:
    """Writes the screens of all devices into a run's folder while somebody watches it."""

    def __init__(
        self,
        folder: Path,
        *,
        encode: Callable[[Pixels], bytes],
        states: Callable[[], Mapping[str, Mapping[str, Any]]],
        handle: Callable[[Mapping[str, Any]], None],
        share: float = 0.01,
    ) -> None:
        """`states` adds what the fleet knows of each device; `handle` gets a watcher's requests.

        At most `share` of one core is spent.
        """
        self._folder = folder / LIVE
        self._encode, self._states, self._handle, self._share = encode, states, handle, share
        self._lock = threading.Lock()
        self._slots: dict[str, DeviceSlot] = {}
        self._next_number = 0
        # Requests from before are not repeated by a run that is resumed.
        self._read_to = self._control_size()
        self._saved = 0.0

    def watch(self, env: Env) -> Env:
        """Wrap an environment so that its device is shown."""
        with self._lock:
            name = env.device_id
            slot = self._slots.setdefault(name, DeviceSlot(name, self._next_number))
            self._next_number = max(self._next_number, slot.number + 1)
        return WatchedEnv(env, slot)

    def forget(self, device: str) -> None:
        """Stop showing a device, which has left."""
        with self._lock:
            self._slots.pop(device, None)

    def is_watched(self) -> bool:
        """Whether a watcher has touched the file lately."""
        try:
            touched = (self._folder / WATCHED).stat().st_mtime
        except FileNotFoundError:
            return False
        return time.time() - touched < FRESH_SECONDS

    def run(self, stopping: threading.Event) -> None:
        """Write while somebody watches, until it is time to stop; errors are logged, not raised."""
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
        """Handle the requests appended since the last call; returns how many there were."""
        size = self._control_size()
        if size <= self._read_to:
            return 0
        with (self._folder / CONTROL).open("rb") as file:
            file.seek(self._read_to)
            data = file.read(size - self._read_to)
        # Half a line is left for the next call: its writer has not finished it.
        whole = data[: data.rfind(b"\n") + 1]
        self._read_to += len(whole)
        asked = 0
        for line in whole.splitlines():
            try:
                request = json.loads(line)
            except ValueError:
                continue
            if isinstance(request, dict):
                self._handle(request)
                asked += 1
        return asked

    def write(self, seconds: float) -> None:
        """Write the screens that changed, as far as the budget allows, and the list of devices.

        `seconds` is the time since the last call; a fixed share of it is added to the budget.
        """
        self._saved = min(_MOST_SAVED, self._saved + self._share * seconds)
        if self._saved <= 0:
            return
        # Time of this thread, not of the clock: waiting for the GIL costs the collectors nothing.
        began = time.thread_time()
        self._folder.mkdir(exist_ok=True)
        states = self._states()
        with self._lock:
            slots = list(self._slots.values())
        # First the devices that a person has in hand, then those that were not drawn for longest.
        slots.sort(key=lambda slot: (not _taken(states, slot), slot.version))
        for slot in slots:
            if time.thread_time() - began < self._saved or _taken(states, slot):
                self._draw(slot)
        rows = [self._row(slot, states.get(slot.device, {})) for slot in slots]
        # A device that nobody has used yet is shown too.
        known = {slot.device for slot in slots}
        rows += [{"device": name, **state} for name, state in states.items() if name not in known]
        rows.sort(key=lambda row: in_words_and_numbers(str(row["device"])))
        _put(self._folder / SCREENS, json.dumps({"at": time.time(), "devices": rows}).encode())
        self._saved -= time.thread_time() - began

    def _draw(self, slot: DeviceSlot) -> None:
        seen = slot.seen
        if seen is None or seen is slot.written:
            return
        _put(self._folder / f"{slot.number}.png", self._encode(seen.screen))
        slot.written = seen
        slot.version += 1

    def _row(self, slot: DeviceSlot, state: Mapping[str, Any]) -> dict[str, Any]:
        task, action = slot.task, slot.action
        return {
            "device": slot.device,
            "number": slot.number,
            "screen": slot.version,
            "task": task.id if task else None,
            "goal": task.goal if task else None,
            "template": task.template if task else None,
            "step": slot.step,
            "step_limit": task.step_limit if task else None,
            "app": slot.seen.app if slot.seen else None,
            "outcome": slot.outcome.value if slot.outcome else None,
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


def _taken(states: Mapping[str, Mapping[str, Any]], slot: DeviceSlot) -> bool:
    return bool(states.get(slot.device, {}).get("taken"))


def in_words_and_numbers(name: str) -> list[tuple[bool, int, str]]:
    """A key that sorts phone-2 before phone-10."""
    parts = re.split(r"(\d+)", name)
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]


def _put(path: Path, data: bytes) -> None:
    """Replace a file atomically, without fsync: after a crash nobody needs a live screen."""
    aside = path.with_name(f".{path.name}.partial")
    aside.write_bytes(data)
    aside.replace(path)
