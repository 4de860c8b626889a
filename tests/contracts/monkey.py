"""A user without a plan: random actions that find the most of a screen, seeded."""

from __future__ import annotations

from random import Random

from distrl import actions
from distrl.actions import Direction
from distrl.interfaces import Device
from distrl.types import Action, Element, Key, Kind

HOSTILE_TEXTS = (
    "0",
    "7",
    "12.5",
    "-1",
    "99999999999999999999",
    "a",
    "the",
    "Anna Berg",
    " ",
    "a\nb\tc",
    "{p} {0} %s %(x)s",
    "'; DROP TABLE notes; --",
    "$(reboot) `ls` ../../etc",
    "<b>&amp;</b>",
    "\u202eright to left",
    "e\u0301\u0323 \U0001f600 \u4f60\u597d",
    "\x00\x07\x1b[31m",
    "٣",
    "½²",
    "x" * 400,
    "nan",
    "1e9",
    "2025-02-30",
)
_KEYS = (Key.BACK, Key.BACK, Key.BACK, Key.ENTER, Key.HOME)
_DIRECTIONS = tuple(Direction)


def random_action(
    rng: Random, elements: tuple[Element, ...], *, keyboard: bool, home: bool = True
) -> Action:
    """Mostly taps on what is there; sometimes anything else. `home=False` stays in the app."""
    dice = rng.random()
    if keyboard and dice < 0.3:
        return actions.type_text(rng.choice(HOSTILE_TEXTS))
    if dice < 0.66 and elements:
        # The last ones lie on top: dialogs, buttons, the page's own content.
        return actions.tap(*rng.choice(elements).center)
    if dice < 0.72 and elements:
        return actions.long_press(*rng.choice(elements).center)
    if dice < 0.80:
        return actions.swipe_towards(rng.choice(_DIRECTIONS))
    if dice < 0.84:
        return actions.swipe(rng.random(), rng.random(), rng.random(), rng.random())
    if dice < 0.90:
        return actions.tap(rng.random(), rng.random())
    if dice < 0.97:
        return actions.press(rng.choice(_KEYS if home else _KEYS[:-1]))
    return rng.choice((actions.wait(), actions.type_text(rng.choice(HOSTILE_TEXTS))))


def wander(device: Device, seed: int, steps: int) -> list[Action]:
    """Let a monkey loose on a device and return what it did, declarations included.

    What the device cannot do is left out.
    """
    rng = Random(seed)
    done = []
    for _ in range(steps):
        seen = device.observe()
        action = random_action(rng, seen.elements or (), keyboard=seen.keyboard)
        if action.kind is Kind.WAIT and rng.random() < 0.3:
            action = rng.choice((actions.complete(), actions.infeasible()))
        if action.kind in device.kinds:
            device.perform(action)
            done.append(action)
    return done
