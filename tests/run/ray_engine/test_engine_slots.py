from __future__ import annotations

import time

import pytest

pytest.importorskip("ray")

from distrl.run.ray_cluster.node import NodeState
from distrl.run.ray_engine.engine import is_due, slots_of, within


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


def test_every_device_host_of_a_living_node_is_a_place() -> None:
    slots = slots_of([node("a", 2), node("b", 0), node("c", 1), node("d", 4, alive=False)])
    assert [(slot.node[0], slot.place) for slot in slots] == [("a", 0), ("a", 1), ("c", 0)]
    assert len({slot.name for slot in slots}) == 3


def test_what_hangs_keeps_nobody() -> None:
    assert within(10.0, lambda: None)
    assert not within(0.05, lambda: time.sleep(5.0))


def test_a_host_is_sent_a_version_once() -> None:
    assert is_due(3, told=2, under_way=False, waited=0.1)
    assert not is_due(3, told=3, under_way=False, waited=100.0)


def test_versions_do_not_pile_up_in_front_of_a_host_that_is_busy_with_one() -> None:
    assert not is_due(9, told=2, under_way=True, waited=0.5)


def test_weights_that_nobody_took_for_seconds_are_not_waited_for() -> None:
    assert is_due(9, told=2, under_way=True, waited=6.0)
