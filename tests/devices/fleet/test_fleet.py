from __future__ import annotations

import threading
from collections import Counter

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule
from tests.devices.test_fake import SCRIPT

from distrl.clock import RealClock, VirtualClock
from distrl.devices.fake import FakeDevice
from distrl.devices.fault_causes import Cause, DeviceFault
from distrl.devices.fleet.fleet import Fleet, Lease, probe
from distrl.devices.fleet.health import Health, HealthLimits
from distrl.devices.phone.device import PhoneDevice
from distrl.errors import ConfigError, DeviceError, DeviceLost, PipelineError
from distrl.interfaces import Device
from distrl.types import Observation, Picture


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


def retire(fleet: Fleet, lease: Lease, reason: str) -> None:
    """Lose a device, by its own fault, until it is out of use for good."""
    lose(fleet, lease, times=HealthLimits().retire_after + 2, fault=reason)
    assert fleet.retired[lease.device.id] == reason


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
    assert fleet.gauges() == {
        "fleet/free": 1,
        "fleet/leased": 0,
        "fleet/quarantined": 0,
        "fleet/retired": 0,
    }


def test_a_retired_device_is_never_handed_out_again() -> None:
    fleet = make_fleet(2)
    broken = take(fleet)
    retire(fleet, broken, "no answer")
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
        retire(fleet, take(fleet), why)
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
    retire(fleet, take(fleet), "broken")
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
    retire(fleet, take(fleet), "smoke")
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
    retire(fleet, lease, "it fell")
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


# Heartbeats on a virtual clock


@pytest.mark.parametrize(
    ("every", "lives"), [(9.9, True), (10.0, True), (10.1, False), (1e-3, True), (1e6, False)]
)
def test_a_lease_lives_as_long_as_its_heartbeats_are_close_enough(
    every: float, lives: bool
) -> None:
    clock = VirtualClock()
    fleet = make_fleet(1, clock=clock, seconds=10.0)
    lease = take(fleet)
    for _ in range(3):
        clock.sleep(every)
        fleet.reclaim()
        if not fleet.heartbeat(lease):
            break
    assert (fleet.states()["fake-0"][0] == "leased") is lives
    assert fleet.give_back(lease) is lives


def test_only_the_silent_are_taken_away() -> None:
    clock = VirtualClock()
    fleet = make_fleet(3, clock=clock, seconds=10.0)
    leases = [take(fleet) for _ in range(3)]
    clock.sleep(8.0)
    assert fleet.heartbeat(leases[0])
    assert fleet.heartbeat(leases[2])
    clock.sleep(4.0)
    assert [late.number for late in fleet.reclaim()] == [leases[1].number]
    assert [state for state, _ in fleet.states().values()] == ["leased", "quarantined", "leased"]
    assert fleet.states()["fake-1"][1] == "no sign of life within 10 s"


def test_a_late_holder_cannot_give_back_the_device_of_the_next() -> None:
    clock = VirtualClock()
    fleet = Fleet([Patient("p")], clock=clock, limits=LIMITS, lease_seconds=10.0)
    late = take(fleet)
    clock.sleep(11.0)
    fleet.reclaim()
    clock.sleep(10.0)
    current = take(fleet)
    assert current.device is late.device
    assert not fleet.give_back(late)
    assert not fleet.heartbeat(late)
    assert fleet.record_episode(late, lost=True, fault="old news") == 0
    assert fleet.lease(timeout=0.0) is None
    assert fleet.give_back(current)


def test_devices_taken_away_again_and_again_are_retired_in_the_end() -> None:
    clock = VirtualClock()
    fleet = Fleet([Patient("p")], clock=clock, limits=LIMITS, lease_seconds=1.0)
    for number in range(LIMITS.retire_after + 1):
        assert fleet.retired == {}, number
        assert fleet.lease(timeout=LIMITS.longest_seconds) is not None
        clock.sleep(1.5)
        fleet.reclaim()
    assert fleet.retired == {"p": "no sign of life within 1 s"}
    assert fleet.report()[0].causes == {Cause.ABANDONED: LIMITS.retire_after + 1}


