"""What trained policies share: how three parts become one `act`, and how weights are exchanged."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, Protocol, TypeVar

from distrl.errors import ServiceError
from distrl.types import Choice, Situation


class LoadsWeights(Protocol):
    """A model, as far as exchanging its weights is concerned."""

    def load_state_dict(self, state_dict: dict[str, Any]) -> Any:
        """Take weights over."""
        ...


ModelT = TypeVar("ModelT", bound=LoadsWeights)


class ModelPolicy(ABC, Generic[ModelT]):
    """An `interfaces.ActingPolicy` around a model: subclasses prepare and decide.

    What is prepared is bytes, or else a subclass packs it.
    """

    def __init__(self, model: ModelT, *, greedy: bool = False) -> None:
        """Act with the weights that `model` has now, as version 0.

        `greedy` takes the likeliest decision; otherwise it is drawn, from the situation's seed.
        """
        self._model, self._greedy = model, greedy
        self.version, self.digest = 0, ""

    @abstractmethod
    def prepare(self, situation: Situation) -> Any:
        """What the network sees of a situation; any thread may ask."""

    @abstractmethod
    def decide(
        self, situations: Sequence[Situation], prepared: Sequence[Any]
    ) -> Sequence[Choice | ServiceError]:
        """One forward pass: a choice for each situation, or why a served model made none."""

    def pack(self, prepared: Any) -> bytes:
        """The same as a choice carries it; empty if `decide` packs. Any thread may ask."""
        return bytes(prepared)

    def begin(self, seed: int) -> None:
        """Nothing to do: every situation brings its own seed."""

    def act(self, situations: Sequence[Situation]) -> list[Choice]:
        """One forward pass; ServiceError when a served model has no answer for a situation."""
        prepared = [self.prepare(situation) for situation in situations]
        choices: list[Choice] = []
        for choice, one in zip(self.decide(situations, prepared), prepared, strict=True):
            if isinstance(choice, ServiceError):
                raise choice
            choices.append(choice if choice.inputs else replace(choice, inputs=self.pack(one)))
        return choices

    def load(self, weights: Mapping[str, Any], version: int, digest: str) -> None:
        """Take weights over; the next pass uses them."""
        self._model.load_state_dict(dict(weights))
        self.version, self.digest = version, digest
