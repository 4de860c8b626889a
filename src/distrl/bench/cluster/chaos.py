"""A cluster that loses what it can lose: what becomes of a run on it.

    kills     SIGKILL of the driver, the learner, a host's raylet, the head's raylet and its GCS in
              turn; the command is run again at once if it ended, until the cluster takes it, and
              training has to go on with nothing lost and nobody left behind
    cut off   three hosts with addresses of their own; a random collector is killed every ten
              seconds, and one host is cut off for twenty and brought back

Hosts are network namespaces where this process may make them, else nodes on the loopback; those
cannot be cut off from one another, so their processes are stopped and continued instead.
"""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Literal

from distrl.bench.chaos import acknowledged_ids
from distrl.bench.cluster.speed import lost_and_doubled
from distrl.config.inventory import NodeConfig
from distrl.errors import PipelineError
from distrl.monitor.jsonl import Follower, read_records
from distrl.replay.store.sqlite import StoreReader
from distrl.run.builders.adb_servers import free_port
from distrl.run.processes.child import OwnProcess
from distrl.run.ray_cluster.access import Access, make_token
from distrl.run.ray_cluster.inventory import birth_of, watchdog_arguments
from distrl.run.ray_cluster.network_namespaces import Network, can_make_namespaces, network
from distrl.run.ray_cluster.watchdog import UP, descendants
from distrl.run.state.checkpoint import Checkpoints
from distrl.run.state.folder import RunFolder

Kind = Literal["namespaces", "loopback"]
VICTIMS = ("driver", "learner", "raylet", "head's raylet", "gcs")
_NODE_OF = {"raylet": 1, "head's raylet": 0, "gcs": 0}
"""The host whose node ends with the victim."""

_PROGRESS_SECONDS = 240.0
_END_SECONDS = 120.0
_POLL = 0.1
_BASELINE_SECONDS = 20.0
"""How long three undisturbed hosts are measured first."""
_CUT, _CUT_SECONDS = 2, 20.0
"""The host that is cut off, and for how long."""
_KILL_SECONDS = 10.0
_HOSTS = 2
"""The head and one more, where all kinds of processes are killed."""
_COLLECTOR = b"ray::HostActor"
_LEAVE_SECONDS = 20.0
"""After so long of training again, who is still there is left behind."""
_NOT_YET = 2
"""The exit code of a command that finds no cluster to train on."""
# What is promised: training again within a minute of a kill, a host back within ten seconds of an
# outage, and nine tenths of the throughput while one is gone.
_SLOWEST_AGAIN, _SLOWEST_BACK, _LEAST_THROUGHPUT = 60.0, 10.0, 0.9

SETTINGS = (
    "max_episodes=null",
    "minutes=600",
    "init=pretrained:quickstart",
    "collect.latency=0.25",
    "learner.min_episodes=8",
    "learner.checkpoint_every=10",
    "evaluate.before=false",
    "evaluate.tasks=1",
    "monitor.every_seconds=0.5",
    "monitor.tensorboard=false",
)
"""The default recipe on slow phones: how much is collected is then up to them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KillFigures:
    """What became of a run whose processes were killed one after the other."""

    kills: int
    lost: int
    """Acknowledged episodes that are not in the store."""
    doubled: int
    """Episodes that are there more than once."""
    orphans: int
    """Processes of any kind that outlived the run or the node that they belonged to."""
    went_back: int
    """Times that the learner began at an earlier update than its newest checkpoint."""
    slowest_s: float
    """The longest of `training_after_s`."""
    rows: tuple[KillRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KillRow:
    """One kill."""

    victim: str
    again: bool
    """Whether the command had to be run again."""
    training_after_s: float
    """From running the command again, for the first time, to the next acknowledged episode. Where
    the run goes on by itself, from the kill to the first episode of a host that is there instead of
    the one that was lost."""
    after_kill_s: float
    """From the kill to the same moment."""
    orphans: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CutOffFigures:
    """What became of a run whose hosts were killed and cut off."""

    network: str
    """What the hosts were."""
    hosts: int
    kills: int
    lost: int
    doubled: int
    went_back: int
    """Times that the number of updates fell."""
    throughput: float
    """Steps over what the living hosts could have made, by what they made before."""
    recovered_s: float
    """From the host's return to its next answer."""
    baseline_steps_per_second: float
    steps_per_second: float


