from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.tasks.answers import NONE, same_answer

SAME = {
    "7:30 PM": ["7:30pm", "19:30", "at 7:30 p.m.", "It is 7:30 PM.", "7.30 pm", "19h30"],
    "7:00 AM": ["7 AM", "07:00", "7am"],
    "12:00 PM": ["noon", "12 pm", "12:00"],
    "12:05 AM": ["00:05", "12:05 a.m."],
    "$1,299.00": ["1299", "1,299 dollars", "It costs $1299.00", "USD 1299"],
    "$12.50": ["12.5", "12.50"],
    "3": ["three", "3 photos", "There are 3.", "Three!", "3.0"],
    "0": ["zero", "0 items"],
    "21": ["twenty-one", "Twenty one songs"],
    "60%": ["60", "sixty percent", "60 %"],
    "Mon, Jan 6": ["January 6", "6 January", "6th of January", "Monday, January 6", "Jan 6"],
    "Monday": ["Mon", "on Monday"],
    "yes": ["Yes", "yeah", "true", "Yes, it is.", "correct", "y"],
    "no": ["No.", "nope", "false", "It is not", "No, it isn't"],
    NONE: [
        "None",
        "nothing",
        "There is no such note",
        "not found",
        "unknown",
        "nobody",
        "N/A: none",
    ],
    "Red House": ["the red house", "red house.", "“Red House”", "RED HOUSE", "It is Red House"],
    "Zoë Brown": ["Zoe Brown", "zoë brown"],
    "721-5551": ["7215551", "721 5551", "It is 721-5551.", "Call (721) 5551!"],
}
OTHER = {
    "7:30 PM": ["7:30", "7:30 AM", "7:31 PM", "7:30 PM or 8:30 PM", "", "PM"],
    "$1,299.00": ["€1299", "1298", "$1,299.00 and $5.00", "12"],
    "3": ["4", "3 of 5", "-3", "13", "many", "..."],
    "Mon, Jan 6": ["Tue, Jan 6", "Jan 7", "February 6", "6"],
    "yes": ["no", "yes and no", "maybe", "", "I am sure of nothing here"],
    "no": ["yes", NONE, "3", "I do not care"],
    NONE: ["yes", "3", "Red House", "", "?", "No. 77", "none, or 7:30"],
    "Red House": ["red", "house", "red house blue", "Blue House", "House Red", "yes"],
    "721-5551": ["721-5552", "7215551 7215552", "call them"],
}


@pytest.mark.parametrize(("right", "said"), [(r, s) for r, all_ in SAME.items() for s in all_])
def test_what_says_the_same_is_right(right: str, said: str) -> None:
    assert same_answer(said, right)


@pytest.mark.parametrize("right", SAME)
def test_an_answer_is_itself(right: str) -> None:
    assert same_answer(right, right)


@pytest.mark.parametrize(("right", "said"), [(r, s) for r, all_ in OTHER.items() for s in all_])
def test_what_says_something_else_is_wrong(right: str, said: str) -> None:
    assert not same_answer(said, right)


@given(st.text(max_size=80), st.sampled_from(sorted(SAME)))
def test_nothing_that_is_said_raises(said: str, right: str) -> None:
    assert same_answer(said, right) in (True, False)
    assert same_answer(right, said) in (True, False)
