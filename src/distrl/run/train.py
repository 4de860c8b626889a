"""The story of `distrl train`: one command, one folder, stage by stage.

    encode texts     vectors of goals, and of labels on the phone        the user's cache
    start            initial weights: cloned, random or another run's    RUN/start
    evaluate         greedy, before                                      RUN/progress.json
    train            collectors, learner in a process of its own         until the budget is spent
    evaluate         greedy, with the newest checkpoint                  RUN/progress.json
    report           a table, a curve and a page                         RUN/report.html

Each stage that is done stays done: a resumed run skips it. Collectors run in this process
(`run/local/pipeline.py` draws it), on a Ray cluster (`run/ray_engine`), or, with the learner, under
virtual time (`run/virtual/training.py`). Ctrl-C stops in order: collectors, then the store, then
the learner with a checkpoint.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import torch

from distrl.checks import require_flag, require_path, require_texts
from distrl.clock import RealClock
from distrl.collect.evaluation.evaluate import Report, evaluate_policy, select_tasks
from distrl.config import RunConfig, load_run_config
from distrl.errors import ConfigError, PipelineError
from distrl.monitor.metrics_hub import MetricsHub
from distrl.monitor.progress import NO_BUDGET, StageBudget
from distrl.replay.store.sqlite import StoreReader
from distrl.replay.trajectory import Trajectory
from distrl.run.builders.action_kinds import fit_kinds
from distrl.run.builders.android import evaluate_on_android
from distrl.run.builders.given_sizes import fit_sizes
from distrl.run.builders.initial_weights import load_start, prepare_start
from distrl.run.builders.pointer import Pointer
from distrl.run.builders.policy_bundle import build_acting_bundle
from distrl.run.local.pipeline import LocalRollouts
from distrl.run.processes.child import Child
from distrl.run.processes.cpu_affinity import leaving_learners_core
from distrl.run.processes.garbage_collection import frozen_objects
from distrl.run.processes.supervisor import Supervisor, close_all
from distrl.run.progress_view import ProgressView, QuietView
from distrl.run.ray_cluster.inventory import enter_cluster
from distrl.run.report import (
    Comparison,
    Story,
    Totals,
    evaluation_numbers,
    pick_episodes,
    write_report,
)
from distrl.run.stages import (
    ENCODING,
    EVALUATING,
    INITIAL_WEIGHTS,
    SNAPSHOTS,
    TRAINING,
    plan_stages,
)
from distrl.run.startable import check_startable
from distrl.run.state.budget import Budget, LearnerStatus
from distrl.run.state.checkpoint import (
    Checkpoints,
    require_whole_checkpoint,
    set_damaged_aside,
    weights_of_run,
)
from distrl.run.state.evaluation_snapshots import EvaluationSnapshots
from distrl.run.state.folder import (
    RunFolder,
    create_run,
    freed_if_unstarted,
    new_run_folder,
    reopen_run,
    require_changeable,
)
from distrl.run.usefulness import Collected, collected_in, why_useless
from distrl.run.virtual.training import train_virtually
from distrl.tasks.suites import is_over_adb, load_suite
from distrl.weights.file_channel import FileChannel, set_damaged_versions_aside
from distrl.weights.serialization import digest_of

if TYPE_CHECKING:
    from distrl.run.ray_engine.engine import RayRollouts

_READY_SECONDS = 900.0
"""Until the learner has read what is stored; a long run takes a while."""
_STOP_SECONDS = 60.0
_NOTE_SECONDS = 2.0
_SWITCH_SECONDS = 0.001
"""How long a thread may keep the others from running: a decision waits for several of them."""
_FILMED = 200
"""Newest episodes that the report chooses its films from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainResult:
    """What came of a run."""

    warm_start_success: float | None
    """Greedy success of the first weights; None if that was not asked for."""
    success: float | None
    """Greedy success at the end; None when no episode counts."""
    success_low: float | None
    success_high: float | None
    minutes: float
    """Of training, without set-up and evaluation."""
    episodes: int
    steps: int
    updates: int
    weights: str
    """Digest of the weights that `success` was measured with."""
    run: str
    """The run's folder."""


