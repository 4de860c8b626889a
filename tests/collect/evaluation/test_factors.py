"""Success by factor of robustness."""

from __future__ import annotations

from distrl.collect.evaluation.evaluate import Report
from distrl.collect.evaluation.factors import evaluate_factors
from distrl.collect.evaluation.statistics import Result, summarise
from distrl.config.devices import PhoneConfig
from distrl.config.factors import SETTINGS, Factor
from distrl.types import Outcome


def report(successes: int, failures: int) -> Report:
    outcomes = [Outcome.SUCCEEDED] * successes + [Outcome.FAILED] * failures
    results = [
        Result(template="t", outcome=outcome, steps=1, side_effects=False, oracle_steps=None)
        for outcome in outcomes
    ]
    return Report(overall=summarise("all", results), rows=(), faults=())


def test_what_is_kept_is_success_over_that_of_plain_phones() -> None:
    def play(phone: PhoneConfig) -> Report:
        return report(2, 6) if Factor.DARK in phone.factors else report(4, 4)

    plain, rows = evaluate_factors(play, PhoneConfig(), [Factor.DARK, Factor.FONT])
    assert plain.overall.success == 0.5
    assert [(row.factor, row.success, row.kept) for row in rows] == [
        ("plain", 0.5, 1.0),
        ("dark", 0.25, 0.5),
        ("font", 0.5, 1.0),
    ]
    assert [row.tasks for row in rows] == [8, 8, 8]
    assert rows[1].setting == SETTINGS[Factor.DARK]


def test_nothing_is_kept_of_nothing() -> None:
    _, rows = evaluate_factors(lambda _: report(0, 4), PhoneConfig(), [Factor.DARK])
    assert [row.kept for row in rows] == [None, None]


def test_factors_come_on_top_of_those_that_are_asked_for() -> None:
    seen: list[list[Factor]] = []

    def play(phone: PhoneConfig) -> Report:
        seen.append(phone.factors)
        return report(1, 0)

    evaluate_factors(play, PhoneConfig(factors=[Factor.FONT]), [Factor.DARK])
    assert seen == [[Factor.FONT], [Factor.FONT, Factor.DARK]]
