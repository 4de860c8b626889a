"""A weight channel whose versions arrive as bytes from another machine.

Each version is unsealed and checked once, on arrival.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping

from torch import Tensor

from distrl.interfaces import Published
from distrl.weights.memory_channel import require_newer
from distrl.weights.serialization import Sealed, seal, unseal


class ReceivedChannel:
    """Holds the newest version that arrived whole. Versions only grow, in whatever order they come.

    A `WeightChannel` whose weights are published elsewhere and arrive here as sealed bytes.
    """

    def __init__(self) -> None:
        """Nothing has arrived yet."""
        self._lock = threading.Lock()
        self._latest = 0
        self._published: Published | None = None

    def receive(self, data: Sealed, version: int) -> bool:
        """Take a version over; False for one that is not newer, WeightsError for a damaged one."""
        if version <= self.latest():
            return False
        # Outside the lock: checking the digest of large weights takes long, and nobody who acts
        # should wait for it. Whether it is still the newest is asked again inside.
        published = unseal(data, version)
        with self._lock:
            if version <= self._latest:
                return False
            self._published, self._latest = published, version
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

    def fetch(self, version: int) -> Published:
        """The newest version; LookupError for any other."""
        with self._lock:
            if self._published is None or version != self._latest:
                raise LookupError(f"version {version} is not kept (latest: {self._latest})")
            return self._published
