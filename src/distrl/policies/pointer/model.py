"""The pointer as a trainable model: network, goal critic and the numbering of decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import TypeVar

import torch
from torch import Tensor, nn

from distrl.policies.pointer.decisions import Decision
from distrl.policies.pointer.inputs import Inputs
from distrl.policies.pointer.network import (
    Batch,
    PointerNetwork,
    PointerSize,
    Scores,
    collate,
    pad_decision,
)
from distrl.policies.pointer.text import DIMENSIONS

_CHUNK = 24
"""Steps per forward pass while learning: screens differ in size, and padding costs a third."""


T = TypeVar("T", Batch, Scores)


@dataclass(frozen=True, slots=True)
class PointerEvaluation:
    """The pointer's view of stored steps, with gradients."""

    log_prob: Tensor
    entropy: Tensor
    invalid: Tensor
    value_logits: Tensor


class PointerModel(nn.Module):
    """What is trained, published and stored."""

    def __init__(self, size: PointerSize | None = None) -> None:
        """Random weights; seed torch first for the same ones."""
        super().__init__()
        self.network = PointerNetwork(size or PointerSize())
        self.goal_critic = nn.Sequential(nn.Linear(DIMENSIONS, 64), nn.GELU(), nn.Linear(64, 1))

    def scores(self, inputs: Sequence[Inputs]) -> tuple[Scores, Batch]:
        """Probabilities of all decisions, and the padded batch they are numbered by.

        Both are on the CPU, wherever the network is: who learns computes its losses there.
        """
        batch = collate(inputs)
        device = self.device
        if device.type == "cpu":
            scores: Scores = self.network(batch)
            return scores, batch
        return _moved(self.network(_moved(batch, device)), torch.device("cpu")), batch

    @property
    def device(self) -> torch.device:
        """Where the network is."""
        return next(self.parameters()).device

    def evaluate(
        self, inputs: Sequence[Inputs], decisions: Sequence[tuple[int, ...]]
    ) -> PointerEvaluation:
        """Look at stored steps again, those with equally many candidates side by side."""
        order = sorted(range(len(inputs)), key=lambda k: len(inputs[k].features))
        parts = [
            self._evaluate([inputs[k] for k in chunk], [decisions[k] for k in chunk])
            for chunk in (order[i : i + _CHUNK] for i in range(0, len(order), _CHUNK))
        ]
        place = torch.empty(len(order), dtype=torch.long)
        place[torch.tensor(order)] = torch.arange(len(order))
        return PointerEvaluation(*(torch.cat(column)[place] for column in zip(*parts, strict=True)))

    def _evaluate(
        self, inputs: Sequence[Inputs], decisions: Sequence[tuple[int, ...]]
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        scores, batch = self.scores(inputs)
        padded = [
            pad_decision(_triple(decision), len(step.words), len(step.features), batch)
            for step, decision in zip(inputs, decisions, strict=True)
        ]
        log_prob = scores.log_prob(torch.tensor(padded))
        return log_prob, scores.entropy(), scores.invalid, scores.values

    def goal_logits(self, inputs: Sequence[Inputs]) -> Tensor:
        """How likely each goal is to be reached at all."""
        means = torch.stack([torch.from_numpy(step.words).mean(0) for step in inputs])
        logits: Tensor = self.goal_critic(means.to(self.device))[:, 0]
        return logits.cpu()


def _moved(tensors: T, device: torch.device) -> T:
    """The same dataclass with its tensors on a device."""
    return replace(
        tensors,
        **{field.name: getattr(tensors, field.name).to(device) for field in fields(tensors)},
    )


def _triple(decision: tuple[int, ...]) -> Decision:
    kind, target, extra = decision
    return kind, target, extra
