"""A weight channel within one process."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from torch import Tensor

from distrl.interfaces import Published
from distrl.weights.serialization import seal, unseal

KEEP = 8
"""Versions kept: a reader that was told of a version and fetches it a moment later still finds it,
while several newer ones are published."""


class MemoryChannel:
    """Keeps the last versions as bytes, so that nobody's later changes reach anybody else."""

    def __init__(self, *, keep: int = KEEP) -> None:
        """Start without a version."""
        self._keep = keep
        self._lock = threading.Lock()
        self._versions: dict[int, bytes] = {}
        self._latest = 0

    def publish(
        self, weights: Mapping[str, Tensor], version: int, *, notes: Mapping[str, str] | None = None
    ) -> str:
        """Make a version visible; ValueError when it is not newer than the latest."""
        data, digest = seal(weights, version, notes)
        with self._lock:
            require_newer(version, self._latest)
            self._versions[version] = data
            self._latest = version
            for old in sorted(self._versions)[: -self._keep]:
                del self._versions[old]
        return digest

    def latest(self) -> int:
        """The newest version; 0 before the first."""
        with self._lock:
            return self._latest

    def fetch(self, version: int) -> Published:
        """A version, as copies of its own; LookupError when it is not kept."""
        with self._lock:
            data = self._versions.get(version)
        if data is None:
            raise LookupError(f"version {version} is not kept (latest: {self._latest})")
        return unseal(data, version)


def require_newer(version: int, latest: int) -> None:
    """Versions only grow."""
    if version <= latest:
        raise ValueError(f"version {version} is not newer than {latest}, which is published")
