from __future__ import annotations

from collections.abc import Iterator

import pytest

from distrl.monitor import reductions
from distrl.monitor.reductions import (
    Ratio,
    Reduce,
    Reduction,
    UndeclaredGauge,
    WeightedMean,
    add_counters,
    combine,
    declare,
    reduction_of,
)


@pytest.fixture(autouse=True)
def own_table(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(reductions, "_declared", dict(reductions._declared))
    yield


def one(reduction: Reduction, *values: float) -> float:
    declare({"mine/number": reduction})
    return combine([{"mine/number": value} for value in values])["mine/number"]


@pytest.mark.parametrize(
    ("reduction", "combined"),
    [
        (Reduce.COUNTER, 12.0),
        (Reduce.SUM, 12.0),
        (Reduce.MEAN, 4.0),
        (Reduce.MAX, 7.0),
        (Reduce.MIN, 2.0),
        (Reduce.NEWEST, 3.0),
    ],
)
def test_a_reduction_makes_one_number_of_three(reduction: Reduce, combined: float) -> None:
    assert one(reduction, 2.0, 7.0, 3.0) == combined


def test_a_weighted_mean_follows_the_counts() -> None:
    declare({"mine/ms": WeightedMean("mine/calls"), "mine/calls": Reduce.COUNTER})
    readings = [{"mine/ms": 2.0, "mine/calls": 30.0}, {"mine/ms": 6.0, "mine/calls": 10.0}]
    assert combine(readings) == {"mine/ms": 3.0, "mine/calls": 40.0}


def test_without_counts_every_host_weighs_the_same() -> None:
    assert one(WeightedMean("mine/calls"), 2.0, 6.0) == 4.0


def test_a_ratio_is_made_of_sums_and_not_of_ratios() -> None:
    declare({"mine/hit_rate": Ratio("mine/hits", ("mine/hits", "mine/misses"))})
    declare({"mine/hits": Reduce.COUNTER, "mine/misses": Reduce.COUNTER})
    readings = [
        {"mine/hits": 9.0, "mine/misses": 0.0, "mine/hit_rate": 1.0},
        {"mine/hits": 0.0, "mine/misses": 1.0, "mine/hit_rate": 0.0},
    ]
    assert combine(readings)["mine/hit_rate"] == 0.9
    assert combine(readings[:1], {"mine/misses": 3.0})["mine/hit_rate"] == 0.75


def test_a_ratio_of_nothing_is_what_its_gauge_says() -> None:
    nothing = {"text/hits": 0.0, "text/misses": 0.0, "lm/hits": 0.0, "lm/misses": 0.0}
    combined = combine([nothing])
    assert (combined["text/hit_rate"], combined["lm/known"]) == (1.0, 0.0)


def test_no_host_has_no_numbers() -> None:
    assert combine([]) == {}


def test_counters_of_hosts_that_left_are_added_up() -> None:
    first = add_counters({}, {"text/hits": 3.0, "fleet/free": 2.0, "batcher/version": 4.0})
    assert first == {"text/hits": 3.0}
    both = add_counters(first, {"text/hits": 4.0, "text/misses": 1.0})
    assert both == {"text/hits": 7.0, "text/misses": 1.0}
    assert combine([{"text/hits": 1.0, "text/misses": 0.0}], both)["text/hits"] == 8.0


def test_names_below_a_declared_part_are_declared() -> None:
    assert reduction_of("learn/loss/policy") is Reduce.NEWEST
    assert reduction_of("fleet/cause/anything") is Reduce.COUNTER
    declare({"learn/loss/shared": Reduce.SUM})
    assert reduction_of("learn/loss/shared") is Reduce.SUM


def test_an_undeclared_gauge_is_averaged_and_named() -> None:
    with pytest.warns(UndeclaredGauge, match="mine/number"):
        combined = combine([{"mine/number": 0.9}, {"mine/number": 0.7}])
    assert combined["mine/number"] == pytest.approx(0.8)


def test_a_gauge_is_declared_in_one_way_only() -> None:
    declare({"text/hits": Reduce.COUNTER})
    with pytest.raises(ValueError, match=r"text/hits.*counter"):
        declare({"text/hits": Reduce.MEAN})


def test_what_a_ratio_or_a_weight_is_made_of_is_declared_as_a_sum() -> None:
    sums = (Reduce.COUNTER, Reduce.SUM)
    for reduction in reductions._declared.values():
        if isinstance(reduction, Ratio):
            assert all(reduction_of(n) in sums for n in (reduction.part, *reduction.whole))
        if isinstance(reduction, WeightedMean):
            assert reduction_of(reduction.by) in sums
