"""The language model as a trainable `Model`: exact log-probabilities of actions, and critics."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from distrl.config.policies import LmConfig
from distrl.policies.lm.inputs import LmInputs
from distrl.policies.lm.options import OptionTree, Tokens
from distrl.policies.lm.prefix_cache import PrefixCache

_HEAD_WIDTH = 128


class Generation(Protocol):
    """Batched decoding: prompts that are continued token by token."""

    hidden: Tensor
    """[B, width] last hidden state of each row."""

    def feed(self, tokens: Sequence[Tokens]) -> None:
        """Append tokens to each row (possibly none) and update `hidden`."""
        ...

    def states(self, row: int) -> Tensor | None:
        """Outputs of the frozen layers for one row, to be stored; None if there are none."""
        ...


class Network(Protocol):
    """A language model with a trainable LoRA adapter."""

    whole: Any
    """The transformers model, adapter included."""
    width: int

    @property
    def embeddings(self) -> Tensor:
        """[vocabulary, width] input embeddings."""
        ...

    def logits(self, hidden: Tensor, tokens: Tensor | None = None) -> Tensor:
        """Logits of the next token, in single precision, for hidden states [N, width].

        [N, K] of the given `tokens` [N, K], or [N, vocabulary] of all.
        """
        ...

    def hidden(self, inputs: Sequence[LmInputs], written: Sequence[Tokens]) -> Tensor:
        """[B, 1 + longest, width] hidden states after each prompt and each written token."""
        ...

    def generation(self, inputs: Sequence[LmInputs], prefix_cache: PrefixCache) -> Generation:
        """Start decoding after these prompts."""
        ...


@dataclass(frozen=True, slots=True)
class LmEvaluation:
    """`learn.model.Evaluated` of stored steps."""

    log_prob: Tensor
    entropy: Tensor
    invalid: Tensor
    value_logits: Tensor
    choices: None = None
    """None: the actions that a language model can write cannot all be listed."""


class Heads(nn.Module):
    """Critics: two of V(s) on the prompt's last hidden state, V_goal on the goal's embeddings."""

    def __init__(self, width: int) -> None:
        """Zero the last layers, so that all critics start at a probability of one half."""
        super().__init__()
        self.value, self.goal = _head(width, 2), _head(width, 1)


def _head(width: int, outputs: int) -> nn.Sequential:
    last = nn.Linear(_HEAD_WIDTH, outputs)
    nn.init.zeros_(last.weight)
    nn.init.zeros_(last.bias)
    return nn.Sequential(nn.LayerNorm(width), nn.Linear(width, _HEAD_WIDTH), nn.GELU(), last)


_DEFAULT = LmConfig()


class LmModel:
    """Adapter and critics are trained, published and stored; the base weights stay frozen."""

    longest = 32
    """Tokens of an action at most; the longest actions of the phone have about twenty."""

    def __init__(self, network: Network, config: LmConfig = _DEFAULT) -> None:
        """Wrap a network with its adapter; critics are initialised from torch's generator."""
        self.network, self.config = network, config
        self.heads = Heads(network.width)

    def parameters(self) -> Iterator[nn.Parameter]:
        """All weights that are trained."""
        return iter(self._trained().values())

    def _trained(self) -> dict[str, nn.Parameter]:
        return {**self._adapter(), **{f"heads.{n}": w for n, w in self.heads.named_parameters()}}

    def _adapter(self) -> dict[str, nn.Parameter]:
        return {
            f"adapter.{name.replace('.default.', '.')}": weight
            for name, weight in self.network.whole.named_parameters()
            if weight.requires_grad
        }

    def state_dict(self) -> dict[str, Any]:
        """The weights that are trained, by name."""
        return {name: weight.detach() for name, weight in self._trained().items()}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take weights over; all of them, or KeyError."""
        trained = self._trained()
        if wrong := trained.keys() ^ state_dict.keys():
            raise KeyError(f"weights that do not fit: {', '.join(sorted(wrong)[:3])}")
        with torch.no_grad():
            for name, weight in trained.items():
                weight.copy_(state_dict[name])

    def to(self, device: torch.device) -> Self:
        """Move all weights to a device."""
        self.network.whole.to(device)
        self.heads.to(device)
        return self

    def eval(self) -> Self:
        """Return self: without dropout, training and evaluation mode are the same."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> LmModel:
        """A copy with its own adapter and critics that shares the frozen weights."""
        whole = self.network.whole
        # `deepcopy` reuses what `memo` says was copied already.
        for shared in (*whole.parameters(), *whole.buffers()):
            if not shared.requires_grad:
                memo[id(shared)] = shared
        twin = copy.copy(self)
        memo[id(self)] = twin
        twin.network = copy.deepcopy(self.network, memo)
        twin.heads = copy.deepcopy(self.heads, memo)
        return twin

    def evaluate(
        self, inputs: Sequence[LmInputs], decisions: Sequence[tuple[int, ...]]
    ) -> LmEvaluation:
        """Evaluate stored actions by teacher forcing, in chunks of `micro_batch` steps."""
        # Sorted by length: a chunk is padded to its longest prompt.
        order = sorted(range(len(inputs)), key=lambda k: len(inputs[k].tokens))
        rows = self.config.micro_batch
        parts = [
            self._pass([inputs[k] for k in chunk], [decisions[k] for k in chunk])
            for chunk in (order[i : i + rows] for i in range(0, len(order), rows))
        ]
        place = torch.empty(len(order), dtype=torch.long)
        place[torch.tensor(order)] = torch.arange(len(order))
        log_prob, entropy, invalid, values = (
            torch.cat(column)[place] for column in zip(*parts, strict=True)
        )
        return LmEvaluation(log_prob, entropy, invalid, values)

    def _pass(
        self, inputs: Sequence[LmInputs], decisions: Sequence[Tokens]
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        def run() -> tuple[Tensor, Tensor, Tensor, Tensor]:
            return self._evaluate(inputs, decisions)

        if self.config.gradient_checkpointing and torch.is_grad_enabled():
            again: Callable[..., tuple[Tensor, Tensor, Tensor, Tensor]] = checkpoint
            return again(run, use_reentrant=False)
        return run()

    def _evaluate(
        self, inputs: Sequence[LmInputs], decisions: Sequence[Tokens]
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        count = len(inputs)
        lasts = [self.last_choice(s.tree, d) for s, d in zip(inputs, decisions, strict=True)]
        written = [decision[:last] for decision, last in zip(decisions, lasts, strict=True)]
        hidden = self.network.hidden(inputs, written)
        places, choices, taken = [], [], []
        for row, (step, decision, last) in enumerate(zip(inputs, decisions, lasts, strict=True)):
            for at in range(last + 1):
                choice = step.tree.after(decision[:at])
                # A forced token has probability 1: it adds nothing to log-prob and entropy.
                if self.config.constrained and len(choice) < 2:
                    continue
                places.append((row, at))
                choices.append(choice)
                taken.append(decision[at])
        # Detached: critics read the features, and do not train the adapter that the policy uses.
        values = self.heads.value(hidden[:, 0].detach()).cpu()
        zeros = torch.zeros(count)
        if not places:
            # 0, but with a graph: with sharded layers (FSDP) every process must run backward.
            nothing = (hidden[:, 0, 0] * 0.0).cpu()
            return nothing, nothing, nothing, values
        rows, positions = torch.tensor(places).T
        device = hidden.device
        drawn = self.token_scores(hidden[rows.to(device), positions.to(device)], choices)
        log_prob = zeros.index_add(0, rows, drawn.of(taken))
        entropy = zeros.index_add(0, rows, drawn.entropy)
        # The legal mass of all tokens on the taken path is a product, so it is summed in log space.
        invalid = 1 - torch.exp(zeros.index_add(0, rows, drawn.log_allowed))
        return log_prob, entropy, invalid, values

    def last_choice(self, tree: OptionTree, decision: Tokens) -> int:
        """Index of the last token that was a choice; later ones are forced and need no pass."""
        if not self.config.constrained:
            return len(decision) - 1
        places = [at for at in range(len(decision)) if len(tree.after(decision[:at])) > 1]
        return places[-1] if places else 0

    def token_scores(self, hidden: Tensor, choices: Sequence[Tokens]) -> TokenScores:
        """Log-probabilities of the next token at N places, given the legal tokens of each.

        Constrained, they are normalised over the legal tokens; otherwise over the vocabulary. They
        are on the CPU and in single precision, wherever the network is, as losses expect them.
        """
        most = max(1, max(len(choice) for choice in choices))
        padded = torch.tensor([[*c, *[0] * (most - len(c))] for c in choices])
        real = torch.tensor([[k < len(c) for k in range(most)] for c in choices])
        temperature = self.config.temperature
        if self.config.constrained:
            logits = self.network.logits(hidden, padded).cpu() / temperature
            log_probs = logits.masked_fill(~real, -torch.inf).log_softmax(-1)
            return TokenScores(log_probs, padded, real, torch.zeros(len(choices)))
        logits = self.network.logits(hidden).cpu() / temperature
        log_probs = logits.log_softmax(-1)
        allowed = log_probs.gather(1, padded).masked_fill(~real, -torch.inf)
        # After an illegal prefix no token is legal; the mass was lost at the token before.
        mass = torch.where(real.any(1), allowed.logsumexp(-1), torch.zeros(len(choices)))
        # At most 0: rounding of logsumexp could make a probability of slightly over 1.
        return TokenScores(log_probs, None, None, mass.clamp(max=0.0))

    def values(self, hidden: Tensor) -> Tensor:
        """[N] V(s) by the more cautious critic, from N hidden states behind whole prompts."""
        return torch.sigmoid(self.heads.value(hidden)).amin(1).cpu()

    def goal_logits(self, inputs: Sequence[LmInputs]) -> Tensor:
        """Logits of V_goal, from the mean input embedding of the goal's tokens."""
        embeddings = self.network.embeddings
        means = [
            embeddings[torch.tensor(s.tokens[s.lead : s.lead + s.goal], device=embeddings.device)]
            .float()
            .mean(0)
            for s in inputs
        ]
        logits: Tensor = self.heads.goal(torch.stack(means))[:, 0]
        return logits.cpu()


@dataclass(frozen=True, slots=True)
class TokenScores:
    """Log-probabilities of the next token at N places."""

    log_probs: Tensor
    """[N, K] of the legal tokens, or of the whole vocabulary."""
    tokens: Tensor | None
    """[N, K] ids of the legal tokens, padded; None for the whole vocabulary."""
    real: Tensor | None
    """[N, K] False on padding."""
    log_allowed: Tensor
    """[N] log of the total probability of legal tokens."""

    def of(self, taken: Sequence[int]) -> Tensor:
        """[N] log-probabilities of the given tokens; NaN for one that is not legal."""
        wanted = torch.tensor(list(taken))
        if self.tokens is None or self.real is None:
            return self.log_probs.gather(1, wanted[:, None])[:, 0]
        found = (self.tokens == wanted[:, None]) & self.real
        chosen = self.log_probs.masked_fill(~found, 0.0).sum(1)
        return torch.where(found.any(1), chosen, torch.nan)

    @property
    def entropy(self) -> Tensor:
        """[N] entropy at each place."""
        log_probs = self.log_probs
        if self.real is not None:
            # Padding has -inf, and 0 * -inf is NaN, also in the gradient: masked before and after.
            log_probs = log_probs.masked_fill(~self.real, 0.0)
            return -(log_probs.exp() * log_probs).masked_fill(~self.real, 0.0).sum(1)
        return -(log_probs.exp() * log_probs).sum(1)

    def draw(self, row: int, point: float | None) -> tuple[int, float]:
        """Sample a token by inverse transform from `point` in [0, 1), or the likeliest for None.

        Returns the token and its log-probability.
        """
        # Double precision, so that the running sum over a large vocabulary stays accurate.
        log_probs = self.log_probs[row].double()
        if point is None:
            place = int(log_probs.argmax())
        else:
            sums = log_probs.exp().cumsum(0)
            # Never a token of probability 0: at most the first place where the sum is complete.
            last = int((sums < sums[-1]).sum())
            place = min(int((sums <= point * sums[-1]).sum()), last)
        token = place if self.tokens is None else int(self.tokens[row, place])
        return token, float(self.log_probs[row, place])
