"""The promises of a Clock, written once; a test of an implementation subclasses this."""

from __future__ import annotations

import pytest

from distrl.errors import ConfigError
from distrl.interfaces import Clock


class ClockContract:
    """What every Clock promises. Times are short enough for a clock that really waits."""

    def make_clock(self) -> Clock:
        """A new clock of the kind under test."""
        raise NotImplementedError

    def test_starts_at_zero_and_never_goes_back(self) -> None:
        clock = self.make_clock()
        times = [clock.now() for _ in range(50)]
        assert 0.0 <= times[0] < 60.0
        assert times == sorted(times)

    def test_sleep_lets_that_time_pass(self) -> None:
        clock = self.make_clock()
        before = clock.now()
        clock.sleep(0.02)
        assert clock.now() - before >= 0.02 - 1e-9

    def test_sleeping_nothing_or_less_goes_nowhere_back(self) -> None:
        clock = self.make_clock()
        before = clock.now()
        clock.sleep(0.0)
        clock.sleep(-5.0)
        assert clock.now() >= before

    def test_wait_ends_at_once_when_the_condition_holds(self) -> None:
        clock = self.make_clock()
        before = clock.now()
        assert clock.wait_until(lambda: True, timeout=1000.0, poll=100.0)
        assert clock.now() - before < 100.0

    def test_wait_gives_up_after_the_timeout_and_not_before(self) -> None:
        clock = self.make_clock()
        before = clock.now()
        assert not clock.wait_until(lambda: False, timeout=0.05)
        assert clock.now() - before >= 0.05 - 1e-9

    def test_wait_sees_what_becomes_true_meanwhile(self) -> None:
        clock = self.make_clock()
        due = clock.now() + 0.03
        assert clock.wait_until(lambda: clock.now() >= due, timeout=60.0)

    def test_condition_is_asked_once_more_when_the_time_is_up(self) -> None:
        clock = self.make_clock()
        due = clock.now() + 0.02
        assert clock.wait_until(lambda: clock.now() >= due, timeout=0.02, poll=50.0)

    def test_no_timeout_left_still_asks_once(self) -> None:
        assert self.make_clock().wait_until(lambda: True, timeout=0.0)

    def test_polling_without_an_interval_is_refused(self) -> None:
        with pytest.raises(ConfigError, match="polling interval"):
            self.make_clock().wait_until(lambda: False, timeout=1.0, poll=0.0)
