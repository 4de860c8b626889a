"""Readings: what stands on some page and must be read before one can go on.

A reading is an operation that shows the page, and something that the phone is made to say there.
What it says is a closed parameter that no goal tells: it can only be read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.errors import ConfigError
from distrl.tasks.allowed_changes import Permission
from distrl.tasks.operations.operation import Operation, Part
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import Pool, closed
from distrl.tasks.template import Draw, Params

TRUTH = closed("truth", "yes", "no")
"""Whether what a condition asks about is the case; a parameter of every condition."""


class Reading:
    """Base class: what can be read on one kind of page. Objects hold no state."""

    name: str
    look: str
    """The operation that brings the page to the front."""
    page: str
    says: tuple[str, ...]
    """What it is called in a request, with parameters in braces."""
    extra: Mapping[str, Pool] = {}
    """Parameters beside those of the operation."""

    def arguments(self, p: Params) -> dict[str, object]:
        """Arguments of the page."""
        del p
        return {"id": "target"}

    def arrange(self, control: Control, p: Params, rng: Random) -> None:
        """Let the page say what the parameters say, after the operation's own set-up."""

    def value(self, p: Params) -> str:
        """The words that are read, to be carried elsewhere."""
        raise NotImplementedError

    def holds(self, p: Params) -> bool:
        """Whether what is asked about was made to be the case."""
        return bool(p["truth"] == "yes")


class ReadingPart:
    """A reading inside a derived template."""

    def __init__(self, reading: Reading, operation: Operation, prefix: str) -> None:
        """Parameters get a prefix."""
        self.reading, self.operation = reading, operation
        self._part = Part(operation, prefix)
        self._extra = {name: f"{prefix}_{name}" for name in reading.extra}

    @property
    def params(self) -> dict[str, Pool]:
        """Its parameters by their names in the derived template."""
        extra = {self._extra[name]: pool for name, pool in self.reading.extra.items()}
        return {**self._part.params, **extra}

    def sample(self, draw: Draw) -> dict[str, object]:
        """Values by their names in the derived template."""
        extra = {self._extra[name]: draw.of(pool) for name, pool in self.reading.extra.items()}
        return {**self._part.sample(draw), **extra}

    def own(self, p: Params) -> dict[str, object]:
        """The derived template's values by the reading's own names."""
        return {**self._part.own(p), **{own: p[name] for own, name in self._extra.items()}}

    def say(self, rng: Random) -> str:
        """What it is called, with the derived template's names."""
        names = {**self._part.names, **self._extra}
        words = rng.choice(self.reading.says)
        return words.format(**{own: f"{{{name}}}" for own, name in names.items()})

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """The page exists and says what it should."""
        self._part.setup(control, p, rng)
        self.reading.arrange(control, self.own(p), rng)

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """What looking changes."""
        return self._part.allowed(p)

    def seen(self, state: State, p: Params) -> bool:
        """Whether the app was left on that page: whoever reads it leaves it behind."""
        stack = state["ui"]["stacks"].get(self.operation.app)
        if not stack or stack[-1]["name"] != self.reading.page:
            return False
        wanted = self.reading.arguments(self.own(p))
        return all(stack[-1]["args"].get(key) == value for key, value in wanted.items())

    def oracle(self, hand: Hand, p: Params) -> None:
        """Go and look, unless that was done."""
        if not self.seen(hand.state, p):
            self._part.oracle(hand, p)


def find_operation(operations: Sequence[Operation], name: str) -> Operation:
    """An operation by name."""
    for operation in operations:
        if operation.name == name:
            return operation
    raise ConfigError(f"there is no operation {name!r} among {[op.name for op in operations]}")
