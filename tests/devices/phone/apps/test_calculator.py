"""Calculator, driven by hand, and its arithmetic."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.devices.phone.driver import Driver

from distrl.devices.phone.apps.calculator import calculate

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])


def opened(layout: int = 1) -> Driver:
    driver = Driver(layout=layout)
    driver.open("calculator")
    return driver


def press(driver: Driver, keys: str) -> None:
    for key in keys:
        driver.tap(key, role="button")


def display(driver: Driver) -> str:
    return str(driver.var("entry", ""))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2+3x4", "14"),
        ("9-4-3", "2"),
        ("8/4/2", "1"),
        ("-5+2", "-3"),
        ("2x-3", "-6"),
        ("50%", "0.5"),
        ("200x10%", "20"),
        ("1/3", "0.33333333"),
        (".5+5.", "5.5"),
        ("0-0", "0"),
    ],
)
def test_arithmetic_follows_the_school_rules(expression: str, value: str) -> None:
    assert calculate(expression) == value


@pytest.mark.parametrize("expression", ["1/0", "5+", "+", "", "1.2.3", "5%%6", "2(3)", "9" * 13])
def test_what_has_no_value_is_an_error(expression: str) -> None:
    assert calculate(expression) == "Error"


@given(st.lists(st.integers(0, 999), min_size=1, max_size=6), st.text("+-x", min_size=6))
def test_whole_numbers_agree_with_python(numbers: list[int], signs: str) -> None:
    expression = str(numbers[0])
    terms, term = Fraction(0), Fraction(numbers[0])
    for number, sign in zip(numbers[1:], signs, strict=False):
        expression += f"{sign}{number}"
        if sign == "x":
            term *= number
        else:
            terms, term = terms + term, Fraction(number if sign == "+" else -number)
    expected = terms + term
    assert calculate(expression) == (str(expected) if abs(expected) < 10**12 else "Error")


@LAYOUTS
def test_keys_build_an_expression_and_equals_shows_its_value(layout: int) -> None:
    driver = opened(layout)
    press(driver, "12x3=")
    assert driver.sees("36")
    assert driver.sees("12x3 =")


def test_an_operator_goes_on_with_the_result_and_a_digit_begins_anew() -> None:
    driver = opened()
    press(driver, "4+5=x2=")
    assert display(driver) == "18"
    press(driver, "7")
    assert display(driver) == "7"


def test_division_by_zero_shows_an_error_that_the_next_number_replaces() -> None:
    driver = opened()
    press(driver, "5/0=")
    assert driver.sees("Error")
    press(driver, "8")
    assert display(driver) == "8"


def test_backspace_takes_back_one_key_and_clear_all() -> None:
    driver = opened()
    press(driver, "123")
    driver.tap_icon("backspace")
    assert display(driver) == "12"
    driver.tap("AC")
    assert driver.sees("0")
    assert display(driver) == ""


def test_a_second_operator_replaces_the_first() -> None:
    driver = opened()
    press(driver, "6+x2=")
    assert display(driver) == "12"


def test_the_sign_key_turns_a_number_round() -> None:
    driver = opened()
    press(driver, "6±")
    assert display(driver) == "-6"
    press(driver, "±")
    assert display(driver) == "6"


def test_the_history_gives_an_old_result_back() -> None:
    driver = opened()
    press(driver, "12+3=")
    driver.tap("AC")
    driver.tap("History")
    driver.tap("12+3 = 15")
    assert display(driver) == "15"
    driver.tap("History")
    driver.tap("Clear history")
    assert driver.sees("No calculations yet")


# Keys


@LAYOUTS
@pytest.mark.parametrize("key", "0123456789")
def test_each_digit_types_itself(key: str, layout: int) -> None:
    driver = opened(layout)
    press(driver, key)
    assert display(driver) == key


@LAYOUTS
def test_both_layouts_have_the_same_keys(layout: int) -> None:
    driver = opened(layout)
    assert sorted(driver.of_role("button")) == sorted(["", "AC", *"%/789x456-123+±0.="])
    assert "backspace" in [paint[0] for paint in driver.looks("round_button")]


def test_the_second_layout_has_one_two_three_on_top() -> None:
    rows = [[opened(layout).element(key, "button").bounds[1] for key in "147"] for layout in (1, 2)]
    assert rows[0] == sorted(rows[0], reverse=True)
    assert rows[1] == sorted(rows[1])


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        ("+", ""),
        ("x", ""),
        ("%", ""),
        ("-", "-"),
        ("--", "-"),
        ("-+", ""),
        ("5-x", "5x"),
        ("5%", "5%"),
        ("5%+", "5%+"),
        ("5+%", "5+%"),
        ("5+6±", "5+6"),
        ("-5±", "5"),
        ("±", ""),
        ("1.5.2", "1.5.2"),
    ],
)
def test_the_display_after_keys(keys: str, shown: str) -> None:
    driver = opened()
    press(driver, keys)
    assert display(driver) == shown


@pytest.mark.parametrize("keys", ["5+=", "1.5.2=", "-="])
def test_what_makes_no_sense_ends_in_an_error(keys: str) -> None:
    driver = opened()
    press(driver, keys)
    assert display(driver) == "Error"


@pytest.mark.parametrize("key", ["+", "%", "±", "AC"])
def test_an_error_is_wiped_by_the_next_key(key: str) -> None:
    driver = opened()
    press(driver, "5/0=")
    driver.tap(key, role="button")
    assert display(driver) == ""


def test_an_error_is_wiped_by_backspace_and_ignored_by_equals() -> None:
    driver = opened()
    press(driver, "5/0==")
    assert display(driver) == "Error"
    driver.tap_icon("backspace")
    assert display(driver) == ""


def test_equals_on_an_empty_display_does_nothing() -> None:
    driver = opened()
    press(driver, "=")
    assert (display(driver), driver.data("calculator")["recent"]) == ("", [])
    assert driver.sees("0")


def test_equals_twice_counts_once() -> None:
    driver = opened()
    press(driver, "2+2==")
    assert display(driver) == "4"
    assert driver.data("calculator")["recent"] == [["2+2", "4"]]


def test_the_display_takes_eighteen_characters() -> None:
    driver = opened()
    press(driver, "1234567890" * 2)
    assert display(driver) == "123456789012345678"
    press(driver, "+")
    assert display(driver) == "123456789012345678"


def test_a_percentage_of_a_result() -> None:
    driver = opened()
    press(driver, "40x5=%=")
    assert display(driver) == "2"


def test_a_finished_calculation_stays_above_its_result_until_the_next_key() -> None:
    driver = opened()
    press(driver, "2+3=")
    assert driver.sees("2+3 =")
    press(driver, "x")
    assert not driver.sees("2+3 =")
    assert driver.sees("5x")


def test_backspace_shortens_a_result() -> None:
    driver = opened()
    press(driver, "40+2=")
    driver.tap_icon("backspace")
    assert display(driver) == "4"


# History


@LAYOUTS
def test_the_history_has_the_newest_calculation_on_top(layout: int) -> None:
    driver = opened(layout)
    press(driver, "1+1=2+2=")
    driver.tap("History")
    assert driver.of_role("item") == ["2+2 = 4", "1+1 = 2"]


def test_the_history_forgets_the_oldest_of_more_than_twelve() -> None:
    driver = opened()
    for number in range(14):
        press(driver, f"{number}+1=")
    assert [e for e, _ in driver.data("calculator")["recent"]] == [
        f"{number}+1" for number in range(2, 14)
    ]
    driver.tap("History")
    assert len(driver.scroll_through()) == 12


def test_a_recalled_result_can_be_calculated_with() -> None:
    driver = opened()
    press(driver, "6x7=")
    driver.tap("AC")
    driver.tap("History")
    driver.tap("6x7 = 42")
    assert driver.element("Calculator", "tab").checked
    press(driver, "+1=")
    assert display(driver) == "43"


def test_calculating_leaves_nothing_lasting_behind() -> None:
    driver = opened()
    with driver.changes():
        press(driver, "6x7=")
        driver.tap("History")
        driver.tap("Clear history")
    assert not driver.sees("Clear history")


def test_the_display_survives_a_visit_to_the_home_screen() -> None:
    driver = opened()
    press(driver, "12x")
    driver.press("home")
    driver.open("calculator")
    press(driver, "3=")
    assert display(driver) == "36"


@given(st.text("0123456789.+-x/%", max_size=14))
def test_every_expression_has_a_number_or_an_error_as_its_value(expression: str) -> None:
    value = calculate(expression)
    assert value == "Error" or abs(float(value)) < 10**12
    assert len(value) <= 22


@given(st.integers(-(10**9), 10**9))
def test_a_number_is_its_own_value(number: int) -> None:
    assert calculate(str(number)) == str(number)
