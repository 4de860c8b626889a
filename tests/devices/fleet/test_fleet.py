from __future__ import annotations

import threading

import pytest
from tests.devices.test_fake import SCRIPT

from distrl.clock import RealClock, VirtualClock
from distrl.devices.fake import FakeDevice
from distrl.devices.fault_causes import Cause, DeviceFault
from distrl.devices.fleet.fleet import Fleet, Lease, probe
from distrl.devices.fleet.health import Health, HealthLimits
from distrl.devices.phone.device import PhoneDevice
from distrl.errors import ConfigError, DeviceError, DeviceLost, PipelineError
from distrl.interfaces import Device


def make_fleet(count: int = 2, *, clock: VirtualClock | None = None, seconds: float = 60) -> Fleet:
    devices = [FakeDevice(SCRIPT, f"fake-{number}") for number in range(count)]
    return Fleet(devices, clock=clock or VirtualClock(), lease_seconds=seconds)


def health(fleet: Fleet) -> dict[str, Health]:
    return {device.id: device.condition.health for device in fleet.report()}


def lose(fleet: Fleet, lease: Lease, *, times: int = 2, fault: str = "it died") -> None:
    """Lose a device so often, and give it back."""
    for _ in range(times):
        fleet.record_episode(lease, lost=True, fault=fault)
    fleet.give_back(lease)


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
    assert fleet.gauges() == {
        "fleet/free": 1,
        "fleet/leased": 0,
        "fleet/quarantined": 0,
        "fleet/retired": 0,
    }


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
    assert health(fleet)[late.device.id] is Health.QUARANTINED
    assert not fleet.heartbeat(late)
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
    assert [fleet.record_episode(one, lost=True), fleet.record_episode(one, lost=True)] == [1, 2]
    assert fleet.record_episode(two, lost=True) == 1
    assert fleet.record_episode(one, lost=False) == 0
    assert fleet.record_episode(one, lost=True) == 1


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


# Heartbeat.


def test_a_beat_prolongs_the_lease() -> None:
    clock = VirtualClock()
    fleet = make_fleet(1, clock=clock, seconds=10.0)
    lease = take(fleet)
    for _ in range(5):
        clock.sleep(9.0)
        assert fleet.heartbeat(lease)
    assert fleet.reclaim() == ()
    clock.sleep(11.0)
    assert [late.number for late in fleet.reclaim()] == [lease.number]
    assert not fleet.heartbeat(lease)


def test_nothing_is_noted_of_a_lease_that_is_over() -> None:
    clock = VirtualClock()
    fleet = make_fleet(1, clock=clock, seconds=10.0)
    lease = take(fleet)
    clock.sleep(11.0)
    fleet.reclaim()
    before = fleet.report()
    assert fleet.record_episode(lease, lost=True, fault="late news") == 0
    assert fleet.record_episode(lease, lost=False) == 0
    assert fleet.report() == before
    assert before[0].causes == {Cause.ABANDONED: 1}


# Quarantine and healing.


class Patient(FakeDevice):
    """A device that is ill for so many resets."""

    def __init__(self, name: str, ill: int = 0) -> None:
        self.ill = 0
        super().__init__(SCRIPT, name)
        self.ill = ill

    def reset(self, seed: int) -> None:
        if self.ill > 0:
            self.ill -= 1
            raise DeviceError(f"{self.id} is offline")
        super().reset(seed)


LIMITS = HealthLimits(quarantine_after=2, first_seconds=10.0, longest_seconds=40.0, retire_after=4)


def test_one_loss_makes_a_suspect_that_is_still_handed_out() -> None:
    fleet = make_fleet(1)
    lose(fleet, take(fleet), times=1)
    assert health(fleet) == {"fake-0": Health.SUSPECT}
    lease = take(fleet)
    fleet.record_episode(lease, lost=False)
    assert health(fleet) == {"fake-0": Health.HEALTHY}


def test_quarantine_ends_with_a_probe_that_succeeds() -> None:
    clock, probed = VirtualClock(), list[str]()
    device = FakeDevice(SCRIPT)
    fleet = Fleet([device], clock=clock, limits=LIMITS, probe=lambda d: probed.append(d.id))
    lose(fleet, take(fleet))
    clock.sleep(9.0)
    assert fleet.lease(timeout=0.0) is None
    assert probed == []
    clock.sleep(1.0)
    assert take(fleet).device is device
    assert probed == ["fake-0"]
    assert health(fleet) == {"fake-0": Health.SUSPECT}


