import numpy as np
import pytest
from tests.learn.fakes import ListSource, TinyModel, pack, unpack

from distrl.clock import VirtualClock
from distrl.config import load_run_config
from distrl.learn.algorithms import make_algorithm
from distrl.learn.ingest import Ingest
from distrl.learn.learner import Budget, Learner, LearnerParts
from distrl.replay.buffer import ReplayBuffer
from distrl.run.builders.learner import make_learner
from distrl.weights.memory_channel import MemoryChannel


def learner_of(*overrides: str) -> Learner:
    config = load_run_config("debug", overrides)
    buffer = ReplayBuffer(config.replay, np.random.default_rng(config.seed))
    parts = LearnerParts(
        algorithm=make_algorithm(TinyModel(), config.algorithm),
        ingest=Ingest(source=ListSource([]), buffer=buffer, unpack=unpack),
        channel=MemoryChannel(),
        clock=VirtualClock(),
        pack=pack,
    )
    return make_learner(parts, config)


@pytest.mark.parametrize(
    ("overrides", "budget"),
    [
        (("minutes=2", "max_episodes=7"), Budget(seconds=120.0, episodes=7)),
        (("minutes=null", "max_episodes=7"), Budget(seconds=None, episodes=7)),
        (("minutes=0.5", "max_episodes=null"), Budget(seconds=30.0, episodes=None)),
    ],
)
def test_a_learner_has_the_budget_of_its_run(overrides: tuple[str, ...], budget: Budget) -> None:
    assert learner_of(*overrides).budget == budget


def test_a_learner_draws_by_the_seed_of_its_run() -> None:
    drawn = {seed: learner_of(f"seed={seed}").snapshot().state["pool_random"] for seed in (0, 3)}
    assert drawn[0] != drawn[3]
    assert drawn[3] == learner_of("seed=3").snapshot().state["pool_random"]
