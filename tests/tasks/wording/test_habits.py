from __future__ import annotations

from random import Random

import pytest

from distrl.tasks.wording import habits

_PHRASING = "Send the {text} to {Person}?"


def test_lower_case_leaves_places_alone() -> None:
    assert habits.lower(_PHRASING) == "send the {text} to {Person}?"


def test_terse_requests_have_no_articles_and_no_mark() -> None:
    assert habits.terse("open the {kind} in a browser?") == "open {kind} in browser"


def test_a_sentence_begins_with_a_capital_unless_a_value_stands_there() -> None:
    assert habits.sentence("open it") == "Open it"
    assert habits.sentence("{city} time") == "{city} time"


@pytest.mark.parametrize("mistakes", [habits.HEARD_MISTAKES, habits.HELD_MISTAKES])
def test_a_mistake_changes_one_long_word_and_no_place(
    mistakes: tuple[habits.Mistake, ...],
) -> None:
    for seed in range(40):
        wrong = habits.mistyped("please remind {person} of the {meeting}", mistakes, Random(seed))
        assert wrong.endswith(" {person} of the {meeting}")
        first, second = wrong.split(" ")[:2]
        # `d` may double in "remind", so one of the two words stays as it was.
        assert (first == "please") or (second == "remind")


def test_held_out_mistakes_are_other_mistakes() -> None:
    assert not set(habits.HEARD_MISTAKES) & set(habits.HELD_MISTAKES)
    word, at = "weather", 3
    made = [{kind(word, at) for kind in k} for k in (habits.HEARD_MISTAKES, habits.HELD_MISTAKES)]
    assert made == [{"weatther", "weaher"}, {"wetaher", "weayher"}]


def test_a_phrasing_without_long_words_stays() -> None:
    assert habits.mistyped("{a} to {b}", habits.HELD_MISTAKES, Random(0)) == "{a} to {b}"
