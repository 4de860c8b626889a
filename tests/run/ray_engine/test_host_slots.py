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


def test_slots_can_be_those_of_another_resource() -> None:
    assert slots_of([node("a", 2)], capacity=lambda node: node.learner_hosts) == []


def test_the_actor_that_replaces_another_has_its_name() -> None:
    first, again = (slots_of([node("a", 1)])[0] for _ in range(2))
    assert first.name == again.name == "10.0.0.1-aaaaaa-0"