def test_quarantines_double_until_the_longest() -> None:
    clock = VirtualClock()
    fleet = Fleet([Patient("p")], clock=clock, limits=LIMITS)
    lengths: list[float] = []
    for _ in range(4):
        # Back from a quarantine it is on probation: one loss is enough.
        lose(fleet, ask(fleet), times=1 if lengths else 2)
        before = clock.now()
        lengths.append(fleet.report()[0].condition.until - before)
    assert lengths == pytest.approx([10.0, 20.0, 40.0, 40.0])


def ask(fleet: Fleet) -> Lease:
    lease = fleet.lease(timeout=1000.0)
    assert lease is not None
    return lease


def test_an_episode_that_comes_through_shortens_the_next_quarantine() -> None:
    clock = VirtualClock()
    fleet = Fleet([Patient("p")], clock=clock, limits=LIMITS)
    lose(fleet, ask(fleet))
    lose(fleet, ask(fleet), times=1)  # it was on probation
    lease = ask(fleet)
    fleet.record_episode(lease, lost=False)
    lose(fleet, lease)
    assert fleet.report()[0].condition.until - clock.now() == pytest.approx(20.0)  # not 40


# Probes


def test_of_several_that_are_due_the_one_that_waits_longest_is_probed_first() -> None:
    clock, probed = VirtualClock(), list[str]()
    devices = [FakeDevice(SCRIPT, name) for name in "abc"]
    fleet = Fleet(devices, clock=clock, limits=LIMITS, probe=lambda d: probed.append(d.id))
    a, b, c = take(fleet), take(fleet), take(fleet)
    for lease in (b, c, a):
        lose(fleet, lease)
        clock.sleep(1.0)
    clock.sleep(100.0)
    assert [take(fleet).device.id for _ in range(3)] == ["b", "c", "a"] == probed


def test_a_probe_that_fails_is_not_repeated_before_its_time() -> None:
    clock, ill = VirtualClock(), Patient("p", ill=1)
    fleet = Fleet([ill], clock=clock, limits=LIMITS)
    lose(fleet, take(fleet))
    clock.sleep(10.0)
    for _ in range(5):
        assert fleet.lease(timeout=0.0) is None
    assert ill.ill == 0
    assert fleet.report()[0].condition.until == pytest.approx(30.0)
    clock.sleep(20.0)
    assert take(fleet).device is ill


def test_a_device_that_leaves_while_it_is_probed_is_closed_and_not_handed_out() -> None:
    clock = VirtualClock()
    fleets: list[Fleet] = []

    def leaving(device: Device) -> None:
        fleets[0].leave(device.id)

    devices = [FakeDevice(SCRIPT, name) for name in "ab"]
    fleets.append(Fleet(devices, clock=clock, limits=LIMITS, probe=leaving))
    fleet = fleets[0]
    first, _ = take(fleet), take(fleet)
    lose(fleet, first)
    clock.sleep(10.0)
    assert fleet.lease(timeout=0.0) is None
    assert list(health(fleet)) == ["b"]
    with pytest.raises(DeviceLost):
        devices[0].observe()


def test_a_device_that_is_quarantined_by_hand_while_it_is_probed_stays_out() -> None:
    clock = VirtualClock()
    fleets: list[Fleet] = []

    def kept(device: Device) -> None:
        fleets[0].quarantine(device.id, "mine")

    fleets.append(Fleet([FakeDevice(SCRIPT)], clock=clock, limits=LIMITS, probe=kept))
    fleet = fleets[0]
    lose(fleet, take(fleet))
    clock.sleep(10.0)
    assert fleet.lease(timeout=0.0) is None
    assert fleet.states() == {"fake-0": ("quarantined", "mine")}
    assert fleet.release("fake-0")
    assert take(fleet).device.id == "fake-0"


def test_a_probe_without_words_is_told_by_its_kind() -> None:
    def silent(device: Device) -> None:
        raise DeviceLost

    clock = VirtualClock()
    fleet = Fleet([FakeDevice(SCRIPT)], clock=clock, limits=LIMITS, probe=silent)
    lose(fleet, take(fleet))
    clock.sleep(10.0)
    assert fleet.lease(timeout=0.0) is None
    assert fleet.states()["fake-0"] == ("quarantined", "DeviceLost")


