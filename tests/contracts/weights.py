"""The promises of a WeightChannel, written once; a test of an implementation subclasses this."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
import torch
from torch import Tensor

from distrl.errors import WeightsError
from distrl.interfaces import WeightChannel
from distrl.weights.serialization import digest_of


def make_weights(number: float, size: int = 50) -> dict[str, Tensor]:
    """Weights whose every number is the same, so that a mixture of two versions is seen."""
    return {"layer.weight": torch.full((size, 3), number), "layer.bias": torch.full((3,), number)}


class WeightChannelContract:
    """What every WeightChannel promises."""

    @pytest.fixture
    def channel(self, tmp_path: Path) -> WeightChannel:
        """A new channel of the kind under test."""
        raise NotImplementedError

    def damage(self, channel: WeightChannel, version: int, at: float) -> None:
        """Change one byte of a version, at a fraction of its length."""
        raise NotImplementedError

    def drop(self, channel: WeightChannel, version: int) -> None:
        """Lose a version behind the channel's back."""
        raise NotImplementedError

    def test_has_version_zero_before_the_first_publish(self, channel: WeightChannel) -> None:
        assert channel.latest() == 0
        with pytest.raises(LookupError):
            channel.fetch(0)

    def test_gives_back_what_was_published(self, channel: WeightChannel) -> None:
        weights = {
            "half": torch.arange(6, dtype=torch.float16).reshape(2, 3),
            "brain": torch.ones(2, dtype=torch.bfloat16),
            "count": torch.tensor(7),
            "empty": torch.zeros(0, 4),
        }
        digest = channel.publish(weights, 1)
        published = channel.fetch(1)
        fetched = published.weights
        assert published.version == 1
        assert published.digest == digest == digest_of(weights) == digest_of(fetched)
        assert fetched.keys() == weights.keys()
        assert all(torch.equal(fetched[name], weights[name]) for name in weights)
        assert all(fetched[name].dtype == weights[name].dtype for name in weights)

    def test_versions_only_grow_and_may_leave_gaps(self, channel: WeightChannel) -> None:
        channel.publish(make_weights(1), 3)
        for version in (3, 2, 0, -1):
            with pytest.raises(ValueError, match="not newer than 3"):
                channel.publish(make_weights(2), version)
        channel.publish(make_weights(2), 10)
        assert channel.latest() == 10
        assert float(channel.fetch(3).weights["layer.bias"][0]) == 1.0

    def test_later_changes_to_the_weights_reach_nobody(self, channel: WeightChannel) -> None:
        weights = make_weights(1)
        channel.publish(weights, 1)
        weights["layer.bias"].fill_(5)
        fetched = channel.fetch(1)
        fetched.weights["layer.weight"].fill_(7)
        again = channel.fetch(1)
        assert fetched.digest == again.digest
        assert float(again.weights["layer.bias"].sum()) == 3.0
        assert float(again.weights["layer.weight"].max()) == 1.0

    def test_tied_and_transposed_weights_are_published_as_they_are(
        self, channel: WeightChannel
    ) -> None:
        tied = torch.arange(6.0).reshape(2, 3)
        channel.publish({"a": tied, "b": tied, "c": tied.T}, 1)
        fetched = channel.fetch(1).weights
        assert torch.equal(fetched["b"], tied)
        assert torch.equal(fetched["c"], tied.T)

    def test_notes_travel_with_the_weights_and_leave_the_digest_alone(
        self, channel: WeightChannel
    ) -> None:
        plain = channel.publish(make_weights(1), 1)
        noted = channel.publish(make_weights(1), 2, notes={"canary": "ü\n\0 yellow"})
        assert plain == noted
        assert channel.fetch(1).notes == {}
        assert channel.fetch(2).notes == {"canary": "ü\n\0 yellow"}

    def test_the_digest_tells_weights_apart(self, channel: WeightChannel) -> None:
        one = channel.publish(make_weights(1), 1)
        two = channel.publish(make_weights(2), 2)
        assert one != two

    def test_keeps_the_last_eight_versions(self, channel: WeightChannel) -> None:
        for version in range(1, 13):
            channel.publish(make_weights(version), version)
        kept = [float(channel.fetch(version).weights["layer.bias"][0]) for version in range(5, 13)]
        assert kept == list(range(5, 13))
        for gone in range(1, 5):
            with pytest.raises(LookupError):
                channel.fetch(gone)

    @pytest.mark.parametrize("at", [0.0, 0.05, 0.3, 0.6, 0.999])
    def test_a_changed_byte_is_found_out(self, channel: WeightChannel, at: float) -> None:
        channel.publish(make_weights(1), 1, notes={"canary": "yellow" * 200})
        self.damage(channel, 1, at)
        with pytest.raises(WeightsError):
            channel.fetch(1)

    def test_a_dropped_version_is_a_lookup_error(self, channel: WeightChannel) -> None:
        channel.publish(make_weights(1), 1)
        channel.publish(make_weights(2), 2)
        self.drop(channel, 2)
        with pytest.raises(LookupError):
            channel.fetch(2)
        assert float(channel.fetch(1).weights["layer.bias"][0]) == 1.0

    def test_a_reader_in_another_thread_sees_whole_versions_in_order(
        self, channel: WeightChannel
    ) -> None:
        last, seen, problems = 60, [0], []

        def read() -> None:
            while seen[-1] < last:
                version = channel.latest()
                if version < seen[-1]:
                    problems.append(f"{version} after {seen[-1]}")
                if version == seen[-1]:
                    continue
                try:
                    published = channel.fetch(version)
                except LookupError:
                    continue  # pruned meanwhile, so there are newer ones
                seen.append(version)
                weights = published.weights
                numbers = {float(n) for tensor in weights.values() for n in tensor.unique()}
                if numbers != {float(version)} or published.digest != digest_of(weights):
                    problems.append(f"{version} holds {numbers}")

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        for version in range(1, last + 1):
            channel.publish(make_weights(version, size=2000), version)
        reader.join(timeout=60)
        assert not reader.is_alive()
        assert problems == []
