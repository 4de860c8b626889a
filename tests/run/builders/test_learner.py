from dataclasses import replace

import numpy as np
import pytest
from tests.learn.fakes import ListSource, TinyModel, make_episode, pack, unpack

from distrl.clock import VirtualClock
from distrl.config import load_run_config
from distrl.learn.algorithms import make_algorithm
from distrl.learn.ingest import Ingest
from distrl.learn.learner import Budget, Learner, LearnerParts
from distrl.replay.buffer import ReplayBuffer
from distrl.run.builders.learner import make_learner
from distrl.types import StoredEpisode
from distrl.weights.memory_channel import MemoryChannel


def learner_of(*overrides: str, source: ListSource | None = None) -> Learner:
    config = load_run_config("debug", overrides)
    buffer = ReplayBuffer(config.replay, np.random.default_rng(config.seed))
    parts = LearnerParts(
        algorithm=make_algorithm(TinyModel(), config.algorithm),
        ingest=Ingest(source=source or ListSource([]), buffer=buffer, unpack=unpack),
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


def valued(number: int) -> StoredEpisode:
    """An episode whose policy noted a value of every step."""
    made = make_episode(number, length=3)
    return replace(made, steps=tuple(replace(step, value=0.5) for step in made.steps))


@pytest.mark.parametrize("initial", ["max", "actor"])
def test_episodes_arrive_with_the_priorities_that_the_settings_name(initial: str) -> None:
    source = ListSource([valued(number) for number in range(8)])
    learner = learner_of(
        *("learner.min_episodes=8", "learner.sweep_share=0.0", "learner.replay_ratio=100.0"),
        *("learner.batch=4", f"replay.initial_priority={initial}"),
        source=source,
    )
    assert learner.step() is not None
    held = learner.snapshot().state["ingest"]["buffer"]["priorities"]
    source.episodes.extend(valued(number) for number in range(8, 14))
    assert learner.step() is not None
    arrived = learner.snapshot().state["ingest"]["buffer"]["priorities"][8:]
    # The second update has drawn four of all, so at least two are as they arrived.
    assert (sum(priority == max(held) for priority in arrived) >= 2) == (initial == "max")
