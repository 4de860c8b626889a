"""A channel that writes beside its publisher keeps every promise of the one that does not."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from tests.contracts.weights import make_weights
from tests.weights import test_file_channel

from distrl.interfaces import WeightChannel
from distrl.weights import file_channel
from distrl.weights.background_channel import BackgroundFileChannel
from distrl.weights.file_channel import FileChannel


class TestBackgroundFileChannel(test_file_channel.TestFileChannel):
    @pytest.fixture
    def channel(self, tmp_path: Path) -> WeightChannel:
        return BackgroundFileChannel(tmp_path / "deep" / "weights")

    def damage(self, channel: WeightChannel, version: int, at: float) -> None:
        assert isinstance(channel, BackgroundFileChannel)
        channel.flush()
        super().damage(channel, version, at)

    def drop(self, channel: WeightChannel, version: int) -> None:
        assert isinstance(channel, BackgroundFileChannel)
        channel.flush()
        super().drop(channel, version)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Nothing is written before it is set."""
    opened, write = threading.Event(), file_channel.write_whole

    def write_later(path: Path, data: bytes) -> None:
        assert opened.wait(10)
        write(path, data)

    monkeypatch.setattr(file_channel, "write_whole", write_later)
    return opened


def test_publishing_does_not_wait_for_the_disk(tmp_path: Path, gate: threading.Event) -> None:
    with BackgroundFileChannel(tmp_path) as channel:
        channel.publish(make_weights(1), 1)
        assert FileChannel(tmp_path).latest() == 0
        gate.set()
    assert FileChannel(tmp_path).latest() == 1


def test_later_changes_of_the_weights_are_not_written(
    tmp_path: Path, gate: threading.Event
) -> None:
    weights = make_weights(1)
    with BackgroundFileChannel(tmp_path) as channel:
        channel.publish(weights, 1)
        weights["layer.bias"].fill_(9)
        gate.set()
    assert float(FileChannel(tmp_path).fetch(1).weights["layer.bias"][0]) == 1.0


def test_a_version_waits_for_the_one_before_it(tmp_path: Path, gate: threading.Event) -> None:
    with BackgroundFileChannel(tmp_path) as channel:
        channel.publish(make_weights(1), 1)
        second = threading.Thread(target=channel.publish, args=(make_weights(2), 2))
        second.start()
        second.join(0.1)
        assert second.is_alive()
        gate.set()
        second.join(10)
    assert FileChannel(tmp_path).latest() == 2


@pytest.mark.parametrize("then", ["publish", "latest", "leave"])
def test_a_full_disk_is_told_at_the_next_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, then: str
) -> None:
    def full(path: Path, data: bytes) -> None:
        del path, data
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(file_channel, "write_whole", full)
    with (
        pytest.raises(OSError, match="No space left"),
        BackgroundFileChannel(tmp_path) as channel,
    ):
        channel.publish(make_weights(1), 1)
        if then == "publish":
            channel.publish(make_weights(2), 2)
        if then == "latest":
            channel.latest()


def test_an_error_of_the_block_is_not_hidden_by_one_of_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> None:
        del path, data
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(file_channel, "write_whole", full)
    with pytest.raises(KeyError), BackgroundFileChannel(tmp_path) as channel:
        channel.publish(make_weights(1), 1)
        raise KeyError
