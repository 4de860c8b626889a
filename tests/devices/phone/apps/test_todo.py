"""Tasks, driven by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.devices.phone.driver import Driver

from distrl import actions

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
    driver.tap("Navigate up")
    assert driver.page == "main"


@LAYOUTS
@pytest.mark.parametrize("title", ["Personal", "Work", "Home"])
def test_each_tab_shows_the_tasks_of_its_list(title: str, layout: int) -> None:
    driver = opened(layout, **{key: task(key, chosen=key) for key in ("personal", "work", "home")})
    driver.tap(title, role="tab")
    assert titles(driver) == [title.lower()]
    assert driver.element(title, "tab").checked


@LAYOUTS
def test_box_and_star_change_only_their_own_task(layout: int) -> None:
    driver = opened(layout, one=task("Buy stamps"), two=task("Sort the mail"))
    with driver.changes("apps.todo.tasks.two.done"):
        driver.tap("Sort the mail", role="checkbox")
    with driver.changes("apps.todo.tasks.one.starred"):
        driver.tap_icon("star")


def test_box_and_star_change_sides_with_the_layout() -> None:
    for layout in (1, 2):
        driver = opened(layout, one=task("Buy stamps"))
        box = driver.element("Buy stamps", "checkbox")
        assert (box.bounds[0] < 0.5) == (layout == 1)


def test_a_starred_task_shows_a_filled_star_and_can_lose_it() -> None:
    driver = opened(one=task("Buy stamps", starred=True))
    driver.tap_icon("star_filled")
    assert not tasks(driver)["one"]["starred"]
    assert "star" in driver.icons()


def test_the_heading_counts_what_is_done() -> None:
    driver = opened(one=task("Buy stamps", done=True), two=task("Sort the mail", done=True))
    assert driver.sees("Completed (2)")
    driver.tap("Sort the mail", role="checkbox")
    assert driver.sees("Completed (1)")
    driver.tap("Buy stamps", role="checkbox")
    assert not driver.shows("Completed")


def test_marking_all_as_done_leaves_the_other_lists() -> None:
    driver = opened(
        one=task("Buy stamps"), two=task("Sort the mail", done=True), far=task("x", chosen="work")
    )
    driver.tap_icon("more")
    with driver.changes("apps.todo.tasks.one.done"):
        driver.tap("Mark all as done")
    assert driver.page == "main"


def test_clearing_says_so_and_an_empty_list_too() -> None:
    driver = opened(one=task("Buy stamps", done=True))
    driver.tap_icon("more")
    driver.tap("Clear completed")
    assert driver.sees("Completed tasks cleared")
    assert driver.sees("Nothing to do")


def test_the_menu_works_on_the_list_that_is_shown() -> None:
    driver = opened(one=task("Buy stamps", done=True), two=task("Mow", chosen="home", done=True))
    driver.tap("Home", role="tab")
    driver.tap_icon("more")
    driver.tap("Clear completed")
    assert set(tasks(driver)) == {"one"}


def test_the_order_is_kept_and_marked_in_the_dialog() -> None:
    driver = opened(one=task("Buy stamps"))
    driver.tap_icon("sort")
    assert driver.element("Date added", "radio").checked
    with driver.changes("apps.todo.order"):
        driver.tap("Name")
    driver.press("home")
    driver.open("todo")
    driver.tap_icon("sort")
    assert driver.element("Name", "radio").checked
    with driver.changes():
        driver.back()


def test_the_page_of_a_task_tells_its_list_and_status() -> None:
    driver = opened(one=task("Buy stamps"))
    driver.tap("Buy stamps", role="item")
    assert driver.element("List").description == "Personal"
    assert driver.element("Status").description == "Open"
    driver.tap("Mark as done")
    assert driver.element("Status").description == "Completed"
    driver.tap("Mark as not done")
    assert not tasks(driver)["one"]["done"]


def test_a_task_is_starred_on_its_page() -> None:
    driver = opened(one=task("Buy stamps"))
    driver.tap("Buy stamps", role="item")
    with driver.changes("apps.todo.tasks.one.starred"):
        driver.tap_icon("star")
    assert "star_filled" in driver.icons()


def test_deleting_takes_only_the_task_that_is_open() -> None:
    driver = opened(one=task("Buy stamps"), two=task("Sort the mail"))
    driver.tap("Sort the mail", role="item")
    with driver.changes("apps.todo.tasks.two"):
        driver.tap_icon("delete")
    assert driver.sees("Task deleted")
    assert titles(driver) == ["Buy stamps"]


@pytest.mark.parametrize("typed", ["", "   "])
def test_a_task_needs_words(typed: str) -> None:
    driver = opened()
    driver.tap_icon("add")
    if typed:
        driver.type(typed)
    assert not driver.can_tap("Save")
    with driver.changes():
        driver.press("enter")
    assert driver.page == "add"


def test_a_task_is_saved_without_outer_blanks_and_touches_no_other() -> None:
    driver = opened(one=task("Buy stamps"))
    driver.tap_icon("add")
    driver.type("  Mow the lawn ")
    with driver.changes("apps.todo.tasks.task-*"):
        driver.tap("Save")
    assert driver.sees("Task added")
    assert titles(driver) == ["Buy stamps", "Mow the lawn"]


def test_all_of_many_tasks_are_reached_by_scrolling() -> None:
    driver = opened(1, **{f"t{i}": task(f"Task {i:02d}") for i in range(30)})
    assert driver.scroll_through() == [f"Task {i:02d}" for i in range(30)]


def test_the_chosen_list_is_kept_while_the_app_is_away() -> None:
    driver = opened()
    driver.tap("Work", role="tab")
    driver.press("home")
    driver.open("todo")
    assert driver.element("Work", "tab").checked


@LAYOUTS
def test_a_task_is_dragged_to_another_place_of_its_list(layout: int) -> None:
    mixed = {"a": task("A"), "w": task("W", chosen="work"), "b": task("B"), "c": task("C")}
    driver = opened(layout, **mixed, d=task("D", done=True))
    drag_onto(driver, "C", "A")
    assert driver.of_role("item")[:3] == ["C", "A", "B"]
    drag_onto(driver, "C", "B")
    assert driver.of_role("item")[:3] == ["A", "B", "C"]
    assert list(tasks(driver)) == ["a", "w", "b", "c", "d"]
    drag_onto(driver, "A", "D")
    assert driver.of_role("item")[:4] == ["B", "C", "A", "D"], "not into what is done"


def test_a_swipe_moves_no_task_and_neither_does_a_drag_in_a_sorted_list() -> None:
    driver = opened(a=task("A"), b=task("B"))
    driver.perform(actions.swipe(*driver.element("B").center, *driver.element("A").center))
    assert list(tasks(driver)) == ["a", "b"]
    driver.change("apps", "todo", "order", to="name")
    drag_onto(driver, "B", "A")
    assert list(tasks(driver)) == ["a", "b"]


def drag_onto(driver: Driver, title: str, other: str) -> None:
    ends = (*driver.element(title, "item").center, *driver.element(other, "item").center)
    driver.perform(actions.drag(*ends))
