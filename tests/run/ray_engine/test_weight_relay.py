"""Weights on their way to hosts; nothing here starts Ray."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

pytest.importorskip("ray")

import ray

from distrl.run.ray_engine.weight_relay import WeightRelay
from distrl.weights.file_channel import FileChannel


class FakeClient:
    """Takes every offer that is new to it."""

    def __init__(self) -> None:
        self.offered: list[int] = []
        self._sent = 0

    def offer(self, version: int, weights: Any) -> None:
        del weights
        if version > self._sent:
            self._sent = version
            self.offered.append(version)

    def forget_version(self) -> None:
        self._sent = 0


@pytest.fixture
def puts(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was put into the object store."""
    found: list[object] = []

    def put(value: object) -> int:
        found.append(value)
        return len(found)

    monkeypatch.setattr(ray, "put", put)
    return found


@pytest.fixture
def channel(tmp_path: Path) -> FileChannel:
    return FileChannel(tmp_path, keep=3)


def client() -> Any:
    return FakeClient()


def test_a_version_is_put_once_and_offered_to_every_host(
    channel: FileChannel, puts: list[object]
) -> None:
    relay, first, second = WeightRelay(channel), client(), client()
    relay.add(first)
    assert (relay.poll(), relay.version, first.offered) == (False, 0, [])
    channel.publish({"w": torch.ones(2)}, 1)
    assert (relay.poll(), relay.poll(), relay.version) == (True, False, 1)
    relay.add(second)
    relay.offer_to_all()
    assert (first.offered, second.offered, len(puts)) == ([1], [1], 1)


def test_a_host_that_was_removed_is_offered_nothing(
    channel: FileChannel, puts: list[object]
) -> None:
    relay, host = WeightRelay(channel), client()
    relay.add(host)
    relay.remove(host)
    relay.remove(host)
    channel.publish({"w": torch.ones(2)}, 1)
    relay.poll()
    relay.offer_to_all()
    assert host.offered == []


def test_a_host_that_does_not_have_the_newest_is_sent_it_again(
    channel: FileChannel, puts: list[object]
) -> None:
    relay, host = WeightRelay(channel), client()
    channel.publish({"w": torch.ones(2)}, 1)
    relay.poll()
    relay.add(host)
    relay.resend_to(host)
    relay.offer_to_all()
    assert (host.offered, len(puts)) == ([1, 1], 1)
