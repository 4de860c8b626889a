"""Screens of the embedded phone in a store: kept as drawings, drawn again, and doubted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.contracts.store import make_episode, make_screen

from distrl.bench.dashboard.synthetic_run import play_some
from distrl.devices.phone.paint import display_list
from distrl.errors import StoreError
from distrl.replay.store import redraw
from distrl.replay.store.picture_codec import decode, digest_of
from distrl.replay.store.redraw import redrawn
from distrl.replay.store.sqlite import SqliteStore
from distrl.types import Drawing, Episode, Observation, Picture, Pixels


@pytest.fixture(scope="module")
def played() -> Episode:
    (episode,) = play_some(1)
    return episode


@pytest.fixture
def store(tmp_path: Path, played: Episode) -> Iterator[SqliteStore]:
    with SqliteStore(tmp_path / "episodes.sqlite") as opened:
        opened.add(played)
        yield opened


@pytest.fixture
def every_screen_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redraw, "_NOTED", 1)


def screens(episode: Episode) -> list[Observation]:
    assert episode.final is not None
    return [*(step.observation for step in episode.steps), episode.final]


def tables(store: SqliteStore, table: str) -> int:
    with store._reading() as database:
        (count,) = database.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608
        return int(count)


def test_no_pixel_of_a_phone_is_stored_and_all_come_back(
    store: SqliteStore, played: Episode
) -> None:
    assert tables(store, "pictures") == 0
    for place, (got, given) in enumerate(
        zip(screens(store.get(played.id)), screens(played), strict=True)
    ):
        np.testing.assert_array_equal(got.screen, given.screen)
        assert got.elements == given.elements
        assert got.picture.doubt == ""
        shown = decode(store.picture(played.id, place), digest_of(given.screen))
        np.testing.assert_array_equal(shown, given.screen)
    store.verify()


def test_storing_a_phone_draws_nothing(tmp_path: Path) -> None:
    def never() -> Pixels:
        raise AssertionError("somebody looked")

    drawing = Drawing("phone", "e", (b"a", b"b"))
    picture = Picture(never, describe=lambda: drawing)
    episode = make_episode()
    seen = [replace(step.observation, picture=picture) for step in episode.steps]
    steps = tuple(replace(s, observation=o) for s, o in zip(episode.steps, seen, strict=True))
    with SqliteStore(tmp_path / "episodes.sqlite") as store:
        store.add(replace(episode, steps=steps, final=None))
        assert store.get("e-1").steps[0].observation.picture.drawing == drawing


def test_a_screen_that_cannot_be_drawn_again_stays_a_picture(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "episodes.sqlite") as store:
        store.add(make_episode(seed=3))
        assert tables(store, "pictures") == 4
        got = store.get("e-1").steps[0].observation
        np.testing.assert_array_equal(got.screen, make_screen(3))
        assert got.picture.drawing is None


def test_a_drawing_of_another_edition_is_shown_with_a_doubt(
    store: SqliteStore, played: Episode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(display_list, "edition", lambda: "other")
    doubts = [seen.picture.doubt for seen in screens(store.get(played.id))]
    assert all("may differ from what the device showed" in doubt for doubt in doubts)
    with pytest.raises(StoreError, match="edition other"):
        store.verify()


@pytest.mark.usefixtures("every_screen_noted")
def test_a_changed_painter_is_noticed_by_the_digest_of_the_pixels(
    tmp_path: Path, played: Episode, monkeypatch: pytest.MonkeyPatch
) -> None:
    with SqliteStore(tmp_path / "noted.sqlite") as store:
        store.add(played)
        right = display_list.draw
        monkeypatch.setattr(display_list, "draw", lambda pieces: right(pieces) ^ 1)
        picture = store.get(played.id).steps[0].observation.picture
        assert picture.doubt == ""  # the edition is the same
        assert picture.pixels.size
        assert "may differ" in picture.doubt


@pytest.mark.usefixtures("every_screen_noted")
def test_another_edition_that_draws_the_same_pixels_is_not_doubted(
    tmp_path: Path, played: Episode, monkeypatch: pytest.MonkeyPatch
) -> None:
    with SqliteStore(tmp_path / "noted.sqlite") as store:
        store.add(played)
        monkeypatch.setattr(display_list, "edition", lambda: "other")
        store.verify()


@pytest.mark.usefixtures("every_screen_noted")
def test_a_copy_of_a_doubted_screen_keeps_what_was_noted_of_it(
    tmp_path: Path, played: Episode, monkeypatch: pytest.MonkeyPatch
) -> None:
    with SqliteStore(tmp_path / "a.sqlite") as first, SqliteStore(tmp_path / "b.sqlite") as second:
        first.add(played)
        monkeypatch.setattr(display_list, "edition", lambda: "other")
        second.add(first.get(played.id))
        before, after = (
            [seen.picture.drawing for seen in screens(store.get(played.id))]
            for store in (first, second)
        )
    assert before == after
    assert all(drawing is not None and drawing.pixels for drawing in after)


def test_a_doubted_screen_is_not_noted_as_what_the_device_showed(
    tmp_path: Path, store: SqliteStore, played: Episode, monkeypatch: pytest.MonkeyPatch
) -> None:
    doubted = [
        replace(seen.picture.drawing, pixels=None)
        for seen in screens(played)
        if seen.picture.drawing
    ]
    monkeypatch.setattr(display_list, "edition", lambda: "other")
    monkeypatch.setattr(redraw, "_NOTED", 1)
    pictures = [redrawn(drawing) for drawing in doubted]
    steps = tuple(
        replace(step, observation=replace(step.observation, picture=picture))
        for step, picture in zip(played.steps, pictures, strict=False)
    )
    store.add(replace(played, id="copy", steps=steps, final=None))
    drawings = [step.observation.picture.drawing for step in store.get("copy").steps]
    assert all(drawing is not None and drawing.pixels is None for drawing in drawings)


@pytest.mark.parametrize(
    "drawing",
    [
        Drawing("nobody", "e", ()),
        Drawing("phone", display_list.edition(), ()),
        Drawing("phone", display_list.edition(), (b"\xc1",)),
        Drawing("phone", display_list.edition(), (b"\x93\x01\x01\xc2", b"\x91\xc0")),
        Drawing(
            "phone", display_list.edition(), (b"\x93\x09\x14\xc2", b"\x95\x91\xa1?\0\0\x7f\x7f")
        ),
    ],
)
def test_what_is_no_drawing_is_a_store_error(drawing: Drawing) -> None:
    with pytest.raises(StoreError):
        _ = redrawn(drawing).pixels