def train(
    config: RunConfig | str | Path = "quickstart",
    overrides: Sequence[str] = (),
    *,
    run_dir: str | Path | None = None,
    resume: bool = False,
    from_scratch: bool = False,
    view: ProgressView | None = None,
) -> TrainResult:
    """Train a policy until its budget is spent, and say how well it does.

    `config` is a recipe's name, a path or settings; `overrides` are `section.key=value`. A new run
    gets a folder of its own under `runs/` unless `run_dir` names one; with `resume` the run in
    `run_dir` goes on from where it was, by its own settings if `config` is that folder. A run whose
    checkpoints are all damaged is not resumed, unless `from_scratch` lets it learn from its stored
    episodes anew.
    """
    require_texts("overrides", overrides, such_as="minutes=5")
    require_flag("resume", resume)
    require_flag("from_scratch", from_scratch)
    if resume and run_dir is None:
        raise ConfigError("resume needs the folder of the run that goes on: run_dir='runs/...'")
    if run_dir is not None:
        require_path("run_dir", run_dir)
    name = "run"
    if not isinstance(config, RunConfig):
        require_path("config, unless it is a RunConfig,", config)
        name, config = Path(config).stem, load_run_config(config, overrides)
    elif overrides:
        raise ConfigError("overrides change a recipe; change settings by `changed` instead")
    check_startable(config, resumed=resume)
    root = Path(run_dir) if run_dir is not None else new_run_folder(name)
    result, _ = train_and_tell(config, root, resume=resume, from_scratch=from_scratch, view=view)
    return result


def train_and_tell(
    config: RunConfig,
    root: Path,
    *,
    resume: bool = False,
    from_scratch: bool = False,
    view: ProgressView | None = None,
) -> tuple[TrainResult, Story]:
    """The same in the folder `root`, with all that a report tells; call `check_startable` first.

    A new run that fails before its first episode leaves its folder free for the corrected command.
    """
    if config.engine == "ray":
        enter_cluster(config)
        # Whatever died on a cluster, the same command goes on.
        resume = resume or RunFolder(root).config.exists()
    config = fit_kinds(fit_sizes(config))
    if not resume:
        folder = create_run(root, config)
    else:
        require_resumable(RunFolder(root), config, from_scratch=from_scratch)
        folder = reopen_run(root, config)
        # What was published is in the checkpoint too, and the learner publishes it anew.
        set_damaged_versions_aside(folder.weights)
        if from_scratch:
            set_damaged_aside(folder.root)
    with (
        nullcontext() if resume else freed_if_unstarted(folder),
        folder.lock("run"),
        threads_in_turn(),
    ):
        return _Run(folder, config, view or QuietView()).play_out()


def require_resumable(folder: RunFolder, config: RunConfig, *, from_scratch: bool) -> None:
    """ConfigError unless a run can go on with these settings and its files; nothing is changed."""
    if config.engine == "virtual":
        raise ConfigError("a run with engine: virtual is not resumed; start it again")
    require_changeable(folder, config)
    noted = folder.progress()
    if folder.episodes.exists():
        StoreReader(folder.episodes).close()
    elif noted.get("episodes") or Checkpoints(folder.checkpoints).paths():
        raise ConfigError(
            f"the run {folder.root} has learned from episodes, and {folder.episodes} is gone: put "
            f"it back, or begin a new run from the weights of this one with init={folder.root}"
        )
    if not from_scratch:
        require_whole_checkpoint(folder.root)
    _require_time_to_learn(folder, config, noted.get("seconds", 0.0))


def _require_time_to_learn(folder: RunFolder, config: RunConfig, spent: float) -> None:
    """ConfigError for a run without a checkpoint whose minutes are spent: it would make none."""
    minutes = config.minutes
    if minutes is None or spent < 60.0 * minutes:
        return
    if Checkpoints(folder.checkpoints).load_newest().snapshot is None:
        raise ConfigError(
            f"the {minutes:g} minutes of the run {folder.root} are spent and it has no whole "
            f"checkpoint; give it more time to learn from its episodes, such as "
            f"minutes={2 * minutes:g}"
        )


@contextmanager
def threads_in_turn() -> Iterator[None]:
    """One torch thread, for two processes share the machine, and short turns for all others."""
    threads, turn = torch.get_num_threads(), sys.getswitchinterval()
    torch.set_num_threads(1)
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
        sys.setswitchinterval(turn)


def ray_rollouts() -> type[RayRollouts]:
    """The collecting half on a cluster; imported here, for Ray is an extra."""
    from distrl.run.ray_engine.engine import RayRollouts

    return RayRollouts


