from __future__ import annotations

import pytest
from tests.contracts.store import StoreContract

from distrl.replay.memory_store import MemoryStore
from distrl.replay.store_types import DurableStore


class TestMemoryStore(StoreContract):
    @pytest.fixture
    def store(self) -> DurableStore:
        return MemoryStore()
