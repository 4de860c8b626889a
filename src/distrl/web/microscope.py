"""The lag microscope: how old, how surprising and how wanted the episodes are, as histograms."""

from __future__ import annotations

from typing import Any

import numpy as np

from distrl.monitor.gauges import LAG
from distrl.web.episode_index import NO_VERSION, Column, Extra, Table

_BARS = 24
RATIO_EPISODES = 240
"""Newest episodes whose ratios are measured: enough for a histogram, little enough for a laptop."""


def microscope(table: Table, extra: Extra, *, max_lag: int | None) -> list[dict[str, Any]]:
    """A histogram each of lag, ratio and priority; every bar is a range to filter by.

    `max_lag` is None where the run's settings cannot be read.
    """
    known = table.columns["min_version"] != NO_VERSION
    limit = "replay.max_lag" if max_lag is None else f"replay.max_lag ({max_lag})"
    return [
        {
            "id": "lag",
            "title": "Policy lag on arrival",
            "healthy": f"{LAG}, here when it arrives in the store. Most of it near 0 and far below "
            f"{limit}. The overview shows the same when the learner trains on it, which is later "
            "and so more.",
            "bars": whole_bars(table.columns["lag"][known]),
        },
        {
            "id": "ratio",
            "title": "Ratio to the newest checkpoint",
            "healthy": f"Of the newest {RATIO_EPISODES} episodes only, for each takes a pass of "
            "the network. A peak at 1 that falls off on both sides: mean of pi/mu over an "
            "episode's steps. Long tails mean that replay is stale, or that the policy moves too "
            "fast.",
            "bars": bars(np.array(list(extra.ratio.values()), np.float64)),
        },
        {
            "id": "priority",
            "title": "Priority in replay",
            # Seen in quickstart on two cores: 93 % of the buffer waits for its first replay.
            "healthy": "A hump of episodes that were replayed, and spikes at the right: an episode "
            "enters with the largest priority there is, so that it is drawn soon. Hardly anything "
            "but spikes means that collecting is far ahead of the learner, as in quickstart on "
            "two cores.",
            "bars": bars(np.array(list(extra.priority.values()), np.float64)),
        },
    ]


def bars(values: Column, *, count: int = _BARS) -> list[dict[str, float]]:
    """Equal ranges from the smallest to the largest; the rarest hundredth above shares the last."""
    values = values[np.isfinite(values)]
    if not len(values):
        return []
    top = float(np.quantile(values, 0.99))
    low, high = float(values.min()), max(float(values.max()), top)
    if top <= low:
        return [{"low": low, "high": high, "count": len(values)}]
    edges = np.linspace(low, top, count + 1)
    edges[-1] = high
    counts, _ = np.histogram(values, edges)
    # A range for a filter has both ends, so neighbours must not share one.
    ends = [*np.nextafter(edges[1:-1], -np.inf), high]
    return [
        {"low": float(start), "high": float(end), "count": int(number)}
        for start, end, number in zip(edges[:-1], ends, counts, strict=True)
    ]


def whole_bars(values: Column, *, count: int = _BARS) -> list[dict[str, float]]:
    """The same for whole numbers: each bar holds equally many of them."""
    if not len(values):
        return []
    low, high = int(values.min()), int(values.max())
    top = max(int(np.quantile(values, 0.99)), low)
    width = max(1, -(-(top - low + 1) // count))
    starts = np.arange(low, top + 1, width)
    ends = [*(starts[1:] - 1), max(high, int(starts[-1]) + width - 1)]
    counts = np.bincount(np.searchsorted(starts, values, side="right") - 1, minlength=len(starts))
    return [
        {"low": int(start), "high": int(end), "count": int(number)}
        for start, end, number in zip(starts, ends, counts, strict=True)
    ]
