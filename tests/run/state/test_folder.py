from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.contracts.store import make_episode
from tests.run.conftest import small_config

from distrl.errors import ConfigError, PipelineError
from distrl.replay.store.sqlite import SqliteStore
from distrl.run.state.folder import (
    RunFolder,
    create_run,
    freed_if_unstarted,
    new_run_folder,
    reopen_run,
    require_free,
)


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


def test_a_start_that_fails_before_the_first_episode_leaves_its_folder_free(
    tmp_path: Path,
) -> None:
    folder = create_run(tmp_path / "run", small_config())
    with pytest.raises(ConfigError, match="as it is"), freed_if_unstarted(folder):
        folder.start.mkdir()
        folder.note({"seconds": 0.0})
        SqliteStore(folder.episodes).close()
        raise ConfigError("as it is")
    assert not folder.root.exists()


def test_the_log_of_a_failed_start_stays_and_is_in_nobody_s_way(tmp_path: Path) -> None:
    folder = create_run(tmp_path / "run", small_config())
    with pytest.raises(PipelineError), freed_if_unstarted(folder):
        folder.learner_log.write_text("why")
        raise PipelineError("the learner ended")
    assert [path.name for path in folder.root.iterdir()] == ["learner.log"]
    assert create_run(folder.root, small_config()).config.is_file()


def test_a_run_that_fails_after_its_first_episode_is_kept(tmp_path: Path) -> None:
    folder = create_run(tmp_path / "run", small_config())
    with pytest.raises(PipelineError), freed_if_unstarted(folder):
        with SqliteStore(folder.episodes) as store:
            store.add(make_episode("first"))
        raise PipelineError("the learner ended")
    assert folder.config.is_file()


def test_an_interrupted_start_can_be_resumed(tmp_path: Path) -> None:
    folder = create_run(tmp_path / "run", small_config())
    with pytest.raises(KeyboardInterrupt), freed_if_unstarted(folder):
        raise KeyboardInterrupt
    assert reopen_run(folder.root, small_config()) == folder


def test_a_foreign_folder_is_no_run_folder(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(ConfigError, match=r"is not empty and holds no run \(found: thesis\.tex\)"):
        create_run(tmp_path, small_config())
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_damaged_progress_says_what_is_lost_without_it(tmp_path: Path) -> None:
    folder = create_run(tmp_path, small_config())
    for damaged in ("{", "[1]"):
        (tmp_path / "progress.json").write_text(damaged)
        with pytest.raises(ConfigError, match=r"progress\.json is damaged"):
            folder.progress()


def test_a_folder_that_cannot_be_made_is_refused_before_anything_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="file is not a folder"):
        require_free(tmp_path / "file" / "run")
    # Not by chmod: tests may run as root, whom permissions do not stop.
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(ConfigError, match="no permission to write in"):
        require_free(tmp_path / "a" / "run")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_setting_that_cannot_change_on_the_way_is_named_alone(tmp_path: Path) -> None:
    root = tmp_path / "run"
    create_run(root, small_config())
    with pytest.raises(ConfigError) as error:
        reopen_run(root, small_config("policy.width=96"))
    assert str(error.value).startswith(f"policy.width of the run {root} is ")
    assert "PolicyConfig" not in str(error.value)
