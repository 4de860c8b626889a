from __future__ import annotations

from pathlib import Path

import pytest

from distrl.bench.dashboard.synthetic_run import play_some
from distrl.errors import ConfigError
from distrl.run.state.demonstrations import (
    has_demonstrations,
    open_demonstrations,
    read_demonstrations,
    require_demonstrations_folder,
)
from distrl.run.state.episode_sources import open_episodes


def test_what_is_added_is_read_by_whoever_trains(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    assert not has_demonstrations(folder)
    (episode,) = play_some(1)
    for _ in range(2):
        with open_demonstrations(folder) as store:
            store.add(episode)
    assert has_demonstrations(folder)
    with read_demonstrations(folder) as store:
        assert store.ids() == [episode.id]
    with open_episodes(folder) as source:
        assert [found.id for found in source.episodes] == [episode.id]


def test_folders_that_are_something_else_are_refused(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").touch()
    with pytest.raises(ConfigError, match="folder of a run"):
        require_demonstrations_folder(tmp_path)
    with pytest.raises(ConfigError, match="is none"):
        require_demonstrations_folder(tmp_path / "config.yaml")
    with pytest.raises(ConfigError, match="no demonstrations in"), read_demonstrations(tmp_path):
        pass


def test_a_damaged_store_is_the_users_to_deal_with(tmp_path: Path) -> None:
    (tmp_path / "episodes.sqlite").write_bytes(b"no database" * 1000)
    with pytest.raises(ConfigError), open_demonstrations(tmp_path):
        pass
