"""Readers of the word tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.devices.phone.content.tables.reader import phrases, records

_word = st.text("abc xyz'!", min_size=1).map(str.strip).filter(bool)


@pytest.mark.parametrize(
    ("table", "read"),
    [
        ("", ()),
        (" \n ; ;\n", ()),
        ("one", ("one",)),
        ("one; two", ("one", "two")),
        ("one\n  two;\nthree;", ("one", "two", "three")),
        ("two words ; more words", ("two words", "more words")),
    ],
)
def test_semicolons_and_new_lines_end_a_phrase(table: str, read: tuple[str, ...]) -> None:
    assert phrases(table) == read


@pytest.mark.parametrize(
    ("table", "read"),
    [
        ("", ()),
        ("a|b", (("a", "b"),)),
        ("a | b ; c|d", (("a", "b"), ("c", "d"))),
        ("a|b|c\nd", (("a", "b", "c"), ("d",))),
        ("a||c", (("a", "", "c"),)),
    ],
)
def test_bars_divide_a_record(table: str, read: tuple[tuple[str, ...], ...]) -> None:
    assert records(table) == read


@given(st.lists(_word, max_size=8), st.sampled_from([";", "\n", " ;\n  "]))
def test_every_phrase_that_is_written_is_read(words: list[str], end: str) -> None:
    assert phrases(end.join(words)) == tuple(words)


@given(st.lists(st.lists(_word, min_size=1, max_size=3), max_size=5))
def test_every_record_that_is_written_is_read(rows: list[list[str]]) -> None:
    table = "; ".join(" | ".join(row) for row in rows)
    assert records(table) == tuple(map(tuple, rows))
