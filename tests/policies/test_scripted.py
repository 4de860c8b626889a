from tests.envs.fakes import make_observation

from distrl import actions
from distrl.policies.scripted import ScriptedPolicy
from distrl.types import Action, Situation


class CountingOracle:
    def __init__(self) -> None:
        self.asked = 0

    def action(self) -> Action:
        self.asked += 1
        return actions.type_text(f"turn {self.asked}")


def test_it_does_what_the_oracle_says_once_per_situation() -> None:
    oracle = CountingOracle()
    policy = ScriptedPolicy(oracle)
    policy.begin(0)
    situation = Situation(goal="any", observation=make_observation(), history=(), steps_left=3)
    (first,) = policy.act([situation])
    (second,) = policy.act([situation])
    assert [first.action.text, second.action.text] == ["turn 1", "turn 2"]
    assert first.log_prob is None
    assert oracle.asked == 2
