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
        goals: ["Put {item} on the list", "We need {item}"]    # they take turns
        values: {item: [milk, bread, ...]}   # no two splits share one; or say who has which:
        values: {item: {train: [milk, bread], val: [tea], test: [salt]}}
        choices: {size: [small, large]}      # too few to be divided: all splits have all of them
        reset: app.clear()             # after the one above; `item` and `size` are there too
        check: app.items.includes(item)                  # JavaScript; or
        check_python: checks:has_item  # a function of (device, task), found beside this file
      count:
        goals: ["How many things are on the list?"]
        answer: "3"                    # what the agent has to answer, in any form; it may name
                                       # {item}, and needs no check, though it may have one

Which split has a value, its hash decides, as for the values of the embedded phone. A task without
`values` differs between the splits in its wording alone: of three goals or more, one is kept for
val and one for test.

The check is asked when the agent says that it is done, or all the time with `ends: true`: then the
episode is over as soon as it holds. A check that throws is an error of the task: no episode with it
counts. `distrl suites FILE --try` asks each check on a fresh page, and so does a run that starts.
"""

from __future__ import annotations

import importlib.util
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field

from distrl.config.base import Config
from distrl.config.load import checked, parse_yaml
from distrl.devices.browser.serving import serve
from distrl.devices.browser.site import Site, origin_of
from distrl.errors import ConfigError, unknown_name
from distrl.tasks.pools import SPLITS, Pool, normalise, split_of
from distrl.tasks.web.suite import Check, PageGoal, PageSuite, PageTask


class DescribedTask(Config):
    """One task of a web app."""

    goals: list[str] = Field(min_length=1)
    """Ways to ask for it; they take turns."""
    values: dict[str, list[str] | dict[str, list[str]]] = Field(default_factory=dict)
    """What stands for the names in braces, each in one split: by its hash, or as it is said."""
    choices: dict[str, list[str]] = Field(default_factory=dict)
    """The same, in all splits."""
    check: str | None = None
    """JavaScript that is true when the goal is reached."""
    check_python: str | None = None
    """The same in Python: `module:function`, called with the device and the task."""
    answer: str | None = Field(None, min_length=1)
    """What the agent has to answer, in any form, with names in braces; no check is needed then."""
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


@dataclass(frozen=True, slots=True)
class _Place:
    """Where tasks are described."""

    file: Path
    lines: Mapping[str, int]
    """Of the check of each task."""

    @property
    def folder(self) -> Path:
        """What paths in the file start from."""
        return self.file.resolve().parent


def read_suite(path: str) -> PageSuite:
    """The suite that a file describes; ConfigError tells what is wrong with it."""
    file = Path(path)
    described, lines = _read(file)
    place = _Place(file, lines)
    folders = {}
    if described.folder is not None:
        folder = place.folder / described.folder
        if not folder.is_dir():
            raise ConfigError(f"{path}: there is no folder {folder}")
        folders = {origin_of(described.url): folder}
    try:
        if described.serve is not None:
            serve(_command(described.serve), described.url, place.folder)
        pages = [
            _page(described, name, task, folders, place) for name, task in described.tasks.items()
        ]
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error
    return PageSuite(described.name, pages, described.seeds, where=path)


def _command(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:
        raise ConfigError(f"serve is no command ({error}): {line!r}") from None


def _read(file: Path) -> tuple[DescribedSuite, dict[str, int]]:
    """What a file describes, and the lines that the checks of its tasks stand in."""
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} cannot be read: {' '.join(str(error).split())}") from None
    tree = parse_yaml(text, str(file))
    if not isinstance(tree, dict):
        raise ConfigError(f"{file} must hold keys and values, such as name, url and tasks")
    return checked(DescribedSuite, tree, where=str(file)), _check_lines(text)


def _check_lines(text: str) -> dict[str, int]:
    """For each task, the line of its check, from 1."""
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    tasks = next(value for key, value in root.value if key.value == "tasks")
    return {
        task.value: key.start_mark.line + 1
        for task, described in tasks.value
        for key, _ in described.value
        if key.value in ("check", "check_python", "answer")
    }


def _page(
    suite: DescribedSuite,
    name: str,
    task: DescribedTask,
    folders: dict[str, Path],
    place: _Place,
) -> PageTask:
    _require_check(name, task)
    params = _params(suite, name, task)
    where = f"{place.file.name}, line {place.lines[name]}"
    site = Site(
        start=suite.url,
        folders=folders,
        allowed=suite.allow,
        width=suite.width,
        height=suite.height,
        frozen=suite.frozen,
    )
    return PageTask(
        name=name,
        site=site,
        begin=f"{suite.reset};{task.reset};",
        goals=_goals(name, task, params),
        params={n: Pool(n, (*values,), open=n in task.values) for n, values in params.items()},
        judged_by_page=task.ends,
        stays=False,
        step_limit=task.step_limit or suite.step_limit,
        check=None if task.check_python is None else _function(task.check_python, place.folder),
        check_script=_check_script(task),
        answer=task.answer,
        where=where,
    )


def _require_check(name: str, task: DescribedTask) -> None:
    checks = (task.check is not None) + (task.check_python is not None)
    if checks > 1 or not (checks or task.answer):
        raise ConfigError(f"the task {name!r} needs either check or check_python, or an answer")
    if task.answer is None:
        return
    if task.ends:
        raise ConfigError(f"the task {name!r} asks for an answer: its page cannot end it (ends)")
    try:
        task.answer.format(**dict.fromkeys((*task.values, *task.choices), ""))
    except (KeyError, IndexError, ValueError) as error:
        known = ", ".join((*task.values, *task.choices)) or "none"
        raise ConfigError(
            f"the answer {task.answer!r} of the task {name!r} does not fit its values "
            f"({error!r}; there are: {known})"
        ) from None


def _check_script(task: DescribedTask) -> str:
    """A function of what is known of a task: {success, ended}, or the `error` of the check.

    A check in Python is asked elsewhere; the page has nothing to say then.
    """
    names = ",".join(("SEED", "SPLIT", *task.values, *task.choices))
    ends = str(task.ends).lower()
    without = "true" if task.answer is not None and task.check_python is None else "false"
    return (
        f"({{{names}}})=>{{try{{const success=Boolean({task.check or without});"
        f"return{{success,ended:success&&{ends}}}}}"
        "catch(error){return{success:false,ended:false,error:String(error)}}}"
    )


def _params(
    suite: DescribedSuite, name: str, task: DescribedTask
) -> dict[str, dict[str, tuple[str, ...]]]:
    """For each parameter its values, and the splits that may use each."""
    used = tuple(split for split in SPLITS if suite.seeds.get(split, 0))
    params = {
        parameter: _by_split(f"{name}.{parameter}", values, used)
        for parameter, values in task.values.items()
    }
    for parameter, choices in task.choices.items():
        if parameter in params:
            raise ConfigError(f"{name}.{parameter} stands in values and in choices")
        params[parameter] = dict.fromkeys(choices, SPLITS)
    return params


def _by_split(
    what: str, values: list[str] | dict[str, list[str]], used: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Each value with its split; ConfigError where a split that is `used` gets none."""
    if isinstance(values, dict):
        for split in values:
            if split not in SPLITS:
                raise unknown_name(f"split of {what}", split, SPLITS)
        found = [(value, split) for split in values for value in values[split]]
    else:
        # A split without tasks needs no values: they train.
        places = ((value, split_of(value)) for value in values)
        found = [(value, split if split in used else "train") for value, split in places]
    twice = [v for v, n in Counter(normalise(value) for value, _ in found).items() if n > 1]
    if twice:
        raise ConfigError(f"the value {twice[0]!r} of {what} stands there twice")
    missing = [split for split in used if split not in {split for _, split in found}]
    if missing:
        raise ConfigError(
            f"no value of {what} is left for {' and '.join(missing)}: each value belongs to one "
            f"split, by its hash. Add values, or say which split has which, such as "
            f"{{{_dealt([value for value, _ in found], used)}}}; or put them into `choices`, which "
            "all splits share"
        )
    return {value: (split,) for value, split in found}


