from __future__ import annotations

import threading

import pytest
from tests.devices.test_fake import SCRIPT

from distrl.clock import RealClock, VirtualClock
from distrl.devices.fake import FakeDevice
from distrl.devices.fleet import Fleet, Lease
from distrl.errors import ConfigError, DeviceLost, PipelineError


def make_fleet(count: int = 2, *, clock: VirtualClock | None = None, seconds: float = 60) -> Fleet:
    devices = [FakeDevice(SCRIPT, f"fake-{number}") for number in range(count)]
    return Fleet(devices, clock=clock or VirtualClock(), lease_seconds=seconds)


def take(fleet: Fleet) -> Lease:
    lease = fleet.lease(timeout=0.0)
    assert lease is not None
    return lease


def test_every_device_is_handed_out_once() -> None:
    fleet = make_fleet(2)
    assert {take(fleet).device.id, take(fleet).device.id} == {"fake-0", "fake-1"}
    assert fleet.lease(timeout=0.0) is None


def test_the_device_that_was_free_for_longest_comes_first() -> None:
    fleet = make_fleet(2)
    first, second = take(fleet), take(fleet)
    fleet.give_back(second)
    fleet.give_back(first)
    assert take(fleet).device is second.device


def test_a_wait_for_a_device_has_a_deadline() -> None:
    clock = VirtualClock()
    fleet = make_fleet(1, clock=clock)
    take(fleet)
    before = clock.now()
    assert fleet.lease(timeout=3.0) is None
    assert clock.now() - before == pytest.approx(3.0)


def test_who_waits_gets_what_is_given_back() -> None:
    fleet = Fleet([FakeDevice(SCRIPT)], clock=RealClock())
    lease = take(fleet)
    got: list[Lease | None] = []
    waiting = threading.Thread(target=lambda: got.append(fleet.lease(timeout=60)))
    waiting.start()
    fleet.give_back(lease)
    waiting.join(60)
    assert got[0] is not None
    assert got[0].number != lease.number


def test_a_lease_counts_once() -> None:
    fleet = make_fleet(1)
    lease = take(fleet)
    assert fleet.give_back(lease)
    assert not fleet.give_back(lease)
    assert not fleet.retire(lease, "broken")
    assert fleet.gauges() == {"fleet/free": 1, "fleet/leased": 0, "fleet/retired": 0}


def test_a_retired_device_is_never_handed_out_again() -> None:
    fleet = make_fleet(2)
    broken = take(fleet)
    assert fleet.retire(broken, "no answer")
    assert not fleet.give_back(broken)
    assert fleet.retired == {broken.device.id: "no answer"}
    fleet.give_back(take(fleet))
    assert take(fleet).device.id != broken.device.id


def test_a_lease_past_its_deadline_is_reclaimed_by_whoever_asks_next() -> None:
    clock = VirtualClock()
    fleet = make_fleet(2, clock=clock, seconds=10.0)
    late = take(fleet)
    clock.sleep(5.0)
    punctual = take(fleet)
    clock.sleep(6.0)
    assert fleet.lease(timeout=0.0) is None
    assert list(fleet.retired) == [late.device.id]
    assert not fleet.give_back(late)
    assert fleet.give_back(punctual)


def test_a_fleet_without_a_device_left_says_why() -> None:
    fleet = make_fleet(2)
    for why in ("no answer", "smoke"):
        fleet.retire(take(fleet), why)
    with pytest.raises(PipelineError, match="fake-0: no answer; fake-1: smoke"):
        fleet.lease(timeout=100.0)


def test_losses_in_a_row_are_counted_by_device() -> None:
    fleet = make_fleet(2)
    one, two = take(fleet), take(fleet)
    assert [fleet.note(one, lost=True), fleet.note(one, lost=True)] == [1, 2]
    assert fleet.note(two, lost=True) == 1
    assert fleet.note(one, lost=False) == 0
    assert fleet.note(one, lost=True) == 1


def test_wall_time_ends_with_retirement() -> None:
    clock = VirtualClock()
    clock.sleep(100.0)
    fleet = make_fleet(3, clock=clock)
    clock.sleep(2.0)
    fleet.retire(take(fleet), "broken")
    clock.sleep(8.0)
    assert fleet.wall_seconds() == pytest.approx(2.0 + 10.0 + 10.0)


def test_closing_closes_what_is_free() -> None:
    fleet = make_fleet(1)
    lease = take(fleet)
    fleet.close()
    lease.device.observe()
    fleet.give_back(lease)
    fleet.close()
    with pytest.raises(DeviceLost):
        lease.device.observe()


def test_a_fleet_needs_devices_with_names_of_their_own() -> None:
    with pytest.raises(ConfigError, match="at least one"):
        Fleet([], clock=VirtualClock())
    with pytest.raises(ConfigError, match="different names"):
        Fleet([FakeDevice(SCRIPT), FakeDevice(SCRIPT)], clock=VirtualClock())
