"""What a policy loses on the road over adb, where hierarchies are as untidy as real apps' are.

The same tasks are played twice: on embedded phones in this process, and on phones that are served
to the real adb with untidy dumps, some of which fail, and with what is kept of an old ANR.

What is mended by looking at tasks is measured on others: `seed` has the same goals on other phones,
with other contents, times and nuisances.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from distrl.collect.evaluation.evaluate import evaluate_on, evaluate_policy, select_tasks
from distrl.config.devices import AndroidConfig, PhoneConfig
from distrl.devices.android.adb import AdbServer
from distrl.devices.android.device import AndroidDevice
from distrl.devices.phone.adbd.daemon import AdbDaemon
from distrl.devices.phone.adbd.injected_faults import Untidiness
from distrl.devices.phone.adbd.system import AndroidSystem
from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_env import DeviceEnv
from distrl.envs.device_kinds import NoOracle
from distrl.errors import ConfigError
from distrl.run.builders.adb_servers import free_port
from distrl.run.named_policy import policy_factory
from distrl.tasks.served import ServedReferee, TaskConsole
from distrl.types import Task

_PHONES = 4
"""Served side by side: with more, two cores are busy drawing and nothing is won."""
_ANOTHER_SEED = 20_000
"""Distance between the seeds of a task on its phones: beyond the largest split."""
_LAST = 49
"""The last of these, so that no task has a seed of another split."""
# A film or a game now and then; most screens of real apps come to rest.
_UNTIDY = Untidiness(dumps=True, idle_rate=0.01, anr_rate=0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdbSuccess:
    """Success on the same tasks, with 95 % intervals."""

    tasks: int
    in_process: float | None
    """None where no episode counts, as for all figures of success."""
    in_process_low: float | None
    in_process_high: float | None
    untidy_adb: float | None
    untidy_adb_low: float | None
    untidy_adb_high: float | None
    kept: float | None
    """Success over adb as a share of that in process; None where there is none in process."""
    lost: int
    """Episodes over adb that were lost to a fault."""
    unlisted: int
    """Looks over adb that had no elements."""


def measure_success(
    tasks: int, *, policy: str = "pretrained", split: str = "test", seed: int = 0
) -> AdbSuccess:
    """Play so many tasks of the general suite, spread over the split, on both roads."""
    chosen = choose_tasks(select_tasks("general", split), tasks, seed)
    acting = policy_factory(policy)(NoOracle("general"))
    here = evaluate_policy(acting, chosen).overall
    known = {task.id: task for task in chosen}
    with ExitStack() as opened:
        server = _server(opened)
        devices = [_phone(opened, server, number, known) for number in range(_PHONES)]
        envs = [DeviceEnv(d, ServedReferee(d.ask_served, d.prepare)) for d in devices]
        report = evaluate_on(envs, acting, chosen)
        unlisted = sum(device.unlisted.total() for device in devices)
    there = report.overall
    return AdbSuccess(
        tasks=len(chosen),
        in_process=here.success,
        in_process_low=here.low,
        in_process_high=here.high,
        untidy_adb=there.success,
        untidy_adb_low=there.low,
        untidy_adb_high=there.high,
        kept=(there.success or 0.0) / here.success if here.success else None,
        lost=len(report.faults),
        unlisted=unlisted,
    )


def choose_tasks(everything: Sequence[Task], count: int, seed: int) -> tuple[Task, ...]:
    """So many tasks, spread over a split; more than it has are the same goals on other phones.

    With seed 0 they begin as the suite has them, with any other on other phones.
    """
    found: list[Task] = []
    while len(found) < count:
        if seed > _LAST:
            raise ConfigError(
                f"{count} tasks are too many: a split has {len(everything)} on each of its phones, "
                f"whose seeds go to {_LAST}"
            )
        left = count - len(found)
        spread = everything[:: max(1, len(everything) // left)][:left]
        found += [_moved(task, seed) for task in spread]
        seed += 1
    return tuple(found)


def _moved(task: Task, seed: int) -> Task:
    if not seed:
        return task
    return replace(task, id=f"{task.id}+{seed}", seed=task.seed + seed * _ANOTHER_SEED)


def _server(opened: ExitStack) -> AdbServer:
    home = opened.enter_context(TemporaryDirectory(prefix="distrl-bench-"))
    server = AdbServer(free_port(), environment={"HOME": str(Path(home))})
    opened.callback(server.close)
    return server


def _phone(
    opened: ExitStack, server: AdbServer, number: int, known: Mapping[str, Task]
) -> AndroidDevice:
    device = PhoneDevice(f"bench-{number}", PhoneConfig())
    console = TaskConsole(device, find=known.__getitem__)
    system = AndroidSystem(device, serial=f"bench-{number}", console=console, untidy=_UNTIDY)
    daemon = AdbDaemon(system)
    opened.callback(daemon.close)
    over = AndroidDevice(server.adb.phone(daemon.address), AndroidConfig(screen_width=180))
    opened.callback(over.close)
    return over
