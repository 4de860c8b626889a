"""What a step over adb costs beyond the phone itself, and how many steps 1, 8 and 32 phones make.

Phones are served in one process and driven through the real adb by a thread each. The overhead of
a step is the time of its action and its look, less what the served phone needed to answer them:

    overhead = (perform + observe) - time inside the phone's commands
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from distrl import actions
from distrl.config.devices import AndroidConfig, PhoneConfig
from distrl.devices.android.adb import AdbServer
from distrl.devices.android.device import AndroidDevice
from distrl.devices.phone.adbd.daemon import AdbDaemon
from distrl.devices.phone.adbd.shell import Result, Session
from distrl.devices.phone.adbd.system import AndroidSystem
from distrl.devices.phone.device import PhoneDevice
from distrl.run.builders.adb_servers import free_port
from distrl.tasks.served import TaskConsole

# One shows the overhead of a call; 8 and 32 are the fleets of the comparison table.
FLEETS = (1, 8, 32)
_WARM_UP = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class AdbFigures:
    """What was measured."""

    overhead_ms: float
    """Median over the steps of one phone."""
    step_ms: float
    """Median of the same steps, the phone's own time included."""
    steps_per_second_1: float
    steps_per_second_8: float
    steps_per_second_32: float


class TimedSystem(AndroidSystem):
    """A phone that notes how long it has been busy with commands."""

    busy = 0.0

    def run(self, line: str, session: Session | None = None) -> Result:
        """Run a line, timed."""
        began = time.monotonic()
        try:
            return super().run(line, session)
        finally:
            self.busy += time.monotonic() - began


@dataclass(frozen=True, slots=True)
class StepTime:
    """One step, in seconds."""

    whole: float
    inside: float


def measure_adb(seconds: float = 10.0, fleets: Sequence[int] = FLEETS) -> AdbFigures:
    """Measure each size of fleet for so long."""
    steps: list[StepTime] = []
    rates = dict.fromkeys(FLEETS, 0.0)
    for size in fleets:
        found = _run_fleet(size, seconds)
        rates[size] = len(found) / seconds
        if size == 1:
            steps = found
    return AdbFigures(
        overhead_ms=1000 * _median([step.whole - step.inside for step in steps]),
        step_ms=1000 * _median([step.whole for step in steps]),
        steps_per_second_1=rates[1],
        steps_per_second_8=rates[8],
        steps_per_second_32=rates[32],
    )


def _run_fleet(size: int, seconds: float) -> list[StepTime]:
    with ExitStack() as opened:
        home = opened.enter_context(TemporaryDirectory(prefix="distrl-bench-"))
        server = AdbServer(free_port(), environment={"HOME": str(Path(home))})
        opened.callback(server.close)
        phones = [_phone(opened, server, number) for number in range(size)]
        ready = threading.Barrier(size)
        with ThreadPoolExecutor(size) as pool:
            played = [pool.submit(_play, phone, ready, seconds) for phone in phones]
            return [step for future in played for step in future.result()]


def _phone(opened: ExitStack, server: AdbServer, number: int) -> tuple[AndroidDevice, TimedSystem]:
    device = PhoneDevice(f"bench-{number}", PhoneConfig(nuisance_rate=0.0))
    system = TimedSystem(device, serial=f"bench-{number}", console=TaskConsole(device))
    daemon = AdbDaemon(system)
    opened.callback(daemon.close)
    over = AndroidDevice(server.adb.phone(daemon.address), AndroidConfig(screen_width=180))
    opened.callback(over.close)
    over.reset(number)
    return over, system


def _play(
    phone: tuple[AndroidDevice, TimedSystem], ready: threading.Barrier, seconds: float
) -> list[StepTime]:
    device, system = phone
    moves = (actions.swipe_towards(actions.Direction.UP), actions.press("home"))
    for number in range(_WARM_UP):
        device.perform(moves[number % 2])
        _ = device.observe().screen
    # All begin at once: a phone that is measured while others still start would have the machine
    # for itself.
    ready.wait(timeout=120.0)
    found: list[StepTime] = []
    end = time.monotonic() + seconds
    while (began := time.monotonic()) < end:
        busy = system.busy
        device.perform(moves[len(found) % 2])
        _ = device.observe().screen
        found.append(StepTime(time.monotonic() - began, system.busy - busy))
    return found


def _median(values: Sequence[float]) -> float:
    return statistics.median(values) if values else 0.0
