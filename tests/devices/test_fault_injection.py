from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from statistics import mean, median, pstdev

import pytest
from tests.contracts.device import DeviceContract
from tests.devices.test_fake import OPEN, SCRIPT

from distrl import actions
from distrl.clock import VirtualClock
from distrl.devices.fake import FakeDevice
from distrl.devices.fault_injection import FleetProfile, SlowDevice, TimedDevice
from distrl.errors import ConfigError, DeviceLost
from distrl.types import Action, Kind, Observation, Picture, Pixels


class TestSlowDevice(DeviceContract):
    def make_device(self) -> SlowDevice:
        return SlowDevice(FakeDevice(SCRIPT), VirtualClock(), perform=0.3, observe=0.1, reset=2.0)

    def effective_action(self, device: object) -> Action:
        return actions.tap(*OPEN.center)


class Sluggish(FakeDevice):
    """Needs some time of the clock by itself."""

    def __init__(self, clock: VirtualClock, seconds: float) -> None:
        super().__init__(SCRIPT)
        self._clock, self._seconds = clock, seconds

    def perform(self, action: Action) -> None:
        self._clock.sleep(self._seconds)
        super().perform(action)


def test_each_kind_of_call_takes_its_time() -> None:
    clock = VirtualClock()
    device = SlowDevice(FakeDevice(SCRIPT), clock, perform=0.3, observe=0.1, reset=2.0)
    times = [clock.now()]
    for call in (lambda: device.reset(1), device.observe, lambda: device.perform(actions.wait())):
        call()
        times.append(clock.now())
    assert [round(b - a, 6) for a, b in pairwise(times)] == [2.0, 0.1, 0.3]


def test_time_that_the_device_needs_by_itself_is_part_of_it() -> None:
    clock = VirtualClock()
    SlowDevice(Sluggish(clock, 0.2), clock, perform=0.3).perform(actions.wait())
    assert round(clock.now(), 6) == 0.3
    SlowDevice(Sluggish(clock, 0.7), clock, perform=0.3).perform(actions.wait())
    assert round(clock.now(), 6) == 1.0


def test_a_screen_that_nobody_looks_at_is_not_drawn() -> None:
    drawn: list[int] = []

    class Sketcher(FakeDevice):
        def observe(self) -> Observation:
            seen = super().observe()

            def draw() -> Pixels:
                drawn.append(1)
                return seen.screen

            return Observation(Picture(draw), seen.elements, seen.keyboard, seen.app)

    device = SlowDevice(Sketcher(SCRIPT), VirtualClock(), observe=0.1)
    seen = device.observe()
    assert drawn == []
    assert seen.screen is not None
    assert drawn == [1]


# The timing of a real fleet.

STEADY = FleetProfile(hang_rate=0.0, crash_rate=0.0)


class TestTimedDevice(DeviceContract):
    def make_device(self) -> TimedDevice:
        return TimedDevice(FakeDevice(SCRIPT), VirtualClock(), STEADY, seed=0)

    def effective_action(self, device: object) -> Action:
        return actions.tap(*OPEN.center)


def timed(
    profile: FleetProfile, *, name: str = "fake-0", seed: int = 0
) -> tuple[TimedDevice, VirtualClock]:
    clock = VirtualClock()
    return TimedDevice(FakeDevice(SCRIPT, name=name), clock, profile, seed=seed), clock


def step_times(device: TimedDevice, clock: VirtualClock, count: int) -> Sequence[float]:
    times = []
    for _ in range(count):
        before = clock.now()
        device.perform(actions.wait())
        times.append((clock.now() - before) / device.speed)
    return times


def test_one_scale_compresses_everything_that_a_device_takes() -> None:
    rough = FleetProfile(hang_rate=0.2, crash_rate=0.2)

    def times(time_scale: float) -> list[float]:
        clock = VirtualClock()
        device = TimedDevice(FakeDevice(SCRIPT), clock, rough, seed=3, time_scale=time_scale)
        marks = [clock.now()]
        for _ in range(20):
            device.reset(0)
            marks.append(clock.now())
            with suppress(DeviceLost):
                device.perform(actions.wait())
            marks.append(clock.now())
        return [after - before for before, after in pairwise(marks)]

    assert times(0.01) == pytest.approx([0.01 * seconds for seconds in times(1.0)])


