"""Run folders full of made-up episodes, to measure and test the dashboard with.

A few episodes are played for real; the others are these again under other names, tasks, devices,
versions and outcomes. Everything follows from a seed.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from distrl.clock import RealClock, VirtualClock
from distrl.collect.episode import run_episode
from distrl.collect.evaluation.statistics import Result, Row, summarise
from distrl.config import RunConfig, load_run_config
from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_env import DeviceEnv
from distrl.monitor.gauges import SUCCESS
from distrl.monitor.jsonl import METRICS, JsonlMonitor
from distrl.policies import make_policy
from distrl.replay.store.packing import HEAD, PackedEpisode, pack
from distrl.replay.store.schema import COLUMNS, connect_writer
from distrl.run.report.story import evaluation_numbers
from distrl.run.state.folder import RunFolder, create_run
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.suites import load_suite
from distrl.types import Episode, Outcome, Task

# Few are enough: the others are these again under other names.
_PLAYED = 8
_DEVICES = 32
_PER_VERSION = 8
_EVALUATED = 128
# One transaction for all would keep every page of it in the log.
_COMMIT = 5000


def make_synthetic_run(
    root: Path,
    episodes: int,
    *,
    seed: int = 0,
    config: RunConfig | None = None,
    reaches: float | None = None,
) -> RunFolder:
    """The folder of a run that looks as if it had collected so many episodes.

    With `reaches` it has ended, and its last weights were evaluated to about this success.
    """
    folder = create_run(root, config or RunConfig(max_episodes=max(1, episodes)))
    settings = folder.load_config()
    rng = Random(seed)
    _write_store(folder.episodes, episodes, rng)
    _write_metrics(folder, episodes, 0.8 if reaches is None else reaches)
    seconds = episodes * 0.1
    noted: dict[str, Any] = {"seconds": seconds, "phases": {"training": seconds}}
    if reaches is not None:
        noted |= {
            "before": _evaluation(0.3, rng),
            "after": _evaluation(reaches, rng),
            "weights": hashlib.sha256(str(root).encode()).hexdigest(),
        }
        _write_evaluations(folder, settings, episodes, noted)
        (folder.checkpoints / f"step-{episodes // 10}").mkdir(parents=True)
    folder.note(noted)
    return folder


def make_synthetic_runs(parent: Path, *, episodes: int = 240) -> list[RunFolder]:
    """A folder of runs as a person has them after a week: seeds, suites, algorithms, one stopped.

    The last one is the newest; each began an hour after the one before.
    """
    planned = [
        *(("grpo", "general", seed, 0.52 + 0.02 * seed) for seed in range(2)),
        ("filtered_bc", "general", 0, 0.61),
        *(("ppo", "general", seed, 0.7 + 0.03 * seed) for seed in range(3)),
        ("digirl", "shopping", 0, 0.42),
        ("a_ride", "shopping", 0, 0.55),
        ("ppo", "general", 7, None),
        *(("a_ride", "general", seed, 0.79 + 0.02 * seed) for seed in range(3)),
    ]
    made = []
    began = time.time() - 3600.0 * len(planned)
    for number, (algorithm, suite, seed, reaches) in enumerate(planned):
        config = load_run_config(
            "quickstart",
            [f"algorithm.name={algorithm}", f"tasks.suite={suite}", f"seed={seed}"],
        )
        name = f"{suite}-{algorithm.replace('_', '-')}-seed{seed}"
        share = 1.0 if reaches is not None else 0.4
        folder = make_synthetic_run(
            parent / name, int(share * episodes), seed=number, config=config, reaches=reaches
        )
        os.utime(folder.config, (began + 3600.0 * number,) * 2)
        made.append(folder)
    return made


def _evaluation(success: float, rng: Random) -> dict[str, Any]:
    """The report of an evaluation, overall alone."""
    outcomes = [
        Outcome.SUCCEEDED if rng.random() < success else Outcome.FALSE_COMPLETE
        for _ in range(_EVALUATED)
    ]
    results = [
        Result(
            template="made_up",
            outcome=outcome,
            steps=6,
            side_effects=rng.random() < (1.0 - success) / 2,
            oracle_steps=None,
        )
        for outcome in outcomes
    ]
    return {"overall": asdict(summarise("all", results)), "rows": [], "faults": []}


def _write_evaluations(
    folder: RunFolder, config: RunConfig, episodes: int, noted: dict[str, Any]
) -> None:
    monitor = JsonlMonitor(folder.root / METRICS / "evaluate.jsonl", VirtualClock())
    for stage, share in (("before", 0), ("after", 1)):
        row = Row(**noted[stage]["overall"])
        monitor.record(
            evaluation_numbers(
                config.tasks.suite, config.evaluate.split, row, minutes=share * episodes / 600
            ),
            step=share * episodes,
        )
    monitor.close()


def play_some(count: int, *, policy: str = "noisy") -> list[Episode]:
    """Episodes of the first training tasks, played on an embedded phone."""
    phone = PhoneDevice("phone-0")
    referee = PhoneReferee(phone)
    env = DeviceEnv(phone, referee)
    player = make_policy(policy, PhoneOracle(referee))
    tasks = load_suite("general").tasks("train")[:count]
    return [
        run_episode(env, player, task, clock=RealClock(), episode_id=f"played-{number}")
        for number, task in enumerate(tasks)
    ]


@cache
def _patterns() -> tuple[PackedEpisode, ...]:
    return tuple(pack(episode) for episode in play_some(_PLAYED))


def _write_store(path: Path, episodes: int, rng: Random) -> None:
    patterns = _patterns()
    tasks = load_suite("general").tasks("train")
    database = connect_writer(path, deadline=60.0)
    columns = ", ".join((*COLUMNS, "head"))
    places = ", ".join("?" * (len(COLUMNS) + 1))
    try:
        database.execute("BEGIN")
        for pattern in patterns:
            for table, contents in (("pictures", pattern.pictures), ("pieces", pattern.pieces)):
                database.executemany(
                    f"INSERT OR IGNORE INTO {table} (digest, data) VALUES (?, ?)",  # noqa: S608 - one of two names
                    contents.items(),
                )
        for number, made in enumerate(_vary(patterns, tasks, episodes, rng), 1):
            summary = made.summary
            database.execute(
                f"INSERT INTO episodes ({columns}) VALUES ({places})",  # noqa: S608 - names of columns
                (*(getattr(summary, name) for name in COLUMNS), made.head),
            )
            for table, blob in (("trajectories", made.trajectory), ("screens", made.screens)):
                database.execute(
                    f"INSERT INTO {table} (episode, data) VALUES (?, ?)",  # noqa: S608 - one of two names
                    (number, blob),
                )
            if number % _COMMIT == 0:
                database.execute("COMMIT")
                database.execute("BEGIN")
        database.execute("COMMIT")
    finally:
        database.close()


def _vary(
    patterns: Sequence[PackedEpisode], tasks: Sequence[Task], count: int, rng: Random
) -> Iterator[PackedEpisode]:
    heads = [HEAD.decode(pattern.head) for pattern in patterns]
    outcomes = (Outcome.SUCCEEDED, Outcome.FALSE_COMPLETE, Outcome.STEP_LIMIT, Outcome.DEVICE_LOST)
    for number in range(count):
        which = number % len(patterns)
        task = rng.choice(tasks)
        progress = number / count
        (outcome,) = rng.choices(outcomes, weights=(0.2 + 0.6 * progress, 0.3, 0.2, 0.01))
        version = number // _PER_VERSION
        name, started = f"made-{number:06}", number * 0.1
        device = f"phone-{rng.randrange(_DEVICES)}"
        fault = "the phone does not answer" if outcome is Outcome.DEVICE_LOST else ""
        summary = replace(
            patterns[which].summary,
            id=name,
            outcome=outcome,
            device=device,
            started=started,
            ended=started + 2.0,
            fault=fault,
            task_id=task.id,
            suite=task.suite,
            split=task.split,
            template=task.template,
            reward=float(outcome is Outcome.SUCCEEDED),
            min_version=max(0, version - rng.randrange(6)),
            max_version=version,
        )
        head = replace(
            heads[which],
            id=name,
            outcome=outcome,
            device=device,
            started=started,
            ended=started + 2.0,
            fault=fault,
            task=task,
        )
        yield replace(patterns[which], summary=summary, head=HEAD.encode(head))


def _write_metrics(folder: RunFolder, episodes: int, reaches: float) -> None:
    clock, suite = VirtualClock(), folder.load_config().tasks.suite
    collect, learn = (
        JsonlMonitor(folder.root / METRICS / f"{part}.jsonl", clock)
        for part in ("collect", "learn")
    )
    for second in range(1, episodes // 10):
        clock.sleep(1.0)
        share = 10 * second / episodes
        collect.record(
            {
                "collect/episodes": 10 * second,
                f"{SUCCESS}{suite}": 0.2 + (reaches - 0.2) * share**0.7,
                "collect/steps_per_second": 80.0,
                "collect/utilisation": 0.9,
                "run/minutes": second / 60,
            },
            step=10 * second,
        )
        learn.record(
            {
                "learn/entropy": 1.5 - share,
                "learn/lag_mean": 4.0,
                "learn/effective": 0.8,
                "learn/ratio/clipped": 0.03,
                "learn/busy": 0.9,
                "learn/updates": second,
                "collected/episodes": 10 * second,
            },
            step=second,
        )
    collect.close()
    learn.close()
