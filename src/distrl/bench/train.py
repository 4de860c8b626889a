"""What a quickstart does with the processor: steps trained, decisions made, and who had the cores.

The recipe runs as `distrl train` runs it, for a shorter time. Threads and processes are asked for
their processor time when training begins and when it ends:

    this process    batcher     preparing inputs and the forward passes
                    devices     playing and drawing on the phones, one thread a collector
                    store       packing and writing episodes
                    rest        weights, metrics, live screens, the main thread
    its child       learner
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distrl.config.load import load_run_config
from distrl.errors import PipelineError
from distrl.monitor.jsonl import read_records
from distrl.monitor.progress import NO_BUDGET, StageBudget
from distrl.replay.store.reader import StoreReader
from distrl.run.local.pipeline import COLLECTOR
from distrl.run.progress_view import QuietView
from distrl.run.stages import TRAINING
from distrl.run.state.folder import RunFolder
from distrl.run.train import train

RECIPE = "quickstart"
LEARNER, DEVICES, REST = "learner", "devices", "rest"
_PARTS = {"batcher": "batcher", "store": "store", "weights": REST, "numbers": REST}
"""Parts of the processor by the name of a thread; collectors are named after their devices."""
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class ShareRow:
    """Who had the processor while training."""

    part: str
    seconds: float
    share: float
    """Of the processor time of all parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainFigures:
    """What a quickstart did per second of training."""

    trained_steps_per_second: float
    """Steps that updates were made from, the success pool's included."""
    replayed_steps_per_second: float
    """Those of them that were drawn from replay."""
    decisions_per_second: float
    collected_steps_per_second: float
    updates_per_second: float
    replay_ratio: float
    """Replayed steps for each one that was collected."""
    cores_used: float
    """Processor time over time: at most the number of cores."""
    disk_kb_per_episode: float
    """Of the store's file, when the run has ended."""
    seconds: float
    rows: tuple[ShareRow, ...]


def measure_training(*, seconds: float = 90.0, seed: int = 0) -> TrainFigures:
    """Run a quickstart for so long after its warm start, and look at what it did."""
    changes = [f"minutes={seconds / 60}", f"seed={seed}", "evaluate.tasks=1"]
    config = load_run_config(RECIPE, changes)
    with tempfile.TemporaryDirectory(prefix="distrl-bench-") as folder:
        view = _MeteredView()
        train(config, run_dir=Path(folder) / "run", view=view)
        metrics = Path(folder) / "run" / "metrics"
        learned = _newest(metrics / "learn.jsonl")
        collected = _newest(metrics / "collect.jsonl")
        disk = kb_per_episode(RunFolder(Path(folder) / "run").episodes)
    used = view.used()
    return figures_of(learned, collected, used, seconds=view.seconds, disk_kb=disk)


def kb_per_episode(store: Path) -> float:
    """Kilobytes on the disk for each episode of a store that nobody writes to."""
    with StoreReader(store) as reader:
        return store.stat().st_size / 1000 / max(1, reader.count())


def figures_of(
    learned: Mapping[str, float],
    collected: Mapping[str, float],
    used: Mapping[str, float],
    *,
    seconds: float,
    disk_kb: float,
) -> TrainFigures:
    """The figures of the newest metrics of a run, and of its processor time by part."""
    replayed, pooled = learned["learn/trained_steps"], learned["learn/pooled_steps"]
    steps, total = collected["collect/steps"], sum(used.values())
    rows = [
        ShareRow(part, spent, spent / total if total else 0.0)
        for part, spent in sorted(used.items(), key=lambda item: -item[1])
    ]
    return TrainFigures(
        trained_steps_per_second=(replayed + pooled) / seconds,
        replayed_steps_per_second=replayed / seconds,
        decisions_per_second=collected["batcher/decisions"] / seconds,
        collected_steps_per_second=steps / seconds,
        updates_per_second=learned["learn/updates"] / seconds,
        replay_ratio=replayed / max(1.0, steps),
        cores_used=total / seconds,
        disk_kb_per_episode=disk_kb,
        seconds=seconds,
        rows=tuple(rows),
    )


def _newest(path: Path) -> Mapping[str, float]:
    records = read_records(path) if path.exists() else []
    if not records:
        raise PipelineError(f"the run was too short to measure: there is nothing in {path.name}")
    return records[-1].numbers


class _MeteredView(QuietView):
    """Reads processor times when the phase of training begins and when it ends."""

    def __init__(self) -> None:
        self._began = self._ended = 0.0
        self._before: dict[str, float] = {}
        self._after: dict[str, float] = {}
        self._inside = False

    def phase(self, name: str, budget: StageBudget = NO_BUDGET) -> None:
        """Begin or end to count."""
        del budget
        if name == TRAINING:
            self._began, self._before, self._inside = time.monotonic(), processor_by_part(), True
        elif self._inside:
            self._ended, self._inside = time.monotonic(), False

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Read the times again: threads and the learner are gone when the phase has ended."""
        del numbers, step
        if self._inside:
            self._after = latest_of_each_part(self._after, processor_by_part())
            self._ended = time.monotonic()

    @property
    def seconds(self) -> float:
        """How long training took."""
        return self._ended - self._began

    def used(self) -> dict[str, float]:
        """Seconds of the processor by part, while training."""
        return {part: spent - self._before.get(part, 0.0) for part, spent in self._after.items()}


def processor_by_part() -> dict[str, float]:
    """Seconds of the processor that each part of a run has had so far, as this process sees it."""
    names = {thread.native_id: thread.name for thread in threading.enumerate()}
    spent: dict[str, float] = {}
    for task in Path("/proc/self/task").iterdir():
        part = part_of(names.get(int(task.name), ""))
        spent[part] = spent.get(part, 0.0) + _seconds(task / "stat")
    for child in _children():
        spent[LEARNER] = spent.get(LEARNER, 0.0) + _seconds(Path(f"/proc/{child}/stat"))
    return spent


def latest_of_each_part(before: Mapping[str, float], now: Mapping[str, float]) -> dict[str, float]:
    """Processor times of two readings, of which the second may miss threads that have ended."""
    return {part: max(before.get(part, 0.0), now.get(part, 0.0)) for part in {**before, **now}}


def part_of(thread: str) -> str:
    """The part that a thread of this name works for; threads of libraries have no name."""
    if thread in _PARTS:
        return _PARTS[thread]
    return DEVICES if thread.startswith(COLLECTOR) else REST


def _children() -> Sequence[int]:
    found = Path("/proc/self/task").glob("*/children")
    return [int(pid) for path in found for pid in path.read_text().split()]


def _seconds(stat: Path) -> float:
    try:
        # The name is in brackets and may hold anything; user and system time follow it.
        fields: list[Any] = stat.read_text().rpartition(")")[2].split()
    except OSError:  # it has just ended
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS
