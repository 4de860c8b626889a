"""The watcher's side of a live run: mark it watched, read its live screens, send requests."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from distrl.errors import ConfigError, StoreError
from distrl.monitor.live_screens import CONTROL, LIVE, SCREENS, WATCHED, in_words_and_numbers
from distrl.web.runs import Run, State

_STALE_SECONDS = 10.0
"""After this long without new live screens, the run is taken to be busy with something else, such
as evaluating; it writes them several times a second while it is watched."""


def watch(run: Run) -> None:
    """Say that somebody looks at the fleet; the run shows it for a few seconds more."""
    if run.state() is not State.RUNNING:
        return
    folder = run.folder.root / LIVE
    folder.mkdir(exist_ok=True)
    (folder / WATCHED).touch()


def fleet(run: Run) -> dict[str, Any]:
    """The newest live screens; without devices when the run shows none."""
    try:
        live_screens = json.loads((run.folder.root / LIVE / SCREENS).read_bytes())
        at, devices = float(live_screens["at"]), _rows(live_screens["devices"])
    except (OSError, ValueError, KeyError, TypeError):
        at, devices = 0.0, []
    running = run.state() is State.RUNNING
    fresh = running and time.time() - at < _STALE_SECONDS
    return {"live": running, "fresh": fresh, "at": at, "devices": devices}


def _rows(devices: object) -> list[dict[str, Any]]:
    return [row for row in devices if isinstance(row, dict)] if isinstance(devices, list) else []


def last_episodes(run: Run) -> list[dict[str, Any]]:
    """What the devices of a run that has ended showed last: the newest episode of each.

    Its last screen is at the place `screen` of the episode: after its last step if that was stored.
    Empty while the run is running, and when its store cannot be read.
    """
    if run.state() is State.RUNNING:
        return []
    table = run.table()
    shown = np.flatnonzero(table.columns["steps"] > 0)[::-1]
    _, newest = np.unique(table.columns["device"][shown], return_index=True)
    rows = [int(shown[place]) for place in newest]
    rows.sort(key=lambda row: in_words_and_numbers(table.text("device", row)))
    found = []
    for row in rows:
        task, steps = table.text("task_id", row), int(table.columns["steps"][row])
        found.append(
            {
                "device": table.text("device", row),
                "episode": table.ids[row],
                "screen": _last_place(run, table.ids[row], steps),
                "goal": table.goals.get(task, ""),
                "outcome": table.text("outcome", row),
                "steps": steps,
            }
        )
    return found


def _last_place(run: Run, episode: str, steps: int) -> int | None:
    reader = run.index.reader
    for place in (steps, steps - 1):
        with suppress(KeyError, StoreError):
            if reader is not None and reader.picture(episode, place):
                return place
    return None


def screen(run: Run, device: str) -> bytes | None:
    """The newest live screen of a device, PNG; None when there is none."""
    for row in fleet(run)["devices"]:
        number = row.get("number")
        if row.get("device") == device and isinstance(number, int):
            try:
                return (run.folder.root / LIVE / f"{number}.png").read_bytes()
            except FileNotFoundError:
                return None
    return None


def ask(run: Run, request: Mapping[str, str | bool]) -> None:
    """Have a running fleet do something; ConfigError when the run does not run."""
    if run.state() is not State.RUNNING:
        raise ConfigError(f"the run {run.name} is not running")
    line = json.dumps({**request, "at": round(time.time(), 3)}).encode() + b"\n"
    watch(run)
    # One write in append mode, so that two watchers cannot mix their lines.
    with (run.folder.root / LIVE / CONTROL).open("ab", buffering=0) as file:
        file.write(line)
