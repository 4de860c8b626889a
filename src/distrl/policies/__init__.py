"""Policies: a situation in, a choice out. `make_policy` builds those that need no training."""

from __future__ import annotations

from dataclasses import dataclass

from distrl import plugins
from distrl.interfaces import Oracle, Policy
from distrl.plugins import Part
from distrl.policies.noisy import NoisyPolicy
from distrl.policies.of_plugin import guarded_policy
from distrl.policies.random import RandomPolicy
from distrl.policies.scripted import ScriptedPolicy
from distrl.types import BASIC_KINDS, Kind

POLICIES = ("noisy", "random", "scripted")
"""Names of the built-in policies that `make_policy` knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the policy of a plug-in is made for."""

    oracle: Oracle
    """Knows the way; for policies that may cheat, such as demonstrators."""
    kinds: frozenset[Kind]
    """The action kinds that the suite needs and the device has."""
    seed: int
    """Distinguishes runs."""


def policy_names() -> tuple[str, ...]:
    """Names that `make_policy` knows, those of plug-ins last."""
    return (*POLICIES, *plugins.names(Part.POLICY, POLICIES))


def make_policy(
    name: str,
    oracle: Oracle,
    *,
    kinds: frozenset[Kind] = BASIC_KINDS,
    error_rate: float = 0.2,
    seed: int = 0,
) -> Policy:
    """Build a policy by name, for the one environment that `oracle` knows the way in.

    `kinds` are the action kinds that it may choose among, `error_rate` is how often `noisy` errs,
    and `seed` distinguishes runs: with the same one, an episode of the same task has the same
    choices.
    """
    match name:
        case "scripted":
            return ScriptedPolicy(oracle)
        case "noisy":
            return NoisyPolicy(oracle, error_rate, seed=seed)
        case "random":
            return RandomPolicy(kinds, seed=seed)
        case _:
            return _plugged_in(name, Surroundings(oracle=oracle, kinds=kinds, seed=seed))


def _plugged_in(name: str, surroundings: Surroundings) -> Policy:
    plugin = plugins.find(Part.POLICY, name, POLICIES)
    made = plugin.make(surroundings)
    if not isinstance(made, Policy):
        raise plugin.unfit(made, Policy)
    return guarded_policy(made, plugin)