def test_who_waits_gets_the_device_as_soon_as_it_is_healed() -> None:
    clock = VirtualClock()
    fleet = Fleet([Patient("p")], clock=clock, limits=LIMITS)
    lose(fleet, take(fleet))
    assert fleet.lease(timeout=60.0) is not None
    assert clock.now() == pytest.approx(10.0, abs=0.1)


def test_a_device_that_fails_its_probe_waits_twice_as_long_and_is_given_up_in_the_end() -> None:
    clock = VirtualClock()
    fleet = Fleet([Patient("p", ill=99)], clock=clock, limits=LIMITS)
    lose(fleet, take(fleet))
    with pytest.raises(PipelineError, match="no device is left: p: p is offline"):
        fleet.lease(timeout=10_000.0)
    assert clock.now() == pytest.approx(10.0 + 20.0 + 40.0 + 40.0, abs=0.1)
    assert fleet.retired == {"p": "p is offline"}
    assert fleet.report()[0].causes == {Cause.CRASHED: 2, Cause.OFFLINE: 4}


class Remote(FakeDevice):
    """A device that is out of reach, or kept by a person, for as long as `cause` says so."""

    def __init__(self, name: str) -> None:
        self.cause: Cause | None = None
        self.asked = 0
        super().__init__(SCRIPT, name)

    def reset(self, seed: int) -> None:
        self.asked += 1
        if self.cause is not None:
            raise DeviceFault(self.cause, f"{self.id}: not there")
        super().reset(seed)


NIGHT = 12 * 3600


def ask_for(fleet: Fleet, clock: VirtualClock, seconds: int) -> Lease | None:
    """Ask once a second, as somebody does who has nothing else to do."""
    for _ in range(seconds):
        lease = fleet.lease(timeout=0.0)
        if lease is not None:
            return lease
        clock.sleep(1.0)
    return None


@pytest.mark.parametrize(
    "cause", [Cause.WITHHELD, Cause.SERVER, Cause.ABSENT, Cause.OFFLINE, Cause.UNAUTHORISED]
)
def test_devices_that_may_come_back_are_waited_for_all_night(cause: Cause) -> None:
    clock = VirtualClock()
    remotes = [Remote("a"), Remote("b")]
    fleet = Fleet(remotes, clock=clock)
    for lease in (take(fleet), take(fleet)):
        lose(fleet, lease, fault=f"{cause}: {lease.device.id}: not there")
    for remote in remotes:
        remote.cause, remote.asked = cause, 0
    assert ask_for(fleet, clock, NIGHT) is None
    assert fleet.retired == {}
    # Every ten minutes at the longest, and not much more often than once a minute.
    assert all(NIGHT / 610 < remote.asked < NIGHT / 55 for remote in remotes)
    for remote in remotes:
        remote.cause = None
    back = [ask_for(fleet, clock, 610), ask_for(fleet, clock, 610)]
    assert {lease.device.id for lease in back if lease is not None} == {"a", "b"}


def test_a_device_that_a_person_keeps_is_back_soon_after_its_release() -> None:
    clock, device = VirtualClock(), Remote("a")
    fleet = Fleet([device], clock=clock)
    device.cause = Cause.WITHHELD
    lease = take(fleet)
    # So many losses that whoever holds it does not try again at once.
    assert fleet.record_episode(lease, lost=True, fault="withheld: a: cracked screen") > 1
    fleet.give_back(lease)
    assert health(fleet) == {"a": Health.QUARANTINED}
    assert ask_for(fleet, clock, NIGHT) is None
    device.cause = None
    assert ask_for(fleet, clock, 62) is not None


def test_a_cause_that_is_guessed_does_not_keep_a_device_for_ever() -> None:
    clock = VirtualClock()
    fleet = Fleet([Patient("p", ill=10_000)], clock=clock)
    lose(fleet, take(fleet))
    with pytest.raises(PipelineError, match="no device is left: p: p is offline"):
        ask_for(fleet, clock, NIGHT)


def test_it_is_said_once_that_all_devices_are_out(caplog: pytest.LogCaptureFixture) -> None:
    clock, devices = VirtualClock(), [Remote("a"), Remote("b")]
    fleet = Fleet(devices, clock=clock)
    first, second = take(fleet), take(fleet)
    lose(fleet, first, fault="offline: a: gone")
    assert fleet.lease(timeout=1.0) is None
    assert caplog.messages == []
    for device in devices:
        device.cause = Cause.OFFLINE
    lose(fleet, second, fault="offline: b: gone")
    assert fleet.lease(timeout=1000.0) is None
    assert len(caplog.messages) == 1
    assert "out of use" in caplog.messages[0]
    assert "a: offline: a" in caplog.messages[0]


