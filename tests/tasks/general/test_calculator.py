"""What the goals in Calculator accept and what they do not."""

from __future__ import annotations

import pytest
from tests.tasks.general.posed import Posed


def test_the_answer_must_be_calculated_and_not_typed() -> None:
    posed = Posed("add_numbers", number=35, digit=7)
    posed.open("calculator")
    for key in "42":
        posed.tap(key, role="button")
    assert not posed.reached
    posed.tap("AC")
    for key in "35+7=":
        posed.tap(key, role="button")
    assert posed.reached


def test_the_answer_must_still_be_on_the_display() -> None:
    posed = Posed("multiply_numbers", number=21, digit=6)
    posed.solve()
    posed.tap("AC")
    assert not posed.reached
    posed.tap("History")
    assert not posed.reached


def test_a_slip_of_the_finger_is_taken_back() -> None:
    posed = Posed("add_numbers", number=35, digit=7)
    posed.open("calculator")
    for key in "35x":
        posed.tap(key, role="button")
    assert posed.solve() == 5
    assert posed.side_effects == ()


def test_an_expression_that_is_wrong_from_the_start_is_cleared() -> None:
    posed = Posed("add_numbers", number=35, digit=7)
    posed.open("calculator")
    for key in "999":
        posed.tap(key, role="button")
    assert posed.solve() == 7


def _press(posed: Posed, keys: str) -> None:
    for key in keys:
        posed.tap(key, role="button")


@pytest.mark.parametrize(
    ("template", "right", "wrong"),
    [("add_numbers", "35+7=", "35x7="), ("multiply_numbers", "35x7=", "35+7=")],
)
def test_another_calculation_is_not_the_one(template: str, right: str, wrong: str) -> None:
    posed = Posed(template, number=35, digit=7)
    posed.open("calculator")
    _press(posed, wrong)
    assert not posed.reached
    posed.tap("AC")
    _press(posed, right)
    assert posed.reached
    assert posed.side_effects == ()


@pytest.mark.parametrize("keys", ["7+35=", "30+12=", "21x2="])
def test_any_calculation_with_the_result_counts(keys: str) -> None:
    posed = Posed("add_numbers", number=35, digit=7)
    posed.open("calculator")
    _press(posed, keys)
    assert posed.reached


def test_the_result_counts_once_it_is_asked_for() -> None:
    posed = Posed("add_numbers", number=35, digit=7)
    posed.open("calculator")
    _press(posed, "35+7")
    assert not posed.reached
    _press(posed, "=")
    assert posed.reached


def test_a_result_that_is_calculated_further_is_lost() -> None:
    posed = Posed("multiply_numbers", number=21, digit=6)
    posed.open("calculator")
    _press(posed, "21x6=")
    assert posed.reached
    _press(posed, "+1=")
    assert not posed.reached


def test_a_result_behind_another_app_is_not_shown() -> None:
    posed = Posed("multiply_numbers", number=21, digit=6)
    posed.solve()
    posed.press("home")
    assert not posed.reached
    posed.open("calculator")
    assert posed.reached


@pytest.mark.parametrize("number", [10, 47, 99])
@pytest.mark.parametrize("digit", [2, 9])
def test_the_oracle_needs_one_press_per_key(number: int, digit: int) -> None:
    posed = Posed("multiply_numbers", number=number, digit=digit)
    posed.open("calculator")
    assert posed.solve() == 6
