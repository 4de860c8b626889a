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
