from __future__ import annotations

from itertools import pairwise

from tests.contracts.device import DeviceContract
from tests.devices.test_fake import OPEN, SCRIPT

from distrl import actions
from distrl.clock import VirtualClock
from distrl.devices.fake import FakeDevice
from distrl.devices.faults import SlowDevice
from distrl.types import Action, Observation, Picture, Pixels


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


def test_screens_arrive_drawn() -> None:
    drawn: list[int] = []

    class Sketcher(FakeDevice):
        def observe(self) -> Observation:
            seen = super().observe()

            def draw() -> Pixels:
                drawn.append(1)
                return seen.screen

            return Observation(Picture(draw), seen.elements, seen.keyboard, seen.app)

    device = SlowDevice(Sketcher(SCRIPT), VirtualClock(), observe=0.1)
    device.observe()
    assert drawn == [1]
