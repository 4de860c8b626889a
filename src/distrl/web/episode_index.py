"""All episodes of a run as columns in memory, so that any filter answers at once.

The store is read once, by the lines about its episodes; afterwards only what is new is read.
Texts are numbered, so that 50,000 episodes take a few megabytes and a filter is a comparison of
whole numbers. Nothing is ever written: a run does not notice who looks at it.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from distrl.errors import StoreError
from distrl.replay.store.sqlite import StoreReader
from distrl.types import Outcome

Column: TypeAlias = npt.NDArray[Any]
Mask: TypeAlias = npt.NDArray[np.bool_]
Numbers: TypeAlias = npt.NDArray[np.int64]

TEXTS = ("suite", "split", "template", "task_id", "outcome", "device")
"""Columns that are numbered."""
_FLOATS = ("reward", "started", "ended")
_INTEGERS = ("number", "steps", "min_version", "max_version", "lag")
NO_VERSION = -1
"""Stands for the version of an episode without steps."""


class Order(StrEnum):
    """How episodes are listed."""

    NEWEST = "newest"
    OLDEST = "oldest"
    LONGEST = "longest"
    REWARD = "reward"
    LAG = "lag"
    PRIORITY = "priority"


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """Numbers from one end to the other, both included; None leaves an end open."""

    low: float | None = None
    high: float | None = None

    def holds(self, values: Column) -> Mask:
        """Where a number lies inside; nowhere for what is no number, unless both ends are open."""
        mask = np.ones(len(values), np.bool_)
        if self.low is not None:
            mask &= values >= self.low
        if self.high is not None:
            mask &= values <= self.high
        return mask


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which episodes are wanted. Everything that is given has to hold."""

    text: str = ""
    """Stands in the goal, the template, or the name of the task or the episode."""
    suite: str = ""
    split: str = ""
    template: str = ""
    outcome: str = ""
    device: str = ""
    version: Range = Range()
    """Of the weights that acted, in any step."""
    reward: Range = Range()
    steps: Range = Range()
    lag: Range = Range()
    priority: Range = Range()
    ratio: Range = Range()


@dataclass(frozen=True, slots=True)
class Extra:
    """Numbers about episodes that are not in the store, by episode id."""

    priority: Mapping[str, float]
    ratio: Mapping[str, float]


