"""Weights that came from another machine: checked once, when they arrive, and then only used."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from torch import Tensor

from distrl.weights.memory import require_newer
from distrl.weights.sealed import Sealed, seal, unseal


class ReceivedChannel:
    """Holds the newest version that arrived whole. Versions only grow, in whatever order they come.

    A `WeightChannel` whose weights are published elsewhere and arrive here as sealed bytes.
    """

    def __init__(self) -> None:
        """Nothing has arrived yet."""
        self._lock = threading.Lock()
        self._latest = 0
        self._sealed: Sealed | None = None

    def receive(self, data: bytes, version: int) -> bool:
        """Take a version over; False for one that is not newer, WeightsError for a damaged one."""
        if version <= self.latest():
            return False
        sealed = unseal(data, version)
        with self._lock:
            if version <= self._latest:
                return False
            self._sealed, self._latest = sealed, version
        return True

    def publish(
        self, weights: Mapping[str, Tensor], version: int, *, notes: Mapping[str, str] | None = None
    ) -> str:
        """Publish to those who act in this process; ValueError when it is not newer."""
        require_newer(version, self.latest())
        data, digest = seal(weights, version, notes)
        self.receive(data, version)
        return digest

    def latest(self) -> int:
        """The newest version; 0 before the first."""
        with self._lock:
            return self._latest

    def fetch(self, version: int) -> tuple[Mapping[str, Tensor], str]:
        """Weights and digest of the newest version; LookupError for any other."""
        sealed = self._of(version)
        return sealed.weights, sealed.digest

    def notes(self, version: int) -> Mapping[str, str]:
        """What was noted with the newest version; LookupError for any other."""
        return self._of(version).notes

    def _of(self, version: int) -> Sealed:
        with self._lock:
            if self._sealed is None or version != self._latest:
                raise LookupError(f"version {version} is not kept (latest: {self._latest})")
            return self._sealed
