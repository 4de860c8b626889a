"""What the sections of the results page share: tables, intervals, and who made the figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
QUICK = "**These figures were made with `--quick`: they are noise around a trend.**"


def made(figures: Mapping[str, Any]) -> str:
    """Where figures come from."""
    later = " The figures were put together from these runs later." * bool(figures.get("only_read"))
    return f"Made by `{figures['command']}` ({figures['code']}) on {figures['machine']}.{later}"


def hours(seconds: float) -> str:
    """A virtual time."""
    return f"{seconds / 3600:.1f} virtual hours"


def interval(row: Row, name: str) -> str:
    """A success and its interval; nothing where it was not measured."""
    if row[name] is None:
        return ""
    return f"{row[name]:.3f} ({row[f'{name}_low']:.2f} to {row[f'{name}_high']:.2f})"


def number(value: float | None, form: str) -> str:
    """A number; nothing for None."""
    return "" if value is None else format(value, form)


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def held(value: float | None, wanted: float) -> str:
    """Whether a figure is at least what is wanted; nothing for None."""
    return "" if value is None else ("yes" if value >= wanted else "no")
