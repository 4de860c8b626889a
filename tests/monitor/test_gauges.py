import pytest

from distrl.config import RunConfig, load_run_config
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
    assert is_healthy("learn/replay_ratio", 1.2 * ratio, config) is False
    assert is_healthy("learn/lag_mean", config.replay.max_lag + 1, config) is False


def test_a_learner_that_collectors_wait_for_has_to_keep_up() -> None:
    config = load_run_config("quickstart", ["collect.max_ahead=500", "learner.replay_ratio=2.0"])
    assert is_healthy("learn/replay_ratio", 0.9, config) is False
    assert is_healthy("learn/replay_ratio", 1.0, config) is True


def test_a_learner_that_does_not_keep_up_is_slow_and_not_ill() -> None:
    config = load_run_config("quickstart", ["collect.max_ahead=null"])
    # 1,212 updates of 6 episodes on 77,554 steps in 14,346 episodes, at 84 % success.
    reached = 1212 * 6 / 14346
    assert reached < config.learner.replay_ratio / 4
    assert is_healthy("learn/replay_ratio", reached, config) is True


@pytest.mark.parametrize(
    ("rho_max", "share", "healthy"),
    [(1.0, 0.47, None), (1.5, 0.47, None), (2.0, 0.1, True), (2.0, 0.47, False), (5.0, 0.3, False)],
)
def test_the_clipped_share_is_judged_only_where_the_limit_is_far_from_one(
    rho_max: float, share: float, healthy: bool | None
) -> None:
    config = load_run_config("quickstart", [f"algorithm.rho_max={rho_max}"])
    assert is_healthy("learn/ratio/clipped", share, config) is healthy


def test_entropy_alone_says_nothing_about_health() -> None:
    assert is_healthy("learn/entropy", 0.0, load_run_config("quickstart")) is None


def test_figures_of_our_own_quickstart_are_called_healthy() -> None:
    # Means over five updates, 600 updates into a run on two cores.
    measured = {
        "learn/replay_ratio": 3.10,
        "learn/ratio/clipped": 0.42,
        "learn/effective": 0.60,
        "learn/entropy": 0.40,
        "learn/invalid": 0.0,
        "learn/lag_mean": 87.3,
        "text/hit_rate": 0.9996,
    }
    config = load_run_config("quickstart")
    ill = {name for name, value in measured.items() if is_healthy(name, value, config) is False}
    assert ill == set()
