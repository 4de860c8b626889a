from collections.abc import Mapping

import pytest

from distrl.errors import ConfigError
from distrl.interfaces import Monitor
from distrl.monitor.safe_monitor import MonitorGroup, SafeMonitor


class Listening:
    def __init__(self, *, fail_at: int | None = None, fail_to_close: bool = False) -> None:
        self.heard: list[int] = []
        self.closed = 0
        self._fail_at, self._fail_to_close = fail_at, fail_to_close

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        if step == self._fail_at:
            raise OSError("disk full")
        self.heard.append(step)

    def close(self) -> None:
        self.closed += 1
        if self._fail_to_close:
            raise OSError("gone")


def test_a_monitor_that_works_is_passed_everything_and_closed_once() -> None:
    told: list[str] = []
    inner = Listening()
    safe = SafeMonitor("file", lambda: inner, told.append)
    for step in range(3):
        safe.record({}, step=step)
    safe.close()
    safe.close()
    safe.record({}, step=9)
    assert (inner.heard, inner.closed, told) == ([0, 1, 2], 1, [])


def test_a_monitor_is_switched_off_after_its_first_error_and_it_is_said_once() -> None:
    told: list[str] = []
    inner = Listening(fail_at=1)
    safe = SafeMonitor("file", lambda: inner, told.append)
    for step in (0, 1, 1, 2):
        safe.record({}, step=step)
    safe.close()
    assert inner.heard == [0]
    assert not safe.working
    assert told == ["file is switched off after an error: OSError('disk full')"]


def test_an_error_while_closing_is_told_too() -> None:
    told: list[str] = []
    SafeMonitor("file", lambda: Listening(fail_to_close=True), told.append).close()
    assert told == ["file is switched off after an error: OSError('gone')"]


def test_a_monitor_that_cannot_be_built_is_told_and_the_run_goes_on() -> None:
    def build() -> Monitor:
        raise ConnectionError("no network")

    told: list[str] = []
    safe = SafeMonitor("W&B", build, told.append)
    safe.record({}, step=1)
    safe.close()
    assert told == ["W&B is switched off after an error: ConnectionError('no network')"]


def test_what_the_user_can_fix_is_raised_before_the_run_begins() -> None:
    def build() -> Monitor:
        raise ConfigError("install it")

    with pytest.raises(ConfigError, match="install it"):
        SafeMonitor("W&B", build, pytest.fail)


def test_a_fan_passes_on_to_all() -> None:
    first, second = Listening(), Listening()
    group = MonitorGroup([first, second])
    group.record({}, step=4)
    group.close()
    assert (first.heard, second.heard, first.closed, second.closed) == ([4], [4], 1, 1)
