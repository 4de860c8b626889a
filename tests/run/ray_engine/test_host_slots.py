from __future__ import annotations

import pytest

pytest.importorskip("ray")

from distrl.run.ray_cluster.node import NodeState
from distrl.run.ray_engine.host_slots import slots_of


def node(name: str, hosts: int, *, alive: bool = True) -> NodeState:
    return NodeState(
        id=name * 8,
        address="10.0.0.1",
        alive=alive,
        device_hosts=hosts,
        learner_hosts=0,
        cpus=1,
        gpus=0,
    )


def test_every_device_host_of_a_living_node_is_a_slot() -> None:
    slots = slots_of([node("a", 2), node("b", 0), node("c", 1), node("d", 4, alive=False)])
    assert [(slot.node[0], slot.index) for slot in slots] == [("a", 0), ("a", 1), ("c", 0)]
    assert len({slot.name for slot in slots}) == 3
