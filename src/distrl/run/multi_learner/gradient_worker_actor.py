"""The actor of a gradient worker: checked bytes in, checked bytes out.

A plain class in a module of its own, without Ray: Ray sends an actor's class by name and imports it
on the other machine, and tests use it directly.
"""

from __future__ import annotations

import json
import threading
import traceback
from collections.abc import Sequence
from typing import Any

import numpy.typing as npt
import torch
from torch import Tensor

from distrl.config.load import check
from distrl.errors import WeightsError
from distrl.learn.remote_gradients import OUTPUTS, WorkItem, WorkItemRunner
from distrl.replay.wire import Wire
from distrl.run.builders.policy_bundle import build_acting_bundle
from distrl.weights.serialization import seal, unseal

WORK_ITEM: Wire[WorkItem] = Wire("share of an update", WorkItem)


def pack_tensors(tensors: Sequence[Tensor]) -> bytes:
    """Tensors in their order, sealed with a digest over all of them."""
    return seal({str(index): tensor for index, tensor in enumerate(tensors)}, 0)[0]


def unpack_tensors(data: bytes, shapes: Sequence[torch.Size]) -> list[Tensor]:
    """The packed tensors; WeightsError when they are damaged or have other shapes than these."""
    found = unseal(data, 0).weights
    # By length first: the names are numbers, and "10" comes after "9".
    tensors = [found[name] for name in sorted(found, key=lambda name: (len(name), name))]
    if [tensor.shape for tensor in tensors] != list(shapes):
        raise WeightsError(
            f"got {len(tensors)} tensors, of other shapes than the {len(shapes)} wanted"
        )
    return tensors


class GradientWorkerActor:
    """Computes work items of the learner in a process of its own."""

    def __init__(self, config: str) -> None:
        """Build the model; an error is kept as text for `ready`, which the learner asks."""
        self._failed, self._computing = "", threading.Lock()
        try:
            # Several workers share a machine; threads of each would take the others' cores.
            torch.set_num_threads(1)
            bundle = build_acting_bundle(check(json.loads(config)))
            self._runner = WorkItemRunner(bundle.model, bundle.unpack)
        except BaseException:  # noqa: BLE001 - told to whoever asks
            self._failed = traceback.format_exc()

    def ready(self) -> str:
        """Why it could not start; empty if it could. Also its heartbeat, answered during work."""
        return self._failed

    def forward(self, work_item: bytes, digest: str, weights: npt.NDArray[Any]) -> bytes:
        """The forward pass of a work item under these weights, packed."""
        with self._computing:
            wanted = self._prepare(work_item, digest, weights)
            return pack_tensors([self._runner.forward(wanted)])

    def backward(
        self, work_item: bytes, digest: str, weights: npt.NDArray[Any], output_gradients: bytes
    ) -> bytes:
        """Gradients of the trained weights, packed, from the packed gradients of the outputs."""
        with self._computing:
            wanted = self._prepare(work_item, digest, weights)
            (found,) = unpack_tensors(output_gradients, [torch.Size((len(wanted.inputs), OUTPUTS))])
            return pack_tensors(self._runner.backward(wanted, found))

    def _prepare(self, work_item: bytes, digest: str, weights: npt.NDArray[Any]) -> WorkItem:
        wanted = WORK_ITEM.decode(work_item)
        if not self._runner.has(wanted.model_number, digest):
            sealed = unseal(weights.data, 0)
            self._runner.load(wanted.model_number, sealed.weights, sealed.digest)
        return wanted
