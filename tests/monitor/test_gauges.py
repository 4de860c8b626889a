import pytest

from distrl.config import RunConfig
from distrl.monitor.gauges import BY_NAME, GAUGES, clock_time, is_healthy, learner_name, show


def test_every_gauge_has_one_name_words_and_a_part() -> None:
    assert len(BY_NAME) == len(GAUGES)
    assert len({gauge.words for gauge in GAUGES}) == len(GAUGES)
    assert all("/" in gauge.name and gauge.words for gauge in GAUGES)


def test_a_range_is_explained_wherever_there_is_one() -> None:
    assert all(g.healthy for g in GAUGES if g.low is not None or g.high is not None)


@pytest.mark.parametrize(
    ("given", "recorded"),
    [
        ("learner/updates", "learn/updates"),
        ("learn/updates", "learn/updates"),
        ("lag/mean", "learn/lag_mean"),
        ("replay/ratio", "learn/replay_ratio"),
        ("ratio/effective", "learn/effective"),
        ("ratio/clipped", "learn/ratio/clipped"),
        ("entropy", "learn/entropy"),
        ("loss/policy", "learn/loss/policy"),
        ("replay/episodes", "replay/episodes"),
        ("collected/steps", "collected/steps"),
    ],
)
def test_numbers_of_the_learner_get_their_documented_names(given: str, recorded: str) -> None:
    assert learner_name(given) == recorded
    assert learner_name(recorded) == recorded


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("collect/episodes", 12345.0, "12,345"),
        ("collect/utilisation", 0.971, "97 %"),
        ("learn/entropy", 1.2345, "1.23"),
        ("learn/entropy", None, "-"),
        ("collect/steps_per_second", 1234.5, "1,234"),
        ("something/else", 0.5, "0.5"),
    ],
)
def test_a_number_is_shown_as_its_gauge_wants_it(
    name: str, value: float | None, shown: str
) -> None:
    assert show(name, value) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, "0:00"), (59.4, "0:59"), (59.6, "1:00"), (3599, "59:59"), (3600, "1:00:00"), (-3, "0:00")],
)
def test_times_are_minutes_and_seconds_and_hours_when_need_be(seconds: float, shown: str) -> None:
    assert clock_time(seconds) == shown


def test_health_is_judged_only_where_there_is_a_range() -> None:
    assert is_healthy("learn/effective", 0.9) is True
    assert is_healthy("learn/effective", 0.2) is False
    assert is_healthy("collect/episodes", 3) is None
    assert is_healthy("something/else", 3) is None


def test_some_ranges_follow_the_settings() -> None:
    config = RunConfig()
    ratio = config.learner.replay_ratio
    assert is_healthy("learn/replay_ratio", ratio) is None
    assert is_healthy("learn/replay_ratio", ratio, config) is True
    assert is_healthy("learn/replay_ratio", ratio / 4, config) is False
    assert is_healthy("learn/lag_mean", config.replay.max_lag + 1, config) is False
