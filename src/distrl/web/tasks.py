"""Success per template: how sure it is, which way it goes, and the hardest first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from distrl.collect.evaluation.statistics import wilson_interval
from distrl.web.episode_index import Mask, Table

_BUCKETS = 12
"""Points of a template's trend."""
_FEW = 4
"""Episodes that a point of it needs, for less says nothing."""


def templates(table: Table) -> list[dict[str, Any]]:
    """A row per template, the hardest first; of equals, the one that was tried most."""
    counted = table.counted
    rows = [
        _row(table, name, counted & table.where("template", name))
        for name in table.names["template"]
    ]
    return sorted(
        rows,
        key=lambda row: (row["success"] is None, row["success"] or 0.0, -row["episodes"]),
    )


def _row(table: Table, name: str, mask: Mask) -> dict[str, Any]:
    chosen = np.flatnonzero(mask)
    won = table.succeeded[chosen]
    tried = len(chosen)
    low, high = wilson_interval(int(won.sum()), tried) if tried else (None, None)
    points = trend(won)
    everyone = table.where("template", name)
    first = int(np.argmax(everyone))
    return {
        "template": name,
        "suite": table.text("suite", first),
        "episodes": tried,
        "faults": int(everyone.sum()) - tried,
        "success": float(won.mean()) if tried else None,
        "low": low,
        "high": high,
        "steps": float(table.columns["steps"][chosen].mean()) if tried else None,
        "trend": points,
        "change": points[-1] - points[0] if len(points) > 1 else None,
        "example": table.goals.get(table.text("task_id", first), ""),
    }


def trend(won: Mask, *, buckets: int = _BUCKETS) -> Sequence[float]:
    """Success in equal parts of the attempts, oldest first; as many as there is data for."""
    parts = min(buckets, len(won) // _FEW)
    if parts == 0:
        return []
    return [float(part.mean()) for part in np.array_split(won, parts)]
