"""The actions that can be written in a situation, as a tree of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TypeAlias

Tokens: TypeAlias = tuple[int, ...]


class OptionTree:
    """Which token may follow which: what is not in the tree is no action."""

    def __init__(self, options: Iterable[Tokens]) -> None:
        """Take whole actions, each with its last token; none may be the beginning of another."""
        following: dict[Tokens, set[int]] = {}
        for option in options:
            for length in range(len(option)):
                following.setdefault(option[:length], set()).add(option[length])
        self._following: Mapping[Tokens, Tokens] = {
            begun: tuple(sorted(tokens)) for begun, tokens in following.items()
        }

    def after(self, begun: Tokens) -> Tokens:
        """Tokens that may come next; none where an action has ended, or was never one."""
        return self._following.get(begun, ())

    def forced(self, begun: Tokens) -> Tokens:
        """Tokens that follow without any choice."""
        chain: list[int] = []
        while len(following := self.after((*begun, *chain))) == 1:
            chain += following
        return tuple(chain)


@lru_cache(maxsize=4096)
def tree_of(options: tuple[Tokens, ...]) -> OptionTree:
    """The tree of some actions; screens with equally many elements share theirs."""
    return OptionTree(options)