class Machines:
    """A head and some device hosts, each kept going by a process of ours."""

    def __init__(self, root: Path, hosts: int, net: Network | None) -> None:
        """Nothing runs yet; with a network every host is in a namespace of its own."""
        self._root, self._hosts, self._net = root, hosts, net
        self.kind: Kind = "loopback" if net is None else "namespaces"
        token = root / "token"
        make_token(token)
        port = free_port()
        self.access = Access(f"{self._address(0)}:{port}", token)
        self.watchdogs: list[OwnProcess] = []

    def _address(self, host: int) -> str:
        return "127.0.0.1" if self._net is None else self._net.address(host)

    def _inside(self, host: int) -> tuple[str, ...]:
        return () if self._net is None else self._net.inside(host)

    def start(self) -> None:
        """Start all nodes."""
        for host in range(self._hosts):
            node = NodeConfig(address=self._address(host), cpus=1, object_store_mb=200)
            line = watchdog_arguments(
                self.access.address, node, head=host == 0, folder=self._root / f"n{host}"
            )
            self.watchdogs.append(
                OwnProcess(
                    line,
                    log=self._root / f"node-{host}.log",
                    environment=self.access.environment(),
                    before=self._inside(host),
                )
            )

    def wait_until_up(self) -> None:
        """Wait until the head has come up; PipelineError when it does not."""
        log, deadline = self._root / "node-0.log", time.monotonic() + _END_SECONDS
        while not (log.exists() and UP in log.read_text("utf-8", errors="replace")):
            if time.monotonic() > deadline:
                raise PipelineError(f"the head was not up within {_END_SECONDS:g} s")
            time.sleep(_POLL)

    def run(self, arguments: Sequence[str], log: Path) -> OwnProcess:
        """Start the command on the head."""
        return OwnProcess(arguments, log=log, before=self._inside(0))

    def find(self, word: bytes, host: int | None = None) -> list[int]:
        """Process ids under the watchdogs, of all hosts or one, whose command line has a word."""
        watchdogs = self.watchdogs if host is None else [self.watchdogs[host]]
        below = [pid for watchdog in watchdogs for pid in descendants(watchdog.pid)]
        return [pid for pid in below if word in command_line(pid)]

    def cut_off(self, host: int) -> None:
        """Let a host hear nothing and say nothing."""
        if self._net is not None:
            self._net.cut_off(host)
        else:
            self._signal(host, signal.SIGSTOP)

    def bring_back(self, host: int) -> None:
        """Let it speak again."""
        if self._net is not None:
            self._net.bring_back(host)
        else:
            self._signal(host, signal.SIGCONT)

    def _signal(self, host: int, number: int) -> None:
        for pid in descendants(self.watchdogs[host].pid):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def stop(self) -> None:
        """End all nodes."""
        for watchdog in reversed(self.watchdogs):
            watchdog.terminate()
        for watchdog in self.watchdogs:
            if watchdog.wait(_END_SECONDS) is None:
                watchdog.kill()


@contextmanager
def machines(hosts: int, *, kind: Kind | None = None) -> Iterator[tuple[Machines, Path]]:
    """So many hosts for the time of a block, and a folder to work in."""
    with ExitStack() as stack:
        # Short, for the paths of sockets are.
        root = Path(
            stack.enter_context(TemporaryDirectory(prefix="dc", ignore_cleanup_errors=True))
        )
        chosen = kind or ("namespaces" if can_make_namespaces() else "loopback")
        net = stack.enter_context(network(hosts)) if chosen == "namespaces" else None
        made = Machines(root, hosts, net)
        stack.callback(made.stop)
        made.start()
        made.wait_until_up()
        yield made, root


