"""The phone's state: one JSON-able tree that is never changed in place.

Every change copies the dictionaries on the path to it and shares the rest, so a snapshot is a
reference and a fork costs nothing. Collections are dictionaries from id to record, so that a
difference names the record and not its place in a list.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

State: TypeAlias = dict[str, Any]
"""Strings to strings, numbers, booleans, None, lists and further trees."""

EPHEMERAL = ("ui.*", "time", "ids", "nuisance*", "notices*", "apps.*.recent*")
"""Patterns of what may change in any episode without being a lasting effect."""


def put(tree: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A tree like `tree` with `value` at `path`; missing dictionaries on the way are made."""
    if not path:
        return value
    key = path[0]
    if isinstance(tree, list):
        copy_list = list(tree)
        copy_list[key] = put(tree[key], path[1:], value)
        return copy_list
    copy = dict(tree)
    copy[key] = value if len(path) == 1 else put(tree.get(key, {}), path[1:], value)
    return copy


def drop(tree: State, path: tuple[str, ...]) -> State:
    """A tree without what is at `path`; the same tree when there is nothing."""
    key = path[0]
    if key not in tree:
        return tree
    if len(path) == 1:
        return {name: value for name, value in tree.items() if name != key}
    below = drop(tree[key], path[1:])
    return tree if below is tree[key] else {**tree, key: below}


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two trees."""

    path: str
    """Keys joined by dots."""
    before: Any
    after: Any


def diff(before: State, after: State) -> tuple[Change, ...]:
    """All differences in order of path, each at the deepest dictionary key that names it."""
    return tuple(_differences("", before, after))


def _differences(prefix: str, before: State, after: State) -> Iterator[Change]:
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key), after.get(key)
        if old is new:
            continue
        path = f"{prefix}{key}"
        if isinstance(old, dict) and isinstance(new, dict):
            yield from _differences(f"{path}.", old, new)
        elif old != new:
            yield Change(path, old, new)


def lasting_changes(before: State, after: State, allowed: Container[str]) -> tuple[str, ...]:
    """Paths that changed for good and are not among the allowed paths, sorted."""
    return tuple(
        sorted(
            change.path
            for change in diff(before, after)
            if change.path not in allowed
            and not any(fnmatch.fnmatchcase(change.path, pattern) for pattern in EPHEMERAL)
        )
    )
