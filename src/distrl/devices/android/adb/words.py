"""Programs as lists of words, and the one place where they become a line for a device's shell."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TypeAlias

from distrl.errors import ActionError

Argv: TypeAlias = Sequence[str]
"""A program and its arguments."""
Pipeline: TypeAlias = Sequence[Argv]
"""Programs that each read what the one before wrote."""


def quote(words: Argv) -> str:
    """Quote an argument list as one shell line; ActionError for NUL and lone surrogates."""
    line = " ".join(shlex.quote(word) for word in words)
    if "\0" in line or any("\ud800" <= character <= "\udfff" for character in line):
        raise ActionError(f"this cannot be said to a device's shell: {line[:80]!a}")
    return line


def quote_pipelines(pipelines: Sequence[Pipeline]) -> str:
    """One shell line that runs all pipelines in order, even if some of them fail."""
    return "; ".join(" | ".join(quote(words) for words in pipe) for pipe in pipelines)
