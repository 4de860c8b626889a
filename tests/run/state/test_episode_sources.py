from __future__ import annotations

from pathlib import Path

import pytest
from tests.contracts.store import make_episode
from tests.run.conftest import small_config

from distrl.config.devices import PhoneConfig
from distrl.errors import ConfigError
from distrl.replay.store.sqlite import SqliteStore, StoreReader
from distrl.run.state.episode_sources import digest_of_episodes, open_episodes, write_store
from distrl.run.state.folder import RunFolder, create_run

EPISODES = [make_episode(f"e{number}", seed=number, steps=2 + number) for number in range(3)]
IDS = ["e0", "e1", "e2"]


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "episodes.sqlite"
    write_store(EPISODES, path)
    return path


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    folder = create_run(tmp_path / "run", small_config("phone.nuisance_rate=0.25"))
    write_store(EPISODES, folder.episodes)
    return folder


def test_writing_says_how_many_episodes_and_steps_there_are(tmp_path: Path) -> None:
    assert write_store(EPISODES, tmp_path / "a.sqlite") == (3, 2 + 3 + 4)
    with StoreReader(tmp_path / "a.sqlite") as reader:
        assert list(reader.ids()) == IDS
        reader.verify()


def test_episodes_are_written_as_they_come(tmp_path: Path) -> None:
    assert write_store((episode for episode in EPISODES[:1]), tmp_path / "a.sqlite") == (1, 2)
    assert write_store([], tmp_path / "b.sqlite") == (0, 0)


def test_episodes_of_a_file_come_in_the_order_in_which_they_were_stored(stored: Path) -> None:
    with open_episodes(stored) as source:
        assert len(source.episodes) == 3
        assert [episode.id for episode in source.episodes] == IDS
        assert [len(episode.steps) for episode in source.episodes] == [2, 3, 4]


def test_a_file_does_not_know_its_phones_and_gets_the_usual_ones(stored: Path) -> None:
    with open_episodes(stored) as source:
        assert source.phone == PhoneConfig()


def test_episodes_of_a_run_come_with_the_phones_of_the_run(run: RunFolder) -> None:
    with open_episodes(str(run.root)) as source:
        assert source.phone == run.load_config().phone
        assert source.phone.nuisance_rate == 0.25
        assert len(source.episodes) == 3


def test_episodes_can_be_gone_through_more_than_once(stored: Path) -> None:
    with open_episodes(stored) as source:
        first, again = ([episode.id for episode in source.episodes] for _ in range(2))
    assert first == again == IDS


def test_an_exported_file_is_read_like_a_store(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from distrl.replay.parquet import write_parquet

    write_parquet(EPISODES, tmp_path / "a.parquet")
    with open_episodes(tmp_path / "a.parquet") as source:
        assert [episode.id for episode in source.episodes] == IDS


def test_where_there_are_no_episodes_is_told(tmp_path: Path) -> None:
    for where in (tmp_path, tmp_path / "nowhere", tmp_path / "nowhere.parquet"):
        with pytest.raises(ConfigError, match=f"there are no episodes in {where}: name a run's"):
            digest_of_episodes(where)
        with pytest.raises(ConfigError, match="there are no episodes"), open_episodes(where):
            pass


def test_a_file_that_is_no_store_is_an_error_for_people(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("these are no episodes")
    with pytest.raises(ConfigError, match=r"notes\.txt"), open_episodes(tmp_path / "notes.txt"):
        pass


def test_the_digest_stays_for_as_long_as_the_episodes_do(run: RunFolder) -> None:
    before = digest_of_episodes(run.root)
    assert digest_of_episodes(run.episodes) == before
    with open_episodes(run.root) as source:
        list(source.episodes)
    assert digest_of_episodes(run.root) == before


def test_the_digest_changes_with_an_episode_that_is_still_in_the_log(stored: Path) -> None:
    before, whole = digest_of_episodes(stored), stored.read_bytes()
    with SqliteStore(stored) as store:
        store.add(make_episode("e3"))
        assert stored.read_bytes() == whole  # the store's own file has not changed yet
        assert digest_of_episodes(stored) != before
    assert digest_of_episodes(stored) != before
