"""The pointer as a trainable `Model`: network, goal critic, and decisions in padded numbering."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone uses
from torch import Tensor, nn

from distrl.config.policies import PolicyConfig
from distrl.policies.pointer.batch import Batch, collate, pad_decision
from distrl.policies.pointer.decisions import Decision
from distrl.policies.pointer.inputs import Inputs
from distrl.policies.pointer.layers.attention import RELATIONS
from distrl.policies.pointer.network import PointerNetwork
from distrl.policies.pointer.scores import JudgedScores, Scores, listed_probs
from distrl.policies.pointer.text_encoder import DIMENSIONS

_EXTRAS = ("network.decision_critics.later.", "network.decision_critics.", "network.later.")
"""Prefixes of weights that a model may do without, the longest first."""


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

    def scores(self, inputs: Sequence[Inputs], *, to_learn: bool = False) -> tuple[Scores, Batch]:
        """Log-probabilities of all decisions, and the batch that numbers them.

        Both are on the CPU, wherever the network is: losses are computed there.
        """
        batch = collate(inputs, to_learn=to_learn)
        device = self.device
        if device.type == "cpu":
            scores: Scores = self.network(batch)
            return scores, batch
        there = Batch.of_tensors([tensor.to(device) for tensor in batch.tensors()])
        return _on_cpu(self.network(there)), batch

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        return next(self.parameters()).device

    def evaluate(
        self, inputs: Sequence[Inputs], decisions: Sequence[tuple[int, ...]]
    ) -> PointerEvaluation:
        """Evaluate stored decisions by teacher forcing, in one pass."""
        scores, batch = self.scores(inputs, to_learn=True)
        padded = [
            pad_decision(_triple(decision), len(step.words), len(step.features), batch)
            for step, decision in zip(inputs, decisions, strict=True)
        ]
        taken = torch.tensor(padded)
        return PointerEvaluation(
            log_prob=scores.log_prob(taken),
            entropy=scores.entropy(),
            invalid=scores.invalid,
            value_logits=scores.values,
            choices=_choices(scores, taken) if isinstance(scores, JudgedScores) else None,
        )

    def goal_logits(self, inputs: Sequence[Inputs]) -> Tensor:
        """Logits of V_goal, from the mean word vector of the goal."""
        means = torch.stack([torch.from_numpy(step.words).mean(0) for step in inputs])
        logits: Tensor = self.goal_critic(means.to(self.device))[:, 0]
        return logits.cpu()

    def adapt(self, weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Convert weights of a model with other critics or kinds for this one.

        Missing critics of Q(s, d) and heads of later kinds start at zero, as in a new model;
        superfluous ones are dropped. Heads of attention have no bias for relations that they were
        not trained with. Other differences are left for `load_state_dict` to report.
        """
        own = self.state_dict()
        weights = {name: _with_all_relations(name, tensor) for name, tensor in weights.items()}
        kept = {name: tensor for name, tensor in weights.items() if name in own or not _extra(name)}
        new = {
            name: torch.zeros_like(tensor)
            for name, tensor in own.items()
            if _extra(name) and not _has_part(weights, _part(name))
        }
        return kept | new


def _with_all_relations(name: str, tensor: Tensor) -> Tensor:
    # Weights of before have fewer columns: relations that came later stand behind the others.
    if name.endswith(".kin") and tensor.dim() == 2 and tensor.shape[1] < RELATIONS:
        return F.pad(tensor, (0, RELATIONS - tensor.shape[1]))
    return tensor


def _part(name: str) -> str:
    """The prefix of the extra part that a weight belongs to; empty for all that every model has."""
    return next((prefix for prefix in _EXTRAS if name.startswith(prefix)), "")


def _extra(name: str) -> bool:
    return bool(_part(name))


def _has_part(weights: Mapping[str, Tensor], part: str) -> bool:
    # A part that is there and lacks a weight is damaged, which is for `load_state_dict` to report.
    return any(_part(name) == part for name in weights)


def _choices(scores: JudgedScores, taken: Tensor) -> PointerChoices:
    of_taken = scores.judged[torch.arange(len(taken)), scores.place(taken)]
    return PointerChoices(listed_probs(scores), scores.judged, of_taken)


def _on_cpu(scores: Scores) -> Scores:
    there = {field.name: getattr(scores, field.name) for field in fields(scores)}
    return replace(scores, **{name: x.cpu() for name, x in there.items() if x is not None})


def _triple(decision: tuple[int, ...]) -> Decision:
    kind, target, extra = decision
    return kind, target, extra
