"""What is used of a user's checkout of MobileGym: the door to its package `bench_env`."""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from distrl.devices.mobilegym.device import Shown
from distrl.errors import ConfigError, TaskError, unknown_name

PACKAGE = "bench_env"
SPLITS = ("train", "test")
"""Those of its lists that become splits of ours."""
EVAL_MODE = "grounded"
"""How its questions are answered: on the answer sheet, an app. Its runner's own default."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What its judge says of an episode."""

    success: bool
    """Whether the goal is reached."""
    clean: bool
    """Whether nothing else was changed."""
    progress: float
    """Share of the checks that hold."""
    error: str
    """Why it could not say anything."""
    unexpected: tuple[str, ...]
    """Paths of what else was changed."""

    @property
    def passed(self) -> bool:
        """Whether the task counts as done."""
        return self.success and self.clean and not self.error


class MobileGymCheckout:
    """Tasks by their ids, such as `clock.CreateAlarm`."""

    def __init__(self, folder: Path) -> None:
        """Make its package importable; ConfigError where there is none."""
        if not (folder / PACKAGE / "task" / "registry.py").is_file():
            raise ConfigError(
                f"{folder} is no checkout of MobileGym: {PACKAGE}/task/registry.py is missing"
            )
        self.folder = folder.resolve()
        loaded = sys.modules.get(PACKAGE)
        if loaded is not None and Path(str(loaded.__file__)).parents[1] != self.folder:
            raise ConfigError(
                f"this process has imported {PACKAGE} from {Path(str(loaded.__file__)).parents[1]} "
                f"already, so it cannot use {self.folder}: one checkout per process"
            )
        if str(self.folder) not in sys.path:
            sys.path.insert(0, str(self.folder))

    def ids(self, split: str) -> list[str]:
        """Ids of one of its splits."""
        return sorted(self.module("splits").resolve_split(split))

    def chosen(self, names: Sequence[str]) -> dict[str, list[str]]:
        """Ids by split, of what is named: its suites, or single tasks. Everything for no name."""
        everything = {split: self.ids(split) for split in SPLITS}
        if not names:
            return everything
        known = [task for ids in everything.values() for task in ids]
        for name in names:
            if not any(_named(task, name) for task in known):
                raise _unknown(name, known)
        return {
            split: [task for task in ids if any(_named(task, name) for name in names)]
            for split, ids in everything.items()
        }

    def make(self, task: str, seed: int) -> Any:
        """One of its tasks, with the parameters of a seed."""
        return self._registry.get_by_id(task)(_seed=seed)

    def steps(self, task: Any) -> int:
        """How many steps its runner would allow."""
        config = self.module("config").RunnerConfig(agent="distrl", model_name="")
        return int(config.get_max_steps(task))

    def set_up(self, task: Any, phone: Any) -> Shown:
        """Set a task up on a phone, as its runner does; what is there before anybody acts."""
        runner = self.module("runner.base").Controller
        shown, _ = asyncio.run(runner.setup(phone, task, eval_mode=EVAL_MODE))
        assert isinstance(shown, Shown)
        return shown

    def judged(self, task: Any, before: Shown, after: Shown, answer: str | None) -> Judged:
        """What its judge says of the way from one state to another."""
        judge = self.module("runner.base").Evaluator(judge_mode="state", eval_mode=EVAL_MODE)
        played = SimpleNamespace(agent_answer=answer, agent_message="", stop_reason="COMPLETE")
        said = asyncio.run(judge.evaluate(task, before, after, played))
        return Judged(
            bool(said.success),
            bool(said.clean),
            float(said.progress),
            said.judge_error or "",
            tuple(str(changed.get("field")) for changed in said.warnings),
        )

    def module(self, name: str) -> Any:
        """One of its modules; ConfigError where a package that it needs is missing."""
        try:
            return importlib.import_module(f"{PACKAGE}.{name}")
        except ModuleNotFoundError as cause:
            raise ConfigError(
                f"{self.folder}/{PACKAGE} needs {cause.name}: pip install -r "
                f"{self.folder}/{PACKAGE}/requirements.txt"
            ) from cause
        except ImportError as cause:
            raise TaskError(f"{self.folder}/{PACKAGE}: {cause}") from cause

    @cached_property
    def _registry(self) -> Any:
        return self.module("task.registry").TaskRegistry()


def _named(task: str, name: str) -> bool:
    return name in (task, task.partition(".")[0])


def _unknown(name: str, known: Sequence[str]) -> ConfigError:
    """The error for what is neither a suite nor a task: with the tasks of its suite, if any."""
    suite = name.partition(".")[0]
    beside = [task for task in known if _named(task, suite)]
    if beside:
        return unknown_name(f"task of MobileGym's suite {suite}", name, beside)
    return unknown_name("suite of MobileGym", name, {task.partition(".")[0] for task in known})