NOTHING = Extra({}, {})


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The episodes at one moment; nobody changes it."""

    columns: Mapping[str, Column]
    names: Mapping[str, Sequence[str]]
    """What the numbers of a text column stand for."""
    ids: Sequence[str]
    faults: Mapping[int, str]
    """By row; most episodes have none."""
    goals: Mapping[str, str]
    """By task id."""

    def __len__(self) -> int:
        """How many episodes there are."""
        return len(self.ids)

    def text(self, column: str, row: int) -> str:
        """A text of one row."""
        return self.names[column][int(self.columns[column][row])]

    def where(self, column: str, name: str) -> Mask:
        """The rows with this text."""
        names = self.names[column]
        code = names.index(name) if name in names else -1
        mask: Mask = self.columns[column] == code
        return mask

    @property
    def counted(self) -> Mask:
        """Rows that say something about the policy: a fault says nothing."""
        # Another version may have stored outcomes unknown to this one; they count as faults.
        trainable = {outcome.value for outcome in Outcome if outcome.trainable}
        codes = [i for i, name in enumerate(self.names["outcome"]) if name in trainable]
        mask: Mask = np.isin(self.columns["outcome"], codes)
        return mask

    @property
    def succeeded(self) -> Mask:
        """Rows of successes."""
        return self.where("outcome", Outcome.SUCCEEDED)

    def by_id(self, values: Mapping[str, float]) -> Column:
        """A column of numbers by episode id; nan where there is none."""
        return np.array([values.get(name, np.nan) for name in self.ids], np.float64)


def select(table: Table, wanted: Filter, extra: Extra = NOTHING) -> Mask:
    """Which rows a filter leaves."""
    columns = table.columns
    mask = np.ones(len(table), np.bool_)
    for name in ("suite", "split", "template", "outcome", "device"):
        if value := getattr(wanted, name):
            mask &= table.where(name, value)
    if wanted.version != Range():
        # An episode may span versions: it is wanted if any of them is.
        low, high = wanted.version.low, wanted.version.high
        mask &= columns["min_version"] != NO_VERSION
        mask &= Range(low=low).holds(columns["max_version"])
        mask &= Range(high=high).holds(columns["min_version"])
    for name in ("reward", "steps", "lag"):
        mask &= getattr(wanted, name).holds(columns[name])
    if wanted.lag != Range():
        mask &= columns["min_version"] != NO_VERSION
    for name, values in (("priority", extra.priority), ("ratio", extra.ratio)):
        if (bounds := getattr(wanted, name)) != Range():
            mask &= bounds.holds(table.by_id(values))
    if wanted.text:
        mask &= _mentions(table, wanted.text.casefold())
    return mask


def order(table: Table, mask: Mask, by: Order, extra: Extra = NOTHING) -> Numbers:
    """The selected rows in order; of equals, the newest first."""
    rows: Numbers = np.flatnonzero(mask)[::-1]
    match by:
        case Order.NEWEST:
            return rows
        case Order.OLDEST:
            return rows[::-1]
        case Order.PRIORITY:
            keys = np.nan_to_num(table.by_id(extra.priority), nan=-np.inf)
        case _:
            keys = table.columns[{Order.LONGEST: "steps"}.get(by, by.value)]
    ordered: Numbers = rows[np.argsort(-keys[rows], kind="stable")]
    return ordered


def counters(table: Table, mask: Mask, column: str) -> dict[str, int]:
    """How often each text of a column stands in the selected rows."""
    names = table.names[column]
    counts = np.bincount(table.columns[column][mask], minlength=len(names))
    return {name: int(count) for name, count in zip(names, counts, strict=True) if count}


def _mentions(table: Table, text: str) -> Mask:
    tasks = [
        text in name.casefold() or text in table.goals.get(name, "").casefold()
        for name in table.names["task_id"]
    ]
    templates = [text in name.casefold() for name in table.names["template"]]
    mask: Mask = _spread(tasks, table.columns["task_id"])
    mask |= _spread(templates, table.columns["template"])
    mask |= np.array([text in name for name in table.ids], np.bool_)
    return mask


def _spread(answers: Sequence[bool], codes: Column) -> Mask:
    mask: Mask = np.array([*answers, False], np.bool_)[codes]
    return mask


EMPTY = Table(
    {name: np.zeros(0, np.int32) for name in TEXTS}
    | {name: np.zeros(0, np.float64) for name in _FLOATS}
    | {name: np.zeros(0, np.int64) for name in _INTEGERS},
    {name: [] for name in TEXTS},
    [],
    {},
    {},
)
"""A run without episodes."""


class EpisodeIndex:
    """Follows the store of a run. Any thread may ask."""

    def __init__(self, path: Path) -> None:
        """The store need not be there yet."""
        self._path = path
        self._lock = threading.Lock()
        self._reader: StoreReader | None = None
        self._codes: dict[str, dict[str, int]] = {name: {} for name in TEXTS}
        self._newest_version = NO_VERSION
        self._table = EMPTY

    @property
    def reader(self) -> StoreReader | None:
        """The store itself; None before it is there."""
        with self._lock:
            return self._open()

    def table(self) -> Table:
        """The episodes of now; StoreError when the store is damaged or is none."""
        with self._lock:
            reader = self._open()
            if reader is not None:
                try:
                    self._take_new(reader)
                except (ValueError, TypeError, OverflowError) as cause:
                    # Columns are read unchecked; SQLite keeps any type in any column.
                    raise StoreError(f"{self._path}: a row is damaged: {cause}") from cause
            return self._table

    def close(self) -> None:
        """Let go of the store."""
        with self._lock:
            if self._reader is not None:
                self._reader.close()
            self._reader = None

    def _open(self) -> StoreReader | None:
        if self._reader is None and self._path.is_file():
            self._reader = StoreReader(self._path, deadline=5.0)
        return self._reader

    def _take_new(self, reader: StoreReader) -> None:
        old = self._table
        last = int(old.columns["number"][-1]) if len(old) else 0
        found = reader.columns(last)
        if not found:
            return
        new: dict[str, Column] = {}
        for name in TEXTS:
            codes = self._codes[name]
            new[name] = np.array([codes.setdefault(v, len(codes)) for v in found[name]], np.int32)
        for name in _FLOATS:
            new[name] = np.array(found[name], np.float64)
        for name in ("number", "steps"):
            new[name] = np.array(found[name], np.int64)
        for name in ("min_version", "max_version"):
            values = [NO_VERSION if version is None else version for version in found[name]]
            new[name] = np.array(values, np.int64)
        # Whoever acted last acted with the newest weights there were, so the largest version up
        # to an episode is the newest one when it ended.
        newest = np.maximum.accumulate(np.maximum(new["max_version"], self._newest_version))
        self._newest_version = int(newest[-1])
        new["lag"] = np.where(new["min_version"] == NO_VERSION, 0, newest - new["min_version"])
        faults = {len(old) + i: fault for i, fault in enumerate(found["fault"]) if fault}
        self._table = Table(
            {name: np.concatenate([old.columns[name], new[name]]) for name in new},
            {name: list(codes) for name, codes in self._codes.items()},
            [*old.ids, *found["id"]],
            {**old.faults, **faults},
            {**old.goals, **self._new_goals(reader, old, new)},
        )

    def _new_goals(
        self, reader: StoreReader, old: Table, new: Mapping[str, Column]
    ) -> dict[str, str]:
        """Goals of the tasks that nobody tried before; a task is read once."""
        codes, first = np.unique(new["task_id"], return_index=True)
        fresh = codes >= len(old.names["task_id"])
        numbers = [int(number) for number in new["number"][first[fresh]]]
        return {task.id: task.goal for task in reader.tasks(numbers).values()}
