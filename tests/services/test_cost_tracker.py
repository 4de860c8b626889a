from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from distrl.errors import BudgetSpent, ConfigError
from distrl.services.cost_tracker import CostTracker, Entry, Prices


def most(cost: float) -> Entry:
    return Entry("test", "m", 10, 5, cost, estimated=True)


def test_prices_are_per_million_tokens() -> None:
    assert Prices(prompt=2.0, completion=10.0).of(500_000, 100_000) == pytest.approx(2.0)


@pytest.mark.parametrize("price", [-1.0, float("nan"), float("inf")])
def test_what_is_no_price_is_refused(price: float) -> None:
    with pytest.raises(ConfigError, match="price"):
        Prices(prompt=price)


@pytest.mark.parametrize("cap", [0.0, -1.0, float("nan")])
def test_what_is_no_cap_is_refused(cap: float) -> None:
    with pytest.raises(ConfigError, match="cap"):
        CostTracker(cap=cap)


def test_a_settled_booking_costs_what_was_told_and_a_cancelled_one_nothing() -> None:
    cost_tracker = CostTracker()
    with cost_tracker.booking(most(5.0)) as booking:
        booking.settle(3, 4, 1.25)
    with cost_tracker.booking(most(5.0)) as booking:
        booking.cancel()
    assert cost_tracker.spent == 1.25
    assert cost_tracker.gauges()["services/requests"] == 1.0


def test_a_request_that_ends_in_an_error_is_booked_at_the_most() -> None:
    cost_tracker = CostTracker()
    with pytest.raises(TimeoutError), cost_tracker.booking(most(5.0)):
        raise TimeoutError
    assert cost_tracker.spent == 5.0
    assert cost_tracker.gauges()["services/estimated"] == 1.0


def test_money_that_is_set_aside_cannot_be_spent_twice() -> None:
    cost_tracker = CostTracker(cap=8.0)
    with cost_tracker.booking(most(5.0)) as first:
        with pytest.raises(BudgetSpent), cost_tracker.booking(most(5.0)):
            pass
        first.settle(1, 1, 2.0)
    with cost_tracker.booking(most(5.0)) as second:
        second.settle(1, 1, 5.0)
    assert cost_tracker.spent == 7.0


def test_threads_together_stay_below_the_cap() -> None:
    cost_tracker = CostTracker(cap=10.0)

    def spend(_: int) -> int:
        try:
            with cost_tracker.booking(most(3.0)) as booking:
                booking.settle(1, 1, 1.0)
        except BudgetSpent:
            return 0
        return 1

    with ThreadPoolExecutor(8) as pool:
        bought = sum(pool.map(spend, range(64)))
    assert cost_tracker.spent == bought
    assert 1 <= bought <= 10


def test_what_is_in_the_file_counts_towards_the_cap(tmp_path: Path) -> None:
    path = tmp_path / "costs.jsonl"
    with CostTracker(cap=6.0, path=path).booking(most(4.0)) as booking:
        booking.settle(7, 8, 3.5)
    again = CostTracker(cap=6.0, path=path)
    assert again.spent == 3.5
    with pytest.raises(BudgetSpent), again.booking(most(4.0)):
        pass


def test_a_ledger_in_a_folder_that_is_not_there_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no folder"):
        CostTracker(path=tmp_path / "nowhere" / "costs.jsonl")


def test_a_file_that_is_no_ledger_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "costs.jsonl"
    path.write_text('{"purpose": 3}\n')
    with pytest.raises(ConfigError, match="no cost log"):
        CostTracker(path=path)
