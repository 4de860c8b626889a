from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import pytest

from distrl.bench.android.fault_victim import AT_START, FAULTS, NOTHING, SnapshotConsole, TimedCalls
from distrl.devices.android.emulator import send_console_commands
from distrl.devices.fault_causes import Cause
from distrl.types import Kind


class _Lasting:
    """A phone each of whose calls takes a while; the referee's take longest."""

    id, kinds = "lasting", frozenset[Kind]()

    def __init__(self, now: list[float]) -> None:
        self._now = now

    def observe(self) -> None:
        self._now[0] += 1

    def prepare(self) -> None:
        self._now[0] += 2

    def ask_served(self, arguments: Sequence[str]) -> str:
        self._now[0] += len(arguments)
        return " ".join(arguments)


def test_what_the_referee_asks_is_timed_as_other_calls_are(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    timed = TimedCalls(_Lasting(now))  # type: ignore[arg-type]
    timed.observe()
    assert timed.longest == 1
    timed.prepare()
    assert timed.longest == 2
    assert timed.ask_served(["a", "b", "c"]) == "a b c"
    assert timed.longest == 3


def test_every_fault_of_the_list_has_a_cause_of_its_own() -> None:
    faults = {name: cause for name, (cause, _) in FAULTS.items() if cause != NOTHING}
    del faults["booted but not ready"]  # it is a reboot, and a start that takes longer
    del faults["port taken"]  # a server that does not answer, as one that stands still
    assert len(faults) == len(set(faults.values())) == 12


def test_what_real_phones_do_every_day_costs_no_episode() -> None:
    assert {name for name, (cause, _) in FAULTS.items() if cause == NOTHING} == {
        "never idle",
        "null root",
        "stale ANR section",
        "monkey missing",
    }


def test_the_faults_that_first_contact_named_are_all_there() -> None:
    assert set(FAULTS) >= {
        *("never idle", "null root", "stale ANR section", "snapshot refused"),
        *("booted but not ready", "adb server of another owner", "port taken", "monkey missing"),
    }
    assert FAULTS["snapshot refused"][0] is Cause.SNAPSHOT
    assert set(FAULTS) > AT_START


@pytest.fixture
def console() -> Iterator[SnapshotConsole]:
    opened = SnapshotConsole()
    yield opened
    opened.close()


def test_console_loads_snapshots_until_it_refuses(console: SnapshotConsole) -> None:
    ask = ["auth secret", "avd snapshot load default_boot"]
    assert send_console_commands(console.port, ask, deadline=5.0) == ["OK", "OK"]
    console.refuses = True
    said = send_console_commands(console.port, ask, deadline=5.0)
    assert said == ["OK", "KO: it is of another machine"]


def test_console_that_is_closed_leaves_no_thread(console: SnapshotConsole) -> None:
    console.close()
    assert not console._thread.is_alive()
    with pytest.raises(OSError, match="refused"):
        send_console_commands(console.port, ["help"], deadline=5.0)
