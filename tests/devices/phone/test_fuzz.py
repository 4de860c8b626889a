"""Ten thousand random actions on every app: nothing breaks, and Home always leads home."""

from __future__ import annotations

import json
from random import Random

import pytest
from tests.contracts.monkey import random_action

from distrl import actions
from distrl.config.devices import PhoneConfig
from distrl.devices.phone import apps, content
from distrl.devices.phone.control import Control
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.paint import render
from distrl.devices.phone.registry import find
from distrl.types import Key

ACTIONS = 10_000
EPISODE = 100
"""Actions from one reset to the next, so that many seeds and start pages are tried."""
MOST_ELEMENTS = 48

APPS = ("launcher", *apps.names())


def _start(app: str, round_: int) -> PhoneDevice:
    """A phone with the app in front; rounds differ in seed, layout, theme and nuisances."""
    settings = PhoneConfig(nuisance_rate=1.0 if round_ % 4 == 0 else 0.0, layout=1 + round_ % 2)
    device = PhoneDevice(config=settings)
    device.reset(round_)
    control = Control(device.snapshot(), "launcher")
    control.start(app)
    if app == "browser" and round_ % 4 == 1:
        control.open("search")
    elif app == "browser" and round_ % 4:
        # A monkey does not find a shop by typing: half of the rounds begin inside one.
        control.open("shop", host=content.SHOPS[round_ % len(content.SHOPS)].host)
    control.write_system("dark", to=round_ % 3 == 0)
    control.write_system("hour24", to=round_ % 5 == 0)
    device.restore(control.state)
    return device


def _return_to(device: PhoneDevice, app: str) -> None:
    """Bring the app under test back to the front, as a user would by its icon."""
    control = Control(device.snapshot(), device.snapshot()["ui"]["app"])
    control.start(app)
    control.write_ui("overlay", None)
    device.restore(control.state)


def _assert_well_formed(device: PhoneDevice) -> None:
    elements = device.phone.view.elements
    assert len(elements) <= MOST_ELEMENTS
    for element in elements:
        left, top, right, bottom = element.bounds
        assert 0.0 <= left < right <= 1.0, element
        assert 0.0 <= top < bottom <= 1.0, element


def _assert_left_by_home(device: PhoneDevice) -> None:
    device.perform(actions.press(Key.HOME))
    assert device.phone.view.app == "launcher"
    assert device.phone.view.page == "main"
    assert not device.snapshot()["ui"]["shade"]


def _pages(app: str) -> set[str]:
    names = (name.partition("_") for name in dir(find(app)))
    return {name for kind, _, name in names if kind in ("page", "dialog")}


@pytest.mark.parametrize("app", APPS)
def test_random_actions_never_break_an_app(app: str) -> None:
    visited = set()
    for round_ in range(ACTIONS // EPISODE):
        rng = Random(f"{app} {round_}")
        device = _start(app, round_)
        kept = device.snapshot()
        written = json.dumps(kept)
        trace = []
        try:
            for step in range(EPISODE):
                if device.phone.view.app != app and not device.snapshot()["ui"]["shade"]:
                    _return_to(device, app)
                view = device.phone.view
                visited.add(view.page)
                action = random_action(rng, view.elements, keyboard=view.keyboard, home=False)
                if app == "launcher" and step % 40 == 39:  # a page that only a key opens
                    action = actions.press(Key.RECENTS)
                trace.append(actions.to_text(action))
                device.perform(action)
                if step % 20 == 0:
                    _assert_well_formed(device)
                if step % 50 == 49:
                    render.render(device.phone.view, 180, 400)
            state = device.snapshot()
            assert json.loads(json.dumps(state)) == state
            assert json.dumps(kept) == written, "a state was changed in place"
            _assert_left_by_home(device)
        except Exception as error:
            error.add_note(f"{app}, round {round_}, after: {trace[-12:]}")
            raise
    missed = _pages(app) - visited
    assert len(missed) <= 0.15 * len(_pages(app)), f"never seen: {missed}"
