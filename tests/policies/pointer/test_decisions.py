from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.policies.pointer.fakes import (
    BUTTON,
    GOAL,
    SCREEN,
    every_decision,
    random_situation,
    situation,
)

from distrl import actions
from distrl.actions import Direction
from distrl.policies.pointer import decisions as d
from distrl.policies.pointer.decisions import (
    GRID_COLUMNS,
    GRID_ROWS,
    MAX_CANDIDATES,
    MAX_SPAN,
    VOCABULARY,
    Options,
    candidates_of,
    grid,
)
from distrl.policies.pointer.inputs import options_of
from distrl.types import BASIC_KINDS, Action, Element, Key, Kind

OPTIONS = Options(GOAL, SCREEN)


def back_and_forth(options: Options, action: Action) -> Action:
    decision = options.decision(action)
    assert decision is not None
    return options.action(decision)


@pytest.mark.parametrize("element", SCREEN, ids=lambda e: e.text or e.description)
@pytest.mark.parametrize("build", [actions.tap, actions.long_press])
def test_a_touch_of_an_element_comes_back_exactly(
    element: Element, build: Callable[[float, float], Action]
) -> None:
    action = build(*element.center)
    assert back_and_forth(OPTIONS, action) == action


@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize("start", [None, *(element.center for element in SCREEN)])
def test_a_swipe_comes_back_exactly(
    direction: Direction, start: tuple[float, float] | None
) -> None:
    action = actions.swipe_towards(direction, start)
    assert back_and_forth(OPTIONS, action) == action


@pytest.mark.parametrize(
    "text", ["Save", "Ada", "Save Ada as a friend", "as a", "Ada Lovelace", "Delete", *VOCABULARY]
)
def test_a_text_of_goal_screen_or_vocabulary_comes_back_exactly(text: str) -> None:
    assert back_and_forth(OPTIONS, actions.type_text(text)).text == text


@pytest.mark.parametrize("text", ["Grace Hopper", "save ada", "Ada as a friend!", "Ad", ""])
def test_a_text_that_stands_nowhere_has_no_decision(text: str) -> None:
    assert OPTIONS.decision(actions.type_text(text)) is None


@pytest.mark.parametrize(
    "action",
    [
        *(actions.press(key) for key in Key),
        actions.wait(),
        actions.complete(),
        actions.infeasible(),
    ],
    ids=actions.to_text,
)
def test_what_needs_no_target_comes_back_exactly(action: Action) -> None:
    assert back_and_forth(OPTIONS, action) == action


def test_every_kind_and_key_can_be_chosen() -> None:
    assert {kind for kind, _ in d.CHOICES} == BASIC_KINDS
    assert {kind for kind, _ in d.ALL_CHOICES} == set(Kind) - {Kind.OPEN_APP, Kind.DRAG}
    assert {key for kind, key in d.ALL_CHOICES if kind is Kind.PRESS} == set(Key)
    assert [d.CHOICES[i][0] for i in (d.TAP, d.LONG_PRESS, d.SWIPE, d.TYPE)] == [
        Kind.TAP,
        Kind.LONG_PRESS,
        Kind.SWIPE,
        Kind.TYPE,
    ]


@pytest.mark.parametrize("seed", range(10))
def test_every_decision_leads_to_a_decision_of_the_same_effect(seed: int) -> None:
    here = random_situation(seed)
    options = options_of(here)
    for decision in every_decision(here, later=True):
        action = options.action(decision)
        assert back_and_forth(options, action) == action


def test_an_answer_may_be_in_the_goal_on_the_screen_or_known() -> None:
    row = Element("item", "Time", "7:30 PM", bounds=(0.0, 0.4, 1.0, 0.5))
    options = Options("Which is cheaper, tea or milk?", (row,))
    for said in ("milk", "tea or milk", "Time", "7:30 PM", "yes", "none", "12"):
        assert back_and_forth(options, actions.answer(said)) == actions.answer(said)
    assert options.decision(actions.answer("coffee")) is None
    assert options.decision(actions.type_text("7:30 PM")) is None, "typed texts are as they were"


@pytest.mark.parametrize("action", [actions.open_app("Clock"), actions.drag(0.1, 0.1, 0.5, 0.5)])
def test_what_the_pointer_has_no_decision_for_has_none(action: Action) -> None:
    assert OPTIONS.decision(action) is None


