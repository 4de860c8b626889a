import json

import numpy as np
import pytest
from rich.console import Console

from distrl.cli.output import make_table, print_json, print_table, progress_lines


def test_json_keeps_order_and_turns_numpy_into_plain_numbers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_json({"success": np.float32(0.5), "episodes": np.int64(3), "rows": [{"ok": np.True_}]})
    printed = capsys.readouterr().out
    assert json.loads(printed) == {"success": 0.5, "episodes": 3, "rows": [{"ok": True}]}
    assert printed.index("success") < printed.index("episodes") < printed.index("rows")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), np.float32("nan")])
def test_json_refuses_what_is_not_a_finite_number_and_names_its_key(value: float) -> None:
    with pytest.raises(ValueError, match="low is "):
        print_json({"rows": [{"low": value}]})


def test_json_refuses_what_it_cannot_say() -> None:
    with pytest.raises(TypeError, match="task is a object"):
        print_json({"task": object()})


def test_a_table_shows_brackets_as_they_are_and_numbers_to_the_right() -> None:
    table = make_table(["name", "success"], [["distrl[lm]", 0.25], ["none", None]])
    console = Console(width=60)
    with console.capture() as shown:
        console.print(table)
    assert "distrl[lm]" in shown.get()
    assert "0.250" in shown.get()
    assert [column.justify for column in table.columns] == ["left", "right"]


def test_a_piped_table_is_not_squeezed_to_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    wide = "x" * 100
    print_table(["name"], [[wide]])
    assert wide in capsys.readouterr().out


def test_progress_is_told_in_a_line_every_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    time = 0.0
    advance = progress_lines("judging", now=lambda: time)
    for done in range(1, 31):
        time = float(done)
        advance(done, 30)
    assert capsys.readouterr() == ("", "judging: 10 of 30\njudging: 20 of 30\njudging: 30 of 30\n")
