"""The lm policy: decodes an action for a batch of situations, token by token."""

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
from distrl.policies.lm.prompt import Prompt, parse_answer
from distrl.policies.lm.tokenizing import PromptEncoder
from distrl.policies.text_actions import INVALID
from distrl.types import Choice, Situation


@dataclass(frozen=True, slots=True)
class Prepared:
    """The prompt of a situation, and its tokens."""

    prompt: Prompt
    inputs: LmInputs


class LmPolicy(ModelPolicy[LmModel]):
    """Acts with a local language model; one thread loads weights and decides."""

    def __init__(
        self,
        model: LmModel,
        prompt_encoder: PromptEncoder,
        prefix_cache: PrefixCache,
        *,
        greedy: bool = False,
    ) -> None:
        """`greedy` takes the likeliest token each time; otherwise tokens are sampled."""
        super().__init__(model, greedy=greedy)
        self._prompt_encoder, self._prefix_cache = prompt_encoder, prefix_cache
        self.read = self.written = 0
        """Tokens read in prompts and written in actions so far."""

    def prepare(self, situation: Situation) -> Prepared:
        """Encode a situation. Thread-safe."""
        return Prepared(*self._prompt_encoder.encode(situation))

    def pack(self, prepared: Prepared) -> bytes:
        """Empty: the stored inputs include states of the decoded action, so `decide` packs them."""
        del prepared
        return b""

    @torch.no_grad()
    def decide(self, situations: Sequence[Situation], prepared: Sequence[Prepared]) -> list[Choice]:
        """Read all prompts as one batch, then decode all actions together."""
        # A generator per situation: a choice does not depend on the batch that it is decided in.
        decoding = [
            _ActionInProgress(one, None if self._greedy else Random(situation.seed))
            for situation, one in zip(situations, prepared, strict=True)
        ]
        generation = self._model.network.generation(
            [one.inputs for one in prepared], self._prefix_cache
        )
        # From the states that the first tokens are drawn from: no pass of their own.
        values: list[float] = self._model.values(generation.hidden).tolist()
        while True:
            self._sample_next(decoding, generation.hidden)
            if all(one.ended for one in decoding):
                break
            generation.feed([one.take_pending() for one in decoding])
        self.read += sum(len(one.inputs.tokens) for one in prepared)
        self.written += sum(len(one.tokens) for one in decoding)
        return [
            replace(self._choice(one, generation.states(row)), value=value)
            for row, (one, value) in enumerate(zip(decoding, values, strict=True))
        ]

    def _sample_next(self, decoding: Sequence[_ActionInProgress], hidden: torch.Tensor) -> None:
        """Sample one token, and append those forced by it, for each unfinished row."""
        rows = [row for row, one in enumerate(decoding) if not one.ended]
        choices = [decoding[row].inputs.tree.after(decoding[row].tokens) for row in rows]
        scores = self._model.token_scores(hidden[rows], choices)
        entropies = scores.entropy.tolist()
        for place, row in enumerate(rows):
            token, log_prob = scores.draw(place, decoding[row].point())
            decoding[row].add(token, log_prob, entropies[place])
            self._extend(decoding[row])

    def _extend(self, one: _ActionInProgress) -> None:
        tree = one.inputs.tree
        if self._model.config.constrained:
            one.tokens = (*one.tokens, *tree.forced(one.tokens))
            one.ended = not tree.after(one.tokens)
        else:
            written = len(one.tokens)
            one.ended = (
                one.tokens[-1] == self._prompt_encoder.end_token or written >= self._model.longest
            )

    def _choice(self, one: _ActionInProgress, states: torch.Tensor | None) -> Choice:
        action = parse_answer(self._prompt_encoder.decode(one.tokens), one.prepared.prompt)
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


class _ActionInProgress:
    """An action that is being decoded."""

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
        """Tokens that the network has not read yet; none once the action is complete."""
        if self.ended:
            return ()
        pending, self._fed = self.tokens[self._fed :], len(self.tokens)
        return pending
