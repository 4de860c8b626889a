from pathlib import Path

import pytest

from distrl.errors import ConfigError
from distrl.interfaces import Oracle, Policy
from distrl.policies.random import RandomPolicy
from distrl.run.evaluate import evaluate


def test_the_same_arguments_give_the_same_figures() -> None:
    first, again = evaluate("noisy", tasks=12, seed=1), evaluate("noisy", tasks=12, seed=1)
    assert first == again
    assert evaluate("random", tasks=12, seed=2) != evaluate("random", tasks=12, seed=3)


def test_a_policy_of_one_s_own_is_evaluated_too() -> None:
    made = []

    def build(oracle: Oracle) -> Policy:
        made.append(oracle)
        return RandomPolicy(seed=1)

    assert evaluate(build, tasks=3).overall.episodes == 3
    assert len(made) == 1


def test_an_unknown_policy_is_answered_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="did you mean 'scripted'"):
        evaluate("scriptd", tasks=1)


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no run in"):
        evaluate(tmp_path / "nothing", tasks=1)


def test_an_exported_policy_is_told_apart_from_a_run(tmp_path: Path) -> None:
    (tmp_path / "policy.onnx").touch()
    with pytest.raises(ConfigError, match="name the run that it was exported from"):
        evaluate(tmp_path, tasks=1)
