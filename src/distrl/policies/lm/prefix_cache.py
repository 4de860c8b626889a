"""Prefix cache (KV cache) of prompts below the adapter, for prompts that recur.

Frozen layers give the same result under every version of the adapter, so entries never expire.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

import torch
from torch import Tensor

from distrl.policies.lm.options import Tokens

LARGEST_STATE = torch.finfo(torch.float16).max


@dataclass(frozen=True, slots=True)
class CachedPrefix:
    """Output, keys and values of the frozen layers for one prompt."""

    states: Tensor
    """[tokens, width] in half precision: the input of the adapted layers."""
    keys: Tensor
    """[layers, heads, tokens, size]"""
    values: Tensor

    @property
    def size(self) -> int:
        """Bytes."""
        parts = (self.states, self.keys, self.values)
        return sum(part.numel() * part.element_size() for part in parts)


class PrefixCache:
    """Least-recently-used cache of prompts, bounded in bytes. Not thread-safe."""

    def __init__(self, max_bytes: int) -> None:
        """Start empty."""
        self._max_bytes, self._bytes = max_bytes, 0
        self._held: OrderedDict[Tokens, CachedPrefix] = OrderedDict()
        self.hits = self.misses = 0

    def get(self, prompt: Tokens) -> CachedPrefix | None:
        """The cached prefix; None, counted as a miss, if there is none."""
        found = self._held.get(prompt)
        if found is None:
            self.misses += 1
            return None
        self.hits += 1
        self._held.move_to_end(prompt)
        return found

    def put(self, prompt: Tokens, prefix: CachedPrefix) -> None:
        """Add a prompt, and evict the least recently used ones beyond the limit."""
        before = self._held.pop(prompt, None)
        self._bytes += prefix.size - (0 if before is None else before.size)
        self._held[prompt] = prefix
        # An entry that alone exceeds the limit would otherwise evict itself at once.
        while self._bytes > self._max_bytes and len(self._held) > 1:
            _, evicted = self._held.popitem(last=False)
            self._bytes -= evicted.size


def to_states(hidden: Tensor) -> Tensor:
    """Round hidden states to half precision, in which they are cached and stored."""
    # Acting rounds as well, though it could keep full precision: the learner reads stored states,
    # and pi and mu must be computed from the same numbers. Clamped, since an overflow to infinity
    # would become NaN in the next layer.
    return hidden.clamp(-LARGEST_STATE, LARGEST_STATE).to(torch.float16)
