from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.devices.phone.paint import fonts

_words = st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=80)


def test_longer_and_larger_text_is_wider() -> None:
    assert fonts.text_width("hello", 9) < fonts.text_width("hello there", 9)
    assert fonts.text_width("hello", 9) < fonts.text_width("hello", 11)
    assert fonts.text_width("", 9) == 0


def test_width_scales_with_the_size() -> None:
    assert fonts.text_width("hello", 18) == pytest.approx(2 * fonts.text_width("hello", 9))


@given(_words, st.integers(20, 200))
def test_shortened_text_fits(text: str, width: int) -> None:
    shown = fonts.shorten(text, 9, width)
    assert fonts.text_width(shown, 9) <= width + 1e-6
    assert shown == text or shown.endswith("...")


def test_text_that_fits_stays_as_it_is() -> None:
    assert fonts.shorten("Save", 9, 100) == "Save"


def test_shortening_keeps_as_much_as_fits() -> None:
    shown = fonts.shorten("a" * 100, 9, 100)
    one_more = "a" * (len(shown) - 2) + "..."
    assert fonts.text_width(one_more, 9) > 100


@given(_words, st.integers(20, 200))
def test_wrapping_loses_no_word(text: str, width: int) -> None:
    lines = fonts.wrap(text, 9, width)
    assert " ".join(lines).split() == text.split()
    assert all(fonts.text_width(line, 9) <= width or " " not in line.strip() for line in lines)


def test_wrapping_keeps_line_breaks() -> None:
    assert fonts.wrap("one\ntwo", 9, 200) == ("one", "two")
    assert fonts.wrap("one\n\ntwo", 9, 200) == ("one", "", "two")


def test_a_word_that_is_too_long_stands_alone() -> None:
    assert fonts.wrap("a " + "b" * 60 + " c", 9, 60) == ("a", "b" * 60, "c")


def test_lines_are_as_full_as_they_can_be() -> None:
    lines = fonts.wrap("one two three four five six seven", 9, 60)
    for line, following in pairwise(lines):
        assert fonts.text_width(f"{line} {following.split()[0]}", 9) > 60


@given(_words)
def test_a_width_without_end_needs_one_line(text: str) -> None:
    assert fonts.wrap(text, 9, 10**9) == (text,)
    assert fonts.shorten(text, 9, 10**9) == text


@given(_words, st.integers(20, 200), st.integers(0, 60))
def test_more_room_never_shows_less(text: str, width: int, more: int) -> None:
    assert len(fonts.shorten(text, 9, width + more)) >= len(fonts.shorten(text, 9, width)) - 3
    assert len(fonts.wrap(text, 9, width + more)) <= len(fonts.wrap(text, 9, width))


@given(_words, _words)
def test_widths_add_up(one: str, other: str) -> None:
    both = fonts.text_width(one + other, 9)
    assert both == pytest.approx(fonts.text_width(one, 9) + fonts.text_width(other, 9))


@pytest.mark.parametrize("pixels", [-3, 0, 1, 8, 40])
def test_the_typeface_exists_at_every_height(pixels: int) -> None:
    assert fonts.font(pixels).size == max(1, pixels)
