from __future__ import annotations

import pytest
from tests.contracts.store import StoreContract

from distrl.replay.store.memory import MemoryStore
from distrl.replay.store.types import DurableStore


class TestMemoryStore(StoreContract):
    @pytest.fixture
    def store(self) -> DurableStore:
        return MemoryStore()
