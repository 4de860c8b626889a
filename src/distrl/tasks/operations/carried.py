"""Carried values: find something out, and put it into a message, a note, a task or a mail."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from distrl.devices.phone.content.tables.reader import phrases
from distrl.devices.phone.control import Control
from distrl.tasks.allowed_changes import Permission
from distrl.tasks.operations.operation import Operation
from distrl.tasks.operations.reading import ReadingPart
from distrl.tasks.operations.wide_suite import SpokenTemplate
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.template import Draw, Params, Scene
from distrl.tasks.wording.grammar import typed

_STEP_LIMIT = 30
_SAID = phrases(
    """
    find <it> and <put>; look up <it> and <put>; find out <it>, then <put>; <put+it>; <put+it>
    check <it> and <put>
    """
)


@dataclass(frozen=True)
class Sink:
    """Where a value can be put."""

    operation: str
    filled: str
    """The operation's parameter that takes the value."""
    says: tuple[str, ...]
    """Requests with `<it>` in the place of the value."""


SINKS = (
    Sink(
        "send_message",
        "text",
        phrases("send <it> to {person}; text {person} <it>; message <it> to {person}"),
    ),
    Sink(
        "create_note",
        "title",
        phrases("make a note with <it> as its title; write <it> into the title of a new note"),
    ),
    Sink("add_task", "title", phrases("put <it> on my {list} list; add <it> to my {list} tasks")),
    Sink(
        "reply_mail",
        "text",
        phrases("answer the mail {subject} with <it>; reply <it> to {subject}"),
    ),
)


class Carried(SpokenTemplate):
    """A value from one app, put into another."""

    step_limit = _STEP_LIMIT
    weight = 0.5

    def __init__(self, source: ReadingPart, sink: Sink, operation: Operation) -> None:
        """What is read, and where it goes; `operation` is the sink's."""
        self._source, self._sink, self._put = source, sink, operation.template
        self._names = {n: f"to_{n}" for n in operation.template.params if n != sink.filled}
        self.name = f"{source.reading.name}_to_{sink.operation}"
        self.operations = (source.operation.name, operation.name)
        self.compositions = (carried_name(source.reading.name, sink.operation),)
        params = operation.template.params
        self.params = {**source.params, **{name: params[own] for own, name in self._names.items()}}

    def _filled(self, p: Params) -> dict[str, Any]:
        """The sink's parameters, with what is read among them."""
        value = self._source.reading.value(self._source.own(p))
        return {**{own: p[name] for own, name in self._names.items()}, self._sink.filled: value}

    def say(self, rng: Random) -> str:
        """What is to be found, and where it goes."""
        noun, put = self._source.say(rng), rng.choice(self._sink.says)
        put = put.format(**{own: f"{{{name}}}" for own, name in self._names.items()})
        said = rng.choice(_SAID).replace("<put+it>", put.replace("<it>", noun))
        return typed(said.replace("<put>", put.replace("<it>", "it")).replace("<it>", noun), rng)

    def sample(self, draw: Draw) -> dict[str, object]:
        """Values of both; nobody is told what he said himself."""
        drawn = self._source.sample(draw)
        own = self._put.sample(draw)
        while set(own.values()) & set(drawn.values()):
            own = self._put.sample(draw)
        return {**drawn, **{name: own[key] for key, name in self._names.items()}}

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """Both preconditions."""
        self._put.setup(control, self._filled(p), rng)
        self._source.setup(control, p, rng)

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """What looking changes, and what is put."""
        return (*self._source.allowed(p), *self._put.allowed(self._filled(p)))

    def check(self, scene: Scene, p: Params) -> bool:
        """The value is where it should be."""
        return self._put.check(scene, self._filled(p))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Look, then put."""
        self._source.oracle(hand, p)
        self._put.oracle(hand, self._filled(p))


def carried_name(source: str, sink: str) -> str:
    """What a source and a sink are called together."""
    return f"{source} > {sink}"
