"""The figures of docs/cluster.md are those that were measured."""

from __future__ import annotations

import json
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_plan_tells_what_bench_scale_measured() -> None:
    page = " ".join((DOCS / "cluster.md").read_text("utf-8").split())
    scale = json.loads((DOCS / "results" / "scale" / "summary.json").read_text("utf-8"))
    rows = {row["devices"]: row for row in scale["rows"]}
    for devices in (1000, 3200, 10000):
        row = rows[devices]
        busy, ratio = row["learner_utilisation"], row["replay_ratio"]
        assert (
            f"| {devices:,} | {row['steps_per_second']:.1f} | {busy:.0%} | {ratio:.1f} |".replace(
                "%", " %"
            )
            in page
        )
    feeds, ratio = scale["one_learner_feeds"], scale["wanted_replay_ratio"]
    seconds = scale["learn_seconds"]
    assert f"feeds {feeds:,} of them, or about {1 / ratio / seconds:.0f} steps per second" in page
    assert f"costs {1000 * seconds:.2f} ms, and the learner wants {ratio:g} for each" in page
    assert f"`{scale['command']}`, {scale['code']};" in page
    assert f"busy for {rows[1000]['learner_utilisation']:.0%}".replace("%", " %") in page
    assert f"learns from {rows[10000]['replay_ratio']:.1f} steps" in page