# Joins, leaves and gauges


def test_a_device_that_joins_in_place_of_a_retired_one_keeps_the_history() -> None:
    clock = VirtualClock()
    fleet = Fleet([Patient("p")], clock=clock, limits=HealthLimits(retire_after=1))
    for _ in range(2):
        lose(fleet, ask(fleet), fault="crashed: p: it died")
    assert fleet.retired == {"p": "crashed: p: it died"}
    seconds = fleet.wall_seconds()
    fleet.join(Patient("p"))
    assert fleet.report()[0].causes[Cause.CRASHED] >= 3
    assert fleet.report()[0].condition.failures == 0
    assert fleet.wall_seconds() == seconds
    assert take(fleet).device.id == "p"


def test_a_fleet_that_everybody_left_has_nobody_to_wait_for() -> None:
    fleet = make_fleet(1)
    fleet.leave("fake-0")
    with pytest.raises(PipelineError, match="no device is left: none joined"):
        fleet.lease(timeout=10.0)
    fleet.join(FakeDevice(SCRIPT, "new"))
    assert take(fleet).device.id == "new"


def test_the_lease_of_a_device_that_leaves_can_run_out() -> None:
    clock = VirtualClock()
    fleet = make_fleet(2, clock=clock, seconds=10.0)
    lease = take(fleet)
    fleet.leave(lease.device.id)
    clock.sleep(11.0)
    assert [late.number for late in fleet.reclaim()] == [lease.number]
    assert list(health(fleet)) == ["fake-1"]
    with pytest.raises(DeviceLost):
        lease.device.observe()


def test_gauges_add_up_to_the_devices() -> None:
    clock = VirtualClock()
    fleet = Fleet([Patient(name) for name in "abcd"], clock=clock, limits=LIMITS)
    lose(fleet, take(fleet), fault="garbled: a: half a picture")
    take(fleet)
    fleet.quarantine("c", "by hand")
    assert fleet.gauges() == {
        "fleet/free": 1,
        "fleet/leased": 1,
        "fleet/quarantined": 2,
        "fleet/retired": 0,
        "fleet/cause/garbled": 2,
    }


def test_what_a_probe_says_of_an_empty_picture() -> None:
    class Dark(FakeDevice):
        def observe(self) -> Observation:
            seen = super().observe()
            nothing = Picture(lambda: seen.screen[:0])
            return Observation(nothing, seen.elements, seen.keyboard, seen.app)

    with pytest.raises(DeviceError, match="fake-0 shows an empty picture"):
        probe(Dark(SCRIPT))


# Many threads


def test_no_device_has_two_users_however_many_ask() -> None:
    """Twelve threads share four devices for 240 leases, with losses, reclaims and reports."""
    devices = [FakeDevice(SCRIPT, f"fake-{number}") for number in range(4)]
    quick = HealthLimits(quarantine_after=2, first_seconds=1e-4, longest_seconds=1e-3,
                         retire_after=10_000)  # fmt: skip
    fleet = Fleet(devices, clock=RealClock(), limits=quick)
    using, wrong, leases = Counter[str](), list[str](), list[int]()
    lock = threading.Lock()

    def work(number: int) -> None:
        for turn in range(20):
            lease = fleet.lease(timeout=30.0)
            if lease is None:
                wrong.append("nothing became free")
                return
            name = lease.device.id
            with lock:
                using[name] += 1
                leases.append(lease.number)
                if using[name] > 1:
                    wrong.append(f"{name} has {using[name]} users")
            fleet.heartbeat(lease)
            lost = (number + turn) % 5 == 0
            fleet.record_episode(lease, lost=lost, fault="it died")
            fleet.reclaim()
            fleet.gauges()
            with lock:
                using[name] -= 1
            if not fleet.give_back(lease):
                wrong.append(f"{name} was taken away")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert wrong == []
    assert len(set(leases)) == len(leases) == 240
    counts = fleet.gauges()
    assert sum(counts[f"fleet/{state}"] for state in ("free", "quarantined")) == 4
    assert counts["fleet/cause/crashed"] == 48


