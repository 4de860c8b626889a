"""The pointer behind the Policy contract."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import torch
from torch import Tensor

from distrl.policies.base import ModelPolicy
from distrl.policies.pointer import decisions as d
from distrl.policies.pointer.acting import Decided, TracedActing, decide
from distrl.policies.pointer.batch import Batch, collate, unpad_decision
from distrl.policies.pointer.inputs import Inputs, Preparer, options_of
from distrl.policies.pointer.model import PointerModel
from distrl.policies.pointer.packing import pack
from distrl.types import Choice, Situation


class PointerPolicy(ModelPolicy[PointerModel]):
    """Acts with the newest weights it was given."""

    def __init__(self, model: PointerModel, preparer: Preparer, *, greedy: bool = False) -> None:
        """`greedy` takes the likeliest kind and its likeliest parts; otherwise they are drawn."""
        super().__init__(model.eval(), greedy=greedy)
        self._preparer = preparer
        self._acting = TracedActing(model.network, greedy=greedy)

    def prepare(self, situation: Situation) -> Inputs:
        """What the network sees; any thread may ask."""
        return self._preparer.prepare(situation)

    def pack(self, inputs: Inputs) -> bytes:
        """Inputs as a choice carries them; any thread may ask."""
        return pack(inputs)

    def decide(self, situations: Sequence[Situation], inputs: Sequence[Inputs]) -> list[Choice]:
        """The forward pass of `act`, for who prepares and packs elsewhere."""
        # Double precision: in single precision the largest draws would round to 1, outside [0, 1).
        draws = torch.tensor([_uniforms(s.seed) for s in situations], dtype=torch.float64)
        decided, batch = self._pass(inputs, draws)
        rows = zip(situations, inputs, *(column.tolist() for column in decided), strict=True)
        choices = []
        for situation, prepared, padded, log_prob, entropy, value in rows:
            decision = _unpadded(padded, prepared, batch)
            choices.append(
                Choice(
                    action=options_of(situation).action(decision),
                    decision=decision,
                    log_prob=log_prob,
                    entropy=entropy,
                    value=None if math.isnan(value) else value,
                    version=self.version,
                    digest=self.digest,
                )
            )
        return choices

    def value(self, situation: Situation) -> float:
        """The probability of success from here, by the more cautious of the two critics."""
        with torch.inference_mode():
            scores, _ = self._model.scores([self.prepare(situation)])
            return float(torch.sigmoid(scores.values).min())

    def _pass(self, inputs: Sequence[Inputs], draws: Tensor) -> tuple[Decided, Batch]:
        if self._model.device.type == "cpu":
            batch = collate(inputs)
            return self._acting.decide(batch, draws), batch
        with torch.inference_mode():
            scores, batch = self._model.scores(inputs)
            return decide(scores, draws, greedy=self._greedy), batch


def _unpadded(padded: Sequence[int], inputs: Inputs, batch: Batch) -> d.Decision:
    """A decision in the numbering of its screen."""
    kind, target, extra = padded
    sizes = len(inputs.words), len(inputs.features)
    return unpad_decision((kind, target, extra), *sizes, batch)


def _uniforms(seed: int) -> tuple[float, float, float]:
    # From the situation's own seed: a choice does not depend on the batch that it is decided in.
    rng = Random(seed)
    return rng.random(), rng.random(), rng.random()
