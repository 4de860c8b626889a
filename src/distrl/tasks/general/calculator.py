"""Goals in the Calculator app."""

from __future__ import annotations

from distrl.devices.phone.apps.calculator import BACKSPACE, calculate
from distrl.tasks.oracle_hand import Hand
from distrl.tasks.pools import TWO_DIGITS, closed
from distrl.tasks.template import Params, Scene, Template

_DIGIT = closed("digit", *range(2, 10))


class _Calculation(Template):
    """The result of two numbers stands on the display."""

    params = {"number": TWO_DIGITS, "digit": _DIGIT}
    sign: str

    def _keys(self, p: Params) -> str:
        return f"{p['number']}{self.sign}{p['digit']}"

    def check(self, scene: Scene, p: Params) -> bool:
        """The display shows the result of a calculation."""
        return (
            scene.at("calculator", "main")
            and scene.var("tab", "keys") == "keys"
            and bool(scene.var("done"))
            and scene.var("entry") == calculate(self._keys(p))
        )

    def oracle(self, hand: Hand, p: Params) -> None:
        """Press key after key; take a slip back, or clear what is wrong from further on."""
        hand.open("calculator")
        hand.on("main")
        hand.tab("Calculator")
        keys, entry = self._keys(p), str(hand.var("entry", ""))
        if hand.var("done") or not keys.startswith(entry[:-1]):
            hand.tap("AC")
        if not keys.startswith(entry):
            hand.tap_icon(BACKSPACE)
        if entry == keys:
            hand.tap("=")
        hand.tap(keys[len(entry)], role="button")


class Add(_Calculation):
    """A sum."""

    name = "add_numbers"
    phrasings = (
        "What is {number} + {digit}? Use the calculator",
        "Calculate {number} + {digit}",
        "Add {number} and {digit} in the Calculator app",
        "How much is {number} plus {digit} on the calculator?",
    )
    sign = "+"
    weight = 0.7


class Multiply(_Calculation):
    """A product."""

    name = "multiply_numbers"
    unseen = True
    phrasings = (
        "What is {number} x {digit}? Use the calculator",
        "Multiply {number} by {digit} in the Calculator app",
        "How much is {number} times {digit} on the calculator?",
    )
    sign = "x"


TEMPLATES: tuple[Template, ...] = (Add(), Multiply())
