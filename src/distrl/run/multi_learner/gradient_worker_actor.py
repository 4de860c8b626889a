"""The process around a learner's worker, for whoever starts it from elsewhere: bytes in, bytes out.

A plain class in a module of its own: an actor's class travels by its name, and is imported there.
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
from distrl.learn.remote_gradients import COLUMNS, WorkItem, WorkItemRunner
from distrl.replay.wire import Wire
from distrl.run.builders.policy_bundle import build_acting_bundle
from distrl.weights.sealed import seal, unseal

ERRAND: Wire[WorkItem] = Wire("share of an update", WorkItem)


def pack_tensors(tensors: Sequence[Tensor]) -> bytes:
    """Tensors in their order, with a seal over them."""
    return seal({str(place): one for place, one in enumerate(tensors)}, 0)[0]


def unpack_tensors(data: bytes, shapes: Sequence[torch.Size]) -> list[Tensor]:
    """The same again; WeightsError unless they are what was packed, and have these shapes."""
    found = unseal(data, 0).weights
    tensors = [found[name] for name in sorted(found, key=lambda name: (len(name), name))]
    if [tensor.shape for tensor in tensors] != list(shapes):
        raise WeightsError(
            f"got {len(tensors)} tensors, of other shapes than the {len(shapes)} wanted"
        )
    return tensors


class GradientWorkerActor:
    """A worker in a process of its own."""

    def __init__(self, config: str) -> None:
        """Build it; what goes wrong is told by `ready`, where somebody listens."""
        self._failed, self._one_at_a_time = "", threading.Lock()
        try:
            torch.set_num_threads(1)
            bundle = build_acting_bundle(check(json.loads(config)))
            self._assistant = WorkItemRunner(bundle.model, bundle.unpack)
        except BaseException:  # noqa: BLE001 - told to whoever asks
            self._failed = traceback.format_exc()

    def ready(self) -> str:
        """Empty when it can begin, else why not; answered while it is at work, too."""
        return self._failed

    def look(self, work_item: bytes, digest: str, weights: npt.NDArray[Any]) -> bytes:
        """What the model with these weights says of some steps."""
        with self._one_at_a_time:
            wanted = self._prepare(work_item, digest, weights)
            return pack_tensors([self._assistant.look(wanted)])

    def differentiate(
        self, work_item: bytes, digest: str, weights: npt.NDArray[Any], by: bytes
    ) -> bytes:
        """Gradients of the trained weights."""
        with self._one_at_a_time:
            wanted = self._prepare(work_item, digest, weights)
            (found,) = unpack_tensors(by, [torch.Size((len(wanted.inputs), COLUMNS))])
            return pack_tensors(self._assistant.differentiate(wanted, found))

    def _prepare(self, work_item: bytes, digest: str, weights: npt.NDArray[Any]) -> WorkItem:
        wanted = ERRAND.decode(work_item)
        if not self._assistant.has(wanted.copy, digest):
            sealed = unseal(weights.tobytes(), 0)
            self._assistant.load(wanted.copy, sealed.weights, sealed.digest)
        return wanted
