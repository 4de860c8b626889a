from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.contracts.store import make_episode, make_step, make_task

from distrl.replay.store.sqlite import SqliteStore
from distrl.types import Episode, Outcome
from distrl.web.episode_index import (
    EpisodeIndex,
    Extra,
    Filter,
    Order,
    Range,
    counters,
    order,
    select,
)


def episode(name: str, *, versions: tuple[int, ...] = (0,), **changes: object) -> Episode:
    steps = tuple(replace(make_step(1, version=v), reward=0.0) for v in versions)
    return replace(make_episode(name), steps=steps, **changes)  # type: ignore[arg-type]


ALARM = make_task(id="general/train/1", goal="Wake me at seven", template="set_alarm")
NOTE = make_task(id="general/train/2", goal="Write down milk", template="add_note")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(tmp_path / "episodes.sqlite") as opened:
        yield opened


@pytest.fixture
def index(store: SqliteStore) -> EpisodeIndex:
    store.add(episode("first", task=ALARM, versions=(1, 2)))
    store.add(episode("second", task=NOTE, versions=(5,), outcome=Outcome.STEP_LIMIT))
    store.add(episode("third", task=ALARM, versions=(3,), device="phone-9"))
    lost = episode("lost", task=NOTE, versions=(), outcome=Outcome.DEVICE_LOST, fault="it fell")
    store.add(lost)
    return EpisodeIndex(store.path)


def names(index: EpisodeIndex, wanted: Filter, by: Order = Order.OLDEST) -> list[str]:
    table = index.table()
    return [table.ids[row] for row in order(table, select(table, wanted), by)]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Filter(), ["first", "second", "third", "lost"]),
        (Filter(outcome="step_limit"), ["second"]),
        (Filter(outcome="unheard_of"), []),
        (Filter(device="phone-9"), ["third"]),
        (Filter(template="set_alarm"), ["first", "third"]),
        (Filter(text="WAKE me"), ["first", "third"]),
        (Filter(text="add_note"), ["second", "lost"]),
        (Filter(text="seco"), ["second"]),
        (Filter(version=Range(low=2, high=3)), ["first", "third"]),
        (Filter(version=Range(low=6)), []),
        (Filter(steps=Range(low=2)), ["first"]),
        (Filter(lag=Range(low=2)), ["third"]),
        (Filter(template="set_alarm", device="phone-9"), ["third"]),
    ],
)
def test_a_filter_leaves_what_it_says(
    index: EpisodeIndex, wanted: Filter, expected: list[str]
) -> None:
    assert names(index, wanted) == expected


def test_lag_is_counted_from_the_newest_version_that_had_acted(index: EpisodeIndex) -> None:
    assert index.table().columns["lag"].tolist() == [1, 0, 2, 0]


def test_an_episode_without_steps_has_no_version_to_filter_by(index: EpisodeIndex) -> None:
    assert "lost" not in names(index, Filter(version=Range(low=-5)))
    assert "lost" not in names(index, Filter(lag=Range(low=0)))


def test_numbers_from_elsewhere_filter_and_order(index: EpisodeIndex) -> None:
    table, extra = index.table(), Extra({"first": 0.5, "third": 2.0}, {"second": 1.5})
    assert [table.ids[r] for r in order(table, select(table, Filter()), Order.PRIORITY, extra)] == [
        "third",
        "first",
        "lost",
        "second",
    ]
    only = select(table, Filter(ratio=Range(low=1.0)), extra)
    assert [table.ids[int(r)] for r in np.flatnonzero(only)] == ["second"]


def test_orders_put_the_newest_of_equals_first(index: EpisodeIndex) -> None:
    assert names(index, Filter(), Order.LONGEST) == ["first", "third", "second", "lost"]
    assert names(index, Filter(), Order.NEWEST)[0] == "lost"


def test_counts_are_of_what_the_filter_leaves(index: EpisodeIndex) -> None:
    table = index.table()
    mask = select(table, Filter(template="add_note"))
    assert counters(table, mask, "outcome") == {"step_limit": 1, "device_lost": 1}


def test_new_episodes_appear_and_old_ones_are_not_read_again(
    store: SqliteStore, index: EpisodeIndex
) -> None:
    before = index.table()
    store.add(episode("late", task=make_task(id="t/9", goal="Call Ada"), versions=(4,)))
    after = index.table()
    assert len(before) == 4
    assert after.ids[-1] == "late"
    assert after.columns["lag"][-1] == 1
    assert names(index, Filter(text="call ada")) == ["late"]
    assert after.faults == {3: "it fell"}


def test_a_store_that_is_not_there_yet_is_empty(tmp_path: Path) -> None:
    index = EpisodeIndex(tmp_path / "episodes.sqlite")
    assert len(index.table()) == 0
    with SqliteStore(tmp_path / "episodes.sqlite") as store:
        store.add(make_episode("e"))
        assert index.table().ids == ["e"]
    index.close()
