from __future__ import annotations

from collections.abc import Generator

import pytest

from distrl.collect.driver import START, Answer, Ended, Failure, advance, attempt, drive, relay
from distrl.errors import DeviceLost

LOST = DeviceLost("it fell")


def lost() -> object:
    raise LOST


class Sum:
    """A machine that asks for two numbers; a lost one counts as -1. Says when it was closed."""

    def __init__(self) -> None:
        self.closed = False

    def run(self) -> Generator[str, int, int]:
        total = 0
        try:
            for name in ("a", "b"):
                try:
                    total += yield name
                except DeviceLost:
                    total -= 1
        finally:
            self.closed = True
        return total


def test_a_machine_is_started_answered_and_ends_with_its_result() -> None:
    machine = Sum().run()
    assert advance(machine, START) == "a"
    assert advance(machine, Answer(3)) == "b"
    assert advance(machine, Answer(4)) == Ended(7)


def test_a_failure_is_raised_inside_the_machine_at_its_wait() -> None:
    machine = Sum().run()
    advance(machine, START)
    assert advance(machine, Failure(LOST)) == "b"
    assert advance(machine, Answer(4)) == Ended(3)


def test_only_errors_of_this_package_become_replies() -> None:
    assert attempt(lambda: 5) == Answer(5)
    assert attempt(lost) == Failure(LOST)
    with pytest.raises(ZeroDivisionError):
        attempt(lambda: 1 / 0)


def test_driving_carries_out_every_wait() -> None:
    machine = Sum()
    assert drive(machine.run(), {"a": 3, "b": 4}.__getitem__) == 7
    assert machine.closed


def test_an_error_that_nobody_handles_closes_the_machine_and_is_raised() -> None:
    machine = Sum()
    with pytest.raises(KeyError):
        drive(machine.run(), {"a": 3}.__getitem__)
    assert machine.closed


def test_a_relayed_machine_asks_and_fails_through_the_one_around_it() -> None:
    calls: list[str] = []
    outer = relay(Sum().run(), lambda: calls.append("between"))
    assert advance(outer, START) == "a"
    assert advance(outer, Failure(LOST)) == "b"
    assert calls == []
    assert advance(outer, Answer(4)) == Ended(3)
    assert calls == ["between"]


def test_closing_the_one_around_it_closes_a_relayed_machine() -> None:
    inner = Sum()
    outer = relay(inner.run(), lambda: None)
    advance(outer, START)
    outer.close()
    assert inner.closed


def test_what_goes_wrong_between_two_waits_closes_a_relayed_machine() -> None:
    inner = Sum()
    outer = relay(inner.run(), lost)  # type: ignore[arg-type]
    advance(outer, START)
    with pytest.raises(DeviceLost):
        advance(outer, Answer(3))
    assert inner.closed