@pytest.mark.parametrize("wrong", [0.0, -1.0, math.inf, math.nan])
def test_a_scale_that_is_none_is_refused(wrong: float) -> None:
    with pytest.raises(ConfigError, match="time_scale must be above 0 and finite, got"):
        TimedDevice(FakeDevice(SCRIPT), VirtualClock(), STEADY, seed=0, time_scale=wrong)


def test_steps_are_log_normal_with_the_median_and_spread_of_the_profile() -> None:
    times = step_times(*timed(STEADY), 4000)
    logs = [math.log(seconds) for seconds in times]
    assert median(times) == pytest.approx(STEADY.step, rel=0.06)
    assert pstdev(logs) == pytest.approx(STEADY.step_spread, rel=0.05)


def test_the_default_makes_eight_hundred_episodes_in_six_thousand_seconds() -> None:
    """32 devices, episodes of eight steps: the figures that the profile is derived from."""
    episodes = 0
    for number in range(32):
        device, clock = timed(STEADY, name=f"phone-{number}", seed=1)
        while clock.now() < 6000:
            device.reset(0)
            for _ in range(8):
                device.perform(actions.wait())
            episodes += clock.now() < 6000
    assert 650 < episodes < 950


def test_every_device_has_a_speed_of_its_own_within_the_bounds() -> None:
    speeds = [STEADY.speed_of(f"phone-{number}", 0) for number in range(200)]
    assert all(STEADY.fastest <= speed <= STEADY.slowest for speed in speeds)
    assert max(speeds) / min(speeds) > 5
    assert mean(speeds) == pytest.approx(2.5 / math.log(6), rel=0.1)


def test_the_same_seed_gives_the_same_times_and_another_device_others() -> None:
    first, again, other, elsewhere = (
        step_times(*timed(STEADY, name=name, seed=seed), 20)
        for name, seed in (("a", 3), ("a", 3), ("a", 4), ("b", 3))
    )
    assert first == again
    assert first != other
    assert first != elsewhere


def lose(device: TimedDevice) -> int:
    """Steps that it took to lose a device."""
    for number in range(1, 100_000):
        try:
            device.perform(actions.wait())
        except DeviceLost:
            return number
    raise AssertionError("it was never lost")


def test_a_device_that_hangs_is_given_up_after_a_while_and_booted_by_the_next_reset() -> None:
    profile = FleetProfile(hang_rate=1.0, hang_seconds=77.0, reboot=500.0, reset_spread=0.0)
    device, clock = timed(profile)
    with pytest.raises(DeviceLost, match="77 s"):
        device.perform(actions.wait())
    assert clock.now() == 77.0
    with pytest.raises(DeviceLost, match="lost until its next reset"):
        device.observe()
    device.reset(1)
    assert clock.now() == pytest.approx(77.0 + 500.0 + 60.0 * device.speed)
    device.observe()


def test_devices_are_lost_as_often_as_the_profile_says() -> None:
    profile = replace(STEADY, crash_rate=0.04, hang_rate=0.01)
    steps = []
    for number in range(300):
        device, _ = timed(profile, name=f"phone-{number}")
        steps.append(lose(device))
    assert mean(steps) == pytest.approx(1 / 0.05, rel=0.2)


def test_a_late_frame_shows_the_screen_of_before() -> None:
    device, _ = timed(replace(STEADY, late_frames=1.0))
    device.reset(0)
    before = device.observe()
    device.perform(actions.tap(*OPEN.center))
    assert device.observe() is before
    fresh, _ = timed(STEADY)
    fresh.reset(0)
    before = fresh.observe()
    fresh.perform(actions.tap(*OPEN.center))
    assert fresh.observe() != before


@pytest.mark.parametrize(
    "wrong",
    [{"step": 0.0}, {"hang_rate": 1.5}, {"reboot": -1.0}, {"fastest": 4.0}, {"step_spread": -0.1}],
)
def test_a_profile_that_no_device_could_have_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        FleetProfile(**wrong)


# Chance


def log_of(device: TimedDevice, clock: VirtualClock, steps: int) -> list[tuple[float, str]]:
    """When each step ended and how, with a reset after every loss."""
    found = []
    for _ in range(steps):
        try:
            device.perform(actions.wait())
            found.append((clock.now(), "done"))
        except DeviceLost as error:
            found.append((clock.now(), str(error)))
            device.reset(0)
    return found


ROUGH = FleetProfile(hang_rate=0.05, crash_rate=0.1, late_frames=0.3)


def test_a_seed_decides_times_faults_and_late_frames() -> None:
    first, again, other = (log_of(*timed(ROUGH, seed=seed), 120) for seed in (5, 5, 6))
    assert first == again
    assert first != other
    assert any("died" in how for _, how in first)
    assert any("did not answer" in how for _, how in first)


