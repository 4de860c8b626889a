from __future__ import annotations

import pytest
from tests.contracts.store import StoreContract

from distrl.replay.store.memory import MemoryStore


class TestMemoryStore(StoreContract):
    @pytest.fixture
    def store(self) -> MemoryStore:
        return MemoryStore()
