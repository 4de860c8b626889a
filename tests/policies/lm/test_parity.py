"""Who acts notices within three versions when an adapter is not what the learner published."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
import torch
from tests.policies.lm.tiny import llama_model, prefix_cache, prompt_encoder, shake, situation
from torch import Tensor

from distrl.collect.batcher import Batcher
from distrl.errors import PipelineError
from distrl.learn.ingest import log_probs_of
from distrl.policies.lm.inputs import unpack
from distrl.policies.lm.model import LmModel
from distrl.policies.lm.policy import LmPolicy
from distrl.weights.canary import Canary, CanaryCheck, write_canary
from distrl.weights.memory_channel import MemoryChannel
from distrl.weights.newest_weights import NewestWeights

Weights = Mapping[str, Tensor]


class Learning:
    """A learner of which only the publishing matters."""

    def __init__(self) -> None:
        self.model = llama_model()
        self.channel = MemoryChannel()
        choices = LmPolicy(self.model, prompt_encoder(), prefix_cache()).act(
            [situation(seed=seed) for seed in range(4)]
        )
        self._packed = tuple(choice.inputs for choice in choices)
        self._decisions = tuple(choice.decision or () for choice in choices)

    def publish(self, version: int) -> None:
        """Learn something, and hand it out with canaries."""
        shake(self.model, seed=version)
        with torch.no_grad():
            seen = self.model.evaluate([unpack(data) for data in self._packed], self._decisions)
        canary = Canary(self._packed, self._decisions, tuple(seen.log_prob.tolist()))
        self.channel.publish(self.model.state_dict(), version, notes=write_canary(canary))


class Faulty(LmPolicy):
    """Takes weights over as some broken loader would."""

    def __init__(self, model: LmModel, breaks: Callable[[Weights], Weights | None]) -> None:
        super().__init__(model, prompt_encoder(), prefix_cache())
        self._breaks = breaks

    def load(self, weights: Mapping[str, Any], version: int, digest: str) -> None:
        broken = self._breaks(weights)
        if broken is not None:
            super().load(broken, version, digest)


def dropped(weights: Weights) -> Weights:
    """The adapter is left out: the model acts as it came."""
    return {
        name: torch.zeros_like(weight) if "lora_B" in name else weight
        for name, weight in weights.items()
    }


def corrupted(weights: Weights) -> Weights:
    """One tensor arrives damaged."""
    name = next(name for name in sorted(weights) if "lora_B" in name)
    return {**weights, name: weights[name].flip(0) + 0.5}


def reordered(weights: Weights) -> Weights:
    """Tensors of one shape are given to each other's places."""
    names = [name for name in sorted(weights) if "lora_B" in name and "q_proj" in name]
    assert len(names) > 1
    moved = dict(zip(names, (weights[name] for name in reversed(names)), strict=True))
    return {**weights, **moved}


def never_updated(weights: Weights) -> None:
    """The new adapter is fetched, and nobody puts it in place."""
    del weights


FAULTS = (dropped, corrupted, reordered, never_updated)


def versions_until_noticed(policy: LmPolicy, acting: LmModel, most: int) -> int | None:
    learning, newest = Learning(), None
    check = CanaryCheck(log_probs_of(acting, unpack))
    newest = NewestWeights(learning.channel)
    batcher = Batcher(policy, newest, canary=check.check)
    for version in range(1, most + 1):
        learning.publish(version)
        newest.look()
        try:
            batcher.refresh()
        except PipelineError:
            return version
    assert check.checks == most
    return None


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_faulty_adapter_is_noticed_within_three_versions(
    fault: Callable[[Weights], Weights | None],
) -> None:
    acting = llama_model()
    noticed = versions_until_noticed(Faulty(acting, fault), acting, most=6)
    assert noticed is not None
    assert noticed <= 3


def test_a_sound_adapter_is_never_complained_about() -> None:
    acting = llama_model()
    policy = LmPolicy(acting, prompt_encoder(), prefix_cache())
    assert versions_until_noticed(policy, acting, most=6) is None
