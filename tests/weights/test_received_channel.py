from __future__ import annotations

import pytest
from tests.contracts.weights import make_weights

from distrl.errors import WeightsError
from distrl.weights.received_channel import ReceivedChannel
from distrl.weights.serialization import digest_of, seal


def test_weights_arrive_with_digest_and_notes() -> None:
    channel = ReceivedChannel()
    assert channel.latest() == 0
    data, digest = seal(make_weights(2), 7, {"note": "a"})
    assert channel.receive(data, 7)
    published = channel.fetch(7)
    assert published.digest == digest == digest_of(published.weights)
    assert (published.version, published.notes) == (7, {"note": "a"})
    assert channel.latest() == 7


def test_versions_only_grow_in_whatever_order_they_come() -> None:
    channel = ReceivedChannel()
    for version, newer in ((3, True), (2, False), (3, False), (5, True), (4, False)):
        data, _ = seal(make_weights(version), version)
        assert channel.receive(data, version) is newer
    assert channel.latest() == 5
    assert channel.fetch(5).weights["layer.bias"][0] == 5
    with pytest.raises(LookupError, match="latest: 5"):
        channel.fetch(3)


@pytest.mark.parametrize("at", [0.1, 0.5, 0.9, 0.999])
def test_damaged_weights_change_nothing(at: float) -> None:
    channel = ReceivedChannel()
    channel.receive(seal(make_weights(1), 1)[0], 1)
    data = bytearray(seal(make_weights(2), 2)[0])
    data[int(at * len(data))] ^= 1
    with pytest.raises(WeightsError):
        channel.receive(bytes(data), 2)
    assert channel.latest() == 1
    assert channel.receive(seal(make_weights(2), 2)[0], 2)


def test_a_version_under_another_number_is_refused() -> None:
    with pytest.raises(WeightsError, match="seal"):
        ReceivedChannel().receive(seal(make_weights(1), 1)[0], 2)


def test_publishing_here_is_the_same_as_receiving() -> None:
    channel = ReceivedChannel()
    digest = channel.publish(make_weights(1), 1, notes={"n": "1"})
    assert channel.fetch(1).digest == digest
    with pytest.raises(ValueError, match="not newer than 1"):
        channel.publish(make_weights(1), 1)
