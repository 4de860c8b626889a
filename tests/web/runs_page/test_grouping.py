from __future__ import annotations

import pytest
from tests.web.runs_page.made import line

from distrl.web.runs import State
from distrl.web.runs_page.grouping import common_name, group_runs


def test_seeds_of_one_setting_are_one_group_and_other_settings_another() -> None:
    lines = [line("b-1", 1), line("other", 0, key="others"), line("b-0", 0)]
    groups = group_runs(lines)
    assert [(group.name, group.runs, group.seeds) for group in groups] == [
        ("b", ("b-1", "b-0"), (0, 1)),
        ("other", ("other",), (0,)),
    ]
    assert groups[1].id == "other"
    assert groups[0].id == group_runs(lines[::-1])[0].id


def test_a_group_has_the_mean_of_its_seeds_and_the_worst_and_best_of_them() -> None:
    (group,) = group_runs([line("a", 0, 0.8, minutes=4.0), line("b", 1, 0.6, minutes=2.0)])
    assert group.after is not None
    assert group.after.mean == pytest.approx(0.7)
    assert (group.after.lowest, group.after.highest, group.after.runs) == (0.6, 0.8, 2)
    assert (group.minutes, group.best) == (3.0, "a")


def test_seeds_play_the_same_tasks_so_that_more_of_them_make_no_narrower_interval() -> None:
    (one,) = group_runs([line("a", 0, 0.7)])
    (three,) = group_runs([line(name, seed, 0.7) for seed, name in enumerate("abc")])
    assert one.after is not None
    assert three.after is not None
    assert (three.after.low, three.after.high) == (one.after.low, one.after.high)


def test_the_fewest_tasks_of_any_seed_decide_how_sure_a_mean_is() -> None:
    few = line("a", 0, 0.5, evaluated=10)
    (group,) = group_runs([few, line("b", 1, 0.5, evaluated=1000)])
    assert group.after is not None
    assert (group.after.low, group.after.high) == (few.after_low, few.after_high)
    assert group.evaluated == 10


def test_runs_without_a_figure_take_no_part_in_its_mean() -> None:
    (group,) = group_runs([line("a", 0, 0.8), line("b", 1, state=State.RUNNING)])
    assert group.after is not None
    assert (group.after.mean, group.after.runs, len(group.runs)) == (0.8, 1, 2)
    assert group.states == {"finished": 1, "running": 1}
    assert (group.before, group.updates) == (None, None)


def test_broken_runs_and_those_without_settings_stand_alone() -> None:
    lines = [
        line("sound", 0, 0.5),
        line("broken", 1, state=State.BROKEN, problems=("why",)),
        line("foreign", 2, key=None),
        line("alien", 3, key=None),
    ]
    assert [group.runs for group in group_runs(lines)] == [
        ("sound",), ("broken",), ("foreign",), ("alien",)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("names", "common"),
    [
        (["quickstart-seed0", "quickstart-seed1"], "quickstart"),
        (["run-1", "run-12"], "run"),
        (["a_s1", "a_s2", "a_s10"], "a"),
        (["ppo (2)", "ppo"], "ppo"),
        (["left", "right"], "left and 1 more"),
        (["1", "2", "3"], "1 and 2 more"),
        (["seeds-0", "seeds-1"], "seeds"),
    ],
)
def test_a_group_is_called_what_its_runs_are_called(names: list[str], common: str) -> None:
    assert common_name(names) == common
