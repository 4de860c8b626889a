"""Slots of a cluster: where hosts, and gradient workers, can be started."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from distrl.run.ray_cluster.node import NodeState

DEVICE_HOST = "device_host"
"""The Ray resource of which a node has one unit for every host that may run on it."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Room for one actor: one unit of a node's resource, `device_host` or `learner_host`."""

    node: str
    """Ray's id of the node."""
    index: int
    """From 0, among the slots of this node."""
    address: str

    @property
    def name(self) -> str:
        """The name of the actor in this slot; an actor that replaces it gets the same name."""
        return f"{self.address}-{self.node[:6]}-{self.index}"


def slots_of(
    nodes: Sequence[NodeState],
    *,
    capacity: Callable[[NodeState], int] = attrgetter("device_hosts"),
) -> list[Slot]:
    """All slots of the nodes that are alive; `capacity` says how many a node has."""
    return [
        Slot(node.id, index, node.address)
        for node in nodes
        if node.alive
        for index in range(capacity(node))
    ]
