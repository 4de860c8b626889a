"""Settings of several runs beside one another: what makes them the same, and where they differ.

Pure functions of trees of plain values, as `SavedSettings.as_tree` gives them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

_NOT_COMPARED = ("seed", "address", "cluster.token_file", "monitor")
"""Settings, and sections, in which runs of one group may differ: the seed, where a cluster is
reached, and what is shown to people. None but the seed changes what is computed."""
_FAR = 8
"""Settings in which a run differs from every recipe at most to be called after one of them."""
_ABSENT = "(absent)"
_OWN = "(its own folder)"


def flatten(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Values by dotted name. An empty section is a value, so that it can differ from a full one."""
    found: dict[str, Any] = {}
    for name, value in tree.items():
        if isinstance(value, Mapping) and value:
            found |= flatten(value, f"{prefix}{name}.")
        else:
            found[f"{prefix}{name}"] = value
    return found


def group_key(tree: Mapping[str, Any], folder: str) -> str:
    """The same text for runs that differ by their seed alone.

    `folder` is the run's own: a setting that names it, or a file inside, is the same in all runs.
    """
    compared = {
        name: _without(value, folder)
        for name, value in flatten(tree).items()
        if not _is_below(name, _NOT_COMPARED)
    }
    text = json.dumps(compared, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _is_below(name: str, sections: Sequence[str]) -> bool:
    return any(name == section or name.startswith(f"{section}.") for section in sections)


def _without(value: Any, folder: str) -> Any:
    if isinstance(value, str) and folder and (f"{value}/").startswith(f"{folder}/"):
        return _OWN + value.removeprefix(folder)
    return value


def closest_recipe(
    settings: Mapping[str, Any], recipes: Mapping[str, Mapping[str, Any]]
) -> str | None:
    """The recipe that a run was made of, as far as its settings show; None when none is near.

    All are flat. A run keeps its settings and not the name of its recipe; the number of settings
    that were changed since stands behind the name, as in `quickstart +2`. Settings that no recipe
    has are of another version, and do not count.
    """
    changes = {
        name: sum(
            settings.get(key, _ABSENT) != value
            for key, value in recipe.items()
            if not _is_below(key, _NOT_COMPARED)
        )
        for name, recipe in recipes.items()
    }
    if not changes:
        return None
    name = min(changes, key=lambda name: (changes[name], name))
    if changes[name] > _FAR:
        return None
    return f"{name} +{changes[name]}" if changes[name] else name


def differing(settings: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The flat settings that are not the same in all runs, with the value that each has."""
    rows = []
    for name in sorted({name for each in settings for name in each}):
        values = [each.get(name, _ABSENT) for each in settings]
        if any(value != values[0] for value in values):
            rows.append({"name": name, "values": [_shown(value) for value in values]})
    return rows


def _shown(value: Any) -> str:
    """A value as a settings file writes it."""
    return value if isinstance(value, str) else json.dumps(value, default=str)
