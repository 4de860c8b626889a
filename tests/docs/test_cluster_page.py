"""The figures of docs/cluster.md are those that were measured."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"


def read(name: str) -> tuple[str, dict[str, Any]]:
    """The page in one line, and the figures of a folder of results."""
    page = " ".join((DOCS / "cluster.md").read_text("utf-8").split())
    return page, json.loads((DOCS / "results" / name / "summary.json").read_text("utf-8"))


def line_of(row: Mapping[str, Any]) -> str:
    busy, ratio = row["learner_utilisation"], row["replay_ratio"]
    cells = f"{row['devices']:,} | {row['steps_per_second']:.1f} | {busy:.0%} | {ratio:.1f}"
    return f"| {cells.replace('%', ' %')} |"


def test_the_plan_for_a_large_model_tells_what_bench_scale_measured() -> None:
    page, scale = read("scale_large_model")
    rows = {row["devices"]: row for row in scale["rows"]}
    for devices in (10, 32, 100, 320):
        assert line_of(rows[devices]) in page
    assert f"feeds {scale['one_learner_feeds']} slow devices" in page
    assert f"`{scale['command']}`, {scale['code']}." in page
    assert (scale["learn_seconds"], scale["decide_seconds"]) == (0.5, 1.0)


def test_the_plan_tells_what_bench_scale_measured() -> None:
    page, scale = read("scale")
    rows = {row["devices"]: row for row in scale["rows"]}
    for devices in (1000, 3200, 10000):
        assert line_of(rows[devices]) in page
    feeds, ratio = scale["one_learner_feeds"], scale["wanted_replay_ratio"]
    seconds = scale["learn_seconds"]
    assert f"feeds {feeds:,} of them, or about {1 / ratio / seconds:.0f} steps per second" in page
    assert f"costs {1000 * seconds:.2f} ms, and the learner wants {ratio:g} for each" in page
    assert f"`{scale['command']}`, {scale['code']};" in page
    assert f"busy for {rows[1000]['learner_utilisation']:.0%}".replace("%", " %") in page
    assert f"learns from {rows[10000]['replay_ratio']:.1f} steps" in page
