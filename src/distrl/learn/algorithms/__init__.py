"""The algorithms, one file each; plug-ins may add more."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from distrl import plugins
from distrl.plugins import Part, Registry

if TYPE_CHECKING:
    from distrl.learn.algorithms.actor_critic import ARideSettings
    from distrl.learn.learner import Algorithm
    from distrl.learn.model import Model

ALGORITHMS = {
    "a_ride": "distrl.learn.algorithms.a_ride:ARide",
    "digirl": "distrl.learn.algorithms.digirl:Digirl",
    "filtered_bc": "distrl.learn.algorithms.filtered_bc:FilteredBC",
    "grpo": "distrl.learn.algorithms.grpo:GRPO",
    "ppo": "distrl.learn.algorithms.ppo:PPO",
}
"""The built-in ones."""


def algorithm_names() -> tuple[str, ...]:
    """Names that `make_algorithm` knows, those of plug-ins last."""
    return (*ALGORITHMS, *plugins.names(Part.ALGORITHM, ALGORITHMS))


def make_algorithm(name: str, model: Model, settings: ARideSettings) -> Algorithm:
    """The algorithm of this name for a model; a plug-in uses of the settings what it needs."""
    made: Algorithm = _registry().make(name, model, settings)
    return made


@cache
def _registry() -> Registry:
    # Imported here, for the learner itself imports what is in this package.
    from distrl.learn.learner import Algorithm

    return Registry(Part.ALGORITHM, ALGORITHMS, Algorithm)
