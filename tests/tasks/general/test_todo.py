"""What the goals in Tasks accept and what they do not."""

from __future__ import annotations

from tests.tasks.general.posed import Posed

from distrl.actions import to_text


def test_a_task_on_another_list_is_not_enough() -> None:
    posed = Posed("add_task", title="Buy stamps", list="Work")
    posed.open("todo")
    posed.tap_icon("add")
    posed.type("Buy stamps")
    posed.tap("Save")
    assert not posed.reached
    posed.solve()


def test_ticking_another_task_is_a_side_effect() -> None:
    posed = Posed("finish_task", title="Buy stamps", list="Personal")
    posed.open("todo")
    tasks = posed.data("todo")["tasks"]
    key, other = next((k, t) for k, t in tasks.items() if t["list"] == "personal" and k != "target")
    posed.tap(other["title"], role="checkbox")
    assert not posed.reached
    assert posed.side_effects == (f"apps.todo.tasks.{key}.done",)


def test_the_star_goes_to_the_row_of_the_task() -> None:
    posed = Posed("star_task", title="Buy stamps", list="Home")
    posed.solve()
    assert posed.data("todo")["tasks"]["target"]["starred"]
    assert posed.side_effects == ()


def test_clearing_leaves_the_other_lists_alone() -> None:
    posed = Posed("clear_completed", list="Work")
    posed.solve()
    assert posed.side_effects == ()


def test_a_task_that_lost_its_tick_is_ticked_again_before_clearing() -> None:
    posed = Posed("clear_completed", list="Personal")
    posed.change("apps", "todo", "tasks", "done1", "done", to=False)
    posed.solve()
    assert posed.side_effects == ()


def test_the_starred_task_can_only_be_seen() -> None:
    seen = {}
    for seed in range(8):
        posed = Posed("finish_starred", seed, list="Personal")
        posed.open("todo")
        seen[to_text(posed.next_action())] = posed.elements
    assert len(seen) > 1
    assert len(set(seen.values())) == 1
