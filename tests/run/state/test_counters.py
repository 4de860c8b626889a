from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.collect.test_penalties import HERE, TAP, played

from distrl.clock import VirtualClock
from distrl.run.state.counters import AcknowledgementLog, EpisodeCounters
from distrl.types import Choice, Episode, Outcome, Step, Verdict


def episode(outcome: Outcome, *, version: int = 0, suite: str = "general") -> Episode:
    made = played((HERE, TAP), (HERE, TAP), outcome=outcome)
    step = Step(observation=HERE, choice=Choice(action=TAP, version=version), decide_seconds=0.01)
    return replace(made, task=replace(made.task, suite=suite), steps=(step, step))


def test_it_counts_on_from_what_is_stored() -> None:
    counters = EpisodeCounters(VirtualClock(), episodes=10, steps=70)
    counters.add(episode(Outcome.SUCCEEDED), version=0)
    assert (counters.episodes, counters.steps) == (11, 72)


def test_success_is_by_suite_and_leaves_faults_out() -> None:
    counters = EpisodeCounters(VirtualClock())
    for outcome in (Outcome.SUCCEEDED, Outcome.STEP_LIMIT, Outcome.DEVICE_LOST):
        counters.add(episode(outcome), version=0)
    counters.add(episode(Outcome.SUCCEEDED, suite="shopping"), version=0)
    gauges = counters.gauges()
    assert gauges["collect/success/general"] == 0.5
    assert gauges["collect/success/shopping"] == 1.0
    assert gauges["collect/faults"] == 1
    assert gauges["collect/share/succeeded"] == 0.5


def test_rates_are_of_the_last_half_minute() -> None:
    clock = VirtualClock()
    counters = EpisodeCounters(clock)
    for _ in range(100):
        counters.add(episode(Outcome.FAILED), version=0)
    clock.sleep(100.0)
    for _ in range(15):
        counters.add(episode(Outcome.FAILED), version=0)
    gauges = counters.gauges()
    assert gauges["collect/episodes_per_second"] == pytest.approx(0.5)
    assert gauges["collect/steps_per_second"] == pytest.approx(1.0)
    assert gauges["collect/decide_ms"] == pytest.approx(10.0)


def test_lag_follows_the_age_of_the_oldest_step() -> None:
    counters = EpisodeCounters(VirtualClock())
    for _ in range(300):
        counters.add(episode(Outcome.FAILED, version=3), version=10)
    assert counters.gauges()["collect/lag"] == pytest.approx(7.0, abs=0.01)


def judged(state: bool, judge: bool | None) -> Episode:
    made = episode(Outcome.SUCCEEDED if state else Outcome.FAILED)
    said = (Verdict(judge="state", success=state), Verdict(judge="vlm", success=judge))
    return replace(made, verdicts=said)


def test_how_far_a_judge_is_apart_is_told_once_there_are_enough_opinions() -> None:
    counters = EpisodeCounters(VirtualClock())
    for _ in range(49):
        counters.add(judged(False, True), version=0)
        counters.add(judged(False, None), version=0)
        counters.add(episode(Outcome.FAILED), version=0)
    assert "collect/judge_apart" not in counters.gauges()
    counters.add(judged(True, False), version=0)
    assert counters.gauges()["collect/judge_apart"] == pytest.approx(48 / 50)


def test_old_opinions_are_forgotten() -> None:
    counters = EpisodeCounters(VirtualClock())
    for state, judge in ((False, True), (True, False)):
        for _ in range(200):
            counters.add(judged(state, judge), version=0)
    assert counters.gauges()["collect/judge_apart"] == -1.0


def test_a_run_without_a_judge_has_no_numbers_of_one() -> None:
    counters = EpisodeCounters(VirtualClock())
    for _ in range(100):
        counters.add(
            replace(judged(True, True), verdicts=judged(True, True).verdicts[:1]), version=0
        )
    assert not [name for name in counters.gauges() if "judge" in name or "disputed" in name]


def test_the_witness_appends_a_line_for_each(tmp_path: Path) -> None:
    for name in ("a", "b"):
        witness = AcknowledgementLog(tmp_path / "ids")
        witness.note(replace(episode(Outcome.FAILED), id=name))
        witness.close()
    assert (tmp_path / "ids").read_text() == "a\nb\n"
