"""Which templates are derived, and which of them are kept out of training.

Two operations go together if they belong to one occasion and to two apps. Whether a pair is trained
or kept for `composed` depends on its name alone: a new operation moves no pair of old ones.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import permutations

from distrl.tasks.operations.carried import SINKS, Carried
from distrl.tasks.operations.chain import Chain
from distrl.tasks.operations.conditional import Conditional
from distrl.tasks.operations.operation import Operation, pair_name
from distrl.tasks.operations.reading import ReadingPart, find_operation
from distrl.tasks.operations.readings import CONDITIONS, VALUES
from distrl.tasks.template import Template

_HELD = 0.2
"""Share of the pairs that only `composed` has."""
_TRIPLES = 0.03
"""Share of the chains of three that are taken: there are far more of them than of two."""

_CONDITIONALS, _HELD_CONDITIONALS = 0.06, 0.5
"""Shares of the pairs that are put behind a condition."""


def held_out(composition: str) -> bool:
    """Whether a composition is kept out of training."""
    return place_of(composition) < _HELD


def place_of(name: str) -> float:
    """A number in [0, 1) that depends on a name alone, the same on every machine."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4]) / 2**32


def is_trained(template: Template) -> bool | None:
    """True if all its compositions may be trained, False if none may, None if they are mixed."""
    held = {held_out(pair) for pair in template.compositions}
    return None if len(held) != 1 else not held.pop()


def chains(operations: Sequence[Operation], steps: int) -> Iterator[Chain]:
    """Chains of two in one of their orders, and some of three; each part has so many steps."""
    for first, second in permutations(operations, 2):
        if goes_with(first, second) and _first_order(first, second):
            yield Chain((first, second), steps)
    for three in permutations(operations, 3):
        names = [op.name for op in three]
        if place_of(" ".join(names)) < _TRIPLES and _all_together(three):
            yield Chain(three, steps)


def conditionals(operations: Sequence[Operation]) -> Iterator[Conditional]:
    """Each condition with some pairs of operations that belong to one occasion."""
    for condition in CONDITIONS:
        look = find_operation(operations, condition.look)
        choices = [op for op in operations if not op.last and op.app != look.app]
        for then, otherwise in permutations(choices, 2):
            made = Conditional(ReadingPart(condition, look, "if"), then, otherwise)
            # There are few pairs of which both are kept out, and many that are trained.
            share = _CONDITIONALS if is_trained(made) else _HELD_CONDITIONALS
            if goes_with(then, otherwise) and place_of(made.name) < share:
                yield made


def carries(operations: Sequence[Operation]) -> Iterator[Carried]:
    """Each value with each place that it can be put, in another app."""
    for reading in VALUES:
        look = find_operation(operations, reading.look)
        for sink in SINKS:
            operation = find_operation(operations, sink.operation)
            if operation.app != look.app:
                yield Carried(ReadingPart(reading, look, "from"), sink, operation)


def goes_with(first: Operation, second: Operation) -> bool:
    """Whether two operations make sense in one request, in this order."""
    return first.app != second.app and not first.last and bool(first.topics & second.topics)


def _first_order(first: Operation, second: Operation) -> bool:
    """One order of each pair, by its names; what can only stand last stands last."""
    if second.last:
        return True
    in_order = sorted((first.name, second.name))
    if place_of(f"order {pair_name(*in_order)}") < 0.5:
        in_order.reverse()
    return [first.name, second.name] == in_order


def _all_together(three: Sequence[Operation]) -> bool:
    first, second, third = three
    one_occasion = first.topics & second.topics & third.topics
    apart = len({op.app for op in three}) == 3
    return apart and bool(one_occasion) and not (first.last or second.last)
