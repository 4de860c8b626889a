"""What is rewarded becomes likelier: the algorithm and a language model together."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tests.policies.lm.tiny import llama_model, prefix_cache, prompt_encoder, situation

from distrl.config.learn import AlgorithmConfig
from distrl.learn.algorithms.a_ride import ARide
from distrl.policies.lm.inputs import unpack
from distrl.policies.lm.policy import LmPolicy
from distrl.replay.buffer import Sampled
from distrl.replay.trajectory import Trajectory
from distrl.types import Choice, Kind

EPISODES = 16
UPDATES = 40


def trajectory_of(number: int, choice: Choice) -> Trajectory:
    """An episode of one step, rewarded for a tap on any element."""
    succeeded = choice.action.kind is Kind.TAP
    return Trajectory(
        id=str(number),
        inputs=(unpack(choice.inputs),),
        decisions=(choice.decision or (),),
        log_mu=np.array([choice.log_prob], np.float32),
        rewards=np.array([float(succeeded)], np.float32),
        penalties=np.zeros(1, np.float32),
        terminated=True,
        oldest_version=1,
        succeeded=succeeded,
        goal="Open the chat with Ann Lee",
    )


@pytest.mark.slow
def test_rewarded_actions_become_likelier() -> None:
    model = llama_model(top=3)
    policy = LmPolicy(model, prompt_encoder(), prefix_cache())
    _, inputs = prompt_encoder().encode(situation())
    taps = [option for option in inputs.options if " tap(" in prompt_encoder().decode(option)]

    def chance() -> float:
        with torch.no_grad():
            return float(model.evaluate([inputs] * len(taps), taps).log_prob.exp().sum())

    before = chance()
    learner = ARide(model, AlgorithmConfig(learning_rate=1e-2, critic_warmup=0, imitation=0.0))
    for update in range(UPDATES):
        seeds = range(update * EPISODES, (update + 1) * EPISODES)
        choices = policy.act([situation(seed=seed) for seed in seeds])
        records = [trajectory_of(seed, choice) for seed, choice in zip(seeds, choices, strict=True)]
        learner.update(
            Sampled(
                slots=np.arange(len(records)),
                trajectories=tuple(records),
                weights=np.ones(len(records), np.float32),
                fresh=np.ones(len(records), np.bool_),
            )
        )
    assert before < 0.5
    assert chance() > before + 0.3