def test_devices_come_and_go_while_others_work() -> None:
    fleet = Fleet([FakeDevice(SCRIPT, "stays")], clock=RealClock())
    served: Counter[str] = Counter()
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            lease = fleet.lease(timeout=5.0)
            if lease is not None:
                served[lease.device.id] += 1
                fleet.give_back(lease)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(20):
        fleet.join(FakeDevice(SCRIPT, f"guest-{number}"))
        fleet.leave(f"guest-{number}")
    stop.set()
    for thread in threads:
        thread.join(30)
    assert list(health(fleet)) == ["stays"]
    assert served["stays"] > 0


# Anything in any order


class AnyOrder(RuleBasedStateMachine):
    """Whatever is done to a fleet, it keeps its books."""

    leases = Bundle("leases")

    def __init__(self) -> None:
        super().__init__()
        self.clock = VirtualClock()
        self.fleet = Fleet(
            [FakeDevice(SCRIPT, f"d{number}") for number in range(3)],
            clock=self.clock,
            lease_seconds=50.0,
            limits=HealthLimits(quarantine_after=2, first_seconds=5.0, retire_after=50),
        )
        self.ever = 3
        self.served = 0.0

    @rule(target=leases)
    def lease(self) -> Lease | None:
        before = {r.id for r in self.fleet.report() if r.leased}
        try:
            lease = self.fleet.lease(timeout=0.0)
        except PipelineError:
            assert not any(h is not Health.RETIRED for h in health(self.fleet).values())
            return None
        if lease is not None:
            late = {r.id for r in self.fleet.report() if not r.leased}
            assert lease.device.id not in before - late
        return lease

    @rule(lease=consumes(leases))
    def give_back(self, lease: Lease | None) -> None:
        if lease is not None:
            held = self.fleet.heartbeat(lease)
            assert self.fleet.give_back(lease) is held
            assert not self.fleet.give_back(lease)

    @rule(lease=leases, lost=st.booleans(), fault=st.sampled_from(["offline: x", "it died", ""]))
    def episode(self, lease: Lease | None, lost: bool, fault: str) -> None:
        if lease is not None:
            held = self.fleet.heartbeat(lease)
            losses = self.fleet.record_episode(lease, lost=lost, fault=fault)
            assert losses >= 1 if held and lost else losses == 0

    @rule(seconds=st.sampled_from([1.0, 10.0, 60.0]))
    def time_passes(self, seconds: float) -> None:
        self.clock.sleep(seconds)

    @rule(name=st.sampled_from(["d0", "d1", "d2", "new"]))
    def quarantine(self, name: str) -> None:
        if self.fleet.quarantine(name, "by hand"):
            assert self.fleet.states()[name] == ("quarantined", "by hand")

    @rule(name=st.sampled_from(["d0", "d1", "d2", "new"]))
    def release(self, name: str) -> None:
        if self.fleet.release(name):
            assert self.fleet.states()[name][0] in ("free", "leased")

    @rule(name=st.sampled_from(["d0", "d1", "d2", "new"]))
    def join_or_leave(self, name: str) -> None:
        if name in health(self.fleet):
            self.fleet.leave(name)
        else:
            self.fleet.join(FakeDevice(SCRIPT, name))
            self.ever += 1

    @invariant()
    def books_are_kept(self) -> None:
        gauges, states = self.fleet.gauges(), self.fleet.states()
        for state in ("free", "leased", "quarantined", "retired"):
            assert gauges[f"fleet/{state}"] == sum(s == state for s, _ in states.values())
        served = self.fleet.wall_seconds()
        assert self.served <= served <= self.ever * self.clock.now() + 1e-6
        self.served = served
        assert sorted(self.fleet._free) == sorted(set(self.fleet._free))
        assert not set(self.fleet._free) & {r.id for r in self.fleet.report() if r.leased}


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=40, stateful_step_count=30)
