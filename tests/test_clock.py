import pytest
from tests.contracts.clock import ClockContract

from distrl.clock import RealClock, ScaledClock, VirtualClock
from distrl.errors import ConfigError
from distrl.interfaces import Clock


class TestRealClock(ClockContract):
    def make_clock(self) -> Clock:
        return RealClock()


class TestScaledClock(ClockContract):
    def make_clock(self) -> Clock:
        return ScaledClock(speed=20.0)


class TestVirtualClock(ClockContract):
    def make_clock(self) -> Clock:
        return VirtualClock()


def test_scaled_clock_runs_faster_than_the_real_one() -> None:
    real, fast = RealClock(), ScaledClock(speed=1000.0)
    fast.sleep(10.0)
    assert fast.now() >= 10.0
    assert real.now() < 10.0


@pytest.mark.parametrize("speed", [0.0, -1.0, float("nan")])
def test_scaled_clock_refuses_a_speed_that_does_not_move(speed: float) -> None:
    with pytest.raises(ConfigError, match="speed"):
        ScaledClock(speed)


def test_virtual_time_passes_only_in_sleep() -> None:
    clock = VirtualClock()
    assert clock.now() == clock.now() == 0.0
    clock.sleep(3600.0)
    assert clock.now() == 3600.0


def test_virtual_wait_takes_exactly_the_timeout() -> None:
    clock = VirtualClock()
    assert not clock.wait_until(lambda: False, timeout=1.0, poll=0.3)
    assert clock.now() == pytest.approx(1.0)
