"""The pointer behind the Policy contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

import torch
from torch import Tensor

from distrl.policies.pointer import decisions as d
from distrl.policies.pointer.inputs import Inputs, Preparer, options_of
from distrl.policies.pointer.model import PointerModel
from distrl.policies.pointer.network import Batch, Scores, unpad_text
from distrl.policies.pointer.packing import pack
from distrl.types import Choice, Situation


class PointerPolicy:
    """Acts with the newest weights it was given."""

    def __init__(self, model: PointerModel, preparer: Preparer, *, greedy: bool = False) -> None:
        """`greedy` takes the likeliest kind and its likeliest parts; otherwise they are drawn."""
        self._model = model.eval()
        self._preparer = preparer
        self._greedy = greedy
        self.version, self.digest = 0, ""

    def begin(self, seed: int) -> None:
        """Nothing to do: every situation brings its own seed."""

    def load(self, weights: Mapping[str, Tensor], version: int, digest: str) -> None:
        """Take weights over; the next `act` uses them."""
        self._model.load_state_dict(dict(weights))
        self.version, self.digest = version, digest

    def act(self, situations: Sequence[Situation]) -> list[Choice]:
        """One forward pass for all situations."""
        inputs = [self.prepare(situation) for situation in situations]
        choices = self.decide(situations, inputs)
        return [
            replace(choice, inputs=self.pack(prepared))
            for choice, prepared in zip(choices, inputs, strict=True)
        ]

    def prepare(self, situation: Situation) -> Inputs:
        """What the network sees; any thread may ask."""
        return self._preparer.prepare(situation)

    def pack(self, inputs: Inputs) -> bytes:
        """Inputs as a choice carries them; any thread may ask."""
        return pack(inputs)

    def decide(self, situations: Sequence[Situation], inputs: Sequence[Inputs]) -> list[Choice]:
        """The forward pass of `act`, for who prepares and packs elsewhere."""
        with torch.inference_mode():
            scores, batch = self._model.scores(inputs)
            padded = self._choose(scores, situations)
            log_probs = scores.log_prob(padded).tolist()
            entropies = scores.entropy().tolist()
        return [
            self._choice(situation, prepared, decision, batch, log_prob, entropy)
            for situation, prepared, decision, log_prob, entropy in zip(
                situations, inputs, padded.tolist(), log_probs, entropies, strict=True
            )
        ]

    def _choice(
        self,
        situation: Situation,
        inputs: Inputs,
        padded: list[int],
        batch: Batch,
        log_prob: float,
        entropy: float,
    ) -> Choice:
        kind, target, extra = padded
        if kind == d.TYPE:
            extra = unpad_text(extra, len(inputs.words), len(inputs.features), batch)
        decision = (kind, target, extra)
        return Choice(
            action=options_of(situation).action(decision),
            decision=decision,
            log_prob=log_prob,
            entropy=entropy,
            version=self.version,
            digest=self.digest,
        )

    def _choose(self, scores: Scores, situations: Sequence[Situation]) -> Tensor:
        """Decisions [B, 3] in the padded numbering."""
        uniforms = [_uniforms(situation.seed) for situation in situations]
        # In single precision, the largest of them would be 1, which is behind the last place.
        draws = torch.tensor(uniforms, dtype=torch.float64)
        kind = self._pick(scores.kind, draws[:, 0])
        tap, hold = self._pick(scores.tap, draws[:, 1]), self._pick(scores.long_press, draws[:, 1])
        start = self._pick(scores.start, draws[:, 1])
        direction = self._pick(scores.direction, draws[:, 2])
        text = self._pick(scores.text, draws[:, 2])
        nothing = torch.zeros_like(kind)
        target = torch.where(kind == d.TAP, tap, nothing)
        target = torch.where(kind == d.LONG_PRESS, hold, target)
        target = torch.where(kind == d.SWIPE, start, target)
        extra = torch.where(kind == d.SWIPE, direction, nothing)
        extra = torch.where(kind == d.TYPE, text, extra)
        return torch.stack([kind, target, extra], 1)

    def _pick(self, log_probs: Tensor, draw: Tensor) -> Tensor:
        if self._greedy:
            return log_probs.argmax(-1)
        sums = log_probs.double().exp().cumsum(-1)
        total = sums[:, -1:]
        # The first place whose running sum passes the point always has some probability.
        last = (sums < total).sum(-1)
        return torch.minimum((sums <= draw[:, None] * total).sum(-1), last)


def _uniforms(seed: int) -> tuple[float, float, float]:
    rng = Random(seed)
    return rng.random(), rng.random(), rng.random()
