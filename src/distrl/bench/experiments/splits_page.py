"""How success by split is told on the results page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from distrl.bench.telling import Row, made, markdown, number


def splits_section(figures: Mapping[str, Any]) -> str:
    """One table."""
    digest = figures["weights"]
    weights = f" (weights {digest[:16]})" if digest else ""
    head = ("suite", "split", "success", "false completions", "side effects", "tasks")
    cells = [
        (
            row["suite"],
            row["split"],
            _success(row),
            number(row["false_completions"], ".3f"),
            number(row["side_effects"], ".3f"),
            str(row["tasks"]),
        )
        for row in figures["rows"]
    ]
    return "\n".join(
        [
            "## What carries over\n",
            f"The policy `{figures['policy']}`{weights} on every split that is not for training. "
            "What is new in each:\n[Tasks and splits](tasks.md).\n",
            markdown(head, cells) + "\n",
            made(figures),
        ]
    )


def _success(row: Row) -> str:
    if row["success"] is None:
        return ""
    return f"{row['success']:.3f} ({row['low']:.2f} to {row['high']:.2f})"
