"""Lines about made-up runs."""

from __future__ import annotations

from typing import Any

from distrl.collect.evaluation.statistics import wilson_interval
from distrl.web.runs import State
from distrl.web.runs_page.summary import RunSummary


def line(run: str, seed: int = 0, success: float | None = None, **known: Any) -> RunSummary:
    """A run that solved this share of 100 tasks, or of `evaluated`."""
    tasks = known.pop("evaluated", 100)
    figures: dict[str, Any] = {}
    if success is not None:
        low, high = wilson_interval(round(success * tasks), tasks)
        figures = {"after": success, "after_low": low, "after_high": high, "evaluated": tasks}
    defaults = {"state": State.FINISHED, "key": "settings", "suite": "general", "split": "test"}
    return RunSummary(run=run, folder=f"/runs/{run}", seed=seed, **{**defaults, **figures, **known})