class _Run:
    """The stages of one run."""

    def __init__(self, folder: RunFolder, config: RunConfig, view: ProgressView) -> None:
        self._folder, self._config, self._view = folder, config, view
        self._noted: dict[str, Any] = {"seconds": 0.0, "phases": {}, **folder.progress()}
        self._bundle = build_acting_bundle(config)
        self._out_of_use: dict[str, str] = {}
        channel = FileChannel(folder.weights, keep=config.learner.keep_weights)
        self._evaluation_snapshots = EvaluationSnapshots(
            folder.evaluation_snapshots, channel, config.evaluate.every_minutes
        )
        self._metrics = MetricsHub(folder.root, config, RealClock(), view=view, tell=view.event)

    def play_out(self) -> tuple[TrainResult, Story]:
        folder, config = self._folder, self._config
        try:
            self._tell_if_spent()
            self._view.plan(plan_stages(config, self._noted, started=folder.start.exists()))
            with self._phase(ENCODING):
                self._bundle.get_ready(self._goals())
            known = 1.0 if config.warm_start.target is None else None
            with self._phase(INITIAL_WEIGHTS, StageBudget(total=known)):
                prepare_start(folder, config, self._bundle, self._view.event, self._view.advance)
                demonstrations = load_start(folder, self._bundle)
            if config.evaluate.before and "before" not in self._noted:
                self._noted["before"] = self._evaluate(config.evaluate.split)
                folder.note(self._noted)
            if config.engine == "virtual":
                self._train_virtually(demonstrations)
            elif self._seconds_left() > 0:
                self._train()
            for snapshot in self._evaluation_snapshots.unseen():
                self._bundle.model.load_state_dict(dict(snapshot.weights))
                self._evaluate(
                    "val",
                    seconds=snapshot.seconds,
                    episodes=snapshot.episodes,
                    phase=SNAPSHOTS,
                )
            weights, _ = weights_of_run(folder.root)
            self._bundle.model.load_state_dict(dict(weights))
            self._noted["weights"] = digest_of(weights)
            self._noted["after"] = self._evaluate(
                config.evaluate.split,
                seconds=self._noted["seconds"],
                episodes=self._noted.get("episodes", 0),
            )
            folder.note(self._noted)
            return self._conclude()
        finally:
            self._metrics.close()

    def _tell_if_spent(self) -> None:
        """Say that a resumed run will only evaluate, and which setting lets it go on."""
        most, played = self._config.max_episodes, self._noted.get("episodes", 0)
        if most is not None and played >= most:
            self._view.event(
                f"nothing is left to train: all {most} episodes are played; go on with "
                f"max_episodes={2 * most}"
            )
        elif self._seconds_left() <= 0 and self._config.minutes is not None:
            self._view.event(
                f"nothing is left to train: the {self._config.minutes:g} minutes are spent; go on "
                f"with minutes={2 * self._config.minutes:g}"
            )

    def _goals(self) -> list[str]:
        """Of the tasks that the run trains on, looks at on the way, and is measured by."""
        config = self._config
        suite = load_suite(config.tasks.suite)
        splits = {config.tasks.split, "val", config.evaluate.split}
        return [task.goal for split in sorted(splits) for task in suite.tasks(split)]

    @contextmanager
    def _phase(self, name: str, budget: StageBudget = NO_BUDGET) -> Iterator[None]:
        """Show what is done, and note how long it took."""
        self._view.phase(name, budget)
        began = time.monotonic()
        try:
            yield
        finally:
            phases = self._noted["phases"]
            phases[name] = phases.get(name, 0.0) + time.monotonic() - began

    def _evaluate(
        self, split: str, *, seconds: float = 0.0, episodes: int = 0, phase: str = EVALUATING
    ) -> dict[str, Any]:
        """The report of the model as it is now, as plain values; recorded for that moment."""
        config = self._config
        tasks = select_tasks(config.tasks.suite, split, tasks=config.evaluate.tasks)
        with self._phase(phase, StageBudget(total=float(len(tasks)))):
            policy = self._bundle.policy(greedy=True)

            def advance(done: int, _: int) -> None:
                self._view.advance(done)

            if is_over_adb(config.tasks.suite):  # only real phones have what such goals are about
                report = evaluate_on_android(config, policy, tasks, advance)
            else:
                phone = config.phone
                report = evaluate_policy(
                    policy,
                    tasks,
                    phone=phone,
                    options=config.collect.options,
                    progress=advance,
                )
        numbers = evaluation_numbers(
            config.tasks.suite, split, report.overall, minutes=seconds / 60.0
        )
        self._metrics.evaluate(numbers, step=episodes)
        if report.overall.success is not None:
            self._view.event(
                f"success {report.overall.success:.3f} on {len(tasks)} tasks of "
                f"{config.tasks.suite}/{split}"
            )
        plain: dict[str, Any] = msgspec.to_builtins(report)
        return plain

    def _seconds_left(self) -> float:
        minutes = self._config.minutes
        return math.inf if minutes is None else 60.0 * minutes - self._noted["seconds"]

    def _train(self) -> None:
        """Collect and learn until the budget is spent."""
        folder, status, supervisor = self._folder, LearnerStatus(), Supervisor()
        rollouts = self._make_rollouts()
        learner = Child(
            "learner",
            "distrl.run.local.learner_process",
            [str(folder.root)],
            log=folder.learner_log,
        )
        try:
            supervisor.start("learner", lambda stopping: learner.run(status.on_message, stopping))
            if not supervisor.wait(lambda: status.ready, timeout=_READY_SECONDS):
                raise PipelineError(f"the learner was not ready within {_READY_SECONDS:g} s")
            minutes = self._config.minutes
            budget = StageBudget(
                seconds=None if minutes is None else 60.0 * minutes,
                total=self._config.max_episodes,
                spent=self._noted["seconds"],
            )
            with self._phase(TRAINING, budget), frozen_objects():
                self._spend_budget(rollouts, supervisor, status)
        finally:
            if isinstance(rollouts, LocalRollouts):  # before closing, which ends the fleet too
                self._out_of_use = rollouts.out_of_use()
            # In this order: what the store acknowledges last, the learner still reads.
            close_all(
                lambda: supervisor.stop(timeout=_STOP_SECONDS),
                rollouts.close,
                lambda: learner.stop({"stop": True}, timeout=_STOP_SECONDS),
                learner.kill,
            )
            self._noted["episodes"] = rollouts.run_state.counters.episodes
            folder.note(self._noted)

    def _train_virtually(self, demonstrations: Sequence[Trajectory]) -> None:
        """Collect and learn under virtual time, in this process."""
        assert isinstance(self._bundle, Pointer)
        with self._phase(TRAINING, StageBudget(total=1.0)):
            found = train_virtually(
                self._folder, self._config, self._bundle, demonstrations, self._view.advance
            )
        self._noted |= {
            "seconds": found.seconds,
            "episodes": found.episodes,
            "steps": found.steps,
        }

    def _make_rollouts(self) -> LocalRollouts | RayRollouts:
        kind = ray_rollouts() if self._config.engine == "ray" else LocalRollouts
        return kind(
            self._folder, self._config, self._bundle, self._metrics, before=self._noted["seconds"]
        )

    def _spend_budget(
        self,
        rollouts: LocalRollouts | RayRollouts,
        supervisor: Supervisor,
        status: LearnerStatus,
    ) -> None:
        before = self._noted["seconds"]
        slow = bool(self._config.collect.latency)
        with nullcontext() if slow else leaving_learners_core():
            rollouts.start(supervisor)
        budget = Budget(self._seconds_left(), supervisor, status)
        try:
            while not supervisor.wait(budget.is_spent, timeout=_NOTE_SECONDS):
                self._noted["seconds"] = before + budget.seconds
                episodes = rollouts.run_state.counters.episodes
                self._view.advance(episodes)
                self._evaluation_snapshots.keep(self._noted["seconds"], episodes)
                self._folder.note(self._noted)
        finally:
            self._noted["seconds"] = before + budget.seconds

    def _conclude(self) -> tuple[TrainResult, Story]:
        """Put the figures together and write the report."""
        folder, config = self._folder, self._config
        before, after = self._report("before"), self._report("after")
        assert after is not None
        snapshot = Checkpoints(folder.checkpoints).load_newest().snapshot
        updates = 0 if snapshot is None else snapshot.step
        with self._collected() as collected:
            problem = why_useless(
                after,
                collected,
                self._noted["seconds"],
                self._out_of_use,
                rewarding=config.judge.name if config.judge.rewards else None,
            )
            story = Story(
                problem=problem,
                name=folder.root.name,
                config=config,
                comparisons=[
                    Comparison(
                        name=f"{config.tasks.suite}/{config.evaluate.split}",
                        before=before,
                        after=after,
                    )
                ],
                totals=Totals(
                    seconds=self._noted["seconds"],
                    episodes=collected.episodes,
                    steps=collected.steps,
                    updates=updates,
                    phases=self._noted["phases"],
                ),
                best=collected.best,
                worst=collected.worst,
                repeat=f"distrl eval --policy {folder.root} --suite {config.tasks.suite} "
                f"--split {config.evaluate.split}",
            )
            write_report(folder.root, story)
        result = TrainResult(
            warm_start_success=before.overall.success if before else None,
            success=after.overall.success,
            success_low=after.overall.low,
            success_high=after.overall.high,
            minutes=self._noted["seconds"] / 60.0,
            episodes=collected.episodes,
            steps=collected.steps,
            updates=updates,
            weights=self._noted["weights"],
            run=str(folder.root),
        )
        return result, story

    @contextmanager
    def _collected(self) -> Iterator[Collected]:
        """What is stored of the run; films read their screens from the store while it is open."""
        if self._config.engine == "virtual":  # its episodes are gone once they are learned from
            episodes = self._noted["episodes"]
            yield Collected(episodes, self._noted["steps"], trainable=episodes)
            return
        with StoreReader(self._folder.episodes) as store:
            best, worst = pick_episodes(store.get(name) for name in store.ids()[-_FILMED:])
            yield replace(collected_in(store), best=best, worst=worst)

    def _report(self, stage: str) -> Report | None:
        noted = self._noted.get(stage)
        return None if noted is None else msgspec.convert(noted, Report)
