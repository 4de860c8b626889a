from __future__ import annotations

from pathlib import Path

import pytest
from tests.run.conftest import small_config
from tests.run.runs import fake_run

from distrl.config import load_run_config
from distrl.errors import ConfigError
from distrl.run.builders import pretrained
from distrl.run.builders.given_sizes import fit_sizes
from distrl.run.builders.pretrained import make_pretrained
from distrl.run.startable import check_startable


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a run whose policy is small and ships with the package."""
    monkeypatch.setattr(pretrained, "FOLDER", tmp_path / "shipped")
    run = fake_run(tmp_path / "run", small_config())
    make_pretrained(run.root, tasks=1)
    return run.root


def sizes(*overrides: str) -> tuple[int, int, int, int]:
    policy = fit_sizes(load_run_config("quickstart", overrides)).policy
    return policy.width, policy.layers, policy.heads, policy.crop_width


@pytest.mark.usefixtures("shipped")
def test_a_run_has_the_sizes_of_the_pretrained_policy_that_it_starts_from() -> None:
    small = small_config().policy
    assert sizes("init=pretrained") == (small.width, small.layers, small.heads, small.crop_width)
    check_startable(load_run_config("quickstart", ["init=pretrained"]))


def test_a_run_has_the_sizes_of_the_run_that_it_starts_from(shipped: Path) -> None:
    assert sizes(f"init={shipped}")[0] == small_config().policy.width


@pytest.mark.usefixtures("shipped")
def test_what_is_said_stays_and_is_refused_if_it_does_not_fit() -> None:
    assert sizes("init=pretrained", "policy.width=64")[0] == 64
    with pytest.raises(ConfigError, match="the weights in pretrained are of another network"):
        check_startable(load_run_config("quickstart", ["init=pretrained", "policy.width=64"]))


@pytest.mark.parametrize("init", ["warm_start", "scratch"])
def test_a_run_with_weights_of_its_own_keeps_its_sizes(init: str) -> None:
    config = load_run_config("quickstart", [f"init={init}"])
    assert fit_sizes(config) is config


def test_a_folder_that_says_nothing_of_sizes_changes_nothing(tmp_path: Path) -> None:
    config = load_run_config("quickstart", [f"init={tmp_path}"])
    assert fit_sizes(config) is config
