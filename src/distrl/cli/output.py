"""What commands print: one JSON object for programs, tables for people."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from rich.table import Table

PIPE_WIDTH = 120
"""Columns of a table that is not shown in a terminal."""
Advance: TypeAlias = Callable[[int, int], None]
"""Is told how many of how many are done."""
_LINE_SECONDS = 10.0
"""Between two lines of progress where there is no terminal to draw a bar in."""


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


@contextmanager
def progress_bar(title: str = "evaluating") -> Iterator[Advance]:
    """Progress on stderr: a bar in a terminal, elsewhere a line every ten seconds."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield progress_lines(title)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def progress_lines(title: str, *, now: Callable[[], float] = time.monotonic) -> Advance:
    """Progress as lines on stderr, at most one in ten seconds; a short job prints none."""
    told = now()

    def advance(done: int, total: int) -> None:
        nonlocal told
        if now() - told >= _LINE_SECONDS:
            told = now()
            print(f"{title}: {done} of {total}", file=sys.stderr, flush=True)

    return advance


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
