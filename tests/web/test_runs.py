from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from distrl.config import RunConfig
from distrl.errors import ConfigError
from distrl.run.state.folder import create_run
from distrl.web.runs import Runs, is_held


def names(runs: Runs) -> list[str]:
    return [run.name for run in runs]


def test_a_folder_of_runs_is_watched_for_new_ones(tmp_path: Path) -> None:
    create_run(tmp_path / "runs" / "one", RunConfig())
    runs = Runs([tmp_path / "runs"])
    assert names(runs) == ["one"]
    create_run(tmp_path / "runs" / "two", RunConfig())
    runs.look()
    runs.look()
    assert names(runs) == ["one", "two"]


def test_runs_of_one_name_are_told_apart(tmp_path: Path) -> None:
    paths = [tmp_path / parent / "run" for parent in ("a", "b")]
    for path in paths:
        create_run(path, RunConfig())
    runs = Runs(paths)
    assert names(runs) == ["run", "run (2)"]
    assert runs["run (2)"].folder.root == paths[1]


def test_a_name_that_nobody_has_is_a_key_error(tmp_path: Path) -> None:
    create_run(tmp_path / "one", RunConfig())
    runs = Runs([tmp_path / "one"])
    for name in ("two", "../one", str(tmp_path / "one")):
        with pytest.raises(KeyError):
            runs[name]


def test_a_folder_that_is_removed_stays_listed_and_says_so(tmp_path: Path) -> None:
    (run,) = runs = Runs([create_run(tmp_path / "one", RunConfig()).root.parent])
    assert run.problems() == []
    shutil.rmtree(tmp_path / "one")
    runs.look()
    assert names(runs) == ["one"]
    (problem,) = run.problems()
    assert "is no longer there" in problem


def test_no_run_is_an_error_that_says_where_was_looked(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no run in"):
        Runs([tmp_path])
    with pytest.raises(ConfigError, match="not a folder"):
        Runs([tmp_path / "nowhere"])


def test_priorities_come_from_the_newest_checkpoint(tmp_path: Path) -> None:
    folder = create_run(tmp_path / "one", RunConfig())
    (run,) = Runs([folder.root])
    assert run.priorities() == {}
    for step, value in ((9, 1.0), (10, 2.0)):
        checkpoint = folder.checkpoints / f"step-{step}"
        checkpoint.mkdir(parents=True)
        buffer = {"ids": ["e"], "priorities": [value]}
        (checkpoint / "state.json").write_text(json.dumps({"ingest": {"buffer": buffer}}))
    (folder.checkpoints / ".step-11.partial").mkdir()
    assert run.priorities() == {"e": 2.0}
    assert [checkpoint.name for checkpoint in run.checkpoints()] == ["step-9", "step-10"]


def test_a_checkpoint_that_is_gone_has_no_priorities(tmp_path: Path) -> None:
    folder = create_run(tmp_path / "one", RunConfig())
    (folder.checkpoints / "step-1").mkdir(parents=True)
    (run,) = Runs([folder.root])
    assert run.priorities() == {}


def test_a_lock_file_that_nobody_holds_is_not_held(tmp_path: Path) -> None:
    folder = create_run(tmp_path / "one", RunConfig())
    assert not is_held(folder.root / "run.lock")
    with folder.lock("run"):
        assert is_held(folder.root / "run.lock")
    assert not is_held(folder.root / "run.lock")