class Training:
    """A run on some machines, started again and again on the same folder."""

    def __init__(
        self, made: Machines, root: Path, devices: int, settings: Sequence[str] = ()
    ) -> None:
        """Nothing runs yet."""
        self._machines, self._root, self._devices = made, root, devices
        self._settings = settings
        self.folder = RunFolder(root / "run")
        self.process: OwnProcess | None = None
        self._collect = Follower(self.folder.root / "metrics" / "collect.jsonl")
        self._numbers: dict[str, float] = {}

    def start(self) -> None:
        """Run the command: a new run, or on with the one that is there."""
        self._collect.read()
        self._numbers = {}
        access = self._machines.access
        line = ["-m", "distrl", "train", "--run-dir", str(self.folder.root)]
        if self.folder.config.exists():
            line += ["--resume"]
        else:
            line += ["--recipe", "quickstart", "engine=ray", f"address={access.address}"]
            line += [f"cluster.token_file={access.token_file}", *SETTINGS]
            line += [f"collect.devices={self._devices}", *self._settings]
        self.process = self._machines.run(line, self._root / "run.log")

    def numbers(self) -> dict[str, float]:
        """The newest of what the run records."""
        for record in self._collect.read():
            self._numbers = dict(record.numbers)
        return self._numbers

    def acknowledged(self) -> int:
        """How many episodes the run has said are safe."""
        return len(acknowledged_ids(self.folder))

    def wait(
        self, done: Callable[[], bool], what: str, seconds: float = _PROGRESS_SECONDS
    ) -> float:
        """Wait for something, and say how long it took; PipelineError when the run ends before."""
        began = time.monotonic()
        while not done():
            self.check()
            if time.monotonic() - began > seconds:
                raise PipelineError(f"no {what} within {seconds:g} s")
            time.sleep(_POLL)
        return time.monotonic() - began

    def check(self) -> None:
        """PipelineError when the run has ended."""
        assert self.process is not None
        if not self.process.running:
            raise PipelineError(f"the run {self.process.exit_report()}")

    def wait_for_more(self, episodes: int) -> float:
        """Wait for so many more acknowledged episodes."""
        wanted = self.acknowledged() + episodes
        return self.wait(lambda: self.acknowledged() >= wanted, f"{episodes} episodes")

    def wait_for_hosts(self, hosts: int) -> float:
        """Wait until so many hosts are there: all have joined, and who is gone was given up."""
        return self.wait(lambda: self.numbers().get("cluster/hosts") == hosts, f"{hosts} hosts")

    def hosts(self) -> set[str]:
        """Names of all hosts that have ever played an episode."""
        with StoreReader(self.folder.episodes) as store:
            return {device.partition("/")[0] for device in store.columns().get("device", ())}

    def wait_for_newcomer(self, known: set[str]) -> float:
        """Wait for an episode of a host that is none of these."""
        return self.wait(lambda: not self.hosts() <= known, "episode of another host")

    def run_again(self) -> float:
        """Run the command until the cluster takes it, and wait for one more episode."""
        wanted, began = self.acknowledged() + 1, time.monotonic()
        self.start()
        while self.acknowledged() < wanted:
            if self.process is not None and self.process.wait(_POLL) is not None:
                if self.process.wait(_POLL) != _NOT_YET:
                    self.check()
                self.start()
            if time.monotonic() - began > _PROGRESS_SECONDS:
                raise PipelineError(f"no training within {_PROGRESS_SECONDS:g} s of running again")
        return time.monotonic() - began

    def learner(self) -> int | None:
        """The learner's process id, if it is there."""
        pid = self.folder.holder("learner")
        if pid is None or str(self.folder.root).encode() not in command_line(pid):
            return None
        return pid

    def driver(self) -> int | None:
        """The process that holds the run."""
        return self.folder.holder("run")

    def newest_checkpoint(self) -> int | None:
        """Updates in the newest whole checkpoint."""
        snapshot = Checkpoints(self.folder.checkpoints).load_newest().snapshot
        return None if snapshot is None else snapshot.step

    def went_on_from(self, checkpoint: int | None) -> bool:
        """Whether the learner that runs now began at this checkpoint, or a later one."""
        said = self.folder.learner_log.read_text("utf-8", errors="replace")
        begun = re.findall(r"going on after update (\d+) ", said)
        return checkpoint is None or (bool(begun) and int(begun[-1]) >= checkpoint)

    def updates_fell(self) -> int:
        """How often the number of updates fell, by what the learner recorded."""
        records = read_records(self.folder.root / "metrics" / "learn.jsonl")
        updates = [record.numbers["learn/updates"] for record in records]
        return sum(later < earlier for earlier, later in pairwise(updates))

    def stop(self) -> None:
        """End it in order, or at once."""
        if self.process is not None and self.process.running:
            self.process.terminate()
            if self.process.wait(_END_SECONDS) is None:
                self.process.kill()

    def count(self) -> tuple[int, int]:
        """Acknowledged episodes that are not stored, and those that are stored more than once."""
        return lost_and_doubled(self.folder)


