"""The settings that a run's folder holds, for whoever only looks at the run.

A run may have been started by another version, whose settings are not quite ours. Training refuses
such a file, because a setting that is ignored changes what is computed. A reader need not refuse:
settings that this version does not know are set aside and told, and the others are used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from distrl.config.load import check, read_tree
from distrl.config.run import RunConfig
from distrl.errors import ConfigError

_UNKNOWN = ("extra_forbidden", "invalid_key")
"""Pydantic's types of error for a key that a section does not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSettings:
    """What a settings file says, as far as this version understands it."""

    config: RunConfig | None = None
    """None when the file cannot be read, or holds a value that this version refuses."""
    tree: Mapping[str, Any] = field(default_factory=dict)
    """The file as it is written, unknown keys included; empty when it is not YAML."""
    unknown: Mapping[str, Any] = field(default_factory=dict)
    """Values of the keys that this version does not know, by dotted key."""
    problem: str = ""
    """Why there is no `config`; empty when there is one."""

    def find(self, section: str, key: str) -> str | None:
        """A text of the file by section and key, default included; None when nobody can say."""
        if self.config is not None:
            return str(getattr(getattr(self.config, section), key))
        written = self.tree.get(section)
        value = written.get(key) if isinstance(written, Mapping) else None
        return None if value is None else str(value)

    def as_tree(self) -> dict[str, Any]:
        """All settings as plain values: defaults, and over them what the file says."""
        defaults = {} if self.config is None else self.config.model_dump(mode="json")
        return _merged(defaults, self.tree)


def read_saved(path: Path) -> SavedSettings:
    """Read a run's settings file; never raises, whatever the file holds."""
    try:
        tree = read_tree(path)
    except ConfigError as error:
        return SavedSettings(problem=str(error))
    known, unknown = _set_aside(tree)
    try:
        return SavedSettings(config=check(known), tree=tree, unknown=unknown)
    except ConfigError as error:
        return SavedSettings(tree=tree, unknown=unknown, problem=f"{path}: {error}")


def _set_aside(tree: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The tree without the keys that no section has, and these with their values."""
    known, unknown = deepcopy(dict(tree)), dict[str, Any]()
    try:
        RunConfig.model_validate(known)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            if detail["type"] in _UNKNOWN:
                _pop(known, detail["loc"], unknown)
    return known, unknown


def _pop(tree: Any, path: Sequence[str | int], unknown: dict[str, Any]) -> None:
    """Move the value at a path out of the tree, if it is there."""
    *sections, last = path
    for name in sections:
        # A part that is in neither names a member of a union, and is no key of the file.
        if isinstance(tree, list) and isinstance(name, int):
            tree = tree[name]
        elif isinstance(tree, dict):
            tree = tree.get(name, tree)
    if isinstance(tree, dict):
        for key in [key for key in tree if str(key) == str(last)]:
            unknown[".".join(map(str, path))] = tree.pop(key)


def _merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(under)
    for key, value in over.items():
        name = str(key)  # YAML allows keys that are numbers, which cannot be sorted among texts
        held = merged.get(name)
        if isinstance(held, Mapping) and isinstance(value, Mapping):
            merged[name] = _merged(held, value)
        else:
            merged[name] = value
    return merged
