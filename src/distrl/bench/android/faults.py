"""What becomes of a phone's faults: each is injected many times while others go on working.

    a victim        a served phone over the real adb, on the first server
    two neighbours  on the second server, at a constant pace, playing without end

    for each fault, so many times
        a quiet episode      the victim must have recovered from the fault before
        an episode in which the fault strikes after the second step, or before its start

These are the phones of a run with `collect.android.servers: 2`: each server is watched as there,
and nothing but that watch heals one that stands still. Phones on the same server as the victim
would stand still with it until then; the neighbours are those on another.

An episode that a fault strikes must end as device_lost with the right cause, within the deadline
and 5 s, and must not be learned from. A phone that is merely slow is told so and loses nothing. So
with what real phones do every day: a screen that never comes to rest, one without windows, and what
is kept of an old ANR cost no episode.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from distrl import actions
from distrl.bench.android.fault_victim import AT_START, DEADLINE, FAULTS, NOTHING, Victim
from distrl.clock import RealClock
from distrl.collect.episode import run_episode
from distrl.config.devices import AndroidConfig, PhoneConfig
from distrl.devices.android.adb import AdbServer
from distrl.devices.android.adb_server_watchdog import AdbServerWatchdog
from distrl.devices.android.device import AndroidDevice
from distrl.devices.fault_causes import Cause, cause_of
from distrl.devices.fault_injection import SlowDevice
from distrl.devices.phone.adbd.daemon import AdbDaemon
from distrl.devices.phone.adbd.system import AndroidSystem
from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_env import DeviceEnv
from distrl.interfaces import Device
from distrl.learn.ingest import trajectory_of
from distrl.replay.store.memory import MemoryStore
from distrl.run.builders.adb_servers import free_port
from distrl.tasks.served import ServedReferee, TaskConsole
from distrl.tasks.suites import load_suite
from distrl.types import Action, Choice, Episode, Outcome, Situation

GRACE = 5.0
"""What a caller may take beyond the deadline of a call."""
_NEIGHBOURS = 2
# A constant pace of the neighbours: what they lose is then the fault's doing and not the
# processor's.
_PACE = 0.15
_STRIKES_AT = 2
_STEPS = 8
_BASELINE_EPISODES = 2


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
        victim = Victim(servers[0], _serve(opened, "victim"), folder)
        opened.callback(victim.close)
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
                if name in AT_START:
                    strike(self.victim)
                    episode = self._play(Wanderer())
                else:
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
