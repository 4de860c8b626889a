from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl.clock import VirtualClock
from distrl.monitor.metrics import (
    Last,
    Max,
    Mean,
    Metric,
    Rate,
    Recorder,
    Sum,
    merge,
    merge_all,
    values,
)

amounts = st.integers(-1000, 1000).map(float)
times = st.integers(0, 1000).map(float)


def metric_of(kind: str, number: float, at: float) -> Metric:
    match kind:
        case "mean":
            return Mean(number)
        case "sum":
            return Sum(number)
        case "max":
            return Max(number)
        case "last":
            return Last(number, at)
        case _:
            return Rate(number, at, at + 1)


def test_merging_two_means_weighs_them_by_their_counts() -> None:
    assert merge(Mean(3, 8), Mean(1, 1)).value == pytest.approx(4 / 9)


def test_a_mean_of_nothing_has_no_value() -> None:
    assert Mean(0, 0).value is None
    assert merge(Mean(0, 0), Mean(2, 4)).value == 0.5


def test_sums_add_maxima_keep_the_largest_and_the_later_gauge_wins() -> None:
    assert merge(Sum(2), Sum(3)) == Sum(5)
    assert merge(Max(2), Max(-3)) == Max(2)
    assert merge(Last(1, at=5), Last(2, at=4)) == merge(Last(2, at=4), Last(1, at=5)) == Last(1, 5)


def test_rates_of_spans_that_follow_each_other_are_averaged() -> None:
    assert merge(Rate(10, 0, 1), Rate(30, 1, 2)).value == 20


def test_rates_of_the_same_span_add_up() -> None:
    assert merge(Rate(10, 0, 2), Rate(30, 0, 2)).value == 20
    assert Rate(10, 0, 2).value == 5


def test_a_rate_over_no_time_has_no_value() -> None:
    assert Rate(3, 1, 1).value is None


@given(
    st.sampled_from(["mean", "sum", "max", "rate"]),
    st.lists(st.tuples(amounts, times), min_size=3, max_size=3),
)
def test_the_order_of_merging_does_not_matter(kind: str, drawn: list[tuple[float, float]]) -> None:
    first, second, third = (metric_of(kind, *pair) for pair in drawn)
    assert merge(merge(first, second), third) == merge(first, merge(second, third))
    assert merge(first, second) == merge(second, first)


@pytest.mark.parametrize("other", [Sum(1), Max(1), Last(1), Rate(1, 0, 1)])
def test_metrics_of_two_kinds_are_refused_by_name(other: Metric) -> None:
    with pytest.raises(TypeError, match=f"Mean and {type(other).__name__}"):
        merge(Mean(1), other)


def test_merging_by_name_keeps_what_only_one_side_has() -> None:
    merged = merge_all({"a": Sum(1), "b": Sum(2)}, {"b": Sum(3), "c": Max(4)})
    assert merged == {"a": Sum(1), "b": Sum(5), "c": Max(4)}


def test_values_leave_out_what_is_empty_or_not_finite() -> None:
    assert values({"a": Mean(1, 2), "b": Mean(0, 0), "c": Sum(float("inf"))}) == {"a": 0.5}


def test_a_recorder_starts_means_maxima_and_rates_again_and_keeps_totals_and_gauges() -> None:
    clock = VirtualClock()
    recorder = Recorder(clock)
    for value in (0.0, 1.0, 1.0, 1.0):
        recorder.mean("success", value)
        recorder.max("largest", value)
        recorder.sum("episodes")
        recorder.rate("per_second", 5)
    recorder.last("version", 7)
    clock.sleep(4)
    assert recorder.numbers() == {
        "success": 0.75,
        "largest": 1.0,
        "episodes": 4.0,
        "per_second": 5.0,
        "version": 7.0,
    }
    clock.sleep(2)
    recorder.sum("episodes")
    recorder.rate("per_second", 3)
    assert recorder.numbers() == {"episodes": 5.0, "per_second": 1.5, "version": 7.0}


def test_a_rate_at_which_nothing_happens_is_zero_and_not_absent() -> None:
    clock = VirtualClock()
    recorder = Recorder(clock)
    recorder.rate("updates", 0)
    for _ in range(2):
        clock.sleep(1)
        assert recorder.numbers() == {"updates": 0.0}


def test_a_name_that_changes_its_kind_is_refused() -> None:
    recorder = Recorder(VirtualClock())
    recorder.sum("episodes")
    with pytest.raises(TypeError, match=r"episodes: .* Sum and Mean"):
        recorder.mean("episodes", 1)


def test_nothing_is_lost_when_threads_record_while_somebody_looks() -> None:
    recorder = Recorder(VirtualClock())
    taken: list[dict[str, Metric]] = []

    def count() -> None:
        for _ in range(2000):
            recorder.mean("value", 1)
            recorder.sum("total")

    threads = [Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        taken.append(recorder.take())
    taken.append(recorder.take())
    counted = [metric.count for look in taken if isinstance(metric := look.get("value"), Mean)]
    assert sum(counted) == 8000
    assert taken[-1]["total"] == Sum(8000)
