"""Sessions on embedded phones, on fakes and on slow devices, for the tests of this folder."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from distrl.clock import RealClock
from distrl.collect.evaluation.evaluate import PolicyFactory
from distrl.config.devices import PhoneConfig
from distrl.devices.phone.device import PhoneDevice
from distrl.errors import DeviceLost
from distrl.interfaces import Device
from distrl.policies import make_policy
from distrl.tasks.suites import load_suite
from distrl.types import Action, Task
from distrl.web.play.session import Session, SessionParts
from distrl.web.play.snapshot import Phase, Snapshot

DEADLINE = 60.0
QUIET = PhoneConfig(nuisance_rate=0.0)
TRAIN = load_suite("general").tasks("train")
TIMER = next(task for task in TRAIN if task.template == "start_timer")
OPENED = next(task for task in TRAIN if task.template == "open_app")

Policies = Mapping[str, Callable[[], PolicyFactory]]


def scripted() -> PolicyFactory:
    return lambda oracle: make_policy("scripted", oracle)


class BrokenPolicy:
    """Breaks when it is asked."""

    def begin(self, seed: int) -> None:
        pass

    def act(self, situations: object) -> list[object]:
        raise RuntimeError("no idea")


class GatedPhone(PhoneDevice):
    """Carries actions out when the gate is open, and is lost when it is told to be."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.gate.set()
        self.lost = self.closed = False
        super().__init__("gated", QUIET)

    def perform(self, action: Action) -> None:
        assert self.gate.wait(DEADLINE)
        if self.lost:
            raise DeviceLost("the cable was pulled")
        super().perform(action)

    def close(self) -> None:
        self.closed = True
        super().close()


@contextmanager
def session_on(
    folder: Path,
    task: Task = TIMER,
    *,
    policy: str = "",
    policies: Policies | None = None,
    make_device: Callable[[], Device] = lambda: PhoneDevice("played", QUIET),
) -> Iterator[Session]:
    known = {"scripted": scripted} if policies is None else policies
    parts = SessionParts(make_device=make_device, policies=known, demonstrations=folder / "demos")
    session = Session(parts, task, policy=policy)
    try:
        yield session
    finally:
        session.close()


def until(session: Session, holds: Callable[[Snapshot], bool]) -> Snapshot:
    """The first snapshot that is seen for which something holds."""
    seen: list[Snapshot] = []

    def look() -> bool:
        seen.append(session.snapshot)
        return holds(seen[-1])

    assert RealClock().wait_until(look, timeout=DEADLINE), session.snapshot
    return seen[-1]


def until_phase(session: Session, phase: Phase) -> Snapshot:
    return until(session, lambda now: now.phase is phase)
