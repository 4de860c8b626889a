"""What a run leaves behind for people: a table, `curve.png` and a self-contained `report.html`."""

from __future__ import annotations

from pathlib import Path

from distrl.run.report.curve import draw, read_history
from distrl.run.report.page import make_page
from distrl.run.report.story import Comparison, Story, Totals, evaluation_numbers, pick_episodes
from distrl.run.report.table import print_summary

__all__ = [
    "Comparison",
    "Story",
    "Totals",
    "evaluation_numbers",
    "pick_episodes",
    "print_summary",
    "write_report",
]


def write_report(folder: Path, story: Story) -> Path:
    """Write `curve.png` and `report.html` into a run's folder, from its metrics and its story.

    The path of the page.
    """
    history = read_history(folder)
    (folder / "curve.png").write_bytes(draw(history))
    path = folder / "report.html"
    path.write_text(make_page(story, history), "utf-8")
    return path
