from __future__ import annotations

import threading

import pytest

from distrl.clock import RealClock
from distrl.collect.rate_limiter import RateLimiter, is_ahead


@pytest.mark.parametrize(
    ("collected", "trained", "ahead"),
    [
        (10_000, 0, False),  # nothing is trained yet: the learner itself waits for episodes
        (300, 400, False),  # 400 / 4 = 100 are used, 200 are ahead
        (301, 400, True),
        (301, 404, False),
    ],
)
def test_collecting_is_ahead_by_what_the_replay_ratio_has_not_used(
    collected: float, trained: float, ahead: bool
) -> None:
    assert is_ahead(collected=collected, trained=trained, replay_ratio=4.0, max_ahead=200) is ahead


def test_without_a_bound_nobody_is_held_back() -> None:
    limiter = RateLimiter(RealClock(), replay_ratio=4.0, max_ahead=None)
    limiter.on_report({"collected/steps": 1e9, "learn/trained_steps": 1.0})
    assert not limiter.held
    assert limiter.wait(0.0)


def test_collectors_wait_until_the_learner_has_caught_up() -> None:
    limiter = RateLimiter(RealClock(), replay_ratio=4.0, max_ahead=200)
    limiter.on_report({"collected/steps": 500.0, "learn/trained_steps": 40.0})
    assert limiter.held
    assert not limiter.wait(0.001)
    begun = threading.Event()

    def collect() -> None:
        if limiter.wait(60.0):
            begun.set()

    thread = threading.Thread(target=collect)
    thread.start()
    limiter.on_report({"collected/steps": 500.0, "learn/trained_steps": 1600.0})
    thread.join(30.0)
    assert begun.is_set()
    assert limiter.waited_seconds > 0.0


def test_a_report_without_steps_changes_nothing() -> None:
    limiter = RateLimiter(RealClock(), replay_ratio=4.0, max_ahead=1)
    limiter.on_report({"collected/steps": 500.0, "learn/trained_steps": 40.0})
    limiter.on_report({})
    assert limiter.held
