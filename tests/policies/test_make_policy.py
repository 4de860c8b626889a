import pytest

from distrl import actions
from distrl.errors import ConfigError
from distrl.policies import POLICIES, make_policy
from distrl.policies.noisy import NoisyPolicy
from distrl.policies.random import RandomPolicy
from distrl.policies.scripted import ScriptedPolicy
from distrl.types import Action


class Oracle:
    def action(self) -> Action:
        return actions.wait()


def test_each_name_makes_its_policy() -> None:
    kinds = {name: type(make_policy(name, Oracle())) for name in POLICIES}
    assert kinds == {"noisy": NoisyPolicy, "random": RandomPolicy, "scripted": ScriptedPolicy}


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"unknown policy 'rnadom'; did you mean 'random'\?"):
        make_policy("rnadom", Oracle())


def test_an_impossible_error_rate_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"got 1\.5"):
        make_policy("noisy", Oracle(), error_rate=1.5)
