"""What a kind of task can be called: requests, fragments and questions, heard and held out.

    set_alarm @ Clock
      do       set an alarm for {time} / add an alarm at {time}
      bit      alarm {time} / {time} alarm
      ask      can i have an alarm at {time}?
      new do   get me up at {time}
      new bit  wake up {time}

`do` is a request that fits behind "please" or "can you", `bit` a fragment that stands alone, `ask`
a question. Templates that are asked for alike stand in one line: `call_contact, call_stranger`. The
lines with `new` are never heard in training: only the split `worded` has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter

from distrl.errors import ConfigError

_KINDS = ("do", "bit", "ask")
_HELD = "new "
_BETWEEN = " / "


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """Ways to say one thing, with parameters in braces."""

    do: tuple[str, ...] = ()
    """Requests in lower case that begin with a verb."""
    bit: tuple[str, ...] = ()
    """Fragments."""
    ask: tuple[str, ...] = ()
    """Questions, and sentences with a frame of their own."""

    def alone(self) -> tuple[str, ...]:
        """What stands without a frame."""
        return (*self.bit, *self.ask)

    def everything(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.do, *self.bit, *self.ask)


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """All that one kind of task can be called."""

    app: str
    """Title of the app that people would name; empty if none."""
    heard: Phrases
    held: Phrases


def read_words(table: str) -> dict[str, Words]:
    """The words of each template named in a table; ConfigError for a line that is no such thing."""
    return {
        name.strip(): _words(name.strip(), app, lines)
        for names, app, lines in _entries(table)
        for name in names.split(",")
    }


def named(phrasing: str) -> set[str]:
    """Parameters that a phrasing has places for."""
    return {name for _, name, _, _ in Formatter().parse(phrasing) if name}


def _entries(table: str) -> list[tuple[str, str, dict[str, tuple[str, ...]]]]:
    entries: list[tuple[str, str, dict[str, tuple[str, ...]]]] = []
    for line in table.strip().splitlines():
        if not line.startswith(" "):
            name, _, app = line.partition("@")
            entries.append((name.strip(), app.strip(), {}))
        elif line.strip():
            kind, phrases = _line(line.strip())
            lines = entries[-1][2]
            # One kind may take several lines.
            lines[kind] = (*lines.get(kind, ()), *phrases)
    return entries


def _line(line: str) -> tuple[str, tuple[str, ...]]:
    for prefix in ("", _HELD):
        for kind in _KINDS:
            sign = f"{prefix}{kind} "
            if line.startswith(sign):
                return f"{prefix}{kind}", tuple(line.removeprefix(sign).strip().split(_BETWEEN))
    raise ConfigError(f"a line of words begins with do, bit or ask, or new and one: got {line!r}")


def _words(name: str, app: str, lines: Mapping[str, tuple[str, ...]]) -> Words:
    heard = Phrases(**{kind: lines.get(kind, ()) for kind in _KINDS})
    held = Phrases(**{kind: lines.get(f"{_HELD}{kind}", ()) for kind in _KINDS})
    if not heard.do or not held.everything():
        raise ConfigError(f"the words of {name!r} need a line `do` and one that begins with `new`")
    return Words(app=app, heard=heard, held=held)
