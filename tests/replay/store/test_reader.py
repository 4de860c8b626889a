"""What a dashboard asks of a store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.contracts.store import make_episode, make_task

from distrl.replay.pieces import join
from distrl.replay.store import reader
from distrl.replay.store.picture_codec import decode, digest_of
from distrl.replay.store.reader import StoreReader
from distrl.replay.store.sqlite import SqliteStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(tmp_path / "episodes.sqlite") as opened:
        opened.add(make_episode("first", steps=2))
        opened.add(replace(make_episode("second"), task=make_task(id="t/2", goal="Call Bob")))
        yield opened


def test_tasks_are_read_by_the_number_of_an_episode(store: SqliteStore) -> None:
    found = store.tasks([2, 99])
    assert set(found) == {2}
    assert found[2].goal == "Call Bob"


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_picture_is_the_screen_that_was_seen(store: SqliteStore, place: int) -> None:
    episode = store.get("first")
    seen = [*(step.observation for step in episode.steps), episode.final][place]
    assert seen is not None
    picture = store.picture("first", place)
    assert np.array_equal(decode(picture, digest_of(seen.screen)), seen.screen)


@pytest.mark.parametrize(("name", "place"), [("nobody", 0), ("first", 3), ("first", -1)])
def test_a_picture_that_there_is_not_is_a_key_error(
    store: SqliteStore, name: str, place: int
) -> None:
    with pytest.raises(KeyError):
        store.picture(name, place)


def test_columns_say_the_same_as_the_lines(store: SqliteStore) -> None:
    lines, columns = store.summaries(limit=-1), store.columns()
    for name, values in columns.items():
        assert list(values) == [getattr(line, name) for line in lines]
    assert store.columns(after=1)["id"] == ("second",)
    assert store.columns(after=2) == {}


def test_pieces_that_are_wanted_are_there_when_the_memory_of_pieces_starts_over(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "_PIECES", 3)
    common = bytes(1000)
    stored = []
    for number in range(12):
        own = bytes([number + 1]) * 1000
        made = make_episode(f"e-{number}", steps=1)
        inputs = join([b"head", common, own])
        choice = replace(made.steps[0].choice, inputs=inputs)
        store.add(replace(made, steps=(replace(made.steps[0], choice=choice),)))
        stored.append(inputs)
    with StoreReader(store.path) as fresh:
        found = [row for after in range(2, 14) for row in fresh.read_after(after, 1)]
    assert [episode.steps[0].inputs for _, episode in found] == stored
