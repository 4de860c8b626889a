from __future__ import annotations

from pathlib import Path

import pytest

from distrl.envs.device_kinds import NoOracle
from distrl.errors import ConfigError
from distrl.interfaces import Policy
from distrl.run.named_policy import is_trained, policy_factory, require_named


def test_a_name_does_not_depend_on_which_folders_lie_around(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("random", "run"):
        Path(name).mkdir()
    assert not is_trained("random")
    assert is_trained("run")
    assert is_trained("./random")
    assert is_trained("pretrained")
    assert is_trained("pretrained:other")
    assert not is_trained("")


def test_a_named_policy_is_made_for_an_oracle() -> None:
    made = policy_factory("random", seed=3)(NoOracle("general"))
    assert isinstance(made, Policy)


def test_unknown_names_are_answered_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"did you mean 'api'\?"):
        require_named("apo", also=("api",))
    with pytest.raises(ConfigError, match="there is no run in runs/x"):
        policy_factory("runs/x")
    with pytest.raises(ConfigError, match=r"did you mean 'pretrained'\?"):
        policy_factory("pretraned")


def test_a_folder_without_weights_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=str(tmp_path)):
        policy_factory(str(tmp_path))
