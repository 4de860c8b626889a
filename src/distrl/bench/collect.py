"""How busy slow devices are kept while a learner trains in its own process.

It is a real run, by the settings of a recipe, on phones that take a constant time for every step;
what is measured is the time from the learner's first updates to the end:

    utilisation = time inside device calls / wall time of the devices that are not quarantined
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from distrl.config import RunConfig, load_run_config
from distrl.errors import PipelineError
from distrl.run.progress_view import QuietView
from distrl.run.train import train

_SETTLING = 3
"""Samples that are left out after the learner's first update."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectFigures:
    """What was measured."""

    utilisation: float
    episodes_per_second: float
    steps_per_second: float
    devices: int
    step_ms: float
    """What a step was made to take."""
    decide_ms: float
    """Mean wait for a decision."""
    batch: float
    """Decisions that shared a forward pass."""
    updates_per_second: float
    """Of the learner, meanwhile."""
    seconds: float
    """How long it was measured."""


def bench_settings(devices: int, step_seconds: float, seconds: float) -> RunConfig:
    """The default recipe with slow devices, from the policy that comes with the package.

    Random weights would not do: they declare a task done at once or wander for ever, and neither
    asks for decisions as often as training does.
    """
    return load_run_config(
        "quickstart",
        [
            f"collect.devices={devices}",
            f"collect.latency={step_seconds}",
            # Nobody is asked to wait for the learner: who does, waits for the processor.
            "collect.max_ahead=null",
            # Half a minute more: until the learner trains and has settled, nothing is measured.
            f"minutes={(seconds + 30) / 60}",
            "init=pretrained:quickstart",
            "learner.min_episodes=16",
            "evaluate.before=false",
            "evaluate.tasks=1",
            "monitor.every_seconds=0.5",
        ],
    )


def measure_collecting(
    *, devices: int = 32, step_seconds: float = 0.1, seconds: float = 60.0
) -> CollectFigures:
    """Run for a while and look at its numbers."""
    probe = Probe()
    with TemporaryDirectory(prefix="distrl-bench-") as folder:
        train(
            bench_settings(devices, step_seconds, seconds),
            run_dir=Path(folder) / "run",
            view=probe,
        )
    return probe.figures(devices, step_seconds)


class Probe(QuietView):
    """A view that keeps the first and the last of the samples that count."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._newest: dict[str, float] = {}
        self._skipped = 0
        self._first: dict[str, float] = {}
        self._last: dict[str, float] = {}

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Take a sample of all numbers whenever collecting is told of, once the learner trains."""
        del step  # everything is measured over time
        self._newest.update(numbers)
        if "collect/clock" not in numbers or not self._newest.get("learn/updates"):
            return
        self._skipped += 1
        if self._skipped <= _SETTLING:
            return
        self._first = self._first or dict(self._newest)
        self._last = dict(self._newest)

    def figures(self, devices: int, step_seconds: float) -> CollectFigures:
        """What lies between the first and the last sample."""
        if self._first == self._last:
            raise PipelineError("the learner never trained while it was measured; measure longer")
        grown = {name: self._last[name] - self._first.get(name, 0.0) for name in self._last}
        seconds = grown["collect/clock"]
        return CollectFigures(
            utilisation=grown["collect/device_seconds"] / grown["collect/wall_seconds"],
            episodes_per_second=grown["collect/episodes"] / seconds,
            steps_per_second=grown["collect/steps"] / seconds,
            devices=devices,
            step_ms=1000 * step_seconds,
            decide_ms=self._last["collect/decide_ms"],
            batch=self._last["batcher/batch"],
            updates_per_second=grown["learn/updates"] / seconds,
            seconds=seconds,
        )
