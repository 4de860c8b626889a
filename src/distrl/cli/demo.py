"""`distrl demo`: a person does tasks in the terminal, and policies learn from it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import uuid4

import tyro

from distrl.cli.arguments import Commands, run_subcommand
from distrl.cli.device_choice import DeviceArguments, open_device, refuse_beside_task
from distrl.cli.output import print_json, print_table
from distrl.errors import ConfigError

if TYPE_CHECKING:
    from distrl.interfaces import Device
    from distrl.types import Episode, Task


@dataclass(frozen=True, kw_only=True)
class RecordArguments(DeviceArguments):
    """Do tasks by hand in the terminal, one after another, and store the episodes.

    Tasks that are stored already are skipped; `quit` stops. Steps have no probability, as those of
    any demonstrator: they are imitated, and no importance ratio is computed for them.
    """

    out: Path
    """Folder of the demonstrations; new ones are added to those that it holds."""
    suite: str = "general"
    """Which tasks: general, shopping, miniwob, the YAML file of a web app or of goals for phones
    over adb, or the name of a plug-in."""
    split: str = "train"
    """Split of the suite. A policy that learns from val, test or unseen cannot be measured by
    them."""
    task: str | None = None
    """Only this task, such as general/train/7, even if it is stored already."""
    template: str | None = None
    """Only tasks of this template; all templates by default."""
    tasks: int | None = None
    """At most this many tasks; all by default."""
    screen: Path | None = None
    """Picture (.png) that the screen is written to after every action; none by default."""


@dataclass(frozen=True, kw_only=True)
class ListArguments:
    """List the demonstrations of a folder, with their outcomes."""

    folder: Annotated[Path, tyro.conf.Positional]
    """The folder that they were recorded to."""
    json: bool = False
    """Print one JSON object instead of a table."""


def _record(arguments: RecordArguments) -> int:
    from distrl.run.state.demonstrations import open_demonstrations

    tasks = _tasks(arguments)
    stored = 0
    with (
        open_device(tasks[0].suite, "person", arguments) as device,
        open_demonstrations(arguments.out) as store,
    ):
        if arguments.task is None:
            known = {summary.task_id for summary in store.summaries(limit=-1)}
            tasks = [task for task in tasks if task.id not in known]
        for task in tasks[: arguments.tasks]:
            episode = _play(device, task, arguments.screen)
            if episode is None:
                break
            if not episode.outcome.trainable:
                print("not stored, for it was not the person's fault\n")
                continue
            store.add(episode)
            stored += 1
            print(f"stored; {store.count()} demonstrations in {arguments.out}\n")
    if not tasks:
        print(f"every task of {arguments.suite}/{arguments.split} is in {arguments.out} already")
    elif not stored:
        print("nothing was stored")
    return 0


def _tasks(arguments: RecordArguments) -> Sequence[Task]:
    """The tasks in question; ConfigError when there are none."""
    from distrl.collect.evaluation.evaluate import select_tasks
    from distrl.tasks.suites import find_task

    refuse_beside_task(arguments, "suite", "split", "template", "tasks")
    if arguments.tasks is not None and arguments.tasks < 1:
        raise ConfigError(f"--tasks must be at least 1, got {arguments.tasks}")
    if arguments.task is not None:
        tasks: Sequence[Task] = [find_task(arguments.task)]
    else:
        tasks = select_tasks(arguments.suite, arguments.split, template=arguments.template)
    if (split := tasks[0].split) != "train":
        print(
            f"distrl demo: tasks of {split} measure what was learned; do not train on them",
            file=sys.stderr,
        )
    return tasks


def _play(device: Device, task: Task, screen: Path | None) -> Episode | None:
    """One task in the hands of the person; None if it was left before its end."""
    from distrl.cli.phone import save_screen
    from distrl.cli.text_game import Game

    name = f"{task.id}/person/{uuid4().hex[:12]}"
    game = Game(device, task, save=partial(save_screen, device, screen), episode_id=name)
    game.play(sys.stdin)
    return game.episode


def _list(arguments: ListArguments) -> int:
    from distrl.run.state.demonstrations import read_demonstrations

    with read_demonstrations(arguments.folder) as store:
        rows = [
            {
                "id": summary.id,
                "task": summary.task_id,
                "template": summary.template,
                "outcome": summary.outcome.value,
                "steps": summary.steps,
                "seconds": round(summary.ended - summary.started, 1),
            }
            for summary in store.summaries(limit=-1)
        ]
    succeeded = sum(row["outcome"] == "succeeded" for row in rows)
    if arguments.json:
        print_json({"count": len(rows), "succeeded": succeeded, "rows": rows})
    else:
        columns = ("task", "template", "outcome", "steps", "seconds")
        cells = [tuple(row[column] for column in columns) for row in rows]
        print_table(columns, cells, title=f"demonstrations in {arguments.folder}")
        print(f"{succeeded} of {len(rows)} succeeded")
    return 0


COMMANDS: Commands = {
    "record": (RecordArguments, _record),
    "list": (ListArguments, _list),
}


def main(argv: Sequence[str]) -> int:
    """Run one of the sub-commands."""
    return run_subcommand(
        COMMANDS,
        argv,
        prog="distrl demo",
        about="Record how a person does tasks, for policies to learn from.",
    )
