"""What the goals in Calculator accept and what they do not."""

from __future__ import annotations

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
