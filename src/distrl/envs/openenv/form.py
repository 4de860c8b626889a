"""From the JSON schema of a server's actions to what a hand can do there. Pure functions.

    a text            a field: type("...") sends it
    some values       a button each: a tap sends it
    our own server    every action, as it is

What the schema needs beside that must have defaults; a server whose actions need more than one
value cannot be played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from distrl.errors import ConfigError

MOST_CHOICES = 64
"""Buttons that fit on a screen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What a server takes."""

    text: str | None = None
    """Name of the field that takes a text."""
    choice: str | None = None
    """Name of the field that takes one of some values."""
    values: tuple[Any, ...] = ()
    """Those values."""
    actions: bool = False
    """Whether it takes our actions in text, as a server of ours does."""


def read_form(schema: Mapping[str, Any]) -> Form:
    """What the schema of actions takes; ConfigError where no hand can say it."""
    definitions = schema.get("$defs", {})
    fields = {
        name: _resolved(field, definitions)
        for name, field in schema.get("properties", {}).items()
        if name != "metadata"
    }
    if {"action", "kind", "element", "direction"} <= fields.keys():
        return Form(actions=True)
    needed = [name for name in schema.get("required", ()) if name in fields]
    candidates = needed or list(fields)
    if len(candidates) == 1 or (candidates and not needed):
        for name in candidates:
            if values := _values(fields[name]):
                return Form(choice=name, values=values)
            if fields[name].get("type") == "string":
                return Form(text=name)
    said = ", ".join(needed or fields) or "nothing"
    raise ConfigError(
        f"actions of this server take {said}: only servers can be played whose actions are one "
        f"text, or one of at most {MOST_CHOICES} values"
    )


def _resolved(field: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    """A field with its reference followed, and null taken out of its choices."""
    if "$ref" in field:
        found: Mapping[str, Any] = definitions.get(field["$ref"].rsplit("/", 1)[-1], {})
        return found
    kinds = [kind for kind in field.get("anyOf", ()) if kind.get("type") != "null"]
    return _resolved(kinds[0], definitions) if len(kinds) == 1 else field


def _values(field: Mapping[str, Any]) -> tuple[Any, ...]:
    """The values of a field that has few of them; none for any other."""
    if field.get("type") == "boolean":
        return (True, False)
    if "enum" in field:
        return tuple(field["enum"]) if len(field["enum"]) <= MOST_CHOICES else ()
    low, high = field.get("minimum"), field.get("maximum")
    if field.get("type") == "integer" and low is not None and high is not None:
        return tuple(range(low, high + 1)) if high - low < MOST_CHOICES else ()
    return ()
