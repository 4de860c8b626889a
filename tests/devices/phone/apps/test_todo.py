"""Tasks, driven by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.devices.phone.driver import Driver

LAYOUTS = pytest.mark.parametrize("layout", [1, 2])


def task(title: str, *, chosen: str = "personal", **more: bool) -> dict[str, Any]:
    return {"title": title, "list": chosen, "done": False, "starred": False, **more}


def opened(layout: int = 1, **tasks: dict[str, Any]) -> Driver:
    driver = Driver(layout=layout)
    driver.change("apps", "todo", "tasks", to=tasks)
    driver.open("todo")
    return driver


def tasks(driver: Driver) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = driver.data("todo")["tasks"]
    return found


def titles(driver: Driver) -> list[str]:
    return [e.text for e in driver.elements if e.role == "item"]


@LAYOUTS
def test_a_typed_task_lands_on_the_list_that_is_shown(layout: int) -> None:
    driver = opened(layout)
    driver.tap("Work", role="tab")
    driver.tap_icon("add")
    driver.type("Sort the mail")
    driver.tap("Save")
    assert list(tasks(driver).values()) == [task("Sort the mail", chosen="work")]
    assert titles(driver) == ["Sort the mail"]


def test_enter_saves_a_task_and_an_empty_one_is_refused() -> None:
    driver = opened()
    driver.tap_icon("add")
    driver.press("enter")
    assert driver.page == "add"
    driver.fill("What is to be done?", "Buy stamps")
    driver.press("enter")
    assert driver.page == "main"
    assert len(tasks(driver)) == 1


@LAYOUTS
def test_the_box_ticks_and_unticks(layout: int) -> None:
    driver = opened(layout, stamps=task("Buy stamps"))
    driver.tap("Buy stamps", role="checkbox")
    assert tasks(driver)["stamps"]["done"]
    assert driver.sees("Completed (1)")
    driver.tap("Buy stamps", role="checkbox")
    assert not tasks(driver)["stamps"]["done"]


@LAYOUTS
def test_the_star_carries_no_words_in_either_state(layout: int) -> None:
    driver = opened(layout, stamps=task("Buy stamps"))
    before = driver.elements
    driver.tap_icon("star")
    assert tasks(driver)["stamps"]["starred"]
    assert driver.elements == before


def test_done_tasks_stand_below_the_others() -> None:
    driver = opened(one=task("Buy stamps", done=True), two=task("Sort the mail"))
    assert titles(driver) == ["Sort the mail", "Buy stamps"]


def test_clearing_removes_what_is_done_on_this_list_only() -> None:
    driver = opened(
        one=task("Buy stamps", done=True),
        two=task("Sort the mail"),
        three=task("Mow the lawn", chosen="home", done=True),
    )
    driver.tap_icon("more")
    driver.tap("Clear completed")
    assert set(tasks(driver)) == {"two", "three"}


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("Date added", ["Sort the mail", "Buy stamps", "Mow the lawn"]),
        ("Name", ["Buy stamps", "Mow the lawn", "Sort the mail"]),
        ("Starred first", ["Mow the lawn", "Sort the mail", "Buy stamps"]),
    ],
)
def test_a_list_is_sorted_as_chosen(order: str, expected: list[str]) -> None:
    driver = opened(
        one=task("Sort the mail"),
        two=task("Buy stamps"),
        three=task("Mow the lawn", starred=True),
    )
    driver.tap_icon("sort")
    driver.tap(order)
    assert titles(driver) == expected


def test_a_task_is_deleted_on_its_own_page() -> None:
    driver = opened(stamps=task("Buy stamps"))
    driver.tap("Buy stamps", role="item")
    driver.tap("Mark as done")
    assert tasks(driver)["stamps"]["done"]
    driver.tap_icon("delete")
    assert tasks(driver) == {}
    assert driver.sees("Nothing to do")


def test_the_page_of_a_deleted_task_says_so() -> None:
    driver = opened(stamps=task("Buy stamps"))
    driver.tap("Buy stamps", role="item")
    driver.change("apps", "todo", "tasks", to={})
    assert driver.sees("This task was deleted")
