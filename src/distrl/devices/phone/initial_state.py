"""A phone's state on the first day, from a seed.

What the apps hold comes from a small number of households, each built once per process and
shared by all phones, so that a reset costs microseconds. Time of day, the order of the icons
and the nuisances differ with every seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from random import Random

from distrl.config.factors import Factor
from distrl.devices.phone import apps, nuisance, phone_time
from distrl.devices.phone.apps.settings_tables import system_defaults
from distrl.devices.phone.control import new_page
from distrl.devices.phone.factors.records import vary
from distrl.devices.phone.launcher import arrange
from distrl.devices.phone.registry import built_in, find, plugged_in
from distrl.devices.phone.state import State

HOUSEHOLDS = 32
"""Different contents of a phone. A trade-off: each costs a build and memory in every process, and
the fewer there are, the easier an agent learns them by heart."""
WALLPAPERS = 6
"""Wallpapers that a new phone may start with: the painted ones; photographs are set by users."""
FIRST_ID = 1000
"""Numbers of new records start above those that the households' own records carry."""


@lru_cache(maxsize=HOUSEHOLDS)
def _household(number: int) -> State:
    rng = Random(f"household {number}")
    return {
        "apps": {name: find(name).create(rng) for name in built_in()} | _plugged_in(number),
        "system": _system(rng),
    }


def _plugged_in(number: int) -> State:
    """Data of the plug-ins' apps, drawn apart, so that they change nothing of the others'."""
    return {name: find(name).create(Random(f"{name} {number}")) for name in plugged_in()}


def _system(rng: Random) -> State:
    return {
        "wifi": True,
        "bluetooth": False,
        "airplane": False,
        "flashlight": False,
        "dnd": False,
        "rotate": True,
        "dark": False,
        "hotspot": False,
        "brightness": 60,
        "hour24": False,
        "installed": dict.fromkeys(apps.names(), "1.0"),
        **system_defaults(rng),
    }


def create_state(
    seed: int,
    *,
    nuisance_rate: float,
    weights: Mapping[str, float],
    layouts: Mapping[str, int],
    factors: tuple[Factor, ...] = (),
) -> State:
    """The state after a reset with this seed: the home screen, nothing open."""
    # One generator for everything: the order of the draws below is part of what a seed means.
    rng = Random(seed)
    plan = nuisance.plan(rng, nuisance_rate, weights)
    household = _household(rng.randrange(HOUSEHOLDS))
    data = dict(vary(household["apps"], factors, seed))
    system = {
        **household["system"],
        "battery": rng.randint(35, 95),
        "wallpaper": rng.randrange(WALLPAPERS),
        "layouts": dict(layouts),
    }
    data["launcher"] = arrange(list(built_in()), rng, added=plugged_in())
    # A day within two months of the epoch, between 7:00 and 21:00: around these days the
    # calendars of the households are filled.
    start = rng.randrange(60) * phone_time.DAY + rng.randrange(7 * 60, 21 * 60) * 60
    # A phone without factors does not mention them: its state is the same as ever.
    varied = {"factors": [str(factor) for factor in factors]} if factors else {}
    return varied | {
        "seed": seed,
        "time": start,
        "ids": FIRST_ID,
        "system": system,
        "apps": data,
        "notices": {},
        "nuisance": plan,
        "ui": {
            "app": "launcher",
            "stacks": {"launcher": [new_page("main", {})]},
            "focus": None,
            "shade": False,
            "overlay": None,
            "overlap": plan["overlap"],
            "toast": "",
        },
    }
