"""Many runs, some at a time, each in a process of its own.

    OUT/NAME.json                the result of a run; one that is there is not made again
    WORK/NAME.plan, NAME.log     what it was asked, and what it said

Runs of a suite and seed share their first weights, which are made before: WORK keeps no copy, they
are in the cache of warm starts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from distrl.errors import ConfigError, PipelineError
from distrl.policies.pointer.text_encoder import default_cache
from distrl.run.processes.child import OwnProcess
from distrl.run.state.provenance import this_code
from distrl.run.virtual.cost import CostModel
from distrl.run.virtual.engine import Mode
from distrl.run.virtual.experiment import Experiment, ExperimentResult, load_result, progress_file
from distrl.weights.file_channel import write_whole

# A run computes with one thread; more at once than cores would only take turns.
AT_ONCE = 2
_POLL_SECONDS = 0.5

Watch = Callable[[Mapping[str, float]], None]
"""Is told how far each run is, from 0 to 1, now and then."""


def default_out(name: str) -> Path:
    """Where results go unless somebody says: in the user's cache, apart for every code."""
    return default_cache().parent / "experiments" / f"{name}-{this_code().digest}"


def start_of(experiment: Experiment) -> Experiment:
    """The first weights of a run, as an experiment of their own."""
    return replace(
        experiment,
        name=f"start-{experiment.suite}-seed{experiment.seed}",
        mode=Mode.ASYNC,
        seconds=0.0,
        settings=(),
        checkpoints=1,
        judge=None,
        cost=CostModel.POINTER,
    )


def run_all(
    experiments: Sequence[Experiment], out: Path, *, watch: Watch = lambda _: None
) -> dict[str, ExperimentResult]:
    """Make the results that are missing, and return all of them with their starts, by name."""
    wanted = _with_starts(experiments)
    out.mkdir(parents=True, exist_ok=True)
    made = {name: _made(experiment, out) for name, experiment in wanted.items()}
    waiting = [_Job(wanted[name], out) for name, there in made.items() if not there]
    done = {name: 1.0 for name, there in made.items() if there}
    _work_through(waiting, done, watch)
    return {name: load_result(out / f"{name}.json") for name in wanted}


def read_all(experiments: Sequence[Experiment], out: Path) -> dict[str, ExperimentResult]:
    """All results with their starts, whatever code made them; ConfigError for what is missing."""
    wanted = _with_starts(experiments)
    missing = [name for name in wanted if not (out / f"{name}.json").exists()]
    if missing:
        raise ConfigError(f"{out} has no result of {', '.join(missing)}")
    return {name: _read(experiment, out) for name, experiment in wanted.items()}


def _with_starts(experiments: Sequence[Experiment]) -> dict[str, Experiment]:
    """All that has to be there, by name; what others start from comes first."""
    starts = {start.name: start for start in map(start_of, experiments)}
    wanted = {**starts, **{experiment.name: experiment for experiment in experiments}}
    if len(wanted) < len(starts) + len(experiments):
        raise ConfigError("experiments need different names")
    return wanted


def _read(experiment: Experiment, out: Path) -> ExperimentResult:
    path = out / f"{experiment.name}.json"
    found = load_result(path)
    if found.experiment != experiment:
        raise ConfigError(f"{path} is of other settings; choose another --out")
    return found


def _made(experiment: Experiment, out: Path) -> bool:
    """Whether the result is there; ConfigError if what is there is of something else."""
    path = out / f"{experiment.name}.json"
    if not path.exists():
        return False
    found, code = _read(experiment, out), this_code()
    if found.code.digest != code.digest:
        raise ConfigError(
            f"{path} was made by other code ({found.code.label}, now {code.label}); "
            f"choose another --out"
        )
    return True


def _work_through(waiting: list[_Job], done: dict[str, float], watch: Watch) -> None:
    """Starts come first, for they stand first; the others wait for theirs."""
    running: list[_Job] = []
    try:
        while waiting or running:
            for job in [j for j in running if j.finished()]:
                running.remove(job)
                done[job.name] = 1.0
            for job in list(waiting):
                if len(running) < AT_ONCE and job.needs in {job.name, *_whole(done)}:
                    waiting.remove(job)
                    job.begin()
                    running.append(job)
            done.update({job.name: job.share() for job in running})
            watch(dict(done))
            time.sleep(_POLL_SECONDS)
    finally:
        for job in running:
            job.end()
    watch(dict(done))


def _whole(done: Mapping[str, float]) -> set[str]:
    return {name for name, share in done.items() if share >= 1.0}


@dataclass
class _Job:
    experiment: Experiment
    out: Path
    process: OwnProcess | None = None

    @property
    def name(self) -> str:
        return self.experiment.name

    @property
    def needs(self) -> str:
        """The name of what has to be there first; its own if nothing has."""
        return start_of(self.experiment).name

    @property
    def result(self) -> Path:
        return self.out / f"{self.name}.json"

    def begin(self) -> None:
        work = self.out / "work"
        work.mkdir(exist_ok=True)
        plan = work / f"{self.name}.plan"
        write_whole(plan, msgspec.json.encode(self.experiment))
        words = ["-m", "distrl.run.virtual.experiment", str(plan), str(self.result)]
        self.process = OwnProcess(words, log=work / f"{self.name}.log")

    def share(self) -> float:
        """How far it is; a little less than whole until its result is there."""
        with suppress(OSError, ValueError):
            return min(0.999, float(progress_file(self.result).read_text()))
        return 0.0

    def finished(self) -> bool:
        """Whether it has ended well; PipelineError if it has ended otherwise."""
        assert self.process is not None
        if self.process.running:
            return False
        if self.process.wait(0) or not self.result.exists():
            raise PipelineError(f"the run {self.name} {self.process.exit_report()}")
        return True

    def end(self) -> None:
        if self.process is not None:
            self.process.kill()
            progress_file(self.result).unlink(missing_ok=True)
