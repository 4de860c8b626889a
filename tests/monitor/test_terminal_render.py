import re
from dataclasses import replace
from io import BytesIO, StringIO, TextIOWrapper

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from distrl.config import RunConfig
from distrl.monitor.gauges import BY_NAME
from distrl.monitor.terminal_render import (
    COLLECTING,
    LEARNING,
    ViewState,
    line,
    printable,
    render,
    sparkline,
)

FULL = ViewState(
    recipe="quickstart",
    phase="training",
    elapsed=192,
    share=0.49,
    left=198,
    numbers={
        "collect/success/general": 0.62,
        "collect/success/shopping": 0.31,
        "evaluate/success/general/test": 0.41,
        "collect/episodes": 4120,
        "collect/steps_per_second": 142.3,
        "collect/utilisation": 0.97,
        "batcher/batch": 5.4,
        "collect/faults": 2,
        "replay/episodes": 3999,
        "learn/updates": 812,
        "learn/updates_per_second": 4.13,
        "learn/lag_mean": 3.2,
        "learn/replay_ratio": 3.9,
        "learn/effective": 0.91,
        "learn/entropy": 1.32,
    },
    curves={"general": [i / 190 for i in range(190)], "shopping": [0.3] * 5},
    events=[(12, "warm start done"), (180, "device phone-3 was lost")],
    config=RunConfig(),
)


def text_of(state: ViewState, width: int = 80, *, ascii_only: bool = False) -> str:
    console = Console(width=width, file=StringIO(), record=True)
    console.print(render(state, ascii_only=ascii_only))
    return console.export_text()


def row_of(text: str, words: str) -> str:
    (row,) = (row for row in text.splitlines() if words in row)
    return row


def test_the_view_shows_every_number_with_its_words() -> None:
    text = text_of(FULL)
    shown = {
        "episodes ": "4,120",
        "steps/s": "142",
        "devices busy": "97 %",
        "decisions/pass": "5.4",
        "faults": "2",
        "replay buffer": "3,999",
        "updates/s": "4.13",
        "policy lag": "3.2",
        "replay ratio": "3.9",
        "effective sample": "91 %",
        "entropy": "1.32",
    }
    for words, value in shown.items():
        assert value in row_of(text, words).split(words)[1]


def test_the_head_says_what_runs_for_how_long_and_how_long_still() -> None:
    row = row_of(text_of(FULL), "quickstart")
    assert "training" in row
    assert "3:12 elapsed  3:18 left" in row
    assert "49 %" in text_of(FULL)


def test_a_long_name_is_cut_before_the_phase_is() -> None:
    state = replace(FULL, recipe="quickstart-20261118-0412", phase="1/5 encoding goals and labels")
    assert "quickstart-2…  1/5 encoding goals and labels" in row_of(text_of(state), "elapsed")


def test_each_suite_has_its_success_its_curve_and_its_evaluations() -> None:
    text = text_of(FULL)
    assert "success while training (newest 200 episodes)" in text
    general, shopping = row_of(text, "general"), row_of(text, "shopping")
    assert "0.62" in general
    assert "▁▁▁▁▂▂▂▂▃▃▃▃▄▄▄▄▅▅▅▅▆▆▆▆▇▇▇▇████" in general
    assert "test 0.41" in general
    assert "0.31  ▃▃▃▃▃ " in shopping
    assert "test" not in shopping


@pytest.mark.parametrize("width", [80, 100, 200])
def test_it_fits_80_columns_and_24_rows_whatever_the_numbers(width: int) -> None:
    huge = replace(
        FULL,
        recipe="a_recipe_with_a_name_" * 5,
        elapsed=1e6,
        left=1e6,
        numbers={
            **dict.fromkeys((*COLLECTING, *LEARNING), 123456789.0),
            **{f"collect/success/suite_with_a_long_name_{i}": 1.0 for i in range(9)},
        },
        events=[(1e5, "word " * 60)] * 9,
    )
    rows = text_of(huge, width).splitlines()
    assert len(rows) <= 24
    assert {len(row) for row in rows} == {min(width, 100)}
    assert all(row[-1] in "╮│╯" for row in rows)
    assert "277:46:40 elapsed  277:46:40 left" in rows[1]


def test_a_run_that_has_measured_nothing_shows_dashes() -> None:
    text = text_of(ViewState(recipe="debug"))
    for name in (*COLLECTING, *LEARNING):
        assert re.search(rf" {BY_NAME[name].words} +- ", text)
    assert "success" not in text


def test_only_a_number_out_of_its_range_has_a_mark() -> None:
    assert "!" not in text_of(FULL)
    sick = replace(
        FULL, numbers={**FULL.numbers, "learn/effective": 0.1, "learn/replay_ratio": 9.0}
    )
    marked = [row for row in text_of(sick).splitlines() if "!" in row]
    assert len(marked) == 2
    assert "effective sample" in marked[1]


def test_events_cannot_steer_the_terminal_or_the_markup() -> None:
    text = text_of(replace(FULL, events=[(1, "[bold]x[/bold]\x1b[2J\r\nnext\u202e")]))
    row = row_of(text, "next")
    assert "[bold]x[/bold] [2J  next" in row
    assert printable("a\x1b\n\u202eb") == "a   b"


def test_an_ascii_terminal_gets_ascii_alone() -> None:
    state = replace(FULL, events=[(1, "größer")])
    console = Console(width=80, file=TextIOWrapper(BytesIO(), "ascii"))
    console.print(render(state, ascii_only=console.options.ascii_only))
    console.file.flush()
    assert console.options.ascii_only


def test_the_line_for_logs_holds_the_same_numbers() -> None:
    assert line(FULL) == (
        "[3:12] training 49 %, 3:18 left | success on general 0.62 | success on shopping 0.31 | "
        "episodes 4,120 | 142 steps/s | devices busy 97 % | 4.13 updates/s | policy lag 3.2 | "
        "replay ratio 3.9 | effective sample 91 % | entropy 1.32"
    )
    assert line(ViewState(recipe="debug")) == "[0:00] starting"


def test_a_sparkline_has_one_block_per_stretch() -> None:
    assert sparkline([], 8) == ""
    assert sparkline([0, 0.5, 1], 8) == "▁▅█"
    assert sparkline([0, 0, 1, 1], 2) == "▁█"
    assert sparkline([0.0, 1.0] * 48, 4) == "▅▅▅▅"
    assert sparkline([-3, 9], 2, ascii_only=True) == "_#"


@given(st.lists(st.floats(0, 1), min_size=1), st.integers(1, 40))
def test_a_sparkline_is_never_wider_than_asked(values: list[float], width: int) -> None:
    assert len(sparkline(values, width)) == min(width, len(values))
