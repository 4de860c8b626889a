"""Stores that were written before display lists open, and go on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.contracts.store import assert_equal, make_episode, make_observation
from tests.replay.store.format_1 import write_format_1

from distrl.errors import StoreError
from distrl.replay.store.picture_codec import decode, digest_of
from distrl.replay.store.sqlite import SqliteStore, StoreReader
from distrl.types import Episode, StoredStep

OLD = [
    make_episode("old-1"),
    replace(make_episode("old-2", seed=7), steps=(), final=None),
    replace(make_episode("old-3", seed=9), final=replace(make_observation(4), elements=None)),
]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    write_format_1(tmp_path / "episodes.sqlite", OLD)
    return tmp_path / "episodes.sqlite"


def assert_read(reader: StoreReader, episodes: list[Episode]) -> None:
    """Whole, and as a learner reads them."""
    for episode in episodes:
        assert_equal(reader.get(episode.id), episode)
    read = [episode for _, episode in reader.read_after(0, 100)]
    assert [one.id for one in read] == [one.id for one in episodes]
    assert [one.steps for one in read] == [tuple(map(StoredStep.of, one.steps)) for one in episodes]
    reader.verify()


def test_an_old_store_is_read_and_left_as_it_is(old: Path) -> None:
    before = old.read_bytes()
    with StoreReader(old) as reader:
        assert_read(reader, OLD)
    assert old.read_bytes() == before


def test_an_old_screen_is_given_as_it_is_stored(old: Path) -> None:
    with StoreReader(old) as reader:
        seen = OLD[0].steps[1].observation.screen
        assert np.array_equal(decode(reader.picture("old-1", 1), digest_of(seen)), seen)
        with pytest.raises(KeyError):
            reader.picture("old-1", 4)


def test_an_old_store_takes_new_episodes_beside_the_old_ones(old: Path) -> None:
    new = [make_episode("new-1"), make_episode("new-2", seed=30)]
    with StoreReader(old) as looking:  # opened before the file has the tables of now
        with SqliteStore(old) as store:
            for episode in new:
                store.add(episode)
            assert_read(store, [*OLD, *new])
        assert_read(looking, [*OLD, *new])
    with SqliteStore(old) as again:
        assert_read(again, [*OLD, *new])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("DELETE FROM steps WHERE episode = 1 AND place = 1", "of 3 steps, 2 are there"),
        ("DELETE FROM pictures", "is not there"),
        ("DELETE FROM trees", "is not there"),
        ("UPDATE trees SET data = CAST(data || X'00' AS BLOB)", "checksum"),
        ("UPDATE steps SET data = X''", "checksum"),
    ],
)
def test_damage_in_an_old_store_is_found_and_named(old: Path, change: str, reason: str) -> None:
    with closing(sqlite3.connect(old, isolation_level=None)) as database:
        database.execute(change)
    with StoreReader(old) as reader, pytest.raises(StoreError, match=reason):
        reader.verify()
