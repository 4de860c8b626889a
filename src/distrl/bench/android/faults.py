"""What becomes of a phone's faults: each is injected many times while others go on working.

    a victim        a served phone over the real adb, on the first server
    two neighbours  on the second server, at a constant pace, playing without end

    for each fault, so many times
        a quiet episode      the victim must have recovered from the fault before
        an episode in which the fault strikes after the second step

These are the phones of a run with `collect.android.servers: 2`: each server is watched as there,
and nothing but that watch heals one that stands still. Phones on the same server as the victim
would stand still with it until then; the neighbours are those on another.

An episode that a fault strikes must end as device_lost with the right cause, within the deadline
and 5 s, and must not be learned from. A phone that is merely slow is told so and loses nothing. So
with what real phones do every day: a screen that never comes to rest, one without windows, and what
is kept of an old ANR cost no episode.
"""

from __future__ import annotations

import os
import signal
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from distrl import actions
from distrl.clock import RealClock
from distrl.collect.episode import run_episode
from distrl.config.devices import AndroidConfig, PhoneConfig
from distrl.devices.android.adb import AdbServer
from distrl.devices.android.adb_server_watchdog import AdbServerWatchdog
from distrl.devices.android.device import AndroidDevice
from distrl.devices.fault_causes import Cause, cause_of
from distrl.devices.fault_injection import SlowDevice
from distrl.devices.phone.adbd.daemon import AdbDaemon
from distrl.devices.phone.adbd.injected_faults import InjectedFaults
from distrl.devices.phone.adbd.system import AndroidSystem
from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_env import DeviceEnv
from distrl.interfaces import Device
from distrl.learn.ingest import trajectory_of
from distrl.replay.store.memory import MemoryStore
from distrl.run.builders.adb_servers import free_port
from distrl.tasks.served import ServedReferee, TaskConsole
from distrl.tasks.suites import load_suite
from distrl.types import Action, Choice, Episode, Observation, Outcome, Situation

# Shorter than a run's 15 s, so that many faults fit into minutes.
DEADLINE = 6.0
GRACE = 5.0
"""What a caller may take beyond the deadline of a call."""
_NEIGHBOURS = 2
# A constant pace of the neighbours: what they lose is then the fault's doing and not the
# processor's.
_PACE = 0.15
_STRIKES_AT = 2
_STEPS = 8
_BASELINE_EPISODES = 2
_SLOWER = 10.0
_HEAL_SECONDS = 30.0
"""How long a server may take to be started again; then the next quiet episode is not one."""

