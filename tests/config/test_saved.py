from __future__ import annotations

from pathlib import Path

import pytest

from distrl.config import RunConfig, dump
from distrl.config.saved import SavedSettings, read_saved


def saved(folder: Path, text: str | bytes) -> SavedSettings:
    path = folder / "config.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_saved(path)


def test_settings_of_this_version_are_read_whole(tmp_path: Path) -> None:
    config = RunConfig(seed=7)
    found = saved(tmp_path, dump(config))
    assert (found.config, found.unknown, found.problem) == (config, {}, "")
    assert found.as_tree() == config.model_dump(mode="json")


def test_keys_that_this_version_does_not_know_are_set_aside_and_kept(tmp_path: Path) -> None:
    text = "seed: 7\ncolour: red\nalgorithm: {gamma: 0.5, zeta: [1, 2]}\n3: x\n"
    found = saved(tmp_path, text)
    assert found.config is not None
    assert (found.config.seed, found.config.algorithm.gamma) == (7, 0.5)
    assert found.unknown == {"colour": "red", "algorithm.zeta": [1, 2], "3": "x"}
    tree = found.as_tree()
    assert (tree["colour"], tree["algorithm"]["zeta"], tree["3"]) == ("red", [1, 2], "x")
    assert tree["minutes"] == RunConfig().minutes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("seed: [", "is not YAML"),
        ("- 1", "must hold keys and values"),
        (b"\xff\xfe\x00", "cannot be read"),
        ("seed: red\ntasks: {suite: mine}", "seed must be a whole number"),
        ("tasks: 3", "tasks is a section"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path: Path, text: str | bytes, said: str) -> None:
    found = saved(tmp_path, text)
    assert found.config is None
    assert said in found.problem


def test_texts_are_told_from_the_file_when_another_value_is_wrong(tmp_path: Path) -> None:
    found = saved(tmp_path, "seed: red\ntasks: {suite: mine}")
    assert found.find("tasks", "suite") == "mine"
    assert found.find("algorithm", "name") is None
    assert found.as_tree() == {"seed": "red", "tasks": {"suite": "mine"}}
    assert saved(tmp_path, "").find("tasks", "suite") == "general"


def test_a_file_that_is_not_there_is_a_problem_too(tmp_path: Path) -> None:
    assert "cannot be read" in read_saved(tmp_path / "config.yaml").problem
