from pathlib import Path

import pytest
from tests.contracts.weights import WeightChannelContract

from distrl.interfaces import WeightChannel
from distrl.weights.memory_channel import MemoryChannel


class TestMemoryChannel(WeightChannelContract):
    @pytest.fixture
    def channel(self, tmp_path: Path) -> WeightChannel:
        return MemoryChannel()

    def damage(self, channel: WeightChannel, version: int, at: float) -> None:
        assert isinstance(channel, MemoryChannel)
        data = bytearray(channel._versions[version])
        data[int(at * len(data))] ^= 1
        channel._versions[version] = bytes(data)

    def drop(self, channel: WeightChannel, version: int) -> None:
        assert isinstance(channel, MemoryChannel)
        del channel._versions[version]