def test_a_touch_beside_the_middle_means_the_element_on_top() -> None:
    above = Element("button", "OK", bounds=(0.15, 0.12, 0.25, 0.18))
    options = Options(GOAL, (BUTTON, above))
    assert options.decision(actions.tap(0.16, 0.13)) == (d.TAP, 1, 0)
    assert options.decision(actions.tap(0.11, 0.11)) == (d.TAP, 0, 0)


def test_a_touch_of_nothing_has_no_decision() -> None:
    assert OPTIONS.decision(actions.tap(0.99, 0.99)) is None


def test_of_two_elements_with_one_middle_either_has_the_same_effect() -> None:
    frame = Element("item", bounds=(0.0, 0.0, 0.4, 0.3))
    options = Options(GOAL, (BUTTON, frame))
    action = back_and_forth(options, actions.tap(*BUTTON.center))
    assert (action.x, action.y) == pytest.approx(BUTTON.center, abs=1e-9)


def test_spans_go_from_word_to_word_and_keep_what_is_between() -> None:
    options = Options('Call "Bob\'s Diner", at 7:05 PM!', ())
    assert [options.span(i, 1) for i in range(len(options.words))] == [
        *("Call", "Bob's", "Diner", "at", "7:05", "PM"),
    ]
    assert options.span(1, 2) == "Bob's Diner"
    assert options.span(2, 4) == 'Diner", at 7:05 PM'


def test_a_span_is_never_longer_than_its_bound() -> None:
    options = Options(" ".join(f"w{i}" for i in range(12)), ())
    longest = options.span(0, MAX_SPAN)
    assert options.decision(actions.type_text(longest)) == (d.TYPE, 0, MAX_SPAN - 1)
    assert options.decision(actions.type_text(options.span(0, MAX_SPAN + 1))) is None


def test_a_goal_without_words_is_a_word_as_a_whole() -> None:
    options = Options("?!", SCREEN)
    assert options.span(0, 1) == "?!"
    assert back_and_forth(options, actions.type_text("Ada Lovelace")).text == "Ada Lovelace"


def test_without_elements_the_cells_of_a_grid_can_be_touched() -> None:
    cells = candidates_of(situation(None).observation)
    assert cells == grid()
    assert len(cells) == GRID_COLUMNS * GRID_ROWS <= MAX_CANDIDATES
    covered = sum((c.bounds[2] - c.bounds[0]) * (c.bounds[3] - c.bounds[1]) for c in cells)
    assert covered == pytest.approx(1.0)
    options = Options(GOAL, cells)
    for x, y in ((0.01, 0.01), (0.5, 0.5), (0.99, 0.2), (1.0, 1.0)):
        action = back_and_forth(options, actions.tap(x, y))
        assert abs(action.x - x) <= 0.5 / GRID_COLUMNS + 1e-9
        assert abs(action.y - y) <= 0.5 / GRID_ROWS + 1e-9


def test_screen_whose_elements_nobody_lists_is_touched_by_the_grid() -> None:
    assert candidates_of(situation(()).observation) == candidates_of(situation(None).observation)
    assert len(candidates_of(situation(()).observation)) == GRID_COLUMNS * GRID_ROWS


def test_candidates_are_bounded() -> None:
    many = tuple(Element("text", str(i)) for i in range(MAX_CANDIDATES + 9))
    assert candidates_of(situation(many).observation) == many[:MAX_CANDIDATES]


def test_what_can_be_touched_is_kept_before_words() -> None:
    words = tuple(Element("text", str(i)) for i in range(MAX_CANDIDATES))
    buttons = tuple(Element("button", str(i)) for i in range(10))
    kept = candidates_of(situation((*words, *buttons)).observation)
    assert kept == (*words[: MAX_CANDIDATES - 10], *buttons)


def test_touch_on_words_that_lie_on_a_row_means_the_row() -> None:
    row = Element("item", "Row", bounds=(0.0, 0.0, 1.0, 0.2))
    words = Element("text", "Words", bounds=(0.1, 0.05, 0.4, 0.1))
    assert Options(GOAL, (row, words)).decision(actions.tap(0.15, 0.07)) == (d.TAP, 0, 0)
