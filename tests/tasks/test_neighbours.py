"""Whoever reaches a goal and touches a neighbour besides has a side effect, in every template.

The oracle reaches the goal. Then something is done behind its back: beside every value that the
task may change, and beside every record that holds one, a neighbour is edited, deleted or added.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from tests.tasks.runs import Run, one_task_per_template, phone, play

from distrl.devices.phone.state import EPHEMERAL, diff, drop, put
from distrl.tasks.allowed_changes import allowed_paths
from distrl.tasks.referee import PhoneReferee
from distrl.tasks.suites import built_in_suites, load_suite
from distrl.types import Outcome, Task

Path = tuple[str, ...]
Tree = dict[str, Any]

TASKS = {
    f"{suite}:{task.template}": task
    for suite in built_in_suites()
    for task in one_task_per_template(suite)
}
CHANGING = [
    name
    for name, task in TASKS.items()
    if load_suite(task.suite).template(task.template).allowed(task.parameters)
]
READING = [
    name
    for name, task in TASKS.items()
    if name not in CHANGING and not load_suite(task.suite).template(task.template).infeasible
]


class _Solved:
    """A task that the oracle has just solved, and what it changed on the phone."""

    def __init__(self, task: Task) -> None:
        self.device = phone()
        self.referee = PhoneReferee(self.device)
        self.referee.begin(task)
        self.before: Tree = self.device.snapshot()
        self.run: Run = play(task, self.device)
        self.after: Tree = self.device.snapshot()
        permissions = self.referee.template.allowed(task.parameters)
        self.allowed = allowed_paths(permissions, self.before, self.after)

    def effects_of(self, state: Tree) -> tuple[str, ...]:
        """What the verdict names if the phone is left like this."""
        self.device.restore(state)
        return self.referee.verdict(Outcome.SUCCEEDED).side_effects

    def changed(self) -> list[Path]:
        """Where the oracle changed something that lasts."""
        paths = [change.path for change in diff(self.before, self.after)]
        return [_keys(self.before, self.after, p) for p in paths if not _passing(p)]

    def may_change(self) -> list[Path]:
        """What the task allows to change and is there, whether the oracle changed it or not."""
        keys = (_keys(self.before, self.after, path) for path in sorted(self.allowed))
        return [path for path in keys if path]


@cache
def _solved(name: str) -> _Solved:
    return _Solved(TASKS[name])


def _passing(path: str) -> bool:
    return any(fnmatch.fnmatchcase(path, pattern) for pattern in EPHEMERAL)


def _keys(before: Tree, after: Tree, path: str) -> Path:
    """The keys of a dotted path, () if nothing is there; host names have dots themselves."""
    for key in before.keys() | after.keys():
        if path == key:
            return (key,)
        if path.startswith(f"{key}."):
            below = (before.get(key) or {}, after.get(key) or {})
            if all(isinstance(tree, dict) for tree in below):
                rest = _keys(*below, path[len(key) + 1 :])
                return (key, *rest) if rest else ()
    return ()


def _at(tree: Any, path: Path) -> Any:
    for key in path:
        tree = tree.get(key, {})
    return tree


def _neighbours(solved: _Solved) -> Iterator[Path]:
    """What stands beside a value that may change, on every level below its app."""
    own = [*solved.changed(), *solved.may_change()]
    parents = dict.fromkeys(path[:depth] for path in own for depth in range(1, len(path)))
    for parent in parents:
        if parent == ("apps",):
            continue  # other apps are tried by the tests of the referee
        for key in _at(solved.after, parent):
            path = (*parent, key)
            inside = any(other[: len(path)] == path for other in own)
            if not inside and not _passing(".".join(path)):
                yield path


def _edited(value: Any) -> Any:
    """Another value of the same kind; a record has one of its values changed."""
    if isinstance(value, dict):
        key = next(iter(value), "planted")
        return {**value, key: _edited(value.get(key))}
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return f"{value} and more"


def _named(effects: tuple[str, ...], path: Path) -> bool:
    dotted = ".".join(path)
    return any(effect == dotted or effect.startswith(f"{dotted}.") for effect in effects)


@pytest.mark.parametrize("name", CHANGING)
def test_the_oracle_changes_only_what_is_allowed(name: str) -> None:
    solved = _solved(name)
    assert solved.run.succeeded
    assert {".".join(path) for path in solved.changed()} <= solved.allowed
    assert solved.effects_of(solved.after) == ()


@pytest.mark.parametrize("name", CHANGING)
def test_there_is_a_neighbour_to_be_tried(name: str) -> None:
    assert list(_neighbours(_solved(name)))


@pytest.mark.parametrize("name", CHANGING)
def test_editing_a_neighbour_is_a_side_effect(name: str) -> None:
    solved = _solved(name)
    for path in _neighbours(solved):
        state = put(solved.after, path, _edited(_at(solved.after, path)))
        assert _named(solved.effects_of(state), path), path


@pytest.mark.parametrize("name", CHANGING)
def test_deleting_a_neighbour_is_a_side_effect(name: str) -> None:
    solved = _solved(name)
    for path in _neighbours(solved):
        if path[0] == "apps":  # a phone without one of its settings cannot be drawn
            assert _named(solved.effects_of(drop(solved.after, path)), path), path


@pytest.mark.parametrize("name", CHANGING)
def test_adding_a_neighbour_is_a_side_effect(name: str) -> None:
    solved = _solved(name)
    for path in _neighbours(solved):
        added = (*path[:-1], "zz_planted")
        state = put(solved.after, added, _at(solved.after, path))
        assert _named(solved.effects_of(state), added), added


@pytest.mark.parametrize("name", CHANGING)
def test_doing_it_twice_is_a_side_effect_or_no_success(name: str) -> None:
    """A second record like the one that was asked for; for carts the number of pieces counts."""
    solved = _solved(name)
    for path in solved.changed():
        record = _at(solved.after, path)
        if isinstance(record, dict) and record and not _at(solved.before, path):
            added = (*path[:-1], "zz_planted")
            state = put(solved.after, added, record)
            effects = solved.effects_of(state)
            assert _named(effects, added) or not solved.referee.holds(), added


@pytest.mark.parametrize("name", READING)
def test_a_goal_that_only_looks_allows_no_change_at_all(name: str) -> None:
    solved = _solved(name)
    assert solved.run.succeeded
    assert solved.changed() == []
    app = solved.after["ui"]["app"]
    for key, value in solved.after["apps"].get(app, {}).items():
        path = ("apps", app, key)
        if not _passing(".".join(path)):
            assert _named(solved.effects_of(put(solved.after, path, _edited(value))), path), path
