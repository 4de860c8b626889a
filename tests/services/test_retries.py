from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.errors import ConfigError
from distrl.services.retries import RetrySettings, backoff_seconds, parse_retry_after, should_retry

SETTINGS = RetrySettings(attempts=6, first_seconds=1.0, longest_seconds=5.0)


def test_the_bound_doubles_until_it_is_longest() -> None:
    waits = [backoff_seconds(n, 0.999999, retry_after=None, settings=SETTINGS) for n in range(1, 7)]
    assert waits[:5] == pytest.approx([1.0, 2.0, 4.0, 5.0, 5.0], rel=1e-5)
    assert waits[5] is None


@given(st.integers(1, 5), st.floats(0, 1, exclude_max=True), st.floats(0, 100))
def test_a_wait_is_never_shorter_than_the_server_asked_for(
    attempt: int, draw: float, retry_after: float
) -> None:
    wait = backoff_seconds(attempt, draw, retry_after=retry_after, settings=SETTINGS)
    assert wait is not None
    assert retry_after <= wait <= max(retry_after, 5.0)


def test_jitter_spreads_clients_over_the_whole_bound() -> None:
    waits = [
        backoff_seconds(1, draw, retry_after=None, settings=SETTINGS) for draw in (0.0, 0.25, 0.75)
    ]
    assert waits == [0.0, 0.25, 0.75]


def test_attempts_without_end_do_not_overflow() -> None:
    patient = RetrySettings(attempts=10**6)
    assert backoff_seconds(10**5, 0.5, retry_after=None, settings=patient) == 15.0


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_transient_errors_are_retried(status: int) -> None:
    assert should_retry(status)


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 422])
def test_permanent_errors_are_not_retried(status: int) -> None:
    assert not should_retry(status)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("2", 2.0),
        ("0.5", 0.5),
        (None, None),
        ("", None),
        ("-1", None),
        ("nan", None),
        ("Mon", None),
    ],
)
def test_retry_after_is_read_where_it_says_seconds(
    header: str | None, seconds: float | None
) -> None:
    assert parse_retry_after(header) == seconds


@pytest.mark.parametrize(
    "changes", [{"attempts": 0}, {"first_seconds": -1.0}, {"longest_seconds": 0.1}]
)
def test_settings_that_make_no_sense_are_refused(changes: dict[str, float]) -> None:
    with pytest.raises(ConfigError):
        RetrySettings(**changes)  # type: ignore[arg-type]
