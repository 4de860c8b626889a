"""The lm policy behind the Policy contract: one batch of prompts, written on side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import torch

from distrl.policies.base import ModelPolicy
from distrl.policies.lm.inputs import LmInputs, pack
from distrl.policies.lm.model import LmModel
from distrl.policies.lm.options import Tokens
from distrl.policies.lm.prefix_cache import PrefixCache
from distrl.policies.lm.prompt import Prompt, read_answer
from distrl.policies.lm.tokenizing import Reader
from distrl.policies.text_actions import INVALID
from distrl.types import Choice, Situation


@dataclass(frozen=True, slots=True)
class Prepared:
    """A situation as the model reads it."""

    prompt: Prompt
    inputs: LmInputs


class LmPolicy(ModelPolicy[LmModel]):
    """Acts with the newest weights it was given."""

    def __init__(
        self, model: LmModel, reader: Reader, memory: PrefixCache, *, greedy: bool = False
    ) -> None:
        """`greedy` takes the likeliest token each time; otherwise tokens are drawn."""
        super().__init__(model, greedy=greedy)
        self._reader, self._memory = reader, memory
        self.read = self.written = 0
        """Tokens of prompts and of actions so far."""

    def prepare(self, situation: Situation) -> Prepared:
        """What the model reads; any thread may ask."""
        return Prepared(*self._reader.read(situation))

    def pack(self, prepared: Prepared) -> bytes:
        """Nothing: what is stored is known only after the decision, which carries it."""
        del prepared
        return b""

    @torch.no_grad()
    def decide(self, situations: Sequence[Situation], prepared: Sequence[Prepared]) -> list[Choice]:
        """Read all prompts, then write all actions token by token."""
        writing = [
            _Writing(one, None if self._greedy else Random(situation.seed))
            for situation, one in zip(situations, prepared, strict=True)
        ]
        generation = self._model.network.generation([one.inputs for one in prepared], self._memory)
        while True:
            self._write(writing, generation.hidden)
            if all(one.ended for one in writing):
                break
            generation.feed([one.take_pending() for one in writing])
        self.read += sum(len(one.inputs.tokens) for one in prepared)
        self.written += sum(len(one.tokens) for one in writing)
        return [self._choice(one, generation.states(row)) for row, one in enumerate(writing)]

    def _write(self, writing: Sequence[_Writing], hidden: torch.Tensor) -> None:
        """Another token, and all that follow from it, for each row that has not ended."""
        rows = [row for row, one in enumerate(writing) if not one.ended]
        choices = [writing[row].inputs.tree.after(writing[row].tokens) for row in rows]
        scores = self._model.token_scores(hidden[rows], choices)
        entropies = scores.entropy.tolist()
        for place, row in enumerate(rows):
            token, log_prob = scores.draw(place, writing[row].point())
            writing[row].add(token, log_prob, entropies[place])
            self._go_on(writing[row])

    def _go_on(self, one: _Writing) -> None:
        tree = one.inputs.tree
        if self._model.config.constrained:
            one.tokens = (*one.tokens, *tree.forced(one.tokens))
            one.ended = not tree.after(one.tokens)
        else:
            written = len(one.tokens)
            one.ended = one.tokens[-1] == self._reader.end or written >= self._model.longest

    def _choice(self, one: _Writing, states: torch.Tensor | None) -> Choice:
        action = read_answer(self._reader.text(one.tokens), one.prepared.prompt)
        inputs = one.inputs
        if states is not None:
            inputs = replace(inputs, states=states.numpy())
        return Choice(
            action=INVALID if action is None else action,
            decision=one.tokens,
            log_prob=one.log_prob,
            entropy=one.entropy,
            version=self.version,
            digest=self.digest,
            inputs=pack(inputs),
        )


class _Writing:
    """An action under way."""

    def __init__(self, prepared: Prepared, rng: Random | None) -> None:
        self.prepared, self.inputs = prepared, prepared.inputs
        self._rng = rng
        self._fed = 0
        self.tokens: Tokens = ()
        self.log_prob = self.entropy = 0.0
        self.ended = False

    def point(self) -> float | None:
        return None if self._rng is None else self._rng.random()

    def add(self, token: int, log_prob: float, entropy: float) -> None:
        self.tokens = (*self.tokens, token)
        self.log_prob += log_prob
        self.entropy += entropy

    def take_pending(self) -> Tokens:
        """What the network has not read yet; an action that has ended needs no reading."""
        if self.ended:
            return ()
        pending, self._fed = self.tokens[self._fed :], len(self.tokens)
        return pending