def _dealt(values: Sequence[str], used: Sequence[str]) -> str:
    """A way to divide values among splits, as YAML: all but the last ones train."""
    others = [split for split in used if split != "train"]
    kept = dict(zip(others, values[::-1], strict=False))
    rest = ", ".join(value for value in values if value not in kept.values())
    parts = [f"train: [{rest or '...'}]"]
    return ", ".join([*parts, *(f"{split}: [{kept.get(split, '...')}]" for split in others)])


def _goals(
    name: str, task: DescribedTask, params: Mapping[str, Mapping[str, tuple[str, ...]]]
) -> tuple[PageGoal, ...]:
    """Every goal with every choice of values that one split has."""
    if not all(phrasing.strip() for phrasing in task.goals):
        raise ConfigError(f"a goal of the task {name!r} is empty")
    goals = []
    for drawn in product(*params.values()):
        values = dict(zip(params, drawn, strict=True))
        shared = set(SPLITS).intersection(*(params[n][value] for n, value in values.items()))
        for turn, phrasing in enumerate(task.goals):
            worded = shared if task.values else shared & _wording(turn, len(task.goals))
            splits = tuple(split for split in SPLITS if split in worded)
            try:
                goals.append(PageGoal(phrasing.format(**values), values, splits))
            except (KeyError, IndexError) as error:
                raise ConfigError(f"a goal of the task {name!r} has no value for {error}") from None
            except (ValueError, AttributeError, TypeError) as error:
                raise ConfigError(
                    f"the goal {phrasing!r} of the task {name!r} cannot be filled in ({error}): a "
                    "name in braces stands for a value, and {{ for a brace"
                ) from None
    return tuple(goals)


def _wording(turn: int, count: int) -> set[str]:
    """The splits that may use one of `count` ways to ask, where there are no values to differ by.

    With fewer than three, all splits share all of them, which the leak check tells.
    """
    if count < 3:
        return set(SPLITS)
    kept = {count - 2: {"val"}, count - 1: {"test"}}
    return kept.get(turn, {"train", "unseen"})


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
