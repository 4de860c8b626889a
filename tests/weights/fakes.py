from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from distrl.interfaces import Published


class FakeChannel:
    """Published versions in a dictionary; counts how often each was fetched."""

    def __init__(self) -> None:
        self.versions: dict[int, Mapping[str, Any]] = {}
        self.named = 0
        self.fetches: Counter[int] = Counter()

    def publish(
        self,
        weights: Mapping[str, Any],
        version: int,
        *,
        notes: Mapping[str, str] | None = None,
    ) -> str:
        self.versions[version] = weights
        self.named = version
        return f"digest-{version}"

    def latest(self) -> int:
        return self.named

    def fetch(self, version: int) -> Published:
        self.fetches[version] += 1
        weights = self.versions[version]
        return Published(weights, version, f"digest-{version}", {"of": str(version)})
