"""What the goals in Tasks accept and what they do not."""

from __future__ import annotations

from tests.tasks.general.posed import Posed, added, neighbour

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


def _open_task(posed: Posed, title: str, tab: str) -> None:
    posed.open("todo")
    posed.tap(tab, role="tab")
    posed.tap(title, role="item")


def test_the_task_to_add_is_on_no_list_at_the_start() -> None:
    for seed in range(8):
        posed = Posed("add_task", seed, title="Buy stamps", list="Work")
        assert all(t["title"] != "Buy stamps" for t in posed.data("todo")["tasks"].values())
        assert not posed.reached


def test_a_new_task_may_be_entered_with_the_enter_key() -> None:
    posed = Posed("add_task", title="Buy stamps", list="Personal")
    posed.open("todo")
    posed.tap("Personal", role="tab")
    posed.tap_icon("add")
    posed.type("Buy stamps")
    assert not posed.reached
    posed.press("enter")
    assert posed.reached
    assert posed.side_effects == ()


def test_a_new_task_that_is_ticked_at_once_is_no_longer_to_be_done() -> None:
    posed = Posed("add_task", title="Buy stamps", list="Work")
    posed.solve()
    _open_task(posed, "Buy stamps", "Work")
    posed.tap("Mark as done")
    assert not posed.reached
    posed.tap("Mark as not done")
    assert posed.reached


def test_a_task_on_the_wrong_list_stays_as_a_side_effect() -> None:
    posed = Posed("add_task", title="Buy stamps", list="Work")
    posed.open("todo")
    posed.tap("Home", role="tab")
    before = posed.data("todo")["tasks"]
    posed.tap_icon("add")
    posed.type("Buy stamps")
    posed.tap("Save")
    wrong = added(posed.data("todo")["tasks"], before)
    posed.solve()
    assert posed.side_effects == (f"apps.todo.tasks.{wrong}",)


def test_a_task_can_be_finished_on_its_own_page() -> None:
    posed = Posed("finish_task", title="Buy stamps", list="Home")
    _open_task(posed, "Buy stamps", "Home")
    posed.tap("Mark as done")
    assert posed.reached
    assert posed.side_effects == ()
    posed.tap("Mark as not done")
    assert not posed.reached


def test_finishing_everything_finishes_too_much() -> None:
    posed = Posed("finish_task", title="Buy stamps", list="Work")
    posed.open("todo")
    posed.tap("Work", role="tab")
    posed.tap_icon("more")
    posed.tap("Mark all as done")
    assert posed.reached
    tasks = posed.data("todo")["tasks"]
    assert posed.side_effects
    assert all(tasks[effect.split(".")[3]]["list"] == "work" for effect in posed.side_effects)


def test_a_task_can_be_starred_on_its_own_page_and_the_star_taken_back() -> None:
    posed = Posed("star_task", title="Buy stamps", list="Home")
    _open_task(posed, "Buy stamps", "Home")
    posed.tap_icon("star")
    assert posed.reached
    assert posed.side_effects == ()
    posed.tap_icon("star_filled")
    assert not posed.reached


def test_a_star_for_a_neighbour_is_a_side_effect() -> None:
    posed = Posed("star_task", title="Buy stamps", list="Home")
    key, other = neighbour(posed.data("todo")["tasks"], list="home", starred=False, done=False)
    _open_task(posed, other["title"], "Home")
    posed.tap_icon("star")
    assert not posed.reached
    assert posed.side_effects == (f"apps.todo.tasks.{key}.starred",)


def test_a_finished_task_is_not_deleted() -> None:
    posed = Posed("delete_task", title="Buy stamps", list="Personal")
    _open_task(posed, "Buy stamps", "Personal")
    posed.tap("Mark as done")
    assert not posed.reached
    assert posed.side_effects == ("apps.todo.tasks.target.done",)
    posed.tap_icon("delete")
    assert posed.reached
    assert posed.side_effects == ()


def test_clearing_completed_tasks_also_deletes_a_finished_one() -> None:
    posed = Posed("delete_task", title="Buy stamps", list="Work")
    others = {
        k for k, t in posed.data("todo")["tasks"].items() if t["list"] == "work" and t["done"]
    }
    _open_task(posed, "Buy stamps", "Work")
    posed.tap("Mark as done")
    posed.press("back")
    posed.tap_icon("more")
    posed.tap("Clear completed")
    assert posed.reached
    assert set(posed.side_effects) == {f"apps.todo.tasks.{key}" for key in others}


def test_deleting_the_neighbour_of_a_task_is_a_side_effect() -> None:
    posed = Posed("delete_task", title="Buy stamps", list="Work")
    key, other = neighbour(posed.data("todo")["tasks"], list="work", done=False)
    _open_task(posed, other["title"], "Work")
    posed.tap_icon("delete")
    assert not posed.reached
    assert posed.side_effects == (f"apps.todo.tasks.{key}",)


def test_completed_tasks_may_be_deleted_one_by_one() -> None:
    posed = Posed("clear_completed", list="Home")
    done = [t["title"] for t in posed.data("todo")["tasks"].values() if t["done"]]
    done = [title for title in done if _list_of(posed, title) == "home"]
    assert len(done) == 3
    for title in done:
        assert not posed.reached
        _open_task(posed, title, "Home")
        posed.tap_icon("delete")
        posed.press("back")
    assert posed.reached
    assert posed.side_effects == ()


def _list_of(posed: Posed, title: str) -> str:
    tasks = posed.data("todo")["tasks"].values()
    return next(str(task["list"]) for task in tasks if task["title"] == title)


def test_unticking_the_completed_tasks_does_not_clear_them() -> None:
    posed = Posed("clear_completed", list="Work")
    for key in ("done0", "done1", "done2"):
        posed.change("apps", "todo", "tasks", key, "done", to=False)
    assert not posed.reached


def test_clearing_the_wrong_list_is_a_side_effect() -> None:
    posed = Posed("clear_completed", list="Work")
    key, _ = neighbour(posed.data("todo")["tasks"], list="home", done=False)
    posed.change("apps", "todo", "tasks", key, "done", to=True)
    posed.open("todo")
    posed.tap("Home", role="tab")
    posed.tap_icon("more")
    posed.tap("Clear completed")
    assert not posed.reached
    assert f"apps.todo.tasks.{key}" in posed.side_effects


def test_one_of_five_tasks_has_a_star_and_ticking_another_is_a_side_effect() -> None:
    posed = Posed("finish_starred", list="Personal")
    tasks = [t for t in posed.data("todo")["tasks"].values() if t["list"] == "personal"]
    assert [t["starred"] for t in tasks].count(True) == 1
    assert len(tasks) == 5
    key, plain = neighbour(posed.data("todo")["tasks"], list="personal")
    _open_task(posed, plain["title"], "Personal")
    posed.tap("Mark as done")
    assert not posed.reached
    assert posed.side_effects == (f"apps.todo.tasks.{key}.done",)
    posed.solve()