def command_line(pid: int) -> bytes:
    """How a process was started; empty when it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def measure_kills(each: int = 5, *, devices: int = 4) -> KillFigures:
    """Kill everything in turn, `each` times, on a head and one more host."""
    with machines(_HOSTS, kind="loopback") as (made, root):
        # A host that outlives the GCS and the driver gives itself up after this: well before it
        # counts as left behind.
        training = Training(made, root, devices, ("cluster.host_timeout_seconds=20",))
        try:
            training.start()
            training.wait_for_more(3)
            rows, back = [], 0
            for number in range(each * len(VICTIMS)):
                row, fell = _kill(made, training, VICTIMS[number % len(VICTIMS)])
                rows.append(row)
                back += fell
        finally:
            training.stop()
        lost, doubled = training.count()
    return KillFigures(
        kills=len(rows),
        lost=lost,
        doubled=doubled,
        orphans=sum(row.orphans for row in rows),
        went_back=back,
        slowest_s=max(row.training_after_s for row in rows),
        rows=tuple(rows),
    )


def _find(made: Machines, training: Training, victim: str) -> int:
    """The process id of whoever is to be killed."""
    match victim:
        case "driver":
            found = training.driver()
        case "learner":
            found = training.learner()
        case "gcs":
            found = next(iter(made.find(b"gcs_server", host=_NODE_OF[victim])), None)
        case _:
            found = next(iter(made.find(b"raylet/raylet", host=_NODE_OF[victim])), None)
    if found is None:
        raise PipelineError(f"there is no {victim} to kill")
    return found


def _doomed(made: Machines, training: Training, victim: str) -> dict[int, str]:
    """Who has to be gone when training goes on, and when each began.

    The run and its collectors when the run ends, and all of a node that ends; with whatever any of
    them started.
    """
    heads = set[int]()
    if victim != "raylet":
        assert training.process is not None
        heads = {training.process.pid, *made.find(_COLLECTOR)}
    pids = {*heads, *(pid for head in heads for pid in descendants(head))}
    if victim in _NODE_OF:
        pids.update(descendants(made.watchdogs[_NODE_OF[victim]].pid))
    return {pid: born for pid in pids if (born := birth_of(pid))}


def _left_behind(doomed: Mapping[int, str]) -> int:
    """How many are still there after a while."""
    deadline = time.monotonic() + _LEAVE_SECONDS
    while left := sum(birth_of(pid) == born for pid, born in doomed.items()):
        if time.monotonic() > deadline:
            return left
        time.sleep(_POLL)
    return 0


def _kill(made: Machines, training: Training, victim: str) -> tuple[KillRow, int]:
    """Kill one, go on, and say what was left of it and whether the learner went back."""
    training.wait_for_hosts(_HOSTS)
    target, doomed = _find(made, training, victim), _doomed(made, training, victim)
    newest, known = training.newest_checkpoint(), training.hosts()
    began = time.monotonic()
    os.kill(target, signal.SIGKILL)
    ends = victim != "raylet"
    assert training.process is not None
    if ends and training.process.wait(_END_SECONDS) is None:
        raise PipelineError(f"the run did not notice within {_END_SECONDS:g} s that {victim} died")
    took = training.run_again() if ends else training.wait_for_newcomer(known)
    row = KillRow(
        victim=victim,
        again=ends,
        training_after_s=took,
        after_kill_s=time.monotonic() - began,
        orphans=_left_behind(doomed),
    )
    return row, int(ends and not training.went_on_from(newest))


def shortfalls(killed: KillFigures, cut_off: CutOffFigures) -> tuple[str, ...]:
    """What a cluster has to survive and did not, for people; empty when all is well."""
    lost, doubled = killed.lost + cut_off.lost, killed.doubled + cut_off.doubled
    back = killed.went_back + cut_off.went_back
    checks = (
        (lost == 0, f"{lost} acknowledged episodes were lost"),
        (doubled == 0, f"{doubled} episodes are there more than once"),
        (back == 0, f"the learner went back {back} times"),
        (killed.orphans == 0, f"{killed.orphans} processes were left behind"),
        (
            killed.slowest_s <= _SLOWEST_AGAIN,
            f"training went on after {killed.slowest_s:.1f} s, not within {_SLOWEST_AGAIN:g}",
        ),
        (
            cut_off.throughput >= _LEAST_THROUGHPUT,
            f"hosts made {cut_off.throughput:.2f} of what they could, not {_LEAST_THROUGHPUT}",
        ),
        (
            cut_off.recovered_s <= _SLOWEST_BACK,
            f"a host was back after {cut_off.recovered_s:.1f} s, not within {_SLOWEST_BACK:g}",
        ),
    )
    return tuple(told for fine, told in checks if not fine)


def measure_cut_off(
    *, seconds: float = 60.0, devices: int = 8, seed: int = 0, kind: Kind | None = None
) -> CutOffFigures:
    """Train on three hosts; kill collectors, cut a host off and bring it back."""
    with machines(3, kind=kind) as (made, root):
        training = Training(made, root, devices)
        try:
            training.start()
            everybody = lambda: training.numbers().get("cluster/hosts") == 3  # noqa: E731
            training.wait(everybody, "three hosts")
            training.wait_for_more(3 * devices)
            baseline = _rate(training, _BASELINE_SECONDS)
            figures = _Disturbed(made, training, Random(seed)).play(seconds)
        finally:
            training.stop()
        lost, doubled = training.count()
        per_host = baseline / 3
        return CutOffFigures(
            network=made.kind,
            hosts=3,
            kills=figures.kills,
            lost=lost,
            doubled=doubled,
            went_back=training.updates_fell(),
            throughput=figures.steps / max(1e-9, per_host * figures.host_seconds),
            recovered_s=figures.recovered,
            baseline_steps_per_second=baseline,
            steps_per_second=figures.steps / figures.seconds,
        )


def _rate(training: Training, seconds: float) -> float:
    """Steps per second, by the run's own clock."""
    first = training.numbers()
    training.wait(
        lambda: training.numbers()["collect/clock"] >= first["collect/clock"] + seconds, "numbers"
    )
    last = training.numbers()
    passed = last["collect/clock"] - first["collect/clock"]
    return (last["collect/steps"] - first["collect/steps"]) / passed


