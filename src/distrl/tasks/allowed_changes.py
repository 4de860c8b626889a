"""What a task may change on the phone; every other lasting change is a side effect.

    "apps.notes.notes.target.pinned"                    this value, by its exact path
    Added("apps.notes.notes", {"title": "Tea"})         one new note of this title
    Removed("apps.browser.carts.a.com", {...})          one line that was in the cart at the start
    Edited("apps.browser.carts.a.com", "quantity", {...})   one value of one line that stays

The three classes name records whose ids are known only at run time. There are no wildcards: a
pattern such as `apps.notes.notes.*` would also allow every other note to be changed or deleted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeAlias

from distrl.devices.phone.state import State

Fields: TypeAlias = Mapping[str, Any]
"""What a record must hold: per field its value, or a function that accepts or refuses values."""


@dataclass(frozen=True, slots=True)
class Added:
    """Records that were not in a collection at the start and hold these fields now."""

    collection: str
    fields: Fields = field(default_factory=dict)
    most: int | None = 1
    """How many of them; None allows any number."""

    def paths(self, before: State, after: State) -> Iterator[str]:
        """Paths of the new records that are allowed."""
        old, new = _at(before, self.collection), _at(after, self.collection)
        # Sorted, so that which of several new records is allowed does not depend on the order of a
        # dict.
        found = (key for key in sorted(new.keys() - old.keys()) if _holds(new[key], self.fields))
        return (f"{self.collection}.{key}" for key in islice(found, self.most))


@dataclass(frozen=True, slots=True)
class Removed:
    """Records that held these fields at the start and are no longer in the collection."""

    collection: str
    fields: Fields = field(default_factory=dict)
    most: int | None = 1
    """How many of them; None allows any number."""

    def paths(self, before: State, after: State) -> Iterator[str]:
        """Paths of the lost records that are allowed."""
        old, new = _at(before, self.collection), _at(after, self.collection)
        found = (key for key in sorted(old.keys() - new.keys()) if _holds(old[key], self.fields))
        return (f"{self.collection}.{key}" for key in islice(found, self.most))


@dataclass(frozen=True, slots=True)
class Edited:
    """One value of one record that held these fields at the start and is still there."""

    collection: str
    name: str
    """The field that may change."""
    fields: Fields = field(default_factory=dict)

    def paths(self, before: State, after: State) -> Iterator[str]:
        """The path of the value, if there is such a record."""
        old, new = _at(before, self.collection), _at(after, self.collection)
        found = (key for key in sorted(old.keys() & new.keys()) if _holds(old[key], self.fields))
        return (f"{self.collection}.{key}.{self.name}" for key in islice(found, 1))


Permission: TypeAlias = str | Added | Removed | Edited
"""An exact path of the state, or records that are found by what they hold."""


def fields_of(record: str, *names: str) -> tuple[str, ...]:
    """The paths of several fields of one record."""
    return tuple(f"{record}.{name}" for name in names)


def allowed_paths(permissions: Iterable[Permission], before: State, after: State) -> frozenset[str]:
    """The exact paths that an episode from `before` to `after` was allowed to change."""
    return frozenset(
        path
        for permission in permissions
        for path in (
            (permission,) if isinstance(permission, str) else permission.paths(before, after)
        )
    )


def _holds(record: Any, fields: Fields) -> bool:
    return isinstance(record, dict) and all(
        wanted(record.get(name)) if callable(wanted) else record.get(name) == wanted
        for name, wanted in fields.items()
    )


def _at(tree: State, path: str) -> State:
    """The collection at a path, or {}. Keys that are host names have dots themselves."""
    for key, below in tree.items():
        if isinstance(below, dict):
            if path == key:
                return below
            if path.startswith(f"{key}."):
                return _at(below, path[len(key) + 1 :])
    return {}
