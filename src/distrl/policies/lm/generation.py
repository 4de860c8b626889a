"""Batched decoding of a split text model: many prompts side by side, each at its own length.

prompt --prefix cache--> states and KV of frozen layers --> adapted layers --> hidden
feed(tokens of each row)  --> both parts, with position ids and masks per row  --> hidden
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from distrl.policies.lm.options import Tokens
from distrl.policies.lm.prefix_cache import PrefixCache, to_states

if TYPE_CHECKING:
    from distrl.policies.lm.network import TextNetwork

Masks: TypeAlias = Tensor | dict[str, Tensor]
"""Attention mask of new tokens, or one for each kind of layer."""
FULL_ATTENTION, SLIDING_ATTENTION = "full_attention", "sliding_attention"
"""Kinds of layers, as configurations of transformers name them."""


@dataclass(frozen=True, slots=True)
class Window:
    """Sliding-window attention of some or all layers."""

    tokens: int
    some: bool
    """Whether other layers have full attention."""


class TextGeneration:
    """Decodes many prompts as one batch; rows may be fed different numbers of tokens."""

    def __init__(
        self, network: TextNetwork, prompts: Sequence[Tokens], prefix_cache: PrefixCache
    ) -> None:
        """Read the prompts; `hidden` [B, width] is the last state of each."""
        from transformers import DynamicCache

        self._network = network
        self._device = network.embeddings.device
        known = network.read_prompts(prompts, prefix_cache)
        self._lengths = torch.tensor([len(prompt) for prompt in prompts], device=self._device)
        self._states = [one.states for one in known]
        self._below, self._above = DynamicCache(), DynamicCache()
        for layer in range(len(network.below.layers)):
            self._below.update(
                _padded([one.keys[layer] for one in known]),
                _padded([one.values[layer] for one in known]),
                layer,
            )
        read = pad_sequence(self._states, batch_first=True).to(network.embeddings)
        out = network.above(
            inputs_embeds=read, past_key_values=self._above, use_cache=True
        ).last_hidden_state
        rows = torch.arange(len(prompts), device=self._device)
        self.hidden: Tensor = out[rows, self._lengths - 1].float()
        longest = torch.arange(read.shape[1], device=self._device)
        self._places = longest[None].expand(len(prompts), -1)
        self._seen = self._places < self._lengths[:, None]

    def feed(self, tokens: Sequence[Tokens]) -> None:
        """Append tokens to each row (possibly none) and update `hidden`."""
        device, most = self._device, max(len(row) for row in tokens)
        ids = torch.tensor([[*row, *[0] * (most - len(row))] for row in tokens], device=device)
        count = torch.tensor([len(row) for row in tokens], device=device)
        steps = torch.arange(most, device=device)
        real = steps[None] < count[:, None]
        # Position ids continue each row's own length; its padding in the cache has no position.
        positions = self._lengths[:, None] + steps[None]
        self._places = torch.cat([self._places, positions], 1)
        mask = self._masks(real, positions)
        embedded = self._network.whole.get_input_embeddings()(ids)
        states = to_states(self._run(self._network.below, embedded, positions, mask, self._below))
        out = self._run(
            self._network.above, states.to(embedded), positions, mask, self._above
        ).float()
        for row, fed in enumerate(count.tolist()):
            if fed:
                self._states[row] = torch.cat([self._states[row], states[row, :fed].cpu()])
        moved = count > 0
        # A row without new tokens would index -1; it is clamped, and `where` keeps its old state.
        last = out[torch.arange(len(tokens), device=device), (count - 1).clamp(min=0)]
        self.hidden = torch.where(moved[:, None], last, self.hidden)
        self._lengths = self._lengths + count
        self._seen = torch.cat([self._seen, real], 1)

    def _run(self, stage: Any, read: Tensor, positions: Tensor, mask: Masks, cache: Any) -> Tensor:
        out: Tensor = stage(
            inputs_embeds=read,
            position_ids=positions,
            attention_mask=mask,
            past_key_values=cache,
            use_cache=True,
        ).last_hidden_state
        return out

    def _masks(self, real: Tensor, positions: Tensor) -> Masks:
        """`_mask`, limited to the sliding window for the layers that have one."""
        mask, window = self._mask(real), self._network.window
        if window is None:
            return self._network.as_mask(mask)
        near = positions[:, :, None] - self._places[:, None] < window.tokens
        sliding = self._network.as_mask(mask & near[:, None])
        if not window.some:
            return sliding
        return {FULL_ATTENTION: self._network.as_mask(mask), SLIDING_ATTENTION: sliding}

    def _mask(self, real: Tensor) -> Tensor:
        """[B, 1, new, all] causal mask: a new token sees its row so far and itself, no padding."""
        most = real.shape[1]
        back = torch.ones(most, most, dtype=torch.bool, device=self._device).tril()
        before = self._seen[:, None].expand(-1, most, -1)
        return torch.cat([before, back[None] & real[:, None]], 2)[:, None] | self._self_mask(real)

    def _self_mask(self, real: Tensor) -> Tensor:
        """Mask that lets every new token, padding too, see itself."""
        # A softmax over nothing is NaN, which would spread from padding by the KV cache.
        itself = torch.eye(real.shape[1], dtype=torch.bool, device=self._device)
        none_before = torch.zeros(
            real.shape[1], self._seen.shape[1], dtype=torch.bool, device=self._device
        )
        return torch.cat([none_before, itself], 1)[None, None]

    def states(self, row: int) -> Tensor:
        """[tokens so far, width] outputs of the frozen layers for one row, in half precision."""
        return self._states[row]


def _padded(rows: Sequence[Tensor]) -> Tensor:
    """[B, heads, longest, size] padded from rows [heads, length, size]."""
    turned = pad_sequence([row.transpose(0, 1) for row in rows], batch_first=True)
    return turned.transpose(1, 2).contiguous()
