"""What a cluster survives, with real processes; `distrl bench cluster --chaos` does more of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from distrl.bench.cluster.chaos import VICTIMS, measure_cut_off, measure_kills
from distrl.run.ray_cluster.network_namespaces import can_make_namespaces

pytest.importorskip("ray")
pytestmark = [pytest.mark.ray, pytest.mark.slow, pytest.mark.alone, pytest.mark.timeout(700)]


def test_nothing_is_lost_when_driver_learner_raylet_and_gcs_are_killed() -> None:
    figures = measure_kills(each=1)
    assert figures.kills == len(VICTIMS)
    assert (figures.lost, figures.doubled) == (0, 0)
    assert figures.orphans == 0
    assert figures.went_back == 0


def test_hosts_that_are_killed_and_cut_off_cost_their_running_episodes_only(
    record_property: Callable[[str, object], None],
) -> None:
    # Others on the machine may spoil what is measured in seconds, and nothing else.
    for _ in range(2):
        figures = measure_cut_off(seconds=30.0)
        record_property("hosts were", figures.network)
        assert figures.network == ("namespaces" if can_make_namespaces() else "loopback")
        assert figures.kills >= 2
        assert (figures.lost, figures.doubled, figures.went_back) == (0, 0, 0)
        in_time = figures.recovered_s <= 10.0 and figures.throughput >= 0.9
        if in_time:
            break
    assert in_time, figures
