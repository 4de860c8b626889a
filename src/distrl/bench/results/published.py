"""What others have published for the tasks of a suite, to stand beside our own figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from distrl.errors import ConfigError

FOLDER = "published"
"""Below the folder of the results."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """The figures of one publication."""

    name: str
    about: str
    """How they were made: that is never the same as ours."""
    source: str
    """Where they stand."""
    episodes: int
    """Of each task."""
    success: Mapping[str, float]
    """By template; some are missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """All that was found for a suite."""

    suite: str
    columns: tuple[Column, ...]


def load_published(results: Path) -> dict[str, tuple[Column, ...]]:
    """Columns by suite; ConfigError tells what is wrong with a file."""
    found = {}
    for path in sorted((results / FOLDER).glob("*.json")):
        try:
            published = msgspec.json.decode(path.read_bytes(), type=Published)
        except (OSError, msgspec.DecodeError) as error:
            raise ConfigError(f"{path} cannot be read: {error}") from None
        found[published.suite] = published.columns
    return found
