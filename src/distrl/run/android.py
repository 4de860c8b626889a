"""Phones over adb in a run: their server, their devices, who judges on them."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from distrl.clock import RealClock
from distrl.collect.evaluate import Report, evaluate_on
from distrl.config import RunConfig
from distrl.devices.adb import Adb, AdbServer
from distrl.devices.android import AndroidDevice, AndroidSettings
from distrl.devices.withheld import Withheld, default_path
from distrl.envs.device_env import DeviceEnv, Referee
from distrl.errors import ConfigError
from distrl.interfaces import Clock, Policy
from distrl.tasks.android import AndroidReferee, unjudged
from distrl.tasks.served import ServedReferee
from distrl.tasks.suites import is_file, load_suite
from distrl.types import Kind, Outcome, Task, Verdict


@contextmanager
def open_adb(config: RunConfig) -> Iterator[Adb | None]:
    """The adb server of a run: one that is there, or one of our own; None without phones."""
    android = config.collect.android
    check_phones(config)
    if not android.serials:
        yield None
    elif android.adb_port is not None:
        yield Adb(port=android.adb_port)
    else:
        server = AdbServer(free_port())
        try:
            yield server.adb
        finally:
            server.close()


def check_phones(config: RunConfig) -> None:
    """Refuse a suite that the phones of a run cannot play, or that nobody can judge."""
    suite = config.tasks.suite
    if not is_file(suite):
        return
    if config.collect.devices or not config.collect.android.serials:
        raise ConfigError(
            f"the goals in {suite} are for phones over adb: name them with "
            "collect.android.serials, and set collect.devices to 0"
        )
    if config.init == "warm_start":
        raise ConfigError(
            f"nobody can show how the goals in {suite} are reached: set init to scratch, "
            "pretrained or the folder of a run"
        )
    open_goals = unjudged(load_suite(suite), config.tasks.split)
    if open_goals:
        raise ConfigError(f"nobody can judge {open_goals[0]!r} in {suite}: give it a check")


def android_devices(config: RunConfig, adb: Adb, clock: Clock) -> list[AndroidDevice]:
    """The phones of a run over adb; each is connected to when it is first used."""
    android = config.collect.android
    settings = AndroidSettings(
        elements=config.tasks.elements,
        screen_width=android.screen_width,
        deadline=android.deadline,
        settle_seconds=android.settle_seconds,
        wait_seconds=android.wait_seconds,
        stop_apps=tuple(android.stop_apps),
    )
    withheld = Withheld(default_path())
    return [
        AndroidDevice(adb.phone(serial), settings, clock=clock, withheld=withheld)
        for serial in android.serials
    ]


class _BySuite:
    """A referee for whatever suite the next task is of."""

    def __init__(self, device: AndroidDevice) -> None:
        self._served = ServedReferee(device.ask_served, device.prepare)
        self._judged = AndroidReferee(device.phone, device.reset, load_suite)
        self._running: Referee = self._served

    def begin(self, task: Task) -> None:
        self._running = self._judged if is_file(task.suite) else self._served
        self._running.begin(task)

    def outcome(self, kind: Kind) -> Outcome:
        return self._running.outcome(kind)

    def verdict(self, outcome: Outcome) -> Verdict:
        return self._running.verdict(outcome)


def referee_on(device: AndroidDevice) -> Referee:
    """Who poses and judges tasks: adb for a file of goals, a served phone itself for others."""
    return _BySuite(device)


def evaluate_on_android(
    config: RunConfig, policy: Policy, tasks: Sequence[Task], progress: Callable[[int, int], None]
) -> Report:
    """The figures of a policy on the phones of a run."""
    with ExitStack() as opened:
        adb = opened.enter_context(open_adb(config))
        assert adb is not None
        devices = android_devices(config, adb, RealClock())
        envs = [DeviceEnv(device, referee_on(device)) for device in devices]
        for env in envs:
            opened.callback(env.close)
        return evaluate_on(envs, policy, tasks, progress=progress)


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port
