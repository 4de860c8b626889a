"""How every page of a phone looks, whatever app it is of: what factors of robustness change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from types import MappingProxyType
from typing import TypeVar

from distrl.config.factors import FONT_PERCENT, ROOM, Factor
from distrl.devices.phone.factors.german import GERMAN
from distrl.devices.phone.state import State

T = TypeVar("T")

_NO_WORDS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Look:
    """What all pages share. The default is how phones look that have no factor."""

    dark: bool = False
    """Dark colours, even where the setting is off."""
    font: int = 100
    """Size of letters in percent."""
    room: int = 0
    """Layout units by which rows are taller."""
    words: Mapping[str, str] = field(default_factory=lambda: _NO_WORDS)
    """What is shown in place of words that apps are written with."""
    order: str | None = None
    """What the order of menus, tabs and bars follows from; None for the order of the apps."""
    misleading: bool = False
    """Whether pages have misleading words at their foot."""

    def say(self, text: str) -> str:
        """Words as the screen shows them."""
        return self.words.get(text, text)

    def arrange(self, items: Sequence[T], *labels: str) -> Sequence[T]:
        """Items in the order of this phone, the same whenever these labels are shown."""
        if self.order is None:
            return items
        arranged = list(items)
        Random(f"{self.order} {labels}").shuffle(arranged)
        return arranged

    def narrow(self, width: float) -> float:
        """Into how much a text has to fit at the usual size to fit into `width` at this one."""
        return width * 100 / self.font

    def enlarge(self, length: int) -> int:
        """What takes so many units at the usual size."""
        return -(-length * self.font // 100)


PLAIN = Look()


def look_of(state: State) -> Look:
    """The look of a phone in a state."""
    factors = state.get("factors")
    return _look(state["seed"], *factors) if factors else PLAIN


@lru_cache(maxsize=1024)
def _look(seed: int, *factors: str) -> Look:
    return Look(
        dark=Factor.DARK in factors,
        font=FONT_PERCENT if Factor.FONT in factors else 100,
        room=ROOM if Factor.DENSITY in factors else 0,
        words=GERMAN if Factor.LANGUAGE in factors else _NO_WORDS,
        order=f"order {seed}" if Factor.ORDER in factors else None,
        misleading=Factor.MISLEADING in factors,
    )
