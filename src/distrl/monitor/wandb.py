"""Weights & Biases, if it is asked for and installed.

The key comes from the environment (`WANDB_API_KEY`) and from nowhere else; without one, the run is
written to `RUN/wandb` and can be sent later with `wandb sync`. Each part has its own steps, so
`learn/...` is drawn over the learner's updates and `collect/...` over episodes.
"""

from __future__ import annotations

import importlib
import math
import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from distrl.errors import ConfigError

# As long for the start: without an answer the monitor is switched off, and the run begins.
_START_SECONDS = 60.0
_FINISH_SECONDS = 60.0
"""W&B uploads what is left when it finishes. A run must not wait longer for a network that is gone:
the files stay and can be synced."""


class WandbMonitor:
    """One run of a W&B project."""

    def __init__(
        self, project: str, folder: Path, *, name: str, settings: Mapping[str, Any]
    ) -> None:
        """Begin a run, with its files in `folder/wandb`.

        `settings` are shown with it, so no secret may be among them.
        """
        wandb = _import_wandb()
        folder.mkdir(parents=True, exist_ok=True)
        self._run = wandb.init(
            project=project,
            name=name,
            dir=str(folder),
            config=dict(settings),
            mode=_mode(os.environ),
            settings=wandb.Settings(init_timeout=_START_SECONDS, console="off", save_code=False),
        )
        self._lock = threading.Lock()
        self._parts: set[str] = set()

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Send the finite numbers, each over the steps of its own part."""
        finite = {name: float(value) for name, value in numbers.items() if math.isfinite(value)}
        parts = {name.split("/", 1)[0] for name in finite}
        with self._lock:
            for part in sorted(parts - self._parts):
                self._run.define_metric(f"{part}/*", step_metric=f"{part}/step")
                self._parts.add(part)
            self._run.log({**finite, **{f"{part}/step": step for part in parts}})

    def close(self) -> None:
        """Send what is left, for a limited time."""
        _within(_FINISH_SECONDS, self._run.finish)


def _mode(environment: Mapping[str, str]) -> str | None:
    """W&B's mode: without a key offline, for W&B would ask for one in the terminal and block."""
    if "WANDB_API_KEY" in environment:
        return None
    return "disabled" if environment.get("WANDB_MODE") == "disabled" else "offline"


def _import_wandb() -> Any:
    try:
        return importlib.import_module("wandb")
    except ImportError as error:
        raise ConfigError(
            "monitor.wandb needs the package wandb: pip install 'distrl[wandb]', "
            f"or set monitor.wandb=null ({error})"
        ) from None


def _within(seconds: float, work: Callable[[], object]) -> None:
    """Do something in another thread; raises its error, or TimeoutError when it takes longer."""
    failed: list[Exception] = []

    def attempt() -> None:
        try:
            work()
        except Exception as error:  # noqa: BLE001 - raised below, in the thread that waits
            failed.append(error)

    thread = threading.Thread(target=attempt, name="wandb finish", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise TimeoutError(f"W&B did not finish within {seconds:g} s")
    if failed:
        raise failed[0]
