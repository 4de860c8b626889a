from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tasks.runs import SUITES

from distrl.devices.phone import phone_time
from distrl.tasks import pools
from distrl.tasks.pools import SPLITS, Pool, closed, minutes_of, normalise, split_of
from distrl.tasks.suites import load_suite

NAMED = {name: pool for name, pool in vars(pools).items() if isinstance(pool, Pool)}
OPEN = [pytest.param(pool, id=name) for name, pool in NAMED.items() if pool.open]


def _used() -> dict[str, Pool]:
    templates = [t for name in SUITES for t in load_suite(name).templates.values()]
    return {pool.name: pool for t in templates for pool in t.params.values() if pool.open}


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Milk  & Bread!", "milk bread"), ("7:05 AM", "7 05 am"), ("  ", ""), (42, "42")],
)
def test_normalised_text_is_words_only(text: object, expected: str) -> None:
    assert normalise(text) == expected


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(st.text())
def test_value_belongs_to_one_split_whatever_its_spelling(text: str) -> None:
    assert split_of(text) in SPLITS
    assert split_of(f"  {text}!") == split_of(text)


@pytest.mark.parametrize(
    ("number", "split"), [(20, "train"), (31, "unseen"), (14, "test"), (97, "val"), (9, "test")]
)
def test_number_belongs_to_a_split_by_its_last_digit(number: int, split: str) -> None:
    assert split_of(number) == split


@pytest.mark.parametrize("pool", OPEN)
def test_open_pool_is_large_and_parted(pool: Pool) -> None:
    assert len(pool.values) >= 50
    shares = [set(pool.share(split)) for split in SPLITS]
    assert sum(len(share) for share in shares) == len(set(pool.values)) == len(pool.values)
    assert all(len(share) >= 3 for share in shares), [len(share) for share in shares]


@pytest.mark.parametrize("pool", OPEN)
def test_training_gets_about_half_of_an_open_pool(pool: Pool) -> None:
    assert 0.35 <= len(pool.share("train")) / len(pool.values) <= 0.75


@pytest.mark.parametrize("pool", OPEN)
def test_no_two_values_differ_only_in_spelling(pool: Pool) -> None:
    assert len({normalise(value) for value in pool.values}) == len(pool.values)


def test_every_open_pool_that_a_template_uses_fills_every_split_it_is_drawn_for() -> None:
    for name, pool in _used().items():
        assert all(pool.share(split) for split in SPLITS), name


def test_closed_pool_is_the_same_everywhere() -> None:
    pool = closed("size", "small", "large")
    assert all(pool.share(split) == ("small", "large") for split in SPLITS)


@given(st.integers(0, 1439))
def test_time_is_read_back(minutes: int) -> None:
    assert minutes_of(phone_time.clock_text(minutes)) == minutes


def test_date_is_read_back() -> None:
    assert [pools.day_of(str(date)) for date in pools.DATE.values] == list(range(90))
