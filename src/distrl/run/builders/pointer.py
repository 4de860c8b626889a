"""The pointer policy of a run, from its settings: to act with, to train, to demonstrate for."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from distrl.actions import why_invalid
from distrl.config import RunConfig
from distrl.config.learn import CriticForm
from distrl.devices.phone.labels import labels_edition, list_labels
from distrl.errors import ConfigError
from distrl.learn.learner import Vary
from distrl.policies.pointer.captioner import shipped_captioner
from distrl.policies.pointer.disguise import Disguise
from distrl.policies.pointer.inputs import Inputs, Preparer, options_of
from distrl.policies.pointer.model import PointerModel
from distrl.policies.pointer.name_swap import NameSwap
from distrl.policies.pointer.packing import pack, unpack
from distrl.policies.pointer.policy import PointerPolicy
from distrl.policies.pointer.text_encoder import TextEncoder
from distrl.run.builders.policy_bundle import ModelBundle, require_same_weights
from distrl.tasks.suites import load_suite
from distrl.types import Action, Situation


@dataclass(frozen=True)
class Pointer(ModelBundle):
    """A model, and what stands between it and the world."""

    model: PointerModel
    encoder: TextEncoder
    preparer: Preparer

    def policy(self, *, greedy: bool = False) -> PointerPolicy:
        """Acts with the model as it is now, and changes it when it loads weights."""
        return PointerPolicy(self.model, self.preparer, greedy=greedy)

    def copy(self) -> Pointer:
        """The same with weights of its own."""
        return replace(self, model=copy.deepcopy(self.model))

    def take(self, weights: Mapping[str, Tensor], where: str) -> None:
        """Give the model weights that come from `where`; ConfigError if they do not fit it.

        Only critics of decisions may be missing, or be there without a use.
        """
        self.model.load_state_dict(dict(_fitted(self.model, weights, where)))

    def get_ready(self, goals: Iterable[str]) -> None:
        """Have the text encoder loaded, and read ahead."""
        self.encoder.load()
        self.read_ahead(goals)

    def read_ahead(self, goals: Iterable[str] = ()) -> int:
        """Encode what the phone can say, and goals, before anybody waits for it.

        Returns how many texts were new; what is in the cache already costs nothing.
        """
        names = self.encoder.prefill(shipped_captioner().names)
        labels = self.encoder.prefill_once(f"phone {labels_edition()}", list_labels)
        return names + labels + self.encoder.prefill_goals(goals)

    def express(self, situation: Situation, action: Action) -> tuple[tuple[int, ...] | None, bytes]:
        """How the policy would say an action, if it may do so, and what it sees."""
        network = self.model.network
        allowed = action.kind in network.action_kinds and not (
            network.constrained and why_invalid(action, situation.observation)
        )
        decision = options_of(situation).decision(action) if allowed else None
        if decision is not None and decision[0] >= len(network.choices):
            decision = None
        return decision, pack(self.preparer.prepare(situation))

    def pack(self, inputs: Inputs) -> bytes:
        """Inputs as they are stored."""
        return pack(inputs)

    def unpack(self, data: bytes) -> Inputs:
        """Stored inputs again."""
        return unpack(data, self.encoder)

    def vary(self, config: RunConfig) -> Vary | None:
        """Data augmentation, as the run wants it."""
        return augmentation(config, self.encoder)

    def gauges(self) -> dict[str, float]:
        """How often a text was known already."""
        encoder = self.encoder
        return {
            "text/hit_rate": encoder.hit_rate,
            "text/hits": encoder.hits,
            "text/misses": encoder.misses,
        }


def build_pointer(config: RunConfig, encoder: TextEncoder | None = None) -> Pointer:
    """A model with random weights that follow from the run's seed."""
    if config.policy.name != "pointer":
        raise ConfigError(f"this needs the pointer, and policy.name is {config.policy.name}")
    torch.manual_seed(config.seed)
    encoder = encoder or TextEncoder()
    return Pointer(
        model=_build_model(config), encoder=encoder, preparer=build_preparer(config, encoder)
    )


def require_fitting(config: RunConfig, weights: Mapping[str, Tensor], where: str) -> None:
    """ConfigError unless weights that come from `where` fit the pointer of these settings."""
    _fitted(_build_model(config), weights, where)


def _build_model(config: RunConfig) -> PointerModel:
    with_q = config.algorithm.critic_form is CriticForm.Q
    return PointerModel(config.policy, decision_critics=with_q)


def _fitted(model: PointerModel, weights: Mapping[str, Tensor], where: str) -> Mapping[str, Tensor]:
    """The weights as the model takes them; ConfigError if they are of another one."""
    fitting = model.adapt(weights)
    require_same_weights(model.state_dict(), fitting, where)
    return fitting


def build_preparer(config: RunConfig, encoder: TextEncoder) -> Preparer:
    """What a run's policy sees of a situation, with the words read by an encoder."""
    return Preparer(
        encoder,
        pixels=config.policy.pixels,
        naming=shipped_captioner().name if config.policy.captions else None,
    )


def augmentation(config: RunConfig, encoder: TextEncoder) -> Vary | None:
    """What the steps that are trained on go through; None if the run wants nothing of it."""
    learner, steps = config.learner, list[Vary]()
    if not learner.swap_names and not learner.disguise:
        return None
    goals = [t.goal for t in load_suite(config.tasks.suite).tasks(config.tasks.split)]
    if learner.swap_names:
        steps.append(NameSwap(goals, encoder))
    if learner.disguise:
        steps.append(Disguise(learner.disguise, goals=goals, labels=list_labels, encoder=encoder))
    return steps[0] if len(steps) == 1 else partial(_one_after_the_other, steps)


def _one_after_the_other(
    varied: Sequence[Vary], steps: Sequence[Any], rng: np.random.Generator
) -> Sequence[Any]:
    for vary in varied:
        steps = vary(steps, rng)
    return steps
