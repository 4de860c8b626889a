from __future__ import annotations

from dataclasses import replace

import pytest
from tests.collect.judging.test_noisy_judge import episode
from tests.collect.judging.test_verdicts import OddJudge
from tests.tasks.judges.episodes import lost, make_episode

from distrl.collect.evaluation.statistics import wilson_interval
from distrl.collect.judging.audit import Judged, audit, figures, judge_all
from distrl.collect.judging.verdicts import rewarded
from distrl.types import Choice, Episode, Outcome, Verdict


def rows(known: bool, said: bool | None, count: int, **more: object) -> list[Judged]:
    made = Judged(known=known, said=said, reason="", version=0, trick=None)
    return [replace(made, **more) for _ in range(count)]  # type: ignore[arg-type]


MIXED = [
    *rows(True, True, 6),
    *rows(True, False, 2),
    *rows(False, False, 9),
    *rows(False, True, 1),
    *rows(False, None, 2),
]


def test_shares_are_of_what_was_decided() -> None:
    found = figures("ocr", "all", MIXED)
    assert found.episodes == 20
    assert found.agreement == pytest.approx(15 / 18)
    assert found.false_positive == pytest.approx(1 / 10)
    assert found.false_negative == pytest.approx(2 / 8)
    assert found.void == pytest.approx(2 / 20)
    assert found.apart == pytest.approx((7 - 8) / 18)
    assert found.fake_verdicts_accepted == 0


def test_every_share_has_its_interval() -> None:
    found = figures("ocr", "all", MIXED)
    assert (found.agreement_low, found.agreement_high) == wilson_interval(15, 18)
    assert (found.false_positive_low, found.false_positive_high) == wilson_interval(1, 10)
    assert (found.false_negative_low, found.false_negative_high) == wilson_interval(2, 8)


def test_nothing_decided_gives_no_share() -> None:
    found = figures("ocr", "all", rows(False, None, 3))
    assert (found.agreement, found.false_positive, found.false_negative) == (None, None, None)
    assert (found.void, found.apart) == (1.0, None)
    assert not found.alarming


@pytest.mark.parametrize(("wrong", "alarming"), [(9, False), (10, False), (11, True)])
def test_more_than_ten_points_apart_is_alarming(wrong: int, alarming: bool) -> None:
    judged = [*rows(False, True, wrong), *rows(False, False, 100 - wrong)]
    assert figures("vlm", "all", judged).alarming is alarming


def test_fakes_that_were_accepted_are_counted_by_trick() -> None:
    judged = [
        *rows(False, True, 2, trick="orders"),
        *rows(False, None, 3, trick="orders"),
        *rows(False, False, 4, trick="blank"),
        *rows(False, True, 5),
    ]
    whole, blank, orders = audit("vlm", judged)
    assert whole.fake_verdicts_accepted == orders.fake_verdicts_accepted == 2
    assert (blank.part, blank.fake_verdicts_accepted) == ("blank", 0)


def test_drift_is_the_last_quarter_less_the_first() -> None:
    judged = [
        *(row for v in range(8) for row in rows(True, True, 2, version=v)),
        *(row for v in range(8, 16) for row in rows(True, False, 2, version=v)),
    ]
    whole, *quarters = audit("vlm", judged)
    assert [quarter.agreement for quarter in quarters] == [1.0, 1.0, 0.0, 0.0]
    assert quarters[0].part == "versions 0 to 3"
    assert whole.drift == -1.0


def test_one_version_has_no_drift() -> None:
    (whole,) = audit("vlm", rows(True, True, 100))
    assert whole.drift is None


class Believes:
    name = "believer"

    def judge(self, episode: Episode) -> Verdict:
        return Verdict(judge=self.name, success=True)


def test_episodes_with_a_fault_are_left_out_and_the_rest_is_told() -> None:
    good = make_episode()
    late = replace(good.steps[0], choice=Choice(action=good.steps[0].choice.action, version=7))
    trained = replace(good, steps=(late, *good.steps[1:]))
    fake = replace(good, id="adversarial/orders/3", outcome=Outcome.FALSE_COMPLETE)
    told: list[int] = []
    found = judge_all(Believes(), [trained, lost(good), fake], progress=told.append)
    assert [(row.known, row.said, row.version, row.trick) for row in found] == [
        (True, True, 7, None),
        (False, True, 0, "orders"),
    ]
    assert told == [1, 2]


def test_what_a_judge_has_rewarded_is_compared_with_the_state() -> None:
    class Yes:
        name = "yes"

        def judge(self, episode: Episode) -> Verdict:
            return Verdict(judge=self.name, success=True)

    state = Verdict(judge="state", success=False)
    failed = replace(make_episode(outcome=Outcome.FALSE_COMPLETE), verdicts=(state,))
    (row,) = judge_all(Yes(), [rewarded(failed, Yes().judge(failed))])
    assert (row.known, row.said) == (False, True)


def test_a_judge_that_raises_did_not_decide_and_the_audit_goes_on() -> None:
    rows = judge_all(OddJudge(KeyError("goal")), [episode(Outcome.SUCCEEDED)] * 2)
    assert [row.said for row in rows] == [None, None]
    assert "KeyError" in rows[0].reason
