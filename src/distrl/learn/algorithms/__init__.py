"""The algorithms, one file each; plug-ins may add more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from distrl import plugins
from distrl.plugins import Part

if TYPE_CHECKING:
    from distrl.learn.algorithms.actor_critic import ActorCritic, ARideSettings
    from distrl.learn.learner import Algorithm
    from distrl.learn.model import Model

ALGORITHMS = ("a_ride", "digirl", "filtered_bc", "grpo", "ppo")
"""Names of the built-in ones."""


def algorithm_names() -> tuple[str, ...]:
    """Names that `make_algorithm` knows, those of plug-ins last."""
    return (*ALGORITHMS, *plugins.names(Part.ALGORITHM, ALGORITHMS))


def make_algorithm(name: str, model: Model, settings: ARideSettings) -> Algorithm:
    """The algorithm of this name for a model; a plug-in uses of the settings what it needs."""
    # Imported here, for the learner itself imports what is in this package.
    from distrl.learn.algorithms.a_ride import ARide
    from distrl.learn.algorithms.digirl import Digirl
    from distrl.learn.algorithms.filtered_bc import FilteredBC
    from distrl.learn.algorithms.grpo import GRPO
    from distrl.learn.algorithms.ppo import PPO
    from distrl.learn.learner import Algorithm

    built_in: dict[str, type[ActorCritic]] = {
        "a_ride": ARide,
        "digirl": Digirl,
        "filtered_bc": FilteredBC,
        "grpo": GRPO,
        "ppo": PPO,
    }
    if name in built_in:
        return built_in[name](model, settings)
    plugin = plugins.find(Part.ALGORITHM, name, ALGORITHMS)
    made = plugin.make(model, settings)
    if not isinstance(made, Algorithm):
        raise plugin.broken(f"it made {made!r}, which is no Algorithm")
    return made
