import pytest
from tests.run.report.stories import AFTER, BEFORE, episode_of, report_of

from distrl import actions
from distrl.run.report import Comparison, evaluation_numbers, pick_episodes
from distrl.types import Outcome


def test_templates_are_told_by_their_gain_and_then_by_what_succeeds_least() -> None:
    rows = Comparison(name="general/test", before=BEFORE, after=AFTER).rows
    assert [after.template for _, after in rows] == ["set_alarm", "send_mail", "open_app"]
    assert all(before is not None and before.template == row.template for before, row in rows)


def test_a_template_without_a_start_is_told_all_the_same() -> None:
    before = report_of({"open_app": "ss"})
    rows = Comparison(name="general/test", before=before, after=AFTER).rows
    assert [(old is None, new.template) for old, new in rows] == [
        (True, "send_mail"),
        (False, "open_app"),
        (True, "set_alarm"),
    ]
    assert all(old is None for old, _ in Comparison(name="x", before=None, after=AFTER).rows)


def test_an_evaluation_is_recorded_with_the_ends_of_its_interval() -> None:
    row = AFTER.overall
    assert evaluation_numbers("general", "test", row) == {
        "evaluate/success/general/test": row.success,
        "evaluate/low/general/test": row.low,
        "evaluate/high/general/test": row.high,
    }


def test_an_evaluation_of_older_weights_is_recorded_with_their_minutes() -> None:
    numbers = evaluation_numbers("general", "val", AFTER.overall, minutes=1.5)
    assert numbers["run/minutes"] == 1.5


def test_an_evaluation_in_which_nothing_counts_records_nothing() -> None:
    assert evaluation_numbers("general", "test", report_of({"a": ""}).overall) == {}


def test_the_best_are_long_successes_without_penalties_and_of_different_templates() -> None:
    two, four = [actions.wait()] * 2, [actions.wait()] * 4
    episodes = [
        episode_of(two, template="a", id="short"),
        episode_of(four, template="a", id="long"),
        episode_of(four, template="a", id="penalised", penalties={"repeat": -0.1}),
        episode_of(two, template="b", id="other"),
        episode_of(four, template="c", id="failed", outcome=Outcome.STEP_LIMIT),
        episode_of(four, template="d", id="lost", outcome=Outcome.DEVICE_LOST),
        episode_of([], template="e", id="empty"),
    ]
    best, _ = pick_episodes(episodes, count=3)
    assert [episode.id for episode in best] == ["long", "other", "short"]


def test_the_worst_claimed_success_or_were_penalised_most() -> None:
    steps = [actions.wait()]
    episodes = [
        episode_of(steps, template="a", id="limit", outcome=Outcome.STEP_LIMIT),
        episode_of(
            steps, template="b", id="nagged", outcome=Outcome.STEP_LIMIT, penalties={"repeat": 0.3}
        ),
        episode_of(steps, template="c", id="liar", outcome=Outcome.FALSE_COMPLETE),
        episode_of(steps, template="d", id="fine"),
    ]
    _, worst = pick_episodes(episodes, count=2)
    assert [episode.id for episode in worst] == ["liar", "nagged"]


@pytest.mark.parametrize("count", [0, 1, 5])
def test_no_more_episodes_are_picked_than_there_are(count: int) -> None:
    best, worst = pick_episodes([episode_of([actions.wait()])], count=count)
    assert len(best) == min(count, 1)
    assert worst == ()
