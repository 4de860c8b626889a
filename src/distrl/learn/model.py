"""The contract between algorithms and trainable policies: `Model` and what it evaluates to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from torch import Tensor, nn


class Choices(Protocol):
    """All D possible decisions of S stored steps, for critics of the form Q(s, d).

    Every copy of a model, such as its EMA, lists them in the same order for the same steps.
    """

    @property
    def probs(self) -> Tensor:
        """[S, D] probability of each decision; 0 on padding, where a step has fewer than D."""
        ...

    @property
    def logits(self) -> Tensor:
        """[S, D, 2] logits of Q(s, d) by two critics."""
        ...

    @property
    def taken(self) -> Tensor:
        """[S, 2] logits of Q(s, d) of the decisions that were taken."""
        ...


class Evaluated(Protocol):
    """Outputs of a model for S stored steps, with gradients."""

    @property
    def log_prob(self) -> Tensor:
        """[S] log pi(d|s), the log-probability of the decisions that were taken."""
        ...

    @property
    def entropy(self) -> Tensor:
        """[S] entropy of pi(.|s)."""
        ...

    @property
    def invalid(self) -> Tensor:
        """[S] probability mass on actions that cannot be carried out."""
        ...

    @property
    def value_logits(self) -> Tensor:
        """[S, 2] logits of V(s), the probability of success, by two critics."""
        ...

    @property
    def choices(self) -> Choices | None:
        """All decisions with Q(s, d), for `critic_form: q`; None without such critics."""
        ...


@dataclass(frozen=True, slots=True)
class EvaluatedChoices:
    """Plain `Choices`."""

    probs: Tensor
    logits: Tensor
    taken: Tensor


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A plain `Evaluated`, for models that need no class of their own."""

    log_prob: Tensor
    entropy: Tensor
    invalid: Tensor
    value_logits: Tensor
    choices: Choices | None = None


class Model(Protocol):
    """A trainable policy with its critics."""

    def evaluate(self, inputs: Sequence[Any], decisions: Sequence[tuple[int, ...]]) -> Evaluated:
        """Evaluate stored decisions under the current weights (teacher forcing)."""
        ...

    def goal_logits(self, inputs: Sequence[Any]) -> Tensor:
        """[S] logits of V_goal: the probability of success, from the goal alone."""
        ...

    def parameters(self) -> Iterator[nn.Parameter]:
        """The weights that are trained."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """The weights by name."""
        ...

    def load_state_dict(self, state_dict: dict[str, Any]) -> Any:
        """Load weights by name."""
        ...


class WrappedModel:
    """Base of wrappers around a model: weights are passed through."""

    def __init__(self, model: Model) -> None:
        """Wrap a model."""
        self.inner = model

    def parameters(self) -> Iterator[nn.Parameter]:
        """The weights that are trained."""
        return self.inner.parameters()

    def state_dict(self) -> dict[str, Any]:
        """The weights by name."""
        return self.inner.state_dict()

    def load_state_dict(self, state_dict: dict[str, Any]) -> Any:
        """Load weights by name."""
        return self.inner.load_state_dict(state_dict)
