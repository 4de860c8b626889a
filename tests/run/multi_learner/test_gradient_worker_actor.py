from __future__ import annotations

import pytest
import torch

from distrl.errors import WeightsError
from distrl.run.multi_learner.gradient_worker_actor import (
    GradientWorkerActor,
    pack_tensors,
    unpack_tensors,
)

TENSORS = [torch.arange(float(k + 1)) for k in range(12)]
SHAPES = [one.shape for one in TENSORS]


def test_tensors_come_back_in_their_order() -> None:
    found = unpack_tensors(pack_tensors(TENSORS), SHAPES)
    assert [one.tolist() for one in found] == [one.tolist() for one in TENSORS]


@pytest.mark.parametrize("shapes", [SHAPES[:-1], [*SHAPES[:-1], torch.Size((3, 4))], []])
def test_tensors_that_do_not_fit_are_refused(shapes: list[torch.Size]) -> None:
    with pytest.raises(WeightsError, match="12 tensors, of other shapes"):
        unpack_tensors(pack_tensors(TENSORS), shapes)


def test_damaged_tensors_are_refused() -> None:
    data = bytearray(pack_tensors(TENSORS))
    data[-1] ^= 1
    with pytest.raises(WeightsError, match="damaged"):
        unpack_tensors(bytes(data), SHAPES)


def test_what_keeps_a_worker_from_starting_is_told_when_it_is_asked() -> None:
    assert "ConfigError" in GradientWorkerActor('{"policy": {"name": "none"}}').ready()
