"""`distrl bench dashboard`: how fast it opens and filters, and what watching costs a run.

A run full of made-up episodes is opened and filtered over HTTP, as a browser would, and hundreds of
runs are listed: once when nothing of them was read, and again when nothing has changed. Then a real
run trains in a process of its own and is watched every other while: all devices' screens, the
overview and the news, from this process on the same machine. What watching costs is the share of
steps that the watched whiles have less than their neighbours.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

from distrl.bench.dashboard.synthetic_run import make_synthetic_run
from distrl.clock import RealClock
from distrl.errors import PipelineError
from distrl.monitor.jsonl import METRICS, read_records
from distrl.monitor.live_screens import FRESH_SECONDS
from distrl.run.processes.child import OwnProcess
from distrl.web.serve import Served, serving

FILTERS: tuple[dict[str, str | float], ...] = (
    {"text": "alarm"},
    {"outcome": "succeeded", "order": "longest"},
    {"device": "phone-3", "outcome": "false_complete"},
    {"version_low": 1000, "version_high": 4000, "order": "lag"},
    {"reward_low": 1, "text": "note", "offset": 500},
)
_RUNS = 200
_EPISODES_OF_MANY = 1000
_START_SECONDS = 300.0
_ANSWER_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DashboardFigures:
    """What was measured."""

    open_s: float
    """Until the overview and the first page of episodes of a large run were there."""
    filter_s: float
    """The slowest of the filters."""
    list_first_s: float
    """The list of many runs, none of which was read before."""
    list_s: float
    """The same list again."""
    runs: int
    """How many they were."""
    cost: float
    """Share of the steps per second that a run loses while it is watched; noise may be below 0."""
    episodes: int
    """Of the large run."""
    steps_per_second: float
    """Of the real run, while nobody watched."""
    pairs: int
    rows: Sequence[dict[str, float]]
    """Each watched while beside the unwatched one before it."""


def measure_dashboard(
    *, episodes: int = 50_000, pairs: int = 6, seconds: float = 10.0
) -> DashboardFigures:
    """Measure all of it; `seconds` is how long each while lasts."""
    with TemporaryDirectory(prefix="distrl-bench-") as folder:
        make_synthetic_run(Path(folder) / "large", episodes)
        open_s, filter_s = _measure_reading(Path(folder) / "large")
        list_first_s, list_s = measure_listing(Path(folder) / "many")
        rows = _measure_cost(Path(folder) / "watched", pairs, seconds)
    return DashboardFigures(
        open_s=open_s,
        filter_s=filter_s,
        list_first_s=list_first_s,
        list_s=list_s,
        runs=_RUNS,
        cost=1.0 - median(row["watched"] / row["alone"] for row in rows),
        episodes=episodes,
        steps_per_second=median(row["alone"] for row in rows),
        pairs=pairs,
        rows=rows,
    )


def _measure_reading(root: Path) -> tuple[float, float]:
    began = time.perf_counter()
    with serving([root]) as served:
        for path in ("/", "/api/runs", "/api/runs/large/overview", "/api/runs/large/episodes"):
            fetch(served, path)
        opened = time.perf_counter() - began
        slowest = max(
            _timed(lambda: fetch(served, "/api/runs/large/episodes", **wanted))  # noqa: B023 - called at once
            for wanted in FILTERS
        )
    return opened, slowest


def measure_listing(parent: Path, count: int = _RUNS) -> tuple[float, float]:
    """Seconds of the first and of the second list of so many runs below a new folder."""
    first = make_synthetic_run(parent / "run-0", _EPISODES_OF_MANY, reaches=0.8).root
    for number in range(1, count):
        # Nobody writes to them, so that they can share their files.
        shutil.copytree(first, parent / f"run-{number}", copy_function=os.link)
    with serving([parent]) as served:
        before, after = (_timed(lambda: fetch(served, "/api/runs")) for _ in range(2))
    return before, after


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def fetch(served: Served, path: str, **query: str | float) -> bytes:
    """Ask a dashboard as somebody with its token."""
    address = f"{served.origin}{path}{'?' if query else ''}{urlencode(query)}"
    headers = {"Authorization": f"Bearer {served.access.token}"}
    with urlopen(Request(address, headers=headers), timeout=_ANSWER_SECONDS) as answer:  # noqa: S310 - our own server
        data: bytes = answer.read()
        return data


def _measure_cost(root: Path, pairs: int, seconds: float) -> list[dict[str, float]]:
    settings = [
        "init=scratch",
        "learner.min_episodes=16",
        "evaluate.before=false",
        "evaluate.tasks=1",
        "monitor.every_seconds=0.25",
        "monitor.tensorboard=false",
        "minutes=600",
    ]
    root.parent.mkdir(parents=True, exist_ok=True)
    arguments = ["-m", "distrl", "train", "--recipe", "quickstart", *settings]
    run = OwnProcess(
        [*arguments, "--run-dir", str(root), "--json"], log=root.parent / "watched.log"
    )
    try:
        _wait_until_it_trains(run, root)
        with serving([root]) as served:
            rows = []
            for _ in range(pairs):
                alone = _rate(root, seconds)
                with _watching(served, root.name):
                    watched = _rate(root, seconds)
                rows.append({"alone": alone, "watched": watched})
                # The run goes on showing itself for a moment.
                RealClock().sleep(FRESH_SECONDS)
            return rows
    finally:
        run.terminate()
        run.wait(_ANSWER_SECONDS)
        run.kill()


def _wait_until_it_trains(run: OwnProcess, root: Path) -> None:
    def trains() -> bool:
        if not run.running:
            raise PipelineError(f"the run that was to be watched {run.exit_report()}")
        return bool(read_records(root / METRICS / "learn.jsonl"))

    if not RealClock().wait_until(trains, timeout=_START_SECONDS, poll=0.5):
        raise PipelineError(f"the run did not train within {_START_SECONDS:g} s")


def _rate(root: Path, seconds: float) -> float:
    """Steps per second of the run's own clock in the next while."""
    path = root / METRICS / "collect.jsonl"
    first = len(read_records(path))
    RealClock().sleep(seconds)
    records = read_records(path)[max(0, first - 1) :]
    start, end = records[0].numbers, records[-1].numbers
    passed = end["collect/clock"] - start["collect/clock"]
    if passed <= 0:
        raise PipelineError(f"the run recorded nothing within {seconds:g} s; measure longer")
    return (end["collect/steps"] - start["collect/steps"]) / passed


@contextmanager
def _watching(served: Served, run: str) -> Iterator[None]:
    """Do what a page with the fleet wall and the overview does, for the time of a `with`."""
    stopping = threading.Event()
    threads = [
        threading.Thread(target=loop, args=(served, f"/api/runs/{quote(run)}", stopping))
        for loop in (_look_at_fleet, _look_at_overview)
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stopping.set()
        for thread in threads:
            thread.join(_ANSWER_SECONDS)


def _look_at_fleet(served: Served, path: str, stopping: threading.Event) -> None:
    shown: dict[str, Any] = {}
    while not stopping.wait(1.0):
        for device in json.loads(fetch(served, f"{path}/fleet"))["devices"]:
            name, version = device["device"], device.get("screen")
            if version and shown.get(name) != version:
                fetch(served, f"{path}/fleet/{quote(name)}/screen")
                shown[name] = version


def _look_at_overview(served: Served, path: str, stopping: threading.Event) -> None:
    while not stopping.wait(4.0):
        fetch(served, f"{path}/overview")