def test_a_free_device_is_preferred_to_a_probe() -> None:
    clock = VirtualClock()
    ill, well = Patient("ill", ill=99), Patient("well")
    fleet = Fleet([ill, well], clock=clock, limits=LIMITS)
    lose(fleet, take(fleet))
    clock.sleep(100.0)
    assert take(fleet).device is well
    assert ill.ill == 99


def test_a_probe_keeps_nobody_else_waiting() -> None:
    clock = RealClock()
    started, go_on = threading.Event(), threading.Event()

    def slow(device: Device) -> None:
        started.set()
        assert go_on.wait(60)

    quick = HealthLimits(quarantine_after=1, first_seconds=1e-6)
    fleet = Fleet([Patient("a"), Patient("b")], clock=clock, limits=quick, probe=slow)
    first, second = take(fleet), take(fleet)
    lose(fleet, first, times=1)
    got: list[Lease | None] = []
    waiting = threading.Thread(target=lambda: got.append(fleet.lease(timeout=60)))
    waiting.start()
    assert started.wait(60)
    assert fleet.heartbeat(second)
    fleet.give_back(second)
    assert take(fleet).device.id == "b"
    go_on.set()
    waiting.join(60)
    assert got[0] is not None
    assert got[0].device.id == "a"


def test_an_error_of_ours_in_a_probe_is_not_blamed_on_the_device() -> None:
    def broken(device: Device) -> None:
        raise RuntimeError("a bug")

    clock = VirtualClock()
    fleet = Fleet([Patient("p")], clock=clock, limits=LIMITS, probe=broken)
    lose(fleet, take(fleet))
    clock.sleep(10.0)
    with pytest.raises(RuntimeError, match="a bug"):
        fleet.lease(timeout=0.0)


def test_causes_are_counted_by_device() -> None:
    fleet = make_fleet(2)
    one, two = take(fleet), take(fleet)
    lose(fleet, one, times=1, fault="did not answer within 5 s")
    lose(fleet, two, times=2, fault="device offline")
    assert [device.causes for device in fleet.report()] == [
        {Cause.TIMEOUT: 1},
        {Cause.OFFLINE: 2},
    ]


def test_a_slow_device_is_counted_and_stays_in_use() -> None:
    slow = {"fake-0": True}
    devices = [FakeDevice(SCRIPT, f"fake-{number}") for number in range(2)]
    fleet = Fleet(devices, clock=VirtualClock(), slow=lambda device: device.id in slow)
    for _ in range(2):
        one, two = take(fleet), take(fleet)
        for lease in (one, two):
            fleet.record_episode(lease, lost=False)
            fleet.give_back(lease)
    assert [device.causes for device in fleet.report()] == [{Cause.SLOW: 2}, {}]
    assert health(fleet) == {"fake-0": Health.HEALTHY, "fake-1": Health.HEALTHY}
    assert fleet.states() == {"fake-0": ("free", "slow"), "fake-1": ("free", "")}
    slow.clear()
    fleet.record_episode(take(fleet), lost=False)
    assert fleet.states()["fake-0"] == ("leased", "")


def test_causes_are_counted_over_all_devices_that_ever_joined() -> None:
    fleet = make_fleet(2)
    lose(fleet, take(fleet), times=1, fault="offline: gone")
    lose(fleet, take(fleet), times=2, fault="server: no answer")
    fleet.leave("fake-0")
    found = {name: n for name, n in fleet.gauges().items() if "cause" in name}
    assert found == {"fleet/cause/offline": 1, "fleet/cause/server": 2}


def test_quarantine_is_no_time_in_use() -> None:
    clock = VirtualClock()
    fleet = Fleet([Patient("a"), Patient("b")], clock=clock, limits=LIMITS)
    lease, other = take(fleet), take(fleet)
    clock.sleep(5.0)
    lose(fleet, lease)
    clock.sleep(10.0)
    assert fleet.wall_seconds() == pytest.approx(5.0 + 15.0)
    assert take(fleet).device is lease.device
    clock.sleep(1.0)
    assert fleet.wall_seconds() == pytest.approx(6.0 + 16.0)
    assert fleet.give_back(other)


def test_the_probe_resets_and_looks() -> None:
    probe(Patient("well"))
    with pytest.raises(DeviceError, match="offline"):
        probe(Patient("ill", ill=1))


# Joining and leaving.


