from __future__ import annotations

import logging
import os
import signal
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
