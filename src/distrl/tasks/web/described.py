"""A suite from a YAML file: any web app, with goals and checks of your own.

    name: notes                        # what the tasks are filed under
    url: http://127.0.0.1:8123/        # where every episode starts
    serve: python -m http.server 8123 --bind 127.0.0.1   # a command that serves it; or
    folder: app                        # a folder with its files, which needs no server at all
    allow: [https://cdn.example.org]   # what else the page may talk to; nothing by default
    width: 412                         # of the page, in pixels
    height: 732
    step_limit: 10
    reset: localStorage.clear()        # JavaScript, before every episode; SEED and SPLIT are there
    tasks:
      add:
        goals: ["Put {item} on the list", "We need {item}"]
        values: {item: [milk, bread]}  # goals take turns through all of them
        reset: app.clear()             # after the one above; `item` is there too
        check: app.items.includes(item)                  # JavaScript; or
        check_python: checks:has_item  # a function of (device, task), found beside this file

The check is asked when the agent says that it is done, or all the time with `ends: true`: then the
episode is over as soon as it holds.
"""

from __future__ import annotations

import importlib.util
import shlex
from itertools import product
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field, ValidationError

from distrl.config.base import Config
from distrl.devices.browser.serving import serve
from distrl.devices.browser.site import Site, origin_of
from distrl.errors import ConfigError
from distrl.tasks.web.suite import KNOWN, Check, PageSuite, PageTask


class DescribedTask(Config):
    """One task of a web app."""

    goals: list[str] = Field(min_length=1)
    """Ways to ask for it; they take turns."""
    values: dict[str, list[str]] = Field(default_factory=dict)
    """What stands for the names in braces."""
    check: str | None = None
    """JavaScript that is true when the goal is reached."""
    check_python: str | None = None
    """The same in Python: `module:function`, called with the device and the task."""
    reset: str = ""
    """JavaScript that prepares this task."""
    ends: bool = False
    """Whether the episode is over as soon as the check holds."""
    step_limit: int | None = Field(None, ge=1)
    """Other than the suite's."""


class DescribedSuite(Config):
    """A web app and its tasks."""

    name: str
    """What the tasks are filed under."""
    url: str
    """Where every episode starts."""
    folder: str | None = None
    """A folder with the app's files, beside the YAML file; it answers for the origin of `url`."""
    serve: str | None = None
    """A command that serves the app; it is started once and ended with this process."""
    allow: tuple[str, ...] = ()
    """Other origins that the page may talk to."""
    width: int = Field(412, ge=1)
    """Of the page."""
    height: int = Field(732, ge=1)
    """Of the page."""
    frozen: bool = True
    """Let the page's time pass with actions only."""
    step_limit: int = Field(10, ge=1)
    """Of every task that has none of its own."""
    seeds: dict[str, int] = Field(
        default_factory=lambda: {"train": 100, "val": 4, "test": 20, "unseen": 0}
    )
    """Episodes of each task that a split has; each has a seed of its own."""
    reset: str = ""
    """JavaScript before every episode."""
    tasks: dict[str, DescribedTask] = Field(min_length=1)
    """By name."""


def read_suite(path: str) -> PageSuite:
    """The suite that a file describes; ConfigError tells what is wrong with it."""
    file = Path(path)
    described = _read(file)
    place = file.resolve().parent
    folders = {}
    if described.folder is not None:
        folder = place / described.folder
        if not folder.is_dir():
            raise ConfigError(f"{path}: there is no folder {folder}")
        folders = {origin_of(described.url): folder}
    if described.serve is not None:
        serve(shlex.split(described.serve), described.url, place)
    pages = [_page(described, name, task, folders, place) for name, task in described.tasks.items()]
    return PageSuite(described.name, pages, described.seeds, where=path)


def _read(file: Path) -> DescribedSuite:
    try:
        tree = yaml.safe_load(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{file} cannot be read: {' '.join(str(error).split())}") from None
    try:
        return DescribedSuite.model_validate(tree)
    except ValidationError as error:
        problems = [
            f"{file}: {'.'.join(map(str, detail['loc']))}: {detail['msg']}"
            for detail in error.errors(include_url=False)
        ]
        raise ConfigError("\n".join(problems)) from None


def _page(
    suite: DescribedSuite,
    name: str,
    task: DescribedTask,
    folders: dict[str, Path],
    place: Path,
) -> PageTask:
    if (task.check is None) == (task.check_python is None):
        raise ConfigError(f"the task {name!r} needs either check or check_python")
    goals, values = _goals(name, task)
    names = ",".join(("SEED", "SPLIT", *task.values))
    check = f"(({{{names}}})=>{{try{{return({task.check})}}catch{{return false}}}})"
    success = f"{check}(window.{KNOWN}??{{}})" if task.check else "false"
    site = Site(
        start=suite.url,
        folders=folders,
        allowed=suite.allow,
        width=suite.width,
        height=suite.height,
        frozen=suite.frozen,
        probe=f"(success=>({{success,ended:success&&{str(task.ends).lower()}}}))"
        f"(Boolean({success}))",
    )
    return PageTask(
        name=name,
        site=site,
        begin=f"{suite.reset};{task.reset};",
        goals=goals,
        values=values,
        judged_by_page=task.ends,
        stays=False,
        step_limit=task.step_limit or suite.step_limit,
        check=None if task.check_python is None else _function(task.check_python, place),
    )


def _goals(name: str, task: DescribedTask) -> tuple[tuple[str, ...], tuple[dict[str, str], ...]]:
    """Every goal with every choice of values, and those values."""
    choices = [
        dict(zip(task.values, drawn, strict=True)) for drawn in product(*task.values.values())
    ]
    both = [(phrasing, values) for values in choices for phrasing in task.goals]
    try:
        goals = tuple(phrasing.format(**values) for phrasing, values in both)
    except (KeyError, IndexError, ValueError) as error:
        raise ConfigError(f"a goal of the task {name!r} has no value for {error}") from None
    return goals, tuple(values for _, values in both)


def _function(named: str, place: Path) -> Check:
    """A function from a module beside the file."""
    module, sign, name = named.partition(":")
    file = place / f"{module.replace('.', '/')}.py"
    if not sign or not file.is_file():
        raise ConfigError(
            f"check_python is MODULE:FUNCTION of a module beside the suite, got {named!r}"
        )
    spec = importlib.util.spec_from_file_location(f"distrl_check_{module}", file)
    assert spec is not None and spec.loader is not None
    loaded: Any = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(loaded)
    except Exception as error:
        raise ConfigError(f"{file} cannot be imported: {error!r}") from error
    found = getattr(loaded, name, None)
    if not callable(found):
        raise ConfigError(f"{file} has no function {name!r}")
    check: Check = found
    return check
