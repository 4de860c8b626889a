"""The algorithms, one file each; plug-ins may add more."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from distrl import plugins
from distrl.plugins import Part, Registry

if TYPE_CHECKING:
    from distrl.config.learn import AlgorithmConfig
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


def require_algorithm(name: str) -> None:
    """ConfigError unless `make_algorithm` knows this name, and can import what a plug-in names."""
    # Not by `_registry`, which imports the learner and torch: a dry run asks this too.
    if name not in ALGORITHMS:
        plugins.find(Part.ALGORITHM, name, ALGORITHMS, what="algorithm.name").load()


def make_algorithm(model: Model, config: AlgorithmConfig) -> Algorithm:
    """The algorithm that `config` names, for a model; a plug-in reads what it needs of `config`."""
    made: Algorithm = _registry().make(config.name, model, config, what="algorithm.name")
    return made


@cache
def _registry() -> Registry:
    # Imported here, for the learner itself imports what is in this package.
    from distrl.learn.learner import Algorithm

    return Registry(Part.ALGORITHM, ALGORITHMS, Algorithm)
