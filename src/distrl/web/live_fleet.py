"""The watcher's side of a live run: mark it watched, read its live screens, send requests."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from distrl.errors import ConfigError
from distrl.monitor.live_screens import CONTROL, LIVE, SCREENS, WATCHED
from distrl.web.runs import Run, State

_STALE_SECONDS = 10.0


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
        at, devices = float(live_screens["at"]), list(live_screens["devices"])
    except (OSError, ValueError, KeyError, TypeError):
        at, devices = 0.0, []
    running = run.state() is State.RUNNING
    fresh = running and time.time() - at < _STALE_SECONDS
    return {"live": running, "fresh": fresh, "at": at, "devices": devices}


def screen(run: Run, device: str) -> bytes | None:
    """The newest screen of a device, PNG; None when there is none."""
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