def test_a_device_that_joins_is_handed_out() -> None:
    clock = VirtualClock()
    fleet = make_fleet(1, clock=clock)
    take(fleet)
    clock.sleep(4.0)
    fleet.join(PhoneDevice("phone-9"))
    assert take(fleet).device.id == "phone-9"
    clock.sleep(1.0)
    assert fleet.wall_seconds() == pytest.approx(5.0 + 1.0)


def test_a_name_is_taken_until_its_device_is_retired() -> None:
    fleet = make_fleet(2)
    with pytest.raises(ConfigError, match="'fake-0' already"):
        fleet.join(FakeDevice(SCRIPT, "fake-0"))
    fleet.retire(take(fleet), "smoke")
    repaired = FakeDevice(SCRIPT, "fake-0")
    fleet.join(repaired)
    assert fleet.retired == {}
    assert {take(fleet).device.id, take(fleet).device.id} == {"fake-0", "fake-1"}


def test_a_device_that_leaves_is_closed_when_nobody_holds_it_any_more() -> None:
    fleet = make_fleet(3)
    lease = take(fleet)
    fleet.leave("fake-0")
    lease.device.observe()
    assert fleet.heartbeat(lease)
    assert fleet.give_back(lease)
    with pytest.raises(DeviceLost):
        lease.device.observe()
    fleet.leave("fake-1")
    assert list(health(fleet)) == ["fake-2"]
    assert take(fleet).device.id == "fake-2"
    assert fleet.lease(timeout=0.0) is None


def test_time_of_a_device_that_left_still_counts() -> None:
    clock = VirtualClock()
    fleet = make_fleet(2, clock=clock)
    clock.sleep(3.0)
    fleet.leave("fake-0")
    clock.sleep(2.0)
    assert fleet.wall_seconds() == pytest.approx(3.0 + 5.0)


def test_an_unknown_device_cannot_leave() -> None:
    with pytest.raises(ConfigError, match="did you mean 'fake-0'"):
        make_fleet(1).leave("fake0")


# By hand.


def test_a_quarantined_device_is_not_handed_out_until_it_is_released() -> None:
    fleet = make_fleet(2)
    assert fleet.quarantine("fake-0", "by hand")
    assert not fleet.quarantine("fake-0", "again")
    assert not fleet.quarantine("nobody", "by hand")
    assert take(fleet).device.id == "fake-1"
    assert fleet.lease(timeout=0.0) is None
    assert fleet.states()["fake-0"] == ("quarantined", "by hand")
    assert fleet.release("fake-0")
    assert not fleet.release("fake-0")
    assert take(fleet).device.id == "fake-0"


def test_a_device_in_use_is_quarantined_when_it_is_given_back() -> None:
    fleet = make_fleet(1)
    lease = take(fleet)
    assert fleet.quarantine("fake-0", "by hand")
    assert fleet.give_back(lease)
    assert fleet.lease(timeout=0.0) is None
    assert fleet.release("fake-0")
    assert take(fleet).device is lease.device


def test_a_release_before_it_comes_back_hands_no_device_out_twice() -> None:
    fleet = make_fleet(1)
    lease = take(fleet)
    fleet.quarantine("fake-0", "by hand")
    assert fleet.release("fake-0")
    assert fleet.lease(timeout=0.0) is None
    fleet.give_back(lease)
    assert fleet.gauges()["fleet/free"] == 1


def test_quarantine_of_the_last_device_does_not_end_a_run() -> None:
    fleet = make_fleet(1)
    fleet.quarantine("fake-0", "by hand")
    assert fleet.lease(timeout=1.0) is None


def test_a_retired_device_can_be_released_with_a_clean_record() -> None:
    fleet = make_fleet(1)
    lease = take(fleet)
    fleet.record_episode(lease, lost=True)
    fleet.retire(lease, "it fell")
    assert fleet.release("fake-0")
    assert fleet.record_episode(take(fleet), lost=True) == 1


def test_time_in_quarantine_does_not_count_as_time_in_use() -> None:
    clock = VirtualClock()
    fleet = make_fleet(2, clock=clock)
    fleet.quarantine("fake-0", "by hand")
    clock.sleep(10.0)
    assert fleet.wall_seconds() == pytest.approx(10.0)
    fleet.release("fake-0")
    clock.sleep(5.0)
    assert fleet.wall_seconds() == pytest.approx(20.0)


def test_closing_a_fleet_closes_what_is_quarantined_too() -> None:
    fleet = make_fleet(2)
    lease = take(fleet)
    fleet.quarantine("fake-1", "by hand")
    fleet.close()
    assert lease.device.observe() is not None
    fleet.release("fake-1")
    with pytest.raises(DeviceLost):
        take(fleet).device.observe()
