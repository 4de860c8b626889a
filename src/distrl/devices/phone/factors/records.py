"""What apps hold on phones with the factors `content` and `order`: names and order of records."""

from __future__ import annotations

from random import Random
from typing import Any

from distrl.config.factors import Factor
from distrl.devices.phone.state import State

_NAMED = (
    ("calendar", "events", "title"),
    ("clock", "alarms", "label"),
    ("clock", "presets", "label"),
    ("contacts", "contacts", "name"),
    ("gallery", "albums", "title"),
    ("mail", "mails", "subject"),
    ("messages", "chats", "name"),
    ("music", "playlists", "name"),
    ("music", "songs", "artist"),
    ("music", "songs", "title"),
    ("notes", "notes", "title"),
    ("recorder", "recordings", "title"),
    ("todo", "tasks", "title"),
)
"""App, collection and field of what has a name of its own and no meaning for the app."""
_ONSETS = ("br", "d", "f", "gl", "h", "kl", "m", "pr", "qu", "s", "sk", "sv", "tr", "v", "z")
_VOWELS = ("a", "e", "i", "o", "u", "ae", "ei", "ou")
_ENDS = ("l", "m", "n", "rk", "s", "th", "x")


def vary(apps: State, factors: tuple[Factor, ...], seed: int) -> State:
    """Data of all apps, as `create_state` puts it together, with these factors."""
    varied = apps
    if Factor.CONTENT in factors:
        varied = _rename(varied, Random(f"content {seed}"))
    if Factor.ORDER in factors:
        rng = Random(f"order {seed}")
        varied = {name: _shuffled(data, rng) for name, data in varied.items()}
    return varied


def _rename(apps: State, rng: Random) -> State:
    varied = dict(apps)
    for app, collection, field in _NAMED:
        records = varied[app][collection]
        renamed = {key: {**record, field: _invent(rng)} for key, record in records.items()}
        varied[app] = {**varied[app], collection: renamed}
    return varied


def _invent(rng: Random) -> str:
    """Two words that no table of names has."""
    return " ".join(_word(rng) for _ in range(2)).title()


def _word(rng: Random) -> str:
    # Three syllables or more: shorter words could be those of a language.
    syllables = (rng.choice(_ONSETS) + rng.choice(_VOWELS) for _ in range(rng.randint(3, 4)))
    return "".join(syllables) + rng.choice(_ENDS)


def _shuffled(data: Any, rng: Random) -> Any:
    """The same data with every collection of records in another order."""
    if not isinstance(data, dict):
        return data
    items = [(key, _shuffled(value, rng)) for key, value in data.items()]
    if len(items) > 1 and all(isinstance(value, dict) for _, value in items):
        rng.shuffle(items)
    return dict(items)
