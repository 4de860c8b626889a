"""What commands print: one JSON object for programs, tables for people."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

PIPE_WIDTH = 120
"""Columns of a table that is not shown in a terminal."""


def print_json(values: Mapping[str, object]) -> None:
    """Print `values` as one JSON object on stdout, with its keys in the given order.

    Values are strings, booleans, None and finite numbers (of numpy too); tables are lists of
    such objects. Anything else raises: NaN is not JSON, so pass None where nothing was measured.
    """
    print(json.dumps(_plain(values, "the object"), indent=2, ensure_ascii=False))


def make_table(
    columns: Sequence[str], rows: Sequence[Sequence[object]], *, title: str | None = None
) -> Table:
    """A rich table: numbers are right-aligned, floats have three decimals, None is shown as -.

    Brackets are shown as they are, not read as markup. The first cell that is not None decides how
    a column is aligned.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left")
    for index, column in enumerate(columns):
        cells = (row[index] for row in rows if row[index] is not None)
        table.add_column(column, justify="right" if _is_number(next(cells, None)) else "left")
    for row in rows:
        table.add_row(*(Text(_cell(value)) for value in row))
    return table


def print_table(
    columns: Sequence[str], rows: Sequence[Sequence[object]], *, title: str | None = None
) -> None:
    """Print `make_table` on stdout, as wide as the terminal."""
    from rich.console import Console

    console = Console()
    if not console.is_terminal:
        console = Console(width=PIPE_WIDTH)
    console.print(make_table(columns, rows, title=title))


def print_flat(figures: Mapping[str, object], title: str, *, json: bool) -> None:
    """Print figures by name, for programs or for people."""
    if json:
        print_json(figures)
    else:
        rows = [(name.replace("_", " "), value) for name, value in figures.items()]
        print_table(("figure", "value"), rows, title=title)


def _plain(value: Any, where: str) -> object:
    """The same value in the types of JSON; `where` names it in an error."""
    if isinstance(value, Mapping):
        return {str(key): _plain(inner, str(key)) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner, f"{where}[{i}]") for i, inner in enumerate(value)]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{where} is {value}, which JSON cannot say; use None")
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise TypeError(f"{where} is a {type(value).__name__}, which JSON cannot say")


def _is_number(value: object) -> bool:
    return hasattr(value, "__float__") and not isinstance(value, bool)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}"
    return str(value)
