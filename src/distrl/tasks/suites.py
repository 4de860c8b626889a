"""Suites: templates, and the tasks of each split that are drawn from them.

The tasks of a split are a pure function of the suite's templates: the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Self

import yaml

from distrl import plugins
from distrl.errors import ConfigError, unknown_name
from distrl.plugins import Part
from distrl.tasks.pools import SPLITS, normalise
from distrl.tasks.template import Draw, Template
from distrl.types import BASIC_KINDS, Kind, Task, Value

DRAWS = 60
"""Tries to find a goal that the split does not have yet."""
_PATIENCE = 12
"""Tries with one phrasing before the next has its turn."""
SEED_STEP = 1_000_000
"""Distance between the first seeds of two splits; no split has as many tasks."""
_YAML = (".yaml", ".yml")
_ANDROID_WORLD = "androidworld:"
_OF_PAGES = frozenset({"name", "url", "folder", "serve", "allow"})
"""What only the description of a web app has; its tasks have names, and goals are a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteShape:
    """How large a suite is."""

    sizes: Mapping[str, int]
    """Tasks per split."""
    step_limit: int
    first_seed: int
    """Seeds of a suite start here; each split has a range of its own."""
    already_open: float = 0.0
    """Share of the tasks that start where a person left the phone: in the app that is needed."""


class Suite:
    """One family of tasks on one kind of device."""

    device = "phone"
    """Name of the device kind that the tasks are played on."""

    def __init__(self, name: str, templates: Sequence[Template], shape: SuiteShape) -> None:
        """Name the templates; tasks are drawn when first asked for."""
        self.name = name
        self.templates: dict[str, Template] = {}
        for template in templates:
            if template.name in self.templates:
                raise ConfigError(f"two templates of {name} are named {template.name!r}")
            self.templates[template.name] = template
        self.shape = shape
        self.groups: Mapping[str, tuple[str, ...]] = {}
        """Names that stand for several templates."""
        self._tasks: dict[str, tuple[Task, ...]] = {}
        self._whole: Suite | None = None
        """The suite that this one has some templates of."""

    @property
    def splits(self) -> tuple[str, ...]:
        """Names of the splits."""
        return SPLITS

    @property
    def kinds(self) -> frozenset[Kind]:
        """Action kinds that its tasks need: an answer as well, if a template is a question."""
        asks = any(template.question for template in self.templates.values())
        return BASIC_KINDS | {Kind.ANSWER} if asks else BASIC_KINDS

    def tasks(self, split: str) -> tuple[Task, ...]:
        """The tasks of a split, in a fixed order that mixes the templates."""
        if split not in self.splits:
            raise unknown_name("split", split, self.splits)
        if split not in self._tasks:
            self._tasks[split] = self._draw(split) if self._whole is None else self._own(split)
        return self._tasks[split]

    def _own(self, split: str) -> tuple[Task, ...]:
        """Those of the whole suite's tasks whose templates were chosen."""
        assert self._whole is not None
        return tuple(t for t in self._whole.tasks(split) if t.template in self.templates)

    def all_templates(self) -> Mapping[str, Template]:
        """Every template by name, derived ones too."""
        return self.templates

    def template(self, name: str) -> Template:
        """A template by name."""
        # Derived ones are looked at last, for they are built when they are first asked for.
        known = self.templates if name in self.templates else self.all_templates()
        if name not in known:
            raise unknown_name(f"template of {self.name}", name, known)
        return known[name]

    def only(self, names: Sequence[str]) -> Self:
        """The same suite with some of its templates, or groups of them; tasks keep their ids."""
        chosen = copy(self)
        chosen.templates = {
            name: self.template(name) for part in names for name in self.groups.get(part, (part,))
        }
        # Its tasks are picked when they are asked for: a large split costs only those who play it.
        chosen._whole, chosen._tasks = self, {}
        return chosen

    def _draw(self, split: str) -> tuple[Task, ...]:
        pool = [t for t in self.templates.values() if t.unseen == (split == "unseen")]
        rng = Random(f"{self.name} {split}")
        goals: set[str] = set()
        drawn = [
            (template.name, goal, parameters)
            for template, count in quotas(pool, self.shape.sizes[split]).items()
            for goal, parameters in _draw_some(template, count, Draw(split, rng), goals)
        ]
        rng.shuffle(drawn)
        return tuple(self._posed(split, index, *posed) for index, posed in enumerate(drawn))

    def _posed(
        self, split: str, index: int, template: str, goal: str, parameters: Mapping[str, Value]
    ) -> Task:
        """A task at its place in a split."""
        return Task(
            id=f"{self.name}/{split}/{index}",
            goal=goal,
            suite=self.name,
            split=split,
            template=template,
            parameters=parameters,
            seed=self.shape.first_seed + self.splits.index(split) * SEED_STEP + index,
            step_limit=self.template(template).step_limit or self.shape.step_limit,
        )


