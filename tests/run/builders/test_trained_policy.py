from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
import torch
from tests.run.conftest import small_config
from tests.run.runs import UPDATES, fake_run
from torch import Tensor

from distrl.errors import ConfigError
from distrl.policies.pointer.policy import PointerPolicy
from distrl.run.builders.trained_policy import is_lm, load_pointer, load_policy
from distrl.run.state.checkpoint import weights_of_run
from distrl.run.state.folder import RunFolder, create_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run that ended with random weights; nobody changes its folder."""
    return fake_run(tmp_path_factory.mktemp("runs") / "run", small_config("policy.pixels=false"))


def same(found: Mapping[str, Tensor], wanted: Mapping[str, Tensor]) -> bool:
    return found.keys() == wanted.keys() and all(torch.equal(found[k], wanted[k]) for k in wanted)


def test_the_policy_of_a_run_acts_with_the_weights_of_its_newest_checkpoint(run: RunFolder) -> None:
    policy = load_policy(run.root)
    assert isinstance(policy, PointerPolicy)
    assert policy.digest == f"step-{UPDATES}"
    assert same(policy._model.state_dict(), weights_of_run(run.root)[0])


def test_a_folder_may_be_given_as_text(run: RunFolder) -> None:
    assert load_policy(str(run.root)).digest == f"step-{UPDATES}"


@pytest.mark.parametrize("greedy", [True, False])
def test_a_policy_is_greedy_unless_it_shall_explore(run: RunFolder, greedy: bool) -> None:
    policy = load_policy(run.root, greedy=greedy)
    assert isinstance(policy, PointerPolicy)
    assert policy._greedy is greedy


def test_a_pointer_comes_with_the_settings_that_it_was_trained_with(run: RunFolder) -> None:
    pointer, config, digest = load_pointer(run.root)
    assert config == run.load_config()
    assert digest == f"step-{UPDATES}"
    assert same(pointer.model.state_dict(), weights_of_run(run.root)[0])


@pytest.mark.parametrize(("asked", "pixels"), [(None, False), (False, False), (True, True)])
def test_a_policy_sees_the_screen_as_it_was_trained_unless_told_otherwise(
    run: RunFolder, asked: bool | None, pixels: bool
) -> None:
    _, config, _ = load_pointer(run.root, pixels=asked)
    assert config.policy.pixels is pixels
    assert run.load_config().policy.pixels is False


def test_a_run_without_a_checkpoint_has_no_policy(tmp_path: Path) -> None:
    folder = create_run(tmp_path / "run", small_config())
    for load in (load_policy, load_pointer):
        with pytest.raises(ConfigError, match="has no whole checkpoint"):
            load(folder.root)
        with pytest.raises(ConfigError, match="there is no run at"):
            load(tmp_path / "nowhere")


def test_what_needs_a_pointer_refuses_a_run_of_another_policy(
    run: RunFolder, tmp_path: Path
) -> None:
    other = create_run(tmp_path / "lm", small_config("policy.name=lm", "learner.swap_names=false"))
    other.checkpoints.symlink_to(run.checkpoints)
    with pytest.raises(ConfigError, match="trained lm, and this needs a pointer"):
        load_pointer(other.root)


def test_a_run_of_a_language_model_is_known_by_its_settings(run: RunFolder, tmp_path: Path) -> None:
    other = create_run(tmp_path / "lm", small_config("policy.name=lm", "learner.swap_names=false"))
    assert is_lm(other.root)
    assert is_lm(str(other.root))
    for policy in (run.root, "pretrained", "pretrained:general", tmp_path / "nowhere"):
        assert not is_lm(policy)
