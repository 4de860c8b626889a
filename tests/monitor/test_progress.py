import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.monitor.progress import (
    Progress,
    Stage,
    StageBudget,
    learn_duration,
    next_position,
    run_progress,
    stage_progress,
)

PLAN = (
    Stage(name="encoding", seconds=10),
    Stage(name="evaluating", seconds=20, kind="evaluating"),
    Stage(name="training", seconds=100),
    Stage(name="evaluating", seconds=20, kind="evaluating"),
)


@pytest.mark.parametrize(
    ("budget", "spent", "done", "found"),
    [
        (StageBudget(), 5, 0, Progress()),
        (StageBudget(seconds=math.inf), 5, 0, Progress()),
        (StageBudget(seconds=100), 25, 0, Progress(0.25, 75)),
        (StageBudget(seconds=100), 500, 0, Progress(1.0, 0)),
        (StageBudget(total=60), 5, 0, Progress(0.0)),
        (StageBudget(total=60), 5, 15, Progress(0.25, 15)),
        (StageBudget(seconds=100, total=60), 10, 30, Progress(0.5, 10)),
        (StageBudget(seconds=100, total=60), 50, 6, Progress(0.5, 50)),
    ],
)
def test_a_stage_ends_with_the_budget_that_is_spent_first(
    budget: StageBudget, spent: float, done: float, found: Progress
) -> None:
    assert stage_progress(budget, spent, done) == found


def test_the_bar_of_a_run_gives_each_stage_its_part() -> None:
    assert run_progress(PLAN, 0, Progress(0.0), 0).share == 0
    assert run_progress(PLAN, 2, Progress(0.5, 50), 50) == Progress(80 / 150, 70)
    assert run_progress(PLAN, 3, Progress(1.0, 0), 9) == Progress(1.0, 0)


def test_a_stage_of_unknown_length_moves_on_by_its_expected_time() -> None:
    assert run_progress(PLAN, 0, Progress(), 10) == Progress(5 / 150, 140)
    assert run_progress(PLAN, 0, Progress(), 1e6).share == pytest.approx(10 / 150, rel=1e-3)


def test_nobody_says_how_long_a_run_takes_while_a_stage_to_come_is_unknown() -> None:
    plan = (*PLAN, Stage(name="report"))
    assert run_progress(plan, 2, Progress(0.5, 50), 50).left is None
    assert run_progress(plan, 4, Progress(0.5, 5), 5).left == 5


@given(
    st.lists(st.none() | st.floats(0, 1e4), min_size=2, max_size=8),
    st.floats(0.1, 1e4),
    st.lists(st.floats(0.02, 1), min_size=2, max_size=5),
)
def test_at_a_steady_pace_a_bar_rises_and_does_not_jump_where_a_stage_ends(
    guesses: list[float | None], takes: float, shares: list[float]
) -> None:
    # All of one kind: what was guessed of the later ones was as wrong.
    plan = [Stage(name=str(i), seconds=each, kind="evaluating") for i, each in enumerate(guesses)]

    def seen(share: float) -> float:
        return run_progress(plan, 0, Progress(share, 1.0), share * takes).share or 0.0

    shown = [seen(share) for share in (*sorted(shares), 1.0)]
    assert all(later >= earlier - 1e-9 for earlier, later in pairwise(shown))
    assert 0 <= shown[0] <= shown[-1] <= 1 + 1e-9
    learned = learn_duration(plan, 0, takes)
    assert run_progress(learned, 1, Progress(0.0, 1.0), 0.0).share == pytest.approx(shown[-1])


def test_a_phase_is_the_next_stage_of_its_name() -> None:
    assert next_position(PLAN, None, "evaluating") == 1
    assert next_position(PLAN, 1, "evaluating") == 3
    assert next_position(PLAN, 3, "evaluating") is None
    assert next_position((), None, "training") is None


def test_what_a_stage_took_is_expected_of_later_ones_of_its_kind() -> None:
    learned = learn_duration(PLAN, 1, 33.0)
    assert [stage.seconds for stage in learned] == [10, 33, 100, 33]
    assert [stage.seconds for stage in learn_duration(PLAN, 0, 33.0)] == [33, 20, 100, 20]
