from __future__ import annotations

import time

import pytest

pytest.importorskip("ray")

from distrl.run.cluster import slots_of, within
from distrl.run.node import NodeState


def node(name: str, hosts: int, *, alive: bool = True) -> NodeState:
    return NodeState(
        id=name * 8, address="10.0.0.1", alive=alive, device_hosts=hosts, cpus=1, gpus=0
    )


def test_every_device_host_of_a_living_node_is_a_place() -> None:
    slots = slots_of([node("a", 2), node("b", 0), node("c", 1), node("d", 4, alive=False)])
    assert [(slot.node[0], slot.place) for slot in slots] == [("a", 0), ("a", 1), ("c", 0)]
    assert len({slot.name for slot in slots}) == 3


def test_what_hangs_keeps_nobody() -> None:
    assert within(10.0, lambda: None)
    assert not within(0.05, lambda: time.sleep(5.0))