Strike = Callable[["Victim"], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultRow:
    """One fault."""

    fault: str
    cause: str
    """What it should be taken for."""
    tried: int
    misclassified: int
    late: int
    seconds: float
    """Median time of the longest call of an episode."""
    taken_for: str
    """What it was taken for, where that was wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultFigures:
    """What was found."""

    tried: int
    misclassified: int
    void_trained: int
    """Episodes that a fault ended and that a learner would have taken."""
    late: int
    """Episodes with a call that came back later than its deadline and 5 s."""
    leaked: int
    """Threads and processes that were left over."""
    neighbour_loss: float
    """Share of the neighbours' step rate that was missing while the victim had a fault."""
    unrecovered: int
    """Quiet episodes after a fault that did not end well."""
    rows: tuple[FaultRow, ...]


class Victim:
    """A phone that is to have faults, and all that can be done to it."""

    def __init__(self, server: AdbServer, daemon: AdbDaemon) -> None:
        """Nothing is wrong with it yet."""
        self.server, self.daemon = server, daemon
        config = AndroidConfig(screen_width=None, deadline=DEADLINE, settle_seconds=0.3)
        self.device = AndroidDevice(server.adb.phone(daemon.address), config)
        self.timed = TimedCalls(self.device)
        referee = ServedReferee(self.timed.ask_served, self.timed.prepare)
        self.env = DeviceEnv(self.timed, referee)

    @property
    def injected_faults(self) -> InjectedFaults:
        """What is wrong with the phone."""
        return self.daemon.system.injected_faults

    def repair(self) -> None:
        """Take all that is wrong with the phone away; its server heals by its watch alone."""
        self.daemon.system.injected_faults = InjectedFaults()
        RealClock().wait_until(self.server.adb.answers, timeout=_HEAL_SECONDS, poll=0.1)

    # The faults

    def go_offline(self) -> None:
        """The cable is there and nobody answers."""
        self.injected_faults.offline = True
        self.daemon.drop()

    def refuse(self) -> None:
        """The key of this machine is not accepted any more."""
        self.injected_faults.unauthorised = True
        self.daemon.drop()

    def stop_server(self) -> None:
        """The adb server stands still."""
        os.kill(self.server.pid, signal.SIGSTOP)

    def truncate(self) -> None:
        """Pictures end in the middle."""
        self.injected_faults.truncated = True

    def go_black(self) -> None:
        """Pictures are black."""
        self.injected_faults.black = True

    def freeze(self) -> None:
        """Pictures do not change."""
        self.injected_faults.stale = True

    def slow_down(self) -> None:
        """Every answer takes ten times as long."""
        self.injected_faults.delay = _SLOWER * self.device.baseline_seconds

    def reboot(self) -> None:
        """The phone starts again."""
        self.daemon.system.reboot()

    def change_serial(self) -> None:
        """Another phone is at the same address."""
        self.injected_faults.serial = "another-phone"

    def hang_app(self) -> None:
        """The app in front stops answering."""
        self.injected_faults.not_responding = "org.distrl.phone.launcher"

    def never_idle(self) -> None:
        """The screen never comes to rest."""
        self.injected_faults.never_idle = True

    def lose_root(self) -> None:
        """There is nothing to list."""
        self.injected_faults.null_root = True

    def keep_anr(self) -> None:
        """What is kept of an old ANR stands first."""
        self.injected_faults.last_anr = True

    def boot_too_early(self) -> None:
        """The phone starts again, and says that it has booted before its services answer."""
        self.injected_faults.starting = True
        self.daemon.system.reboot()

    def break_monkey(self) -> None:
        """`monkey` ends with an error; apps are started without it."""
        self.injected_faults.no_monkey = True
        self.device.phone.start_app("org.distrl.phone.clock")
        self.device.perform(actions.press("home"))


NOTHING = "nothing"
"""What a fault is taken for that costs no episode."""
FAULTS: dict[str, tuple[str, Strike]] = {
    "offline": (Cause.OFFLINE, Victim.go_offline),
    "unauthorised": (Cause.UNAUTHORISED, Victim.refuse),
    "stopped adb server": (Cause.SERVER, Victim.stop_server),
    "truncated picture": (Cause.GARBLED, Victim.truncate),
    "black frame": (Cause.BLANK, Victim.go_black),
    "stale frame": (Cause.STALE, Victim.freeze),
    "ten times slower": (Cause.SLOW, Victim.slow_down),
    "reboot": (Cause.REBOOTED, Victim.reboot),
    "another serial": (Cause.CHANGED, Victim.change_serial),
    "app not responding": (Cause.NOT_RESPONDING, Victim.hang_app),
    "never idle": (NOTHING, Victim.never_idle),
    "null root": (NOTHING, Victim.lose_root),
    "stale ANR section": (NOTHING, Victim.keep_anr),
    "booted but not ready": (Cause.REBOOTED, Victim.boot_too_early),
    "monkey missing": (NOTHING, Victim.break_monkey),
}
"""Every fault: what it should be taken for, and how it is made."""


class TimedCalls:
    """A device that notes how long its longest call has taken."""

    def __init__(self, device: AndroidDevice) -> None:
        """Time a device's calls."""
        self._device = device
        self.kinds = device.kinds
        self.longest = 0.0

    @property
    def id(self) -> str:
        """The device's name."""
        return self._device.id

    def reset(self, seed: int) -> None:
        """Pass on, timed."""
        with self._timed():
            self._device.reset(seed)

    def observe(self) -> Observation:
        """Pass on, timed."""
        with self._timed():
            return self._device.observe()

    def perform(self, action: Action) -> None:
        """Pass on, timed."""
        with self._timed():
            self._device.perform(action)

    def prepare(self) -> None:
        """Pass on, timed."""
        with self._timed():
            self._device.prepare()

    def ask_served(self, arguments: Sequence[str]) -> str:
        """Pass on, timed."""
        with self._timed():
            return self._device.ask_served(arguments)

    def close(self) -> None:
        """Close the device."""
        self._device.close()

    @contextmanager
    def _timed(self) -> Iterator[None]:
        began = time.monotonic()
        try:
            yield
        finally:
            self.longest = max(self.longest, time.monotonic() - began)


class Wanderer:
    """Opens the drawer and goes home in turn, so that every step shows another screen."""

    def __init__(self, strike: Callable[[], None] | None = None) -> None:
        """Strike after the second step, if there is something to strike with."""
        self._strike = strike

    def begin(self, seed: int) -> None:
        """Nothing is random here."""

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        """The next move of each."""
        return [_choice(self._move(len(s.history))) for s in situations]

    def _move(self, step: int) -> Action:
        if step == _STRIKES_AT and self._strike is not None:
            self._strike()
        if step >= _STEPS:
            return actions.complete()
        if step % 2:
            return actions.press("home")
        return actions.swipe_towards(actions.Direction.UP)


def _choice(action: Action) -> Choice:
    """A choice that a learner can use, as the choices of a policy that is trained are."""
    return Choice(action=action, decision=(0,), log_prob=0.0, inputs=b"1")


class Neighbour:
    """Plays without end at a constant pace, and counts its steps."""

    def __init__(self, device: Device, referee: ServedReferee) -> None:
        """Start playing."""
        self._env = DeviceEnv(device, referee)
        self._stopping = threading.Event()
        self.steps = 0
        self.lost = 0
        self._thread = threading.Thread(target=self._play, name="neighbour", daemon=True)
        self._thread.start()

    def _play(self) -> None:
        clock, task = RealClock(), load_suite("general").tasks("train")[0]
        while not self._stopping.is_set():
            episode = run_episode(self._env, Counting(self), task, clock=clock, episode_id="n")
            self.lost += episode.outcome is Outcome.DEVICE_LOST

    def close(self) -> None:
        """Stop after the episode that is being played."""
        self._stopping.set()
        self._thread.join(60.0)


class Counting(Wanderer):
    """A wanderer whose steps are counted."""

    def __init__(self, neighbour: Neighbour) -> None:
        """Count for a neighbour."""
        super().__init__()
        self._neighbour = neighbour

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        """The next move of each, counted."""
        self._neighbour.steps += len(situations)
        return super().act(situations)


class Pace:
    """Steps of the neighbours, by what the victim was doing meanwhile."""

    def __init__(self, neighbours: Sequence[Neighbour]) -> None:
        """Nothing was counted yet."""
        self._neighbours = neighbours
        self._steps = {True: 0, False: 0}
        self._seconds = {True: 0.0, False: 0.0}

    @contextmanager
    def during(self, *, fault: bool) -> Iterator[None]:
        """Count while something goes on."""
        began, before = time.monotonic(), sum(n.steps for n in self._neighbours)
        try:
            yield
        finally:
            self._seconds[fault] += time.monotonic() - began
            self._steps[fault] += sum(n.steps for n in self._neighbours) - before

    def loss(self) -> float:
        """Share of the quiet rate that is missing during faults; 0 when nothing is."""
        rates = {f: self._steps[f] / max(1e-9, self._seconds[f]) for f in (True, False)}
        return max(0.0, 1.0 - rates[True] / max(1e-9, rates[False]))


def measure_faults(repeats: int = 20, *, faults: Sequence[str] = tuple(FAULTS)) -> FaultFigures:
    """Inject every fault so many times."""
    threads, children = set(threading.enumerate()), child_processes()
    with ExitStack() as opened:
        folder = Path(opened.enter_context(TemporaryDirectory(prefix="distrl-bench-")))
        servers = [_open_server(opened, folder / name) for name in ("own", "neighbours")]
        victim = Victim(servers[0], _serve(opened, "victim"))
        opened.callback(victim.env.close)
        opened.callback(victim.repair)
        neighbours = [_neighbour(opened, servers[1], n) for n in range(_NEIGHBOURS)]
        trial = Trial(victim, Pace(neighbours))
        for _ in range(_BASELINE_EPISODES):
            trial.quiet()
        rows = tuple(trial.repeat(name, repeats) for name in faults)
    # Threads that were told to end have a moment to do so.
    RealClock().wait_until(lambda: not set(threading.enumerate()) - threads, timeout=5.0)
    left = len(set(threading.enumerate()) - threads) + len(child_processes() - children)
    return FaultFigures(
        tried=sum(row.tried for row in rows),
        misclassified=sum(row.misclassified for row in rows),
        void_trained=trial.void_trained,
        late=sum(row.late for row in rows),
        leaked=left,
        neighbour_loss=trial.pace.loss(),
        unrecovered=trial.unrecovered,
        rows=rows,
    )


class Trial:
    """The episodes of the victim."""

    def __init__(self, victim: Victim, pace: Pace) -> None:
        """Nothing was tried yet."""
        self.victim, self.pace = victim, pace
        self._task = load_suite("general").tasks("train")[0]
        self._store = MemoryStore()
        self.void_trained = self.unrecovered = 0

    def quiet(self) -> None:
        """An episode without a fault."""
        with self.pace.during(fault=False):
            episode = self._play(Wanderer())
        self.unrecovered += not self._would_be_learned_from(episode)

    def repeat(self, name: str, repeats: int) -> FaultRow:
        """One fault, so many times."""
        cause, strike = FAULTS[name]
        longest: list[float] = []
        wrong: list[str] = []
        for _ in range(repeats):
            self.quiet()
            self.victim.timed.longest = 0.0
            with self.pace.during(fault=True):
                episode = self._play(Wanderer(lambda: strike(self.victim)))
                self.victim.repair()
            longest.append(self.victim.timed.longest)
            found = self._taken_for(episode)
            if found != cause:
                wrong.append(found)
            costs_it = cause not in (Cause.SLOW, NOTHING)
            self.void_trained += costs_it and self._would_be_learned_from(episode)
        return FaultRow(
            fault=name,
            cause=cause,
            tried=repeats,
            misclassified=len(wrong),
            late=sum(seconds > DEADLINE + GRACE for seconds in longest),
            seconds=round(statistics.median(longest), 3),
            taken_for=", ".join(sorted(set(wrong))),
        )

    def _play(self, policy: Wanderer) -> Episode:
        number = len(self._store.ids())
        clock = RealClock()
        episode = run_episode(
            self.victim.env, policy, self._task, clock=clock, episode_id=f"e{number}"
        )
        self._store.add(episode)
        return episode

    def _taken_for(self, episode: Episode) -> str:
        if episode.outcome is Outcome.DEVICE_LOST:
            return str(cause_of(episode.fault))
        if episode.outcome is Outcome.TASK_ERROR:
            return f"a task's error: {episode.fault}"
        return str(Cause.SLOW) if self.victim.device.slow else NOTHING

    def _would_be_learned_from(self, episode: Episode) -> bool:
        """Whether what the store gives a learner of it becomes a record to train on."""
        number = self._store.ids().index(episode.id)
        ((_, stored),) = self._store.read_after(number, 1)
        return trajectory_of(stored, lambda _: ()) is not None


def child_processes() -> frozenset[int]:
    """Processes that were started here and have not been waited for."""
    found: set[int] = set()
    for task in Path("/proc/self/task").glob("*/children"):
        try:
            found.update(int(number) for number in task.read_text().split())
        except OSError:
            continue  # a thread that has just ended
    return frozenset(found)


def _open_server(opened: ExitStack, home: Path) -> AdbServer:
    home.mkdir()
    server = AdbServer(free_port(), environment={"HOME": str(home)})
    opened.callback(server.close)
    opened.callback(AdbServerWatchdog(server).close)
    return server


def _serve(opened: ExitStack, name: str) -> AdbDaemon:
    device = PhoneDevice(name, PhoneConfig(nuisance_rate=0.0))
    system = AndroidSystem(device, serial=name, scale=1, console=TaskConsole(device))
    daemon = AdbDaemon(system)
    opened.callback(daemon.close)
    return daemon


def _neighbour(opened: ExitStack, server: AdbServer, number: int) -> Neighbour:
    daemon = _serve(opened, f"neighbour-{number}")
    device = AndroidDevice(server.adb.phone(daemon.address), AndroidConfig(screen_width=None))
    opened.callback(device.close)
    slow = SlowDevice(device, RealClock(), observe=_PACE)
    neighbour = Neighbour(slow, ServedReferee(device.ask_served, device.prepare))
    opened.callback(neighbour.close)
    return neighbour
