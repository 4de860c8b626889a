"""The end of a run in the terminal: before and after, with intervals."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from distrl.collect.evaluation.statistics import Row
from distrl.monitor.gauges import clock_time
from distrl.run.report.story import Comparison, Story, gain


def print_summary(story: Story, console: Console | None = None) -> None:
    """Print the table and one line on the effort, on stdout or on the console given."""
    console = console or Console()
    console.print(summary_table(story))
    console.print(Text(effort(story)))


def summary_table(story: Story) -> Table:
    """One row per evaluation."""
    table = Table(
        title=Text(story.name),
        title_justify="left",
        box=SIMPLE_HEAD,
        padding=(0, 0, 0, 1),
        pad_edge=False,
        show_edge=False,
    )
    table.add_column("tasks")
    for column in ("before", "after", "points"):
        table.add_column(column, justify="right", no_wrap=True)
    for column in ("false\ncomplete", "played"):
        table.add_column(column, justify="right")
    for comparison in story.comparisons:
        table.add_row(*(Text(cell) for cell in _cells(comparison)))
    return table


def effort(story: Story) -> str:
    """How much was done, and in what time."""
    totals = story.totals
    return (
        f"{totals.episodes:,} episodes, {totals.steps:,} steps and {totals.updates:,} updates "
        f"in {clock_time(totals.seconds)} of training"
    )


def share(row: Row | None) -> str:
    """Success with its interval."""
    if row is None or row.success is None:
        return "-"
    return f"{row.success:.3f} ({row.low:.2f}-{row.high:.2f})"


def change(before: Row | None, after: Row) -> str:
    """The gain in points."""
    grown = gain(before, after)
    return "-" if grown is None else f"{100 * grown:+.1f}"


def _cells(comparison: Comparison) -> tuple[str, ...]:
    before = comparison.before.overall if comparison.before else None
    after = comparison.after.overall
    false = "-" if after.false_complete is None else f"{after.false_complete:.3f}"
    return (
        comparison.name,
        share(before),
        share(after),
        change(before, after),
        false,
        str(after.episodes),
    )
