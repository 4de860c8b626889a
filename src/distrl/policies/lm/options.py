"""The legal actions of a situation as a prefix tree (trie) of tokens, for constrained decoding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TypeAlias

Tokens: TypeAlias = tuple[int, ...]


class OptionTree:
    """Trie of token sequences: after a prefix, which tokens lead to a legal action."""

    def __init__(self, options: Iterable[Tokens]) -> None:
        """Build it from whole actions with their end token; none may be a prefix of another."""
        following: dict[Tokens, set[int]] = {}
        for option in options:
            for length in range(len(option)):
                following.setdefault(option[:length], set()).add(option[length])
        self._following: Mapping[Tokens, Tokens] = {
            begun: tuple(sorted(tokens)) for begun, tokens in following.items()
        }

    def after(self, begun: Tokens) -> Tokens:
        """Tokens that may follow a prefix; empty after a complete action or an illegal prefix."""
        return self._following.get(begun, ())

    def forced(self, begun: Tokens) -> Tokens:
        """Tokens that follow a prefix without a choice, as long as there is exactly one."""
        chain: list[int] = []
        while len(following := self.after((*begun, *chain))) == 1:
            chain += following
        return tuple(chain)


# Options differ by the number of elements and the words of the goal, so most screens share a tree.
@lru_cache(maxsize=4096)
def tree_of(options: tuple[Tokens, ...]) -> OptionTree:
    """The tree of these actions, cached."""
    return OptionTree(options)
