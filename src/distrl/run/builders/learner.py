"""The learner of a run, from its settings."""

from __future__ import annotations

from distrl.config import RunConfig
from distrl.config.replay import InitialPriority
from distrl.learn.arrival_priority import ArrivalPriority
from distrl.learn.learner import Budget, Learner, LearnerParts


def make_learner(parts: LearnerParts, config: RunConfig) -> Learner:
    """A learner with the budget, the seed and the initial priorities of a run."""
    if config.replay.initial_priority is InitialPriority.ACTOR:
        parts.ingest.priority_of = ArrivalPriority(
            scale=parts.scale,
            weights=config.replay.priorities,
            gamma=config.algorithm.gamma,
            rho_max=config.algorithm.rho_max,
        )
    seconds = None if config.minutes is None else 60.0 * config.minutes
    budget = Budget(seconds=seconds, episodes=config.max_episodes)
    return Learner(parts, config.learner, budget=budget, seed=config.seed)