def test_without_spread_every_step_takes_the_median() -> None:
    device, clock = timed(replace(STEADY, step_spread=0.0, reset_spread=0.0))
    assert step_times(device, clock, 10) == pytest.approx([STEADY.step] * 10)
    before = clock.now()
    device.reset(0)
    assert clock.now() - before == pytest.approx(STEADY.reset * device.speed)


def test_resets_are_log_normal_with_the_median_and_spread_of_the_profile() -> None:
    device, clock = timed(STEADY)
    times = []
    for _ in range(2000):
        before = clock.now()
        device.reset(0)
        times.append((clock.now() - before) / device.speed)
    assert median(times) == pytest.approx(STEADY.reset, rel=0.06)
    assert pstdev(map(math.log, times)) == pytest.approx(STEADY.reset_spread, rel=0.06)


@pytest.mark.parametrize(
    ("hang_rate", "crash_rate"), [(0.1, 0.0), (0.0, 0.1), (0.03, 0.07), (1.0, 0.0), (0.0, 1.0)]
)
def test_hangs_and_crashes_come_as_often_as_each_should(
    hang_rate: float, crash_rate: float
) -> None:
    profile = replace(STEADY, hang_rate=hang_rate, crash_rate=crash_rate)
    log = log_of(*timed(profile), 2000)
    hangs = mean("did not answer" in how for _, how in log)
    crashes = mean("died" in how for _, how in log)
    assert hangs == pytest.approx(hang_rate, abs=0.015)
    assert crashes == pytest.approx(crash_rate, abs=0.015)


def test_a_crash_takes_a_step_and_a_hang_its_own_time() -> None:
    crashing, clock = timed(FleetProfile(hang_rate=0.0, crash_rate=1.0, step_spread=0.0))
    with pytest.raises(DeviceLost, match="fake-0 died"):
        crashing.perform(actions.wait())
    assert clock.now() == pytest.approx(13.0 * crashing.speed)


def test_what_was_lost_does_nothing_to_the_device_inside() -> None:
    device, _ = timed(FleetProfile(hang_rate=0.0, crash_rate=1.0))
    with pytest.raises(DeviceLost):
        device.perform(actions.tap(*OPEN.center))
    assert device.inner.observe().app == "home"


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_late_frames_come_as_often_as_the_profile_says(share: float) -> None:
    device, _ = timed(replace(STEADY, late_frames=share))
    device.reset(0)
    device.observe()
    late = 0
    for turn in range(600):
        before = device._shown
        device.perform(actions.tap(*OPEN.center) if turn % 2 else actions.press("back"))
        late += device.observe() is before
    assert late / 600 == pytest.approx(share, abs=0.06)


def test_the_first_look_after_a_reset_is_never_late() -> None:
    device, _ = timed(replace(STEADY, late_frames=1.0))
    for _ in range(5):
        device.reset(0)
        assert device.observe().app == "home"
        device.reset(0)
        device.perform(actions.tap(*OPEN.center))
        assert device.observe().app == "form"


def test_wrappers_pass_on_what_they_do_not_change() -> None:
    inner = FakeDevice(SCRIPT, "phone-3", kinds=frozenset({Kind.TAP}))
    for device in (
        SlowDevice(inner, VirtualClock()),
        TimedDevice(inner, VirtualClock(), STEADY, seed=0),
    ):
        assert (device.id, set(device.kinds)) == ("phone-3", {Kind.TAP})
    device.close()
    with pytest.raises(DeviceLost, match="closed"):
        inner.observe()


def test_time_passes_though_the_device_inside_raises() -> None:
    clock = VirtualClock()
    device = TimedDevice(FakeDevice(SCRIPT, fail_on_step=1), clock, STEADY, seed=0)
    with pytest.raises(DeviceLost, match="as it was asked to be"):
        device.perform(actions.wait())
    assert clock.now() > 0


@pytest.mark.parametrize(
    "profile",
    [
        {"step": math.nan},
        {"reset": 0.0},
        {"slowest": -1.0},
        {"hang_seconds": -0.1},
        {"crash_rate": -0.1},
        {"late_frames": 1.1},
        {"reset_spread": math.nan},
    ],
)
def test_every_number_of_a_profile_is_checked(profile: dict[str, float]) -> None:
    (name,) = profile
    with pytest.raises(ConfigError, match=f"{name} must be"):
        FleetProfile(**profile)
