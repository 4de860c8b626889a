from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.contracts.device import assert_same
from tests.contracts.store import make_episode

from distrl.errors import ConfigError, StoreError
from distrl.replay.parquet import ParquetEpisodes, write_parquet
from distrl.types import Episode, Outcome, Verdict


@pytest.fixture
def episodes() -> list[Episode]:
    pytest.importorskip("pyarrow")
    whole = [make_episode(f"e{number}", seed=number) for number in (1, 2, 3)]
    lost = replace(whole[1], outcome=Outcome.DEVICE_LOST, final=None, fault="unplugged")
    verdicts = (
        Verdict(judge="state", success=True, side_effects=("mail sent", "bell rung")),
        Verdict(judge="vlm", success=None, reason="no answer"),
    )
    return [whole[0], lost, replace(whole[2], verdicts=verdicts)]


def assert_equal(first: Episode, second: Episode) -> None:
    assert replace(first, steps=(), final=None) == replace(second, steps=(), final=None)
    assert len(first.steps) == len(second.steps)
    for one, other in zip(first.steps, second.steps, strict=True):
        assert_same(one.observation, other.observation)
        assert replace(one, observation=other.observation) == other
    if first.final is None or second.final is None:
        assert first.final is second.final
    else:
        assert_same(first.final, second.final)


def test_episodes_come_back_to_the_last_pixel(episodes: list[Episode], tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    written = write_parquet(episodes, path)
    assert written == (3, sum(len(episode.steps) for episode in episodes))
    read = ParquetEpisodes(path)
    assert len(read) == 3
    for first, second in zip(episodes, read, strict=True):
        assert_equal(first, second)


def test_a_doubt_about_a_screen_is_exported_with_it(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    episode = make_episode()
    episode.steps[1].observation.picture.doubt = "drawn by another edition"
    write_parquet([episode], tmp_path / "run.parquet")
    (read,) = ParquetEpisodes(tmp_path / "run.parquet")
    doubts = [step.observation.picture.doubt for step in read.steps]
    assert doubts == ["", "drawn by another edition", ""]


def test_a_file_of_before_there_were_values_has_none(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path, old = tmp_path / "run.parquet", tmp_path / "old.parquet"
    write_parquet([make_episode()], path)
    parquet.write_table(parquet.read_table(path).drop_columns(["value"]), old)
    (now,), (before,) = ParquetEpisodes(path), ParquetEpisodes(old)
    assert all(step.choice.value is not None for step in now.steps)
    assert [replace(step.choice, value=None) for step in now.steps] == [
        step.choice for step in before.steps
    ]


def test_more_rows_than_a_group_come_back_in_order(episodes: list[Episode], tmp_path: Path) -> None:
    many = [replace(episodes[n % 3], id=f"e{n}") for n in range(150)]
    path = tmp_path / "run.parquet"
    write_parquet(many, path)
    assert [episode.id for episode in ParquetEpisodes(path)] == [e.id for e in many]


def test_elements_that_are_not_reported_stay_so(episodes: list[Episode], tmp_path: Path) -> None:
    first = episodes[0]
    blind = tuple(
        replace(step, observation=replace(step.observation, elements=None)) for step in first.steps
    )
    write_parquet([replace(first, steps=blind)], tmp_path / "run.parquet")
    (read,) = ParquetEpisodes(tmp_path / "run.parquet")
    assert all(step.observation.elements is None for step in read.steps)


def test_a_file_that_was_not_finished_is_not_there(episodes: list[Episode], tmp_path: Path) -> None:
    def broken() -> object:
        yield episodes[0]
        raise RuntimeError("the disk is full")

    with pytest.raises(RuntimeError, match="disk is full"):
        write_parquet(broken(), tmp_path / "run.parquet")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_export_is_refused(episodes: list[Episode], tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    garbage = tmp_path / "garbage.parquet"
    garbage.write_bytes(b"PAR1 but not really")
    with pytest.raises(StoreError, match="cannot be read"):
        ParquetEpisodes(garbage)
    other = tmp_path / "other.parquet"
    parquet.write_table(pyarrow.table({"text": ["a"]}), other)
    with pytest.raises(StoreError, match="holds no episodes"):
        ParquetEpisodes(other)


def test_rows_that_are_missing_are_noticed(episodes: list[Episode], tmp_path: Path) -> None:
    from pyarrow import parquet

    path = tmp_path / "run.parquet"
    write_parquet(episodes[:1], path)
    table = parquet.read_table(path)
    parquet.write_table(table.slice(1), path)
    with pytest.raises(StoreError, match="not all there"):
        list(ParquetEpisodes(path))


def test_without_pyarrow_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ConfigError, match=r"distrl\[data\]"):
        write_parquet([], tmp_path / "run.parquet")


@pytest.mark.slow
def test_datasets_opens_it_and_shows_screens_as_pictures(
    episodes: list[Episode], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    datasets = pytest.importorskip("datasets")
    path = tmp_path / "run.parquet"
    write_parquet(episodes, path)
    rows = datasets.load_dataset(
        "parquet", data_files=str(path), split="train", cache_dir=str(tmp_path / "cache")
    )
    assert len(rows) == sum(len(e.steps) + (e.final is not None) for e in episodes)
    first = episodes[0].steps[0]
    row = rows[0]
    assert isinstance(row["screen"], Image.Image)
    assert np.array_equal(np.asarray(row["screen"]), first.observation.screen)
    assert row["log_prob"] == first.choice.log_prob
    assert row["action"]["kind"] == first.choice.action.kind
    assert row["elements"][0]["text"] == (first.observation.elements or ())[0].text
