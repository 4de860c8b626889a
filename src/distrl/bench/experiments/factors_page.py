"""How success by factor of robustness is told on the results page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from distrl.bench.telling import Row, made, markdown, number


def factors_section(figures: Mapping[str, Any]) -> str:
    """A table for each suite."""
    digest = figures["weights"]
    weights = f" (weights {digest[:16]})" if digest else ""
    return "\n".join(
        [
            "## Robustness by factor\n",
            f"The policy `{figures['policy']}`{weights} on tasks of {figures['split']}, on phones "
            "that differ from plain ones in one thing\neach. `kept` is success over that on plain "
            "phones. Scripts solve every task of general and shopping under\nevery factor. What "
            "each factor does: [Robustness by factor](robustness.md).\n",
            *(_table(found["suite"], found["rows"]) for found in figures["suites"]),
            made(figures),
        ]
    )


def _table(suite: str, rows: Sequence[Row]) -> str:
    head = ("factor", f"success on {suite}", "kept", "tasks", "setting")
    cells = [
        (
            row["factor"],
            "" if row["success"] is None else _interval(row),
            number(row["kept"], ".2f"),
            str(row["tasks"]),
            row["setting"],
        )
        for row in rows
    ]
    return markdown(head, cells) + "\n"


def _interval(row: Row) -> str:
    return f"{row['success']:.3f} ({row['low']:.2f} to {row['high']:.2f})"
