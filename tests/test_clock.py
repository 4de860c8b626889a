import pytest
from tests.contracts.clock import ClockContract

from distrl.clock import RealClock, VirtualClock
from distrl.interfaces import Clock


class TestRealClock(ClockContract):
    def make_clock(self) -> Clock:
        return RealClock()


class TestVirtualClock(ClockContract):
    def make_clock(self) -> Clock:
        return VirtualClock()


def test_virtual_time_passes_only_in_sleep() -> None:
    clock = VirtualClock()
    assert clock.now() == clock.now() == 0.0
    clock.sleep(3600.0)
    assert clock.now() == 3600.0


def test_virtual_wait_takes_exactly_the_timeout() -> None:
    clock = VirtualClock()
    assert not clock.wait_until(lambda: False, timeout=1.0, poll=0.3)
    assert clock.now() == pytest.approx(1.0)
