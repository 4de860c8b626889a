"""Suites of BrowserGym's tasks: `browsergym:NAMES`.

    browsergym:miniwob                                   a benchmark
    browsergym:miniwob.click-test,miniwob.click-dialog   some tasks by their ids
    browsergym:webarena#steps=30                         30 steps per episode instead of 20

A benchmark `x` is the package `browsergym.x`, which registers its tasks when it is imported. Tasks
of MiniWoB and WorkArena differ with their seed: every split has seeds of its own. Those of any
other benchmark do not, so each of them belongs to one split, by a hash of its id.
"""

from __future__ import annotations

import hashlib
import importlib
import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from distrl.errors import ConfigError, boundary, unknown_name
from distrl.tasks.seed_suite import SeedSuite, SeedTemplate

PREFIX = "browsergym:"
REGISTERED = "browsergym/"
"""What Gymnasium's names of BrowserGym's tasks begin with."""
_SEEDED = frozenset({"miniwob", "workarena"})
_SEEDS = {"train": 300, "val": 10, "test": 100, "unseen": 0}
_STEPS = 20
_NAMES = re.compile(r"[a-z][\w.+-]*(,[a-z][\w.+-]*)*", re.IGNORECASE)
_STEPS_OF = re.compile(r"steps=([1-9][0-9]{0,3})")
# Of a hundred: most are for training, as in other suites.
_SHARES = (("val", 10), ("test", 30), ("train", 100))


class BrowserGymTemplate(SeedTemplate):
    """One of BrowserGym's tasks, by its id."""

    question = True  # it may be one: nobody knows before it is played

    def __init__(self, name: str, steps: int) -> None:
        """`name` is its id, such as `miniwob.click-test`."""
        super().__init__(name, (f"Do what {name} asks for",), steps)
        seeded = name.partition(".")[0] in _SEEDED
        self.splits = ("train", "val", "test") if seeded else (split_of(name),)


class BrowserGymSuite(SeedSuite):
    """Tasks of one or several benchmarks."""

    def __init__(self, name: str) -> None:
        """`name` is `browsergym:NAMES`; ConfigError for what BrowserGym does not know."""
        names, sign, options = name.removeprefix(PREFIX).partition("#")
        steps = _STEPS_OF.fullmatch(options)
        if not _NAMES.fullmatch(names) or (sign and steps is None):
            raise ConfigError(
                f"tasks of BrowserGym are named {PREFIX}NAMES, such as {PREFIX}miniwob, "
                f"{PREFIX}miniwob.click-test or {PREFIX}webarena#steps=30, got {name!r}"
            )
        limit = int(steps[1]) if steps else _STEPS
        templates = [BrowserGymTemplate(task, limit) for task in known_tasks(names.split(","))]
        seeded = any(len(template.splits) > 1 for template in templates)
        per_task = _SEEDS if seeded else dict.fromkeys(("train", "val", "test"), 1)
        super().__init__(name, templates, per_task, device="browsergym")


def split_of(task: str) -> str:
    """The split of a task that no seed changes."""
    place = int.from_bytes(hashlib.sha256(task.encode()).digest()[:4], "big") % 100
    return next(split for split, end in _SHARES if place < end)


def known_tasks(names: Iterable[str]) -> list[str]:
    """Ids of the tasks that are named: those of a benchmark, or single ones."""
    chosen: dict[str, None] = {}
    for name in names:
        benchmark = name.partition(".")[0]
        ids = registered(benchmark)
        found = ids if name == benchmark else [name]
        if name != benchmark and name not in ids:
            raise unknown_name(f"task of browsergym.{benchmark}", name, ids)
        chosen.update(dict.fromkeys(found))
    return list(chosen)


def registered(benchmark: str) -> list[str]:
    """Ids of all tasks of a benchmark; ConfigError where its package is not installed."""
    import gymnasium

    module = f"browsergym.{benchmark}"
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as cause:
        raise ConfigError(
            f"{module} cannot be imported ({cause.name} is missing): pip install "
            f"'distrl[browsergym]' browsergym-{benchmark}"
        ) from cause
    of = f"{REGISTERED}{benchmark}."
    return sorted(
        name.removeprefix(REGISTERED) for name in gymnasium.registry if name.startswith(of)
    )


def task_maker(name: str) -> Callable[..., Any]:
    """What makes a task of BrowserGym from `seed`."""
    import gymnasium

    with boundary(ConfigError, f"making {name}"):
        # The environment is made for the sake of its task; no browser starts before its reset.
        env: Any = gymnasium.make(f"{REGISTERED}{name}", disable_env_checker=True).unwrapped
        return partial(env.task_entrypoint, **env.task_kwargs)
