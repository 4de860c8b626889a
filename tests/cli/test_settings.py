from io import StringIO

import pytest
from rich.console import Console, RenderableType

from distrl.cli.settings import settings_list, settings_table, show_value
from distrl.config import load_run_config
from distrl.config.load import setting_rows

ROWS = setting_rows(load_run_config("quickstart"), "quickstart")


def lines_of(shown: RenderableType, width: int) -> list[str]:
    console = Console(file=StringIO(), width=width, record=True)
    console.print(shown)
    return console.export_text().splitlines()


@pytest.mark.parametrize("width", [110, 200])
def test_a_wide_terminal_gets_a_table_in_which_every_name_and_value_is_whole(width: int) -> None:
    text = "\n".join(lines_of(settings_table(ROWS), width))
    assert all(row.setting.rpartition(".")[2] in text for row in ROWS)
    assert "…" not in text


def test_a_terminal_of_80_columns_gets_a_list_that_fits() -> None:
    lines = lines_of(settings_list(ROWS), 80)
    assert max(len(line) for line in lines) <= 80
    assert "minutes=7.5  (quickstart)" in lines
    at = lines.index("minutes=7.5  (quickstart)")
    assert lines[at + 1].startswith("    Budget of training in minutes")


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "null"), (True, "true"), ("auto", "auto"), ("", '""'), (["a"], '["a"]'), (0.5, "0.5")],
)
def test_a_value_is_shown_as_it_is_written(value: object, shown: str) -> None:
    assert show_value(value) == shown
