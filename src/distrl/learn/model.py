"""What an algorithm needs from a policy that can be trained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from torch import Tensor, nn


class Choices(Protocol):
    """All decisions of S stored steps, for critics that judge decisions: Q(s, d).

    Every copy of a model lists them in the same order for the same steps.
    """

    @property
    def probs(self) -> Tensor:
        """[S, D] how likely each is; 0 where a step has fewer."""
        ...

    @property
    def logits(self) -> Tensor:
        """[S, D, 2] two critics of the probability of success after each."""
        ...

    @property
    def taken(self) -> Tensor:
        """[S, 2] the same of the decisions that were taken."""
        ...


class Evaluated(Protocol):
    """A policy's view of S stored steps, with gradients."""

    @property
    def log_prob(self) -> Tensor:
        """[S] of the decisions that were taken."""
        ...

    @property
    def entropy(self) -> Tensor:
        """[S] of all decisions that could have been taken."""
        ...

    @property
    def invalid(self) -> Tensor:
        """[S] probability of what cannot be carried out."""
        ...

    @property
    def value_logits(self) -> Tensor:
        """[S, 2] two critics of the probability of success."""
        ...

    @property
    def choices(self) -> Choices | None:
        """None if decisions are not judged; only `critic_form: q` asks."""
        ...


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An `Evaluated`, for models that have none of their own."""

    log_prob: Tensor
    entropy: Tensor
    invalid: Tensor
    value_logits: Tensor
    choices: Choices | None = None


class Model(Protocol):
    """A trainable policy with its critics."""

    def evaluate(self, inputs: Sequence[Any], decisions: Sequence[tuple[int, ...]]) -> Evaluated:
        """Look at stored steps again."""
        ...

    def goal_logits(self, inputs: Sequence[Any]) -> Tensor:
        """[S] how likely each step's goal is to be reached at all, from the goal alone."""
        ...

    def parameters(self) -> Iterator[nn.Parameter]:
        """All weights that are trained."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """The weights by name."""
        ...

    def load_state_dict(self, state_dict: dict[str, Any]) -> Any:
        """Take weights over."""
        ...


class WrappedModel:
    """What all have in common who stand around a model: its weights are theirs."""

    def __init__(self, model: Model) -> None:
        """Stand around this one."""
        self.inner = model

    def parameters(self) -> Iterator[nn.Parameter]:
        """All weights that are trained."""
        return self.inner.parameters()

    def state_dict(self) -> dict[str, Any]:
        """The weights by name."""
        return self.inner.state_dict()

    def load_state_dict(self, state_dict: dict[str, Any]) -> Any:
        """Take weights over."""
        return self.inner.load_state_dict(state_dict)
