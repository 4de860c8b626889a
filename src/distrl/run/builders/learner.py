"""The learner of a run, from its settings."""

from __future__ import annotations

from distrl.config import RunConfig
from distrl.learn.learner import Budget, Learner, LearnerParts


def make_learner(parts: LearnerParts, config: RunConfig) -> Learner:
    """A learner with the budget and the seed of a run."""
    seconds = None if config.minutes is None else 60.0 * config.minutes
    budget = Budget(seconds=seconds, episodes=config.max_episodes)
    return Learner(parts, config.learner, budget=budget, seed=config.seed)
