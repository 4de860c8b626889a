"""What frozen layers made of prompts, for prompts that come again."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from torch import Tensor

from distrl.policies.lm.options import Tokens


@dataclass(frozen=True, slots=True)
class CachedPrefix:
    """A prompt below the adapter: nothing in it changes while the adapter is trained."""

    states: Tensor
    """[tokens, width] in half precision: what the layers above read."""
    keys: Tensor
    """[layers, heads, tokens, size]"""
    values: Tensor

    @property
    def size(self) -> int:
        """In bytes."""
        parts = (self.states, self.keys, self.values)
        return sum(part.numel() * part.element_size() for part in parts)


class PrefixCache:
    """The newest prompts, up to so many bytes. One thread uses it."""

    def __init__(self, most_bytes: int) -> None:
        """Remember nothing yet."""
        self._most, self._bytes = most_bytes, 0
        self._held: OrderedDict[Tokens, CachedPrefix] = OrderedDict()
        self.hits = self.misses = 0

    def find(self, prompt: Tokens) -> CachedPrefix | None:
        """What is known of a prompt, if anything."""
        found = self._held.get(prompt)
        if found is None:
            self.misses += 1
            return None
        self.hits += 1
        self._held.move_to_end(prompt)
        return found

    def keep(self, prompt: Tokens, remembered: CachedPrefix) -> None:
        """Remember a prompt, and forget those that were not asked for the longest."""
        before = self._held.pop(prompt, None)
        self._bytes += remembered.size - (0 if before is None else before.size)
        self._held[prompt] = remembered
        while self._bytes > self._most and len(self._held) > 1:
            _, forgotten = self._held.popitem(last=False)
            self._bytes -= forgotten.size
