from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import pytest

from distrl.errors import PipelineError
from distrl.run.processes.supervisor import Supervisor, close_all


def forever(stopping: threading.Event) -> None:
    stopping.wait(60)


def test_loops_end_when_they_are_asked_to() -> None:
    supervisor = Supervisor()
    for name in ("a", "b"):
        supervisor.start(name, forever)
    assert supervisor.running() == 2
    supervisor.stop(timeout=60)
    assert supervisor.running() == 0


def test_the_first_failure_stops_the_run_with_its_own_error() -> None:
    supervisor = Supervisor()
    stopped: list[bool] = []

    def patient(stopping: threading.Event) -> None:
        stopped.append(stopping.wait(60))

    def broken(stopping: threading.Event) -> None:
        raise KeyError("left")

    supervisor.start("patient", patient)
    supervisor.start("broken", broken)
    with pytest.raises(KeyError, match="left") as caught:
        supervisor.wait(lambda: False, timeout=60)
    assert "in the loop 'broken'" in caught.value.__notes__[0]
    with pytest.raises(KeyError, match="left"):
        supervisor.stop(timeout=60)
    assert stopped == [True]


def test_a_loop_that_ends_unasked_is_an_error() -> None:
    supervisor = Supervisor()
    supervisor.start("lazy", lambda stopping: None)
    with pytest.raises(PipelineError, match="lazy ended while the run was still going"):
        supervisor.wait(lambda: False, timeout=60)


def test_a_loop_may_be_allowed_to_end() -> None:
    supervisor = Supervisor()
    supervisor.start("collector-0", lambda stopping: None, may_end=True)
    supervisor.start("other", forever)
    assert supervisor.wait(lambda: supervisor.running("collector") == 0, timeout=60)
    assert supervisor.running() == 1
    supervisor.stop(timeout=60)


def test_a_loop_that_may_end_may_not_fail() -> None:
    def broken(stopping: threading.Event) -> None:
        raise PipelineError("no device is left")

    supervisor = Supervisor()
    supervisor.start("collector-0", broken, may_end=True)
    with pytest.raises(PipelineError, match="no device is left"):
        supervisor.wait(lambda: False, timeout=60)


def test_a_wait_has_a_deadline() -> None:
    supervisor = Supervisor()
    supervisor.start("a", forever)
    assert not supervisor.wait(lambda: False, timeout=0.01)
    supervisor.stop(timeout=60)


def test_a_loop_that_does_not_stop_is_named() -> None:
    supervisor = Supervisor()
    let_go = threading.Event()
    supervisor.start("deaf", lambda stopping: void(let_go.wait(60)))
    with pytest.raises(PipelineError, match=r"did not stop within 0\.05 s: deaf"):
        supervisor.stop(timeout=0.05)
    let_go.set()


def void(_: object) -> None:
    """For lambdas that must return nothing."""


def test_later_failures_are_told_but_do_not_replace_the_first(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def first(stopping: threading.Event) -> None:
        raise KeyError("first")

    def second(stopping: threading.Event) -> None:
        stopping.wait(60)
        raise KeyError("second")

    supervisor = Supervisor()
    supervisor.start("b", second)
    with caplog.at_level(logging.WARNING):
        supervisor.start("a", first)
        with pytest.raises(KeyError, match="first"):
            supervisor.stop(timeout=60)
    assert "b failed too" in caplog.text


def test_names_are_used_once() -> None:
    supervisor = Supervisor()
    supervisor.start("a", forever)
    with pytest.raises(ValueError, match="two loops are named 'a'"):
        supervisor.start("a", forever)
    supervisor.stop(timeout=60)


def test_everything_is_closed_in_order_although_some_of_it_fails(
    caplog: pytest.LogCaptureFixture,
) -> None:
    done: list[str] = []

    def closing(name: str, error: Exception | None = None) -> Callable[[], None]:
        def close() -> None:
            done.append(name)
            if error is not None:
                raise error

        return close

    with pytest.raises(KeyError, match="first"):
        close_all(
            closing("a"),
            closing("b", KeyError("first")),
            closing("c", KeyError("second")),
            closing("d"),
        )
    assert done == ["a", "b", "c", "d"]
    assert "second" in caplog.text


def test_closing_what_closes_well_raises_nothing(caplog: pytest.LogCaptureFixture) -> None:
    close_all()
    close_all(lambda: None, lambda: None)
    assert caplog.text == ""
