"""How a row is made: a run in a folder of its own, then evaluations, then a file.

    WORK/quickstart-seed0/            the run, which a second call goes on with
    WORK/quickstart-seed0/code.json   the code that it was started by
    WORK/quickstart-seed0.log         what it says

A run is trained by `distrl train` in a new process, as anybody would: what an earlier run has left
in memory would make it faster.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from distrl.bench.results.plan import Planned, Without
from distrl.bench.results.record import Effort, Evaluation, Result
from distrl.collect.evaluation.evaluate import Progress, evaluate_policy, select_tasks
from distrl.config import RunConfig
from distrl.errors import ConfigError, PipelineError
from distrl.interfaces import Policy
from distrl.replay.store.sqlite import StoreReader
from distrl.run.builders.initial_weights import RESULT, load_start, prepare_start
from distrl.run.builders.policy_bundle import build_acting_bundle
from distrl.run.builders.trained_policy import load_policy
from distrl.run.processes.child import OwnProcess
from distrl.run.state.checkpoint import Checkpoints
from distrl.run.state.folder import RunFolder, create_run
from distrl.run.state.provenance import Code, this_code, this_machine
from distrl.run.state.run_state import steps_in
from distrl.weights.file_channel import write_whole

_CODE = "code.json"
_POLL_SECONDS = 1.0
_STOP_SECONDS = 120.0

Tell = Callable[[str], None]
"""Is told how it goes, a line at a time."""
Train = Callable[[Sequence[str], Path], None]
"""Calls `distrl train` with these words; the log is in the file."""


@dataclass(frozen=True)
class Workshop:
    """Where rows are made, and who is told."""

    work: Path
    """Folder of the runs."""
    tell: Tell
    progress: Progress | None = None
    """Of each evaluation."""
    train: Train | None = None
    """How a run is trained; by a process of its own unless something else is given."""

    def make(self, planned: Planned, *, again: bool = False) -> Result:
        """Make a row, going on with what is there of it unless it shall be made `again`."""
        config = planned.config()
        folder = RunFolder(self.work / planned.name)
        if again:
            _remove(folder)
        code = _claim(folder, config)
        if planned.group.trains:
            effort = self._train(planned, folder)
        else:
            effort = self._start(folder, config)
        return Result(
            name=planned.name,
            group=planned.group.name,
            suite=config.tasks.suite,
            recipe=planned.group.recipe,
            seed=planned.seed,
            settings=planned.settings,
            quick=planned.quick,
            command=planned.command,
            effort=effort,
            evaluations=tuple(
                self._evaluate(planned, folder, config, split, without)
                for split, without in planned.group.evaluations
            ),
            code=code,
            machine=this_machine(),
        )

    def _train(self, planned: Planned, folder: RunFolder) -> Effort:
        """Train until the run has come to its end."""
        if "after" not in folder.progress():
            log = self.work / f"{planned.name}.log"
            self.tell(f"{planned.name}: training in {folder.root}, see {log}")
            words = ["--run-dir", str(folder.root)]
            if folder.config.exists():
                words.append("--resume")
            else:
                words += ["--recipe", planned.group.recipe, *planned.settings]
            (self.train or train_apart)(words, log)
        return _effort_of_run(folder)

    def _start(self, folder: RunFolder, config: RunConfig) -> Effort:
        """Make the first weights, and no more."""
        if not folder.config.exists():
            create_run(folder.root, config)
        self.tell(f"{folder.root.name}: cloning in {folder.root}")
        prepare_start(folder, config, build_acting_bundle(config), self.tell)
        told = json.loads((folder.start / RESULT).read_bytes())
        return Effort(
            minutes=told["seconds"] / 60.0,
            minutes_in_all=None,
            episodes=None,
            steps=None,
            updates=told["updates"],
        )

    def _evaluate(
        self, planned: Planned, folder: RunFolder, config: RunConfig, split: str, without: Without
    ) -> Evaluation:
        tasks = select_tasks(config.tasks.suite, split, tasks=config.evaluate.tasks)
        phone = config.phone.changed(elements=without != "elements")
        sees = _sees(config, without)
        policy: Policy = (
            load_policy(folder.root, pixels=sees)
            if planned.group.trains
            else _policy_of_start(folder, config, pixels=sees)
        )
        report = evaluate_policy(policy, tasks, phone=phone, progress=self.progress)
        row = report.overall
        lacking = "" if without == "nothing" else f" without {without}"
        shown = "nothing counts" if row.success is None else f"success {row.success:.3f}"
        self.tell(f"{planned.name}: {config.tasks.suite}/{split}{lacking}: {shown}")
        rows = report.rows if planned.group.every_template else ()
        return Evaluation(split=split, without=without, figures=row, rows=rows)


def save(result: Result, folder: Path) -> Path:
    """Write a row's file into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{result.name}.json"
    write_whole(path, msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n")
    return path


def train_apart(words: Sequence[str], log: Path) -> None:
    """Call `distrl train` in a process of its own, which stops in order when we are stopped."""
    process = OwnProcess(["-m", "distrl", "train", *words], log=log)
    try:
        while (code := process.wait(_POLL_SECONDS)) is None:
            pass
        if code:
            raise PipelineError(f"the run {process.exit_report()}")
    finally:
        if process.running:
            process.terminate()
            process.wait(_STOP_SECONDS)
        process.kill()


def _claim(folder: RunFolder, config: RunConfig) -> Code:
    """Make sure that what is in the folder was started by this code and with these settings."""
    now, note = this_code(), folder.root / _CODE
    if folder.root.exists() and not note.exists():
        raise ConfigError(f"{folder.root} was not made by this command; choose another --work")
    if not note.exists():
        folder.root.mkdir(parents=True)
        write_whole(note, msgspec.json.encode(now))
        return now
    before = msgspec.json.decode(note.read_bytes(), type=Code)
    if before.digest != now.digest:
        raise ConfigError(
            f"{folder.root} was begun by other code ({before.label}, now {now.label}); "
            f"--again starts over"
        )
    if folder.config.exists() and folder.load_config() != config:
        raise ConfigError(f"{folder.root} was begun with other settings; --again starts over")
    return before


def _remove(folder: RunFolder) -> None:
    """Remove a run that was made here."""
    if (folder.root / _CODE).exists():
        shutil.rmtree(folder.root)


def _effort_of_run(folder: RunFolder) -> Effort:
    progress = folder.progress()
    snapshot = Checkpoints(folder.checkpoints).load_newest().snapshot
    with StoreReader(folder.episodes) as store:
        episodes, steps = store.count(), steps_in(store)
    return Effort(
        minutes=progress["seconds"] / 60.0,
        minutes_in_all=sum(progress["phases"].values()) / 60.0,
        episodes=episodes,
        steps=steps,
        updates=0 if snapshot is None else snapshot.step,
    )


def _policy_of_start(folder: RunFolder, config: RunConfig, *, pixels: bool) -> Policy:
    """The greedy policy of a run's first weights."""
    seeing = config.policy.model_copy(update={"pixels": pixels})
    bundle = build_acting_bundle(config.model_copy(update={"policy": seeing}))
    load_start(folder, bundle)
    return bundle.policy(greedy=True)


def _sees(config: RunConfig, without: Without) -> bool:
    return config.policy.pixels and without != "pixels"
