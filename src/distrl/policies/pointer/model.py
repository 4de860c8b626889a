"""The pointer as a trainable `Model`: network, goal critic, and decisions in padded numbering."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TypeVar

import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone uses
from torch import Tensor, nn

from distrl.config.policies import PolicyConfig
from distrl.policies.pointer.batch import Batch, collate, pad_decision
from distrl.policies.pointer.decisions import Decision
from distrl.policies.pointer.inputs import Inputs
from distrl.policies.pointer.network import PointerNetwork
from distrl.policies.pointer.scores import JudgedScores, Scores, listed_probs
from distrl.policies.pointer.text_encoder import DIMENSIONS

_CHUNK = 24
"""Steps per forward pass while learning. Screens differ in size: without chunks of similar ones,
padding would cost a third."""


T = TypeVar("T", Batch, Scores)
_DECISION_CRITICS = "network.decision_critics."
"""Prefix of the weight names of the critics of Q(s, d)."""


@dataclass(frozen=True, slots=True)
class PointerChoices:
    """`learn.model.Choices`: all decisions of stored steps with Q(s, d).

    Every copy of a model lists them in the same order for the same steps.
    """

    probs: Tensor
    """[S, D]; 0 where a step has fewer decisions."""
    logits: Tensor
    """[S, D, 2] logits of Q."""
    taken: Tensor
    """[S, 2] logits of Q of the taken decisions."""


@dataclass(frozen=True, slots=True)
class PointerEvaluation:
    """`learn.model.Evaluated` of stored steps."""

    log_prob: Tensor
    entropy: Tensor
    invalid: Tensor
    value_logits: Tensor
    choices: PointerChoices | None = None
    """None without critics of Q(s, d)."""


_DEFAULT = PolicyConfig()


class PointerModel(nn.Module):
    """Policy network, critics of V(s) or Q(s, d), and critic of goals."""

    def __init__(self, config: PolicyConfig = _DEFAULT, *, decision_critics: bool = False) -> None:
        """Random weights; seed torch first for the same ones. `decision_critics` judge Q(s, d)."""
        super().__init__()
        self.network = PointerNetwork(config, decision_critics=decision_critics)
        self.goal_critic = nn.Sequential(nn.Linear(DIMENSIONS, 64), nn.GELU(), nn.Linear(64, 1))

    def scores(self, inputs: Sequence[Inputs]) -> tuple[Scores, Batch]:
        """Log-probabilities of all decisions, and the padded batch that numbers them.

        Both are on the CPU, wherever the network is: losses are computed there.
        """
        batch = collate(inputs)
        device = self.device
        if device.type == "cpu":
            scores: Scores = self.network(batch)
            return scores, batch
        return _moved(self.network(_moved(batch, device)), torch.device("cpu")), batch

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        return next(self.parameters()).device

    def evaluate(
        self, inputs: Sequence[Inputs], decisions: Sequence[tuple[int, ...]]
    ) -> PointerEvaluation:
        """Evaluate stored decisions by teacher forcing, in chunks of similar size."""
        order = sorted(range(len(inputs)), key=lambda k: len(inputs[k].features))
        parts = [
            self._evaluate([inputs[k] for k in chunk], [decisions[k] for k in chunk])
            for chunk in (order[i : i + _CHUNK] for i in range(0, len(order), _CHUNK))
        ]
        place = torch.empty(len(order), dtype=torch.long)
        place[torch.tensor(order)] = torch.arange(len(order))
        columns = list(zip(*parts, strict=True))
        log_prob, entropy, invalid, values = (torch.cat(column)[place] for column in columns[:4])
        judged = [_stack(column)[place] for column in columns[4:]]
        choices = PointerChoices(*judged) if judged else None
        return PointerEvaluation(log_prob, entropy, invalid, values, choices)

    def _evaluate(
        self, inputs: Sequence[Inputs], decisions: Sequence[tuple[int, ...]]
    ) -> tuple[Tensor, ...]:
        scores, batch = self.scores(inputs)
        padded = [
            pad_decision(_triple(decision), len(step.words), len(step.features), batch)
            for step, decision in zip(inputs, decisions, strict=True)
        ]
        taken = torch.tensor(padded)
        seen = scores.log_prob(taken), scores.entropy(), scores.invalid, scores.values
        if not isinstance(scores, JudgedScores):
            return seen
        of_taken = scores.judged[torch.arange(len(taken)), scores.place(taken)]
        return *seen, listed_probs(scores), scores.judged, of_taken

    def goal_logits(self, inputs: Sequence[Inputs]) -> Tensor:
        """Logits of V_goal, from the mean word vector of the goal."""
        means = torch.stack([torch.from_numpy(step.words).mean(0) for step in inputs])
        logits: Tensor = self.goal_critic(means.to(self.device))[:, 0]
        return logits.cpu()

    def adapt(self, weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Convert weights of a model with the other form of critics for this one.

        Missing critics of Q(s, d) start at zero, as in a new model; superfluous ones are dropped.
        Other differences are left for `load_state_dict` to report.
        """
        kept = {
            name: tensor
            for name, tensor in weights.items()
            if self.network.decision_critics is not None or not name.startswith(_DECISION_CRITICS)
        }
        if any(name.startswith(_DECISION_CRITICS) for name in kept):
            return kept
        new = {
            name: torch.zeros_like(tensor)
            for name, tensor in self.state_dict().items()
            if name.startswith(_DECISION_CRITICS)
        }
        return kept | new


def _stack(chunks: Sequence[Tensor]) -> Tensor:
    """Concatenate chunks [S, D, ...], zero-padded to the largest D."""
    most = max(chunk.shape[1] for chunk in chunks)
    trailing = (0, 0) * (chunks[0].dim() - 2)
    return torch.cat([F.pad(chunk, (*trailing, 0, most - chunk.shape[1])) for chunk in chunks])


def _moved(tensors: T, device: torch.device) -> T:
    """The same dataclass with its tensors on a device."""
    return replace(
        tensors,
        **{field.name: getattr(tensors, field.name).to(device) for field in fields(tensors)},
    )


def _triple(decision: tuple[int, ...]) -> Decision:
    kind, target, extra = decision
    return kind, target, extra
