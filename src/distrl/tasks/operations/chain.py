"""Chains: two or three operations in one request, in one order or any."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

from distrl.devices.phone.content.tables.reader import phrases
from distrl.devices.phone.control import Control
from distrl.tasks.allowed_changes import Permission
from distrl.tasks.operations.operation import Operation, Part, pair_name
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.template import Draw, Params, Scene
from distrl.tasks.wide_suite import SpokenTemplate
from distrl.tasks.wording.grammar import in_frame, typed

_PREFIXES = ("first", "second", "third")
_SHARED = ("person", "city")
"""Pools whose value is one for the whole chain: whoever talks of two people says so."""
_STEPS = 15
"""Steps that each part may take: as many as the suite gives to a task of one part."""
_FRAMED = 0.25
_JOINED = {
    2: phrases(
        """
        <0> and <1>; <0> and then <1>; <0>, then <1>; first <0>, then <1>; <0>. after that, <1>
        <0> and also <1>; <0>, and <1>; <0>. then <1>; <0>. also, <1>
        """
    ),
    3: phrases(
        """
        <0>, <1> and <2>; <0>, then <1>, then <2>; first <0>, then <1>, and finally <2>
        <0> and <1>, then <2>; three things: <0>, <1>, <2>
        """
    ),
}


class Chain(SpokenTemplate):
    """Several operations; all of them must hold at the end."""

    def __init__(self, operations: Sequence[Operation], step: int = _STEPS) -> None:
        """The operations in the order in which they are asked for."""
        pools = [{p.name for p in op.template.params.values()} for op in operations]
        common = [n for n in _SHARED if sum(n in names for names in pools) > 1]
        self._parts = tuple(
            Part(op, prefix, tuple(common))
            for op, prefix in zip(operations, _PREFIXES, strict=False)
        )
        self.operations = tuple(op.name for op in operations)
        self.compositions = tuple(pair_name(*pair) for pair in combinations(self.operations, 2))
        self.name = "_then_".join(self.operations)
        self.params = {n: pool for part in self._parts for n, pool in part.params.items()}
        self.visual = any(op.template.visual for op in operations)
        self.step_limit = step * len(operations)

    def say(self, rng: Random) -> str:
        """The requests, joined."""
        joined = rng.choice(_JOINED[len(self._parts)])
        for place, part in enumerate(self._parts):
            joined = joined.replace(f"<{place}>", part.request(rng))
        if rng.random() < _FRAMED and "first" not in joined and "things" not in joined:
            joined = in_frame(joined, "", rng)
        return typed(joined, rng)

    def sample(self, draw: Draw) -> dict[str, object]:
        """Values of all parts; shared ones are drawn once."""
        drawn: dict[str, object] = {}
        for part in self._parts:
            drawn = {**part.sample(draw), **drawn}
        return drawn

    def setup(self, control: Control, p: Params, rng: Random) -> None:
        """All preconditions."""
        for part in self._parts:
            part.setup(control, p, rng)

    def allowed(self, p: Params) -> tuple[Permission, ...]:
        """What any of them may change."""
        return tuple(permission for part in self._parts for permission in part.allowed(p))

    def check(self, scene: Scene, p: Params) -> bool:
        """All of them hold."""
        return all(part.check(scene, p) for part in self._parts)

    def oracle(self, hand: Hand, p: Params) -> None:
        """The first that does not hold yet."""
        scene = Scene(hand.before, hand.state, hand.view)
        for part in self._parts:
            if not part.check(scene, p):
                part.oracle(hand, p)
                return