class _Disturbed:
    """A while in which a collector is killed every ten seconds, and one host is cut off."""

    def __init__(self, made: Machines, training: Training, rng: Random) -> None:
        self._machines, self._training, self._rng = made, training, rng
        self._next_kill = time.monotonic() + _KILL_SECONDS / 2
        self._last = training.numbers()
        self.kills = 0
        self.host_seconds = 0.0
        """Hosts that were there and connected, over time."""
        self.recovered = self.steps = self.seconds = 0.0

    def play(self, seconds: float) -> _Disturbed:
        """Disturb the run for a while, of which the host is away for twenty seconds."""
        first = self._last
        self._go_on(seconds / 3, victims=(0, 1))
        self._machines.cut_off(_CUT)
        if not self._go_on(_CUT_SECONDS, victims=(0, 1), away=1):
            raise PipelineError("nobody noticed that a host was cut off")
        self._machines.bring_back(_CUT)
        back = time.monotonic()
        while self._go_on(0.5, victims=(0, 1), away=1):
            if time.monotonic() - back > _END_SECONDS:
                raise PipelineError("the host that was cut off did not come back")
        self.recovered = time.monotonic() - back
        self._go_on(seconds / 3, victims=(0, 1, 2))
        self.steps = self._last["collect/steps"] - first["collect/steps"]
        self.seconds = self._last["collect/clock"] - first["collect/clock"]
        return self

    def _go_on(self, seconds: float, *, victims: Sequence[int], away: int = 0) -> bool:
        """Let time pass, killing somebody now and then; whether a host is silent at the end."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self._training.check()
            if time.monotonic() >= self._next_kill:
                self._next_kill += _KILL_SECONDS
                self._kill_one_of(victims)
            numbers = self._training.numbers()
            passed = numbers["collect/clock"] - self._last["collect/clock"]
            self.host_seconds += passed * max(0.0, numbers["cluster/hosts"] - away)
            self._last = numbers
            time.sleep(_POLL)
        return self._last["cluster/hosts_silent"] > 0

    def _kill_one_of(self, hosts: Sequence[int]) -> None:
        found = [pid for host in hosts for pid in self._machines.find(_COLLECTOR, host)]
        if found:
            os.kill(self._rng.choice(found), signal.SIGKILL)
            self.kills += 1
