"""Cookbook, driven by hand on a phone that was given it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.devices.phone.driver import Driver

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])


def opened(layout: int = 1, **recipes: dict[str, Any]) -> Driver:
    driver = Driver(layout=layout)
    driver.change("system", "layouts", "cookbook", to=layout)
    driver.change("apps", "cookbook", to={"recipes": recipes})
    driver.open("cookbook")
    return driver


def recipe(title: str) -> dict[str, Any]:
    return {"title": title, "servings": 1, "cooked": False}


@LAYOUTS
def test_a_typed_recipe_is_added(layout: int) -> None:
    driver = opened(layout)
    assert driver.shows("No recipes")
    driver.tap_icon("add")
    driver.press("enter")
    assert not driver.can_tap("Save recipe")
    driver.fill("Name of the dish", "Fennel soup")
    driver.tap("Save recipe")
    assert driver.page == "main"
    (added,) = driver.data("cookbook")["recipes"].values()
    assert added == {"title": "Fennel soup", "servings": 2, "cooked": False}


@LAYOUTS
def test_recipes_stand_by_name_and_say_whether_they_were_cooked(layout: int) -> None:
    driver = opened(layout, b=recipe("Onion tart"), a=recipe("Corn chowder"))
    assert driver.of_role("item") == ["Corn chowder", "Onion tart"]
    driver.tap("Onion tart")
    driver.tap("I cooked this")
    assert not driver.sees("I cooked this")
    driver.back()
    assert driver.shows("cooked")


def test_servings_never_fall_below_one() -> None:
    driver = opened(tart=recipe("Onion tart"))
    driver.tap("Onion tart")
    driver.tap("One serving more")
    assert driver.data("cookbook")["recipes"]["tart"]["servings"] == 2
    driver.tap("One serving less")
    driver.tap("One serving less")
    assert driver.data("cookbook")["recipes"]["tart"]["servings"] == 1


def test_a_recipe_is_deleted_only_after_a_question() -> None:
    driver = opened(tart=recipe("Onion tart"))
    driver.tap("Onion tart")
    driver.tap_icon("delete")
    driver.tap("Keep")
    assert "tart" in driver.data("cookbook")["recipes"]
    driver.tap_icon("delete")
    driver.tap("Delete")
    assert driver.page == "main"
    assert driver.data("cookbook")["recipes"] == {}
