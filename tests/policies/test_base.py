from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.envs.fakes import make_observation

from distrl import actions
from distrl.errors import ServiceError
from distrl.interfaces import ActingPolicy
from distrl.policies.base import ModelPolicy
from distrl.types import Choice, Situation


class Weights:
    taken: dict[str, Any] | None = None

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.taken = state_dict


class BySeed(ModelPolicy[Weights]):
    """Has no answer for the seed 9, and packs the seed 5 itself."""

    def prepare(self, situation: Situation) -> bytes:
        return bytes([situation.seed])

    def decide(
        self, situations: Sequence[Situation], prepared: Sequence[bytes]
    ) -> list[Choice | ServiceError]:
        return [ServiceError("no answer") if one == b"\x09" else _choice(one) for one in prepared]


def _choice(prepared: bytes) -> Choice:
    return Choice(action=actions.wait(), inputs=b"own" if prepared == b"\x05" else b"")


def situation(seed: int) -> Situation:
    seen = make_observation()
    return Situation(goal="g", observation=seen, history=(), steps_left=3, seed=seed)


def test_choices_carry_what_was_prepared_unless_they_bring_their_own_inputs() -> None:
    policy: ActingPolicy = BySeed(Weights())
    choices = policy.act([situation(seed) for seed in (3, 5)])
    assert [choice.inputs for choice in choices] == [b"\x03", b"own"]


def test_a_situation_without_an_answer_is_an_error_for_who_plays_alone() -> None:
    with pytest.raises(ServiceError, match="no answer"):
        BySeed(Weights()).act([situation(1), situation(9)])


def test_weights_are_taken_over_with_their_version_and_digest() -> None:
    model = Weights()
    policy = BySeed(model)
    assert (policy.version, policy.digest) == (0, "")
    policy.load({"w": 1}, 4, "abc")
    assert (model.taken, policy.version, policy.digest) == ({"w": 1}, 4, "abc")
