"""The settings of a run: name, value, where it comes from, and what it means.

    collect                                                  wide: a table
      devices     8      quickstart    Number of phones.
      latency     0.0    default       Seconds that ...

    collect.devices=8  (quickstart)                          narrow: a list
        Number of phones.

`section.name=value` on the command line changes one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from distrl.cli.output import PIPE_WIDTH
from distrl.config.load import SettingRow

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

_TABLE_WIDTH = 110
"""Columns from which on four columns of a table leave the explanations enough room."""


def print_settings(rows: Sequence[SettingRow]) -> None:
    """Print the table on stdout, as wide as the terminal."""
    from rich.console import Console

    console = Console()
    if not console.is_terminal:
        console = Console(width=PIPE_WIDTH)
    wide = console.width >= _TABLE_WIDTH
    console.print(settings_table(rows) if wide else settings_list(rows))


def settings_list(rows: Iterable[SettingRow]) -> Group:
    """The name, value and source of each setting in one line, its explanation below."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    def lines(row: SettingRow) -> Group:
        head = Text(f"{row.setting}={show_value(row.value)}", _style(row))
        head.append(f"  ({row.source})", "dim")
        return Group(head, Padding(Text(row.explanation), (0, 0, 0, 4)))

    return Group(*(lines(row) for row in rows))


def settings_table(rows: Iterable[SettingRow]) -> Table:
    """A heading for each section, and a line for each setting; what is no default stands out."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 1), pad_edge=False)
    table.add_column("setting", no_wrap=True)
    table.add_column("value", max_width=20, overflow="fold")
    table.add_column("from", max_width=14, overflow="fold", style="dim")
    table.add_column("what it is", ratio=1)
    for section, members in groupby(rows, key=lambda row: row.setting.rpartition(".")[0]):
        if section:
            table.add_row()
            table.add_row(Text(section, "bold"))
        for row in members:
            name = row.setting.rpartition(".")[2]
            table.add_row(
                Text(f"  {name}" if section else name, _style(row)),
                Text(show_value(row.value), _style(row)),
                Text(row.source),
                Text(row.explanation),
            )
    return table


def _style(row: SettingRow) -> str:
    return "" if row.source == "default" else "bold cyan"


def show_value(value: Any) -> str:
    """A value as it is written on the command line."""
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
