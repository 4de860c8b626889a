"""Three hosts and one number: what the coordinator shows for every gauge that any part emits.

The expected values are written down by hand, so that a wrong or missing reduction is noticed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest
from tests.run.conftest import small_config
from tests.run.ray_engine.test_coordinator import Numbered, SlowStore, response

import distrl
from distrl.clock import VirtualClock
from distrl.devices.fleet.fleet import Fleet
from distrl.monitor.gauges import GAUGES, learner_name
from distrl.monitor.jsonl import METRICS, read_records
from distrl.monitor.reductions import Reduce, UndeclaredGauge, reduction_of
from distrl.run.builders.pointer import build_pointer
from distrl.run.local.pipeline import make_devices
from distrl.run.ray_engine.coordinator import Coordinator
from distrl.run.ray_engine.host import CollectingHost
from distrl.run.state.folder import RunFolder
from distrl.run.train import TrainResult

THREE_HOSTS: dict[str, tuple[tuple[float, float, float], float]] = {
    "collect/device_seconds": ((90.0, 10.0, 20.0), 120.0),
    "collect/wall_seconds": ((100.0, 20.0, 80.0), 200.0),
    "collect/utilisation": ((0.9, 0.5, 0.25), 0.6),
    "fleet/free": ((1, 2, 4), 7),
    "fleet/leased": ((8, 0, 1), 9),
    "fleet/quarantined": ((0, 1, 1), 2),
    "fleet/retired": ((0, 0, 3), 3),
    "fleet/cause/slow": ((1, 2, 4), 7),
    "safety/refused": ((5, 0, 1), 6),
    "adb/restarts": ((0, 1, 1), 2),
    "adb/unlisted": ((4, 0, 3), 7),
    "batcher/passes": ((10, 30, 0), 40),
    "batcher/decisions": ((40, 240, 0), 280),
    "batcher/batch": ((4.0, 8.0, 0.0), 7.0),
    "batcher/pass_ms": ((2.0, 6.0, 0.0), 5.0),
    "batcher/version": ((7, 9, 8), 7),
    "canary/checks": ((7, 9, 8), 24),
    "canary/mismatches": ((0, 1, 0), 1),
    "canary/largest": ((1e-6, 3e-2, 1e-5), 3e-2),
    "text/hits": ((90, 180, 90), 360),
    "text/misses": ((10, 20, 10), 40),
    "text/hit_rate": ((0.9, 0.9, 0.9), 0.9),
    "lm/hits": ((1, 0, 9), 10),
    "lm/misses": ((1, 0, 9), 10),
    "lm/known": ((0.5, 0.0, 0.5), 0.5),
    "served/version": ((4, 3, 5), 3),
    "served/refused": ((1, 0, 1), 2),
    "served/unanswered": ((2, 3, 0), 5),
    "served/largest": ((0.01, 0.1, 0.02), 0.1),
    "judge/verdicts": ((10, 20, 30), 60),
    "judge/void": ((1, 0, 1), 2),
    "judge/passed_by": ((0, 4, 1), 5),
    "judge/waiting": ((3, 2, 1), 6),
    "services/cost": ((0.5, 0.25, 0.125), 0.875),
    "services/requests": ((10, 20, 30), 60),
    "services/estimated": ((1, 2, 3), 6),
    "cluster/unacknowledged": ((64, 1, 0), 65),
    "cluster/collectors_waiting": ((2, 0, 0), 2),
    "cluster/waited_seconds": ((8.0, 0.5, 0.25), 8.75),
    "cluster/weights_refused": ((0, 0, 1), 1),
}
"""Of every gauge of a host: what hosts a, b and c report, and the one number that is shown."""

SURVIVE = {
    "collect/device_seconds": 120.0,
    "collect/wall_seconds": 200.0,
    "collect/utilisation": 0.6,
    "fleet/cause/slow": 7,
    "safety/refused": 6,
    "adb/restarts": 2,
    "adb/unlisted": 7,
    "batcher/passes": 40,
    "batcher/decisions": 280,
    "canary/checks": 24,
    "canary/mismatches": 1,
    "text/hits": 360,
    "text/misses": 40,
    "text/hit_rate": 0.9,
    "lm/hits": 10,
    "lm/misses": 10,
    "lm/known": 0.5,
    "served/refused": 2,
    "served/unanswered": 5,
    "judge/verdicts": 60,
    "judge/void": 2,
    "judge/passed_by": 5,
    "services/cost": 0.875,
    "services/requests": 60,
    "services/estimated": 6,
    "cluster/waited_seconds": 8.75,
    "cluster/weights_refused": 1,
}
"""What is still shown when all three hosts have left."""


@pytest.fixture
def coordinator() -> Coordinator:
    coordinator = Coordinator(
        SlowStore().add_packed_later, Numbered(0), acknowledged=lambda _: None
    )
    for place, host in enumerate("abc"):
        coordinator.join(host)
        gauges = {name: float(values[place]) for name, (values, _) in THREE_HOSTS.items()}
        coordinator.take(host, response(1, gauges=gauges))
    return coordinator


@pytest.mark.parametrize("name", THREE_HOSTS)
def test_three_hosts_come_to_the_number_that_the_gauge_means(
    name: str, coordinator: Coordinator
) -> None:
    assert coordinator.gauges()[name] == pytest.approx(THREE_HOSTS[name][1])


def test_what_hosts_have_counted_survives_them_and_their_states_do_not(
    coordinator: Coordinator,
) -> None:
    for host in "abc":
        coordinator.leave(host)
    left = {n: v for n, v in coordinator.gauges().items() if n in THREE_HOSTS}
    assert left == pytest.approx(SURVIVE)


def test_a_host_that_returns_counts_on_from_what_it_had_counted(coordinator: Coordinator) -> None:
    coordinator.leave("b")
    coordinator.join("b")
    coordinator.take("b", response(1, gauges={"text/hits": 100.0, "text/misses": 100.0}))
    gauges = coordinator.gauges()
    assert (gauges["text/hits"], gauges["text/misses"]) == (460, 140)
    assert gauges["text/hit_rate"] == pytest.approx(460 / 600)


def test_every_gauge_of_a_collecting_host_is_in_the_table() -> None:
    config = small_config("collect.devices=1", "judge.name=vlm", "judge.endpoint=scripted")
    host = CollectingHost("h", config, build_pointer(config))
    try:
        emitted = set(host.gauges())
    finally:
        host.close()
    assert {"judge/verdicts", "services/cost", "text/hit_rate", "fleet/free"} <= emitted
    assert emitted <= THREE_HOSTS.keys()


def test_causes_of_lost_devices_are_combined_though_each_has_its_own_name() -> None:
    config, clock = small_config("collect.devices=1"), VirtualClock()
    fleet = Fleet(make_devices(config, clock), clock=clock)
    lease = fleet.lease(timeout=0.0)
    assert lease is not None
    fleet.record_episode(lease, lost=True, fault="adb: device offline")
    fleet.give_back(lease)
    (cause,) = [name for name in fleet.gauges() if name.startswith("fleet/cause/")]
    assert reduction_of(cause) is Reduce.COUNTER
    fleet.close()


def test_every_gauge_that_the_source_names_is_declared() -> None:
    found = set(_names_in_source())
    assert {"adb/restarts", "lm/known", "served/version", "learner/busy", "cluster/hosts"} <= found
    for name in found:
        recorded = learner_name(name) if name.startswith("learner/") else name
        of_a_host = any(fnmatch(one, name) for one in THREE_HOSTS)
        assert of_a_host or reduction_of(recorded) is Reduce.NEWEST, name


def test_every_number_that_a_run_records_is_declared(
    small_run: tuple[RunFolder, TrainResult],
) -> None:
    files = sorted((small_run[0].root / METRICS).glob("*.jsonl"))
    names = {name for file in files for record in read_records(file) for name in record.numbers}
    assert {"collect/episodes", "batcher/batch", "learn/updates"} <= names
    for name in names:
        assert name in THREE_HOSTS or reduction_of(name) is Reduce.NEWEST, name


def test_every_gauge_that_people_are_shown_is_declared() -> None:
    for gauge in GAUGES:
        reduction_of(gauge.name)


def test_a_gauge_that_nobody_declared_is_an_error_here(coordinator: Coordinator) -> None:
    coordinator.take("a", response(1, gauges={"novelty/share": 0.9}))
    with pytest.raises(UndeclaredGauge, match="novelty/share"):
        coordinator.gauges()


def test_a_host_that_has_not_answered_yet_changes_no_number(coordinator: Coordinator) -> None:
    before = coordinator.gauges()
    coordinator.join("d")
    after = coordinator.gauges()
    assert after == {**before, "cluster/hosts": before["cluster/hosts"] + 1}


def _names_in_source() -> Iterator[str]:
    """The names that functions called `gauges` write down; `*` where a name is filled in."""
    for path in sorted(Path(distrl.__file__).parent.rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef) and function.name == "gauges":
                texts = _Texts()
                texts.visit(function)
                yield from (text for text in texts.found if re.fullmatch(r"[a-z_]+/[\w/*]+", text))


class _Texts(ast.NodeVisitor):
    def __init__(self) -> None:
        self.found: list[str] = []

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self.found.append(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        parts = (str(p.value) if isinstance(p, ast.Constant) else "*" for p in node.values)
        self.found.append("".join(parts))
