from __future__ import annotations

import logging
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.devices.adb_tools import eventually, needs_adbutils, own_server

from distrl.devices.android.adb import AdbServer
from distrl.devices.android.adb_server_watchdog import AdbServerWatchdog, must_restart
from distrl.errors import ConfigError

SELDOM = 3600.0
"""So that nobody looks but the test."""


@pytest.mark.parametrize(
    ("ended", "unanswered", "again"),
    [(False, 0, False), (False, 1, False), (False, 2, True), (False, 3, True), (True, 0, True)],
)
def test_the_table_of_servers_that_are_started_again(
    ended: bool, unanswered: int, again: bool
) -> None:
    assert must_restart(ended=ended, unanswered=unanswered) is again


class _Answers:
    """A server that answers as it is told, and counts how often it was started again."""

    def __init__(self, answers: list[bool], fails: int = 0) -> None:
        self.adb = self
        self.port = 1
        self.ended = False
        self.started = 0
        self._answers, self._fails = iter(answers), fails

    def answers(self) -> bool:
        return next(self._answers)

    def restart(self) -> None:
        if self._fails:
            self._fails -= 1
            self.ended = True
            raise ConfigError("the port is taken")
        self.ended = False
        self.started += 1


@pytest.fixture
def watches() -> Iterator[list[AdbServerWatchdog]]:
    opened: list[AdbServerWatchdog] = []
    yield opened
    for watch in opened:
        watch.close()


def look(watches: list[AdbServerWatchdog], server: _Answers, times: int) -> AdbServerWatchdog:
    watch = AdbServerWatchdog(server, every=SELDOM)  # type: ignore[arg-type]
    watches.append(watch)
    for _ in range(times):
        watch.check_once()
    return watch


def test_server_that_answers_in_between_is_left_alone(watches: list[AdbServerWatchdog]) -> None:
    server = _Answers([False, True, False, True, True])
    assert look(watches, server, 5).restarts == server.started == 0


def test_server_that_was_started_again_is_given_time(watches: list[AdbServerWatchdog]) -> None:
    server = _Answers([False, False, False, True])
    assert look(watches, server, 4).restarts == server.started == 1


def test_what_fails_is_tried_again_and_said_once(
    watches: list[AdbServerWatchdog], caplog: pytest.LogCaptureFixture
) -> None:
    server = _Answers([False, False], fails=3)
    with caplog.at_level(logging.WARNING):
        assert look(watches, server, 5).restarts == server.started == 1
    assert sum("the port is taken" in message for message in caplog.messages) == 2
    assert "started again" in caplog.messages[-1]


def test_server_that_has_ended_is_not_asked_and_is_started_at_once(
    watches: list[AdbServerWatchdog],
) -> None:
    server = _Answers([])  # an answer on its port would be another server's
    server.ended = True
    assert look(watches, server, 1).restarts == server.started == 1


def test_count_of_silence_begins_anew_after_an_answer(watches: list[AdbServerWatchdog]) -> None:
    server = _Answers([False, True, False, False, True])
    assert look(watches, server, 3).restarts == 0
    watches[-1].check_once()
    assert watches[-1].restarts == 1


@pytest.mark.parametrize(
    "error",
    [ConfigError("taken"), OSError(12, "no memory"), subprocess.TimeoutExpired("adb", 10.0)],
)
def test_whatever_keeps_a_server_from_starting_does_not_end_the_watch(
    watches: list[AdbServerWatchdog], error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = _Answers([False, False, False])

    def fail() -> None:
        raise error

    with monkeypatch.context() as failing:
        failing.setattr(server, "restart", fail)
        watch = look(watches, server, 2)
        assert watch.restarts == 0
    watch.check_once()
    assert watch.restarts == 1


def test_trouble_that_comes_back_after_a_restart_is_said_again(
    watches: list[AdbServerWatchdog], caplog: pytest.LogCaptureFixture
) -> None:
    server = _Answers([False] * 20, fails=1)
    server.ended = True
    watch = look(watches, server, 2)
    server.ended, server._fails = True, 1
    with caplog.at_level(logging.WARNING):
        watch.check_once()
        watch.check_once()
    said = [message for message in caplog.messages if "cannot be started again" in message]
    assert len(said) == 2


def test_watch_looks_by_itself_until_it_is_closed() -> None:
    server = _Answers([])
    asked: list[int] = []

    def answers() -> bool:
        asked.append(1)
        return True

    server.answers = answers  # type: ignore[method-assign]
    watch = AdbServerWatchdog(server, every=0.001)  # type: ignore[arg-type]
    assert eventually(lambda: len(asked) > 3)
    watch.close()
    count = len(asked)
    assert not watch._thread.is_alive()
    assert len(asked) == count


@needs_adbutils
@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGSTOP])
def test_server_that_ends_or_hangs_is_back_on_its_port(
    blow: signal.Signals, tmp_path: Path
) -> None:
    with own_server(tmp_path) as server:
        watch = AdbServerWatchdog(server, every=0.1)
        try:
            before = server.pid
            os.kill(before, blow)
            assert eventually(lambda: watch.restarts > 0)
            assert server.pid != before
            assert server.adb.answers()
            with pytest.raises(ProcessLookupError):
                os.kill(before, 0)
        finally:
            watch.close()
    assert server.ended


@needs_adbutils
def test_server_of_somebody_else_on_the_port_is_not_ended(tmp_path: Path) -> None:
    with own_server(tmp_path) as ours:
        watch = AdbServerWatchdog(ours, every=SELDOM)
        os.kill(ours.pid, signal.SIGKILL)
        assert eventually(lambda: ours.ended)
        another = AdbServer(ours.adb.port, environment={"HOME": str(tmp_path)})
        try:
            watch.check_once()
            assert watch.restarts == 0
            assert not another.ended
            assert another.adb.answers()
        finally:
            another.close()
            watch.close()
