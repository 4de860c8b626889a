from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.run.conftest import small_config

from distrl.errors import ConfigError
from distrl.run.state.folder import RunFolder, create_run, new_run_folder, reopen_run


def test_a_new_run_keeps_its_settings(tmp_path: Path) -> None:
    config = small_config("seed=7")
    folder = create_run(tmp_path / "a" / "run", config)
    assert folder.load_config() == config


def test_a_folder_holds_one_run(tmp_path: Path) -> None:
    create_run(tmp_path, small_config())
    with pytest.raises(ConfigError, match="--resume"):
        create_run(tmp_path, small_config())


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="is not a folder"):
        create_run(tmp_path / "file", small_config())


def test_a_run_goes_on_with_changed_settings(tmp_path: Path) -> None:
    create_run(tmp_path, small_config())
    changed = small_config("max_episodes=99")
    assert reopen_run(tmp_path, changed).load_config() == changed


@pytest.mark.parametrize("change", ["policy.width=32", "seed=5", "init=elsewhere"])
def test_what_a_run_is_made_of_stays(tmp_path: Path, change: str) -> None:
    create_run(tmp_path, small_config())
    with pytest.raises(ConfigError, match="fork it instead: init="):
        reopen_run(tmp_path, small_config(change))


def test_nothing_to_go_on_with_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no run"):
        reopen_run(tmp_path / "nowhere", small_config())


def test_default_folders_are_never_shared(tmp_path: Path) -> None:
    names = [new_run_folder("quick", tmp_path / "runs").name for _ in range(3)]
    assert names == ["quick-1", "quick-2", "quick-3"]


def test_a_lock_has_one_holder_and_says_who(tmp_path: Path) -> None:
    folder = create_run(tmp_path, small_config())
    assert folder.holder("run") is None
    with folder.lock("run"):
        assert folder.holder("run") == os.getpid()
        with (
            pytest.raises(ConfigError, match=rf"another process \({os.getpid()}\) is the run"),
            RunFolder(tmp_path).lock("run"),
        ):
            pass
        with folder.lock("learner"):
            pass
    with folder.lock("run"):
        pass


def test_progress_is_what_was_noted_last(tmp_path: Path) -> None:
    folder = create_run(tmp_path, small_config())
    assert folder.progress() == {}
    folder.note({"seconds": 1.5})
    folder.note({"seconds": 2.5, "before": {"success": None}})
    assert folder.progress() == {"seconds": 2.5, "before": {"success": None}}
