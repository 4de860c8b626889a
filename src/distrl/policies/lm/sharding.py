"""Frozen layers that several processes hold together, each a share of every weight (FSDP).

    process k    layer's weights / n  --gather--> whole layer --> pass --> share again

What is trained, the adapter and the critics, is small: every process has all of it, and publishes,
stores and optimises it as if it had learned alone. A layer can only be passed by all processes at
once, so all of them have to look at equally many steps, in the same order of calls.
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
    """A model of which this process keeps a share."""

    def __init__(self, model: LmModel, processes: int) -> None:
        """Take a model over, in a process group, when it is where it will be used."""
        self.network, self.config, self.heads = model.network, model.config, model.heads
        mesh = init_device_mesh(self.network.embeddings.device.type, (processes,))
        for layer in _learning_layers(self.network):
            trained = {weight for weight in layer.parameters() if weight.requires_grad}
            fully_shard(layer, mesh=mesh, reshard_after_forward=True, ignored_params=trained)

    def __deepcopy__(self, memo: dict[int, Any]) -> EmaCopy:
        """Weights of its own for what is trained; a share that is there is not held twice."""
        del memo
        return EmaCopy(self)


class EmaCopy(LmModel):
    """Other trained weights for the network of a model, which it borrows for every look."""

    def __init__(self, owner: LmModel) -> None:
        """Start with the weights of the owner."""
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
        """Look at stored steps; there are no gradients."""
        with torch.no_grad(), self._in_place():
            return super().evaluate(inputs, decisions)

    @contextmanager
    def _in_place(self) -> Iterator[None]:
        """The network with these weights; the owner's are put back where they were."""
        network = super()._adapter()
        owned = {name: weight.data for name, weight in network.items()}
        for name, weight in network.items():
            weight.data = self._own[name].data
        try:
            yield
        finally:
            for name, weight in network.items():
                weight.data = owned[name]


def _learning_layers(network: Network) -> Sequence[nn.Module]:
    """Layers that are passed while learning: those below the adapter were passed before."""
    if isinstance(network, TextNetwork):
        above: Sequence[nn.Module] = network.above.layers
        return above
    layers: Sequence[nn.Module] = decoder_of(network.whole).layers
    return layers
