"""Chains: two or three operations in one request, in one order or any."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

from distrl.devices.phone.content.tables.reader import phrases
from distrl.devices.phone.control import Control
from distrl.errors import ConfigError
from distrl.tasks.allowed_changes import Permission
from distrl.tasks.operations.operation import Operation, Part, pair_name
from distrl.tasks.operations.wide_suite import SpokenTemplate
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.template import Draw, Params, Scene
from distrl.tasks.wording.grammar import in_frame, typed

_PREFIXES = ("first", "second", "third")
_SHARED = ("person", "city", "shop")
"""Pools whose value is one for the whole chain: whoever talks of two people says so."""
_DRAWS = 1000
"""Tries to find values that agree: with six shops, one in six or in thirty-six does."""
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

    # There are many more chains than written templates: all of them together get about as many
    # tasks, for whoever cannot do the parts learns nothing from a chain.
    weight = 0.12

    def __init__(self, operations: Sequence[Operation], steps: int) -> None:
        """The operations in the order in which they are asked for; each may take so many steps."""
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
        self.step_limit = steps * len(operations)

    def say(self, rng: Random) -> str:
        """The requests, joined."""
        pattern = rng.choice(_JOINED[len(self._parts)])
        said = pattern
        for place, part in enumerate(self._parts):
            said = said.replace(f"<{place}>", part.request(rng))
        # A frame needs a request right behind it, within one sentence.
        if rng.random() < _FRAMED and pattern.startswith("<") and "." not in pattern:
            said = in_frame(said, "", rng)
        return typed(said, rng)

    def sample(self, draw: Draw) -> dict[str, object]:
        """Values of all parts; shared ones are the same, and no other value comes twice."""
        for _ in range(_DRAWS):
            drawn: dict[str, object] = {}
            agreed = True
            for part in self._parts:
                more = part.sample(draw)
                agreed = agreed and self._agree(drawn, more)
                drawn = {**more, **drawn}
            if agreed:
                return drawn
        raise ConfigError(f"the parts of {self.name!r} find no shop and no values in common")

    def _agree(self, drawn: Params, more: Params) -> bool:
        """Whether a shop that both name is one, and both are about different things."""
        # A shop must be one that sells both products; any person or city will do for both.
        if "shop" in drawn and more.get("shop", drawn["shop"]) != drawn["shop"]:
            return False
        new = {value for name, value in more.items() if name not in drawn and self._is_open(name)}
        return not new & {value for name, value in drawn.items() if self._is_open(name)}

    def _is_open(self, name: str) -> bool:
        return self.params[name].open

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
