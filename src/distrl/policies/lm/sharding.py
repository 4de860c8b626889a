"""Frozen layers sharded over several processes (FSDP): each holds 1/n of every weight.

    process k    1/n of a layer --all-gather--> whole layer --> forward --> free the other shards

The trained weights, adapter and critics, are small and replicated: every process publishes, stores
and optimises them as if it learned alone. A layer can only be gathered by all processes together,
so all of them have to pass equally many batches, in the same order of calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

import torch
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

from distrl.policies.lm.inputs import LmInputs
from distrl.policies.lm.model import LmEvaluation, LmModel, Network
from distrl.policies.lm.network import TextNetwork, decoder_of


class ShardedModel(LmModel):
    """A model whose frozen layers are sharded over a process group."""

    def __init__(self, model: LmModel, processes: int) -> None:
        """Shard a model, after it was moved to its device and the process group was joined."""
        self.network, self.config, self.heads = model.network, model.config, model.heads
        mesh = init_device_mesh(self.network.embeddings.device.type, (processes,))
        for layer in _learning_layers(self.network):
            trained = {weight for weight in layer.parameters() if weight.requires_grad}
            # The adapter is excluded: optimiser and weight channel need it whole in each process.
            fully_shard(layer, mesh=mesh, reshard_after_forward=True, ignored_params=trained)

    def __deepcopy__(self, memo: dict[int, Any]) -> EmaCopy:
        """An EMA copy of the trained weights only; the shards are not held twice."""
        del memo
        return EmaCopy(self)


class EmaCopy(LmModel):
    """EMA copy: trained weights of its own, swapped into the owner's network for every pass."""

    def __init__(self, owner: LmModel) -> None:
        """Start with the owner's weights."""
        self.network, self.config = owner.network, owner.config
        self.heads = deepcopy(owner.heads)
        self._own = {
            name: nn.Parameter(weight.detach().clone())
            for name, weight in super()._adapter().items()
        }

    def _adapter(self) -> dict[str, nn.Parameter]:
        return self._own

    def evaluate(
        self, inputs: Sequence[LmInputs], decisions: Sequence[tuple[int, ...]]
    ) -> LmEvaluation:
        """Evaluate stored steps with the EMA weights, without gradients."""
        with torch.no_grad(), self._in_place():
            return super().evaluate(inputs, decisions)

    @contextmanager
    def _in_place(self) -> Iterator[None]:
        """Swap these weights into the shared network, and the owner's back on exit."""
        network = super()._adapter()
        owned = {name: weight.data for name, weight in network.items()}
        # `.data`, not new parameters: the optimiser holds references to these.
        for name, weight in network.items():
            weight.data = self._own[name].data
        try:
            yield
        finally:
            for name, weight in network.items():
                weight.data = owned[name]


def _learning_layers(network: Network) -> Sequence[nn.Module]:
    """Layers that learning passes: outputs of those below the adapter are stored with steps."""
    if isinstance(network, TextNetwork):
        above: Sequence[nn.Module] = network.above.layers
        return above
    layers: Sequence[nn.Module] = decoder_of(network.whole).layers
    return layers