def quotas(templates: Sequence[Template], size: int) -> dict[Template, int]:
    """Share a number of tasks out by weight; the largest remainders get the odd ones."""
    total = sum(t.weight for t in templates)
    exact = {t: size * t.weight / total for t in templates}
    quotas = {t: int(share) for t, share in exact.items()}
    # Less than half a task is rounded down as long as anybody else can take the odd one.
    by_remainder = sorted(templates, key=lambda t: (exact[t] < 0.5, quotas[t] - exact[t]))
    for template in by_remainder[: size - sum(quotas.values())]:
        quotas[template] += 1
    return quotas


def _draw_some(
    template: Template, count: int, draw: Draw, goals: set[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Goals and their parameters, new to the split while there are any left.

    Phrasings take turns: none is heard more often than the others, or never.
    """
    _require_values(template, draw.split)
    phrasings = list(template.phrasings_for(draw.split))
    draw.rng.shuffle(phrasings)
    for turn in range(count):
        for attempt in range(DRAWS):
            phrasing = phrasings[(turn + attempt // _PATIENCE) % len(phrasings)]
            parameters = template.sample(draw)
            goal = phrasing.format(**parameters)
            if normalise(goal) not in goals:
                break
        goals.add(normalise(goal))
        yield goal, parameters


def _require_values(template: Template, split: str) -> None:
    """ConfigError when a template has no way to ask, or no value to ask with, in a split."""
    if not template.phrasings_for(split):
        raise ConfigError(
            f"the template {template.name!r} has no phrasing left for the split {split!r}: it has "
            f"{len(template.phrasings)}, and one without an open parameter needs three or more, "
            "of which val and test take one each"
        )
    for name, pool in template.params.items():
        if not pool.share(split):
            raise ConfigError(
                f"the parameter {name!r} of the template {template.name!r} has no value in the "
                f"split {split!r}: its {len(pool.values)} values all belong to other splits; give "
                "it more"
            )


def _general() -> Suite:
    from distrl.tasks.general import TEMPLATES
    from distrl.tasks.operations.suites import general
    from distrl.tasks.operations.wide_suite import WideSuite

    sizes = {"train": 600, "val": 64, "test": 128, "unseen": 136}
    shape = SuiteShape(sizes=sizes, step_limit=15, first_seed=10_000_000, already_open=0.4)
    return WideSuite("general", TEMPLATES, shape, general)


def _shopping() -> Suite:
    from distrl.tasks.operations.suites import shopping
    from distrl.tasks.operations.wide_suite import WideSuite
    from distrl.tasks.shopping import TEMPLATES
    from distrl.tasks.splits import COMPOSED, WIDE, WORDED

    sizes = {"train": 500, "val": 64, "test": 128, "unseen": 64}
    shape = SuiteShape(sizes=sizes, step_limit=20, first_seed=20_000_000)
    return WideSuite("shopping", TEMPLATES, shape, shopping, (WIDE, WORDED, COMPOSED))


def _questions() -> Suite:
    from distrl.tasks.questions import TEMPLATES as GENERAL
    from distrl.tasks.shopping.questions import TEMPLATES as SHOPPING

    sizes = {"train": 320, "val": 64, "test": 128, "unseen": 32}
    shape = SuiteShape(sizes=sizes, step_limit=20, first_seed=40_000_000, already_open=0.3)
    suite = Suite("questions", (*GENERAL, *SHOPPING), shape)
    groups = {"general": GENERAL, "shopping": SHOPPING}
    suite.groups = {name: tuple(t.name for t in group) for name, group in groups.items()}
    return suite


_STARTER = (
    "city_weather",
    "open_app",
    "open_chat",
    "open_note",
    "open_notification",
    "open_recent_file",
    "quick_switch",
    "switch_alarm",
)
"""Templates of the general suite whose goals are two or three steps away."""


def _starter() -> Suite:
    from distrl.tasks.general import TEMPLATES

    chosen = [template for template in TEMPLATES if template.name in _STARTER]
    sizes = {"train": 160, "val": 24, "test": 48, "unseen": 0}
    shape = SuiteShape(sizes=sizes, step_limit=5, first_seed=30_000_000, already_open=1.0)
    return Suite("starter", chosen, shape)


def _miniwob() -> Suite:
    from distrl.tasks.web.miniwob import miniwob

    return miniwob()


_SUITES: dict[str, Callable[[], Suite]] = {
    "general": _general,
    "shopping": _shopping,
    "questions": _questions,
}
_SMALL: dict[str, Callable[[], Suite]] = {"starter": _starter}
"""Parts of others, for policies that are slow to learn: no suites to compare by."""
_PAGES: dict[str, Callable[[], Suite]] = {"miniwob": _miniwob}


def _openenv(name: str) -> Suite:
    from distrl.tasks.openenv import OpenEnvSuite

    return OpenEnvSuite(name)


def _browsergym(name: str) -> Suite:
    from distrl.tasks.browsergym.suite import BrowserGymSuite

    return BrowserGymSuite(name)


def _mobilegym(name: str) -> Suite:
    from distrl.tasks.mobilegym.suite import MobileGymSuite

    return MobileGymSuite(name)


_ADDRESSED: dict[str, Callable[[str], Suite]] = {
    "openenv:": _openenv,
    "browsergym:": _browsergym,
    "mobilegym:": _mobilegym,
}
"""What others made, by how its name begins; the rest of the name says which, or where it is."""
_KNOWN = {**_SUITES, **_SMALL, **_PAGES}


def built_in_suites() -> tuple[str, ...]:
    """Names of the suites of the embedded phone that are always there."""
    return tuple(_SUITES)


def page_suites() -> tuple[str, ...]:
    """Names of the suites of web pages, which need a browser."""
    return tuple(_PAGES)


def suite_names() -> tuple[str, ...]:
    """Names of suites for the embedded phone, those of plug-ins last."""
    return (*_SUITES, *plugins.names(Part.SUITE, _SUITES))


def find_task(task_id: str) -> Task:
    """A task by its suite, split and number, such as `general/test/17`, `goals.yaml/test/0`."""
    parts = task_id.rsplit("/", 2)
    if len(parts) != 3 or not parts[0]:
        raise ConfigError(
            f"a task is named SUITE/SPLIT/NUMBER, such as general/val/0, got {task_id!r}"
        )
    suite, split, number = parts
    tasks = load_suite(suite).tasks(split)
    if not (number.isdecimal() and int(number) < len(tasks)):
        raise ConfigError(
            f"unknown task {task_id!r}: {suite}/{split} has the numbers 0 to {len(tasks) - 1}"
            if tasks
            else f"unknown task {task_id!r}: {suite}/{split} has no tasks"
        )
    return tasks[int(number)]


@cache
def is_file(name: str) -> bool:
    """Whether a suite is named by the file that holds its goals, for phones over adb."""
    if name.startswith(_ANDROID_WORLD):
        return False
    return name.endswith(".txt") or (name.endswith(_YAML) and not _has_pages(Path(name)))


def is_over_adb(name: str) -> bool:
    """Whether the tasks of a suite are for phones over adb and no others."""
    return is_file(name) or name.startswith(_ANDROID_WORLD)


def _has_pages(path: Path) -> bool:
    """Whether a file describes a web app, as far as it got."""
    try:
        tree = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return False
    if not isinstance(tree, dict):
        return False
    return isinstance(tree.get("tasks"), dict) or not _OF_PAGES.isdisjoint(tree)


@cache
def load_suite(name: str) -> Suite:
    """A suite by name: a built-in one, or a plug-in's.

    `NAME:TEMPLATE,TEMPLATE` is a suite with those templates alone. The path of a YAML file is the
    suite of a web app that it describes, or one of goals for phones over adb; the latter may stand
    in a text file too. `openenv:URL` is the environment of an OpenEnv server, `browsergym:NAMES`
    are tasks of BrowserGym, `mobilegym:CHECKOUT` and `androidworld:CHECKOUT` those of MobileGym and
    AndroidWorld. `NAME+NAME` has the tasks of both.
    """
    if name.startswith(_ANDROID_WORLD):  # first: the folder may be named as a file could be
        from distrl.tasks.android_world.suite import AndroidWorldSuite

        return AndroidWorldSuite(name)
    if is_file(name):
        from distrl.tasks.android import read_suite

        return read_suite(name)
    if name.endswith(_YAML):
        from distrl.tasks.web.described import read_suite as read_pages

        pages = read_pages(name)
        if pages.name in _KNOWN:
            # Its tasks would be taken for those of the other suite wherever they are stored.
            raise ConfigError(f"{name}: name is {pages.name!r}, a built-in suite; choose another")
        return pages
    addressed = _ADDRESSED.get(name.partition(":")[0] + ":")
    if addressed is not None:
        return addressed(name)
    if "+" in name and ":" not in name:
        from distrl.tasks.joined_suite import joined

        return joined(name)
    whole, sign, chosen = name.partition(":")
    if sign:
        return load_suite(whole.strip()).only([part.strip() for part in chosen.split(",")])
    return _KNOWN[name]() if name in _KNOWN else _of_plugin(name)


def _of_plugin(name: str) -> Suite:
    """A plug-in's suite; ConfigError with the nearest name of all suites if there is none."""
    plugin = plugins.find(Part.SUITE, name, _KNOWN)
    suite = plugin.make()
    if not isinstance(suite, Suite) or suite.name != name:
        raise plugin.broken(f"it made {suite!r}, which is no Suite of that name")
    with plugin.guarded():  # now, while it is known whose mistake it would be
        for split in suite.splits:
            suite.tasks(split)
    return suite
