"""An operation: one thing that can be done in an app, declared once and used in many templates.

What it needs, does and allows is a template's own set-up, check and allowed changes, and its way is
the template's oracle. The declaration adds which app it is done in, what it goes together with, and
whether it can only stand last: what is seen on a screen, or answered, is over when one goes on.

    notes   create_note   note trip
    notes   open_note     note trip     last
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from distrl.devices.phone.content.tables.reader import phrases
from distrl.devices.phone.control import Control
from distrl.errors import ConfigError
from distrl.tasks.allowed_changes import Permission
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import TEXT, Pool
from distrl.tasks.template import Draw, Params, Scene, Template
from distrl.tasks.wording.words import Words

_LAST = "last"


@dataclass(frozen=True, eq=False)
class Operation:
    """Something that can be done in an app."""

    template: Template
    app: str
    """Whose data it changes; two operations of one app are never put together."""
    topics: frozenset[str]
    """Occasions that people would do it on."""
    words: Words
    last: bool = False
    """Whether its success shows only at the end: a page in front, or an answer."""

    @property
    def name(self) -> str:
        """The name of its template."""
        return self.template.name


def read_operations(
    table: str, templates: Mapping[str, Template], words: Mapping[str, Words]
) -> tuple[Operation, ...]:
    """Operations by their declarations; ConfigError for a template that there is not."""
    found = []
    for line in phrases(table):
        app, name, *topics = line.split()
        if name not in templates or name not in words:
            raise ConfigError(f"the operation {name!r} needs a template of that name, and words")
        occasions = frozenset(topics) - {_LAST}
        operation = Operation(templates[name], app, occasions, words[name], _LAST in topics)
        found.append(operation)
    return tuple(found)


class Part:
    """An operation inside a derived template, with parameters of its own or shared ones."""

    def __init__(self, operation: Operation, prefix: str, shared: tuple[str, ...] = ()) -> None:
        """Parameters get a prefix, except those whose pools are shared, named by the pool."""
        self.operation = operation
        self._names = {
            name: pool.name if pool.name in shared else f"{prefix}_{name}"
            for name, pool in operation.template.params.items()
        }

    @property
    def names(self) -> dict[str, str]:
        """The derived template's name of each of the operation's parameters."""
        return dict(self._names)

    @property
    def params(self) -> dict[str, Pool]:
        """Its parameters by their names in the derived template."""
        params = self.operation.template.params
        return {name: params[own] for own, name in self._names.items()}

    def sample(self, draw: Draw) -> dict[str, object]:
        """Values by their names in the derived template."""
        return {
            self._names[own]: value for own, value in self.operation.template.sample(draw).items()
        }

    def own(self, p: Params) -> dict[str, object]:
        """The derived template's values by the operation's own names."""
        return {own: p[name] for own, name in self._names.items()}

    def request(self, rng: Random) -> str:
        """One of the requests that are heard in training, with the derived template's names."""
        request = rng.choice(self.operation.words.heard.do)
        params = self.operation.template.params
        return request.format(**{own: _place(n, params[own]) for own, n in self._names.items()})

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """Its precondition."""
        self.operation.template.setup(control, self.own(p), rng)

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """What it may change."""
        return self.operation.template.allowed(self.own(p))

    def check(self, scene: Scene, p: Params) -> bool:
        """Its effect."""
        return self.operation.template.check(scene, self.own(p))

    def oracle(self, hand: Hand, p: Params) -> None:
        """Its next step."""
        self.operation.template.oracle(hand, self.own(p))


def _place(name: str, pool: Pool) -> str:
    """The place of a value; words that could go on without an end stand in quotes."""
    return f'"{{{name}}}"' if pool is TEXT else f"{{{name}}}"


def pair_name(*names: str) -> str:
    """What two operations are called together, in either order."""
    return " + ".join(sorted(names))
