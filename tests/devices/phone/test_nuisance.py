from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from tests.contracts.monkey import random_action
from tests.devices.phone.driver import Driver

from distrl.devices.phone import apps, nuisance
from distrl.devices.phone.device import PhoneSettings
from distrl.devices.phone.initial_state import create_state
from distrl.devices.phone.registry import find
from distrl.devices.phone.ui.view import KEYBOARD_TOP

OVERLAYS = ("permission", "update", "ad", "consent", "notice")


def _covered(kind: str) -> Driver:
    """The Clock with a nuisance above it."""
    driver = Driver()
    driver.open("clock")
    until = {"until": driver.state["time"] + 14} if kind == "notice" else {}
    driver.change("ui", "overlay", to={"kind": kind, "app": "clock", "variant": 2, **until})
    return driver


def _overlay(driver: Driver) -> str:
    overlay = driver.state["ui"]["overlay"]
    return overlay["kind"] if overlay else ""


def _plan(seed: int, settings: PhoneSettings) -> dict[str, Any]:
    plan: dict[str, Any] = create_state(
        seed,
        nuisance_rate=settings.nuisance_rate,
        weights=settings.nuisance_weights,
        layouts={},
    )["nuisance"]
    return plan


def _kind(plan: dict[str, Any]) -> str:
    if plan["promo"]:
        return "promo"
    if plan["overlap"]:
        return "keyboard"
    return str(plan["armed"][0]["kind"]) if plan["armed"] else ""


# Rates


def test_at_most_a_quarter_of_the_episodes_have_one_by_default() -> None:
    settings = PhoneSettings()
    assert settings.nuisance_rate <= 0.25
    share = sum(bool(_kind(_plan(seed, settings))) for seed in range(2000)) / 2000
    assert 0.22 <= share <= 0.28


def test_kinds_come_as_often_as_their_weights_say() -> None:
    settings = PhoneSettings(
        nuisance_rate=1.0, nuisance_weights={"ad": 3.0, "slow": 1.0, "notice": 0.0}
    )
    counts = Counter(_kind(_plan(seed, settings)) for seed in range(2000))
    assert set(counts) == {"ad", "slow"}
    assert 2.5 <= counts["ad"] / counts["slow"] <= 3.6


def test_all_kinds_are_drawn_by_default() -> None:
    settings = PhoneSettings(nuisance_rate=1.0)
    counts = Counter(_kind(_plan(seed, settings)) for seed in range(1000))
    assert set(counts) == set(nuisance.KINDS)


@pytest.mark.parametrize(
    "settings",
    [
        PhoneSettings(nuisance_rate=0.0),
        PhoneSettings(nuisance_rate=1.0, nuisance_weights={}),
    ],
)
def test_nuisances_can_be_switched_off(settings: PhoneSettings) -> None:
    assert not any(_kind(_plan(seed, settings)) for seed in range(200))


# Each strikes


def _struck(driver: Driver) -> str:
    """The nuisance that stands before the user now, if any."""
    kind = _overlay(driver)
    if not kind and driver.shows("Loading..."):
        kind = "slow"
    return kind


@pytest.mark.parametrize("kind", [*OVERLAYS, "slow"])
def test_kind_strikes_a_user_who_looks_around(kind: str) -> None:
    rng = Random(kind)
    for seed in range(30):
        driver = Driver(seed, nuisance_rate=1.0, weights={kind: 1.0})
        driver.swipe("up")
        names = ["browser"] if kind == "consent" else list(apps.names())
        driver.tap(find(rng.choice(names)).title)
        for _ in range(60):
            if _struck(driver):
                assert _struck(driver) == kind
                return
            view = driver.device.phone.view
            driver.perform(random_action(rng, view.elements, keyboard=view.keyboard, home=False))
    pytest.fail(f"{kind} never struck")


def test_each_nuisance_strikes_once() -> None:
    driver = Driver(1, nuisance_rate=1.0, weights={"update": 1.0})
    driver.open("clock")
    struck = 0
    for _ in range(30):
        driver.wait()
        if _overlay(driver):
            struck += 1
            driver.tap("Not now")
    assert struck == 1


# Each can be got rid of by what is on the screen


@pytest.mark.parametrize(
    ("kind", "label"),
    [
        ("permission", "Allow"),
        ("permission", "Don't allow"),
        ("update", "Not now"),
        ("consent", "Reject all"),
        ("consent", "Accept all"),
    ],
)
def test_dialog_goes_with_its_button(kind: str, label: str) -> None:
    driver = _covered(kind)
    driver.tap(label)
    assert _overlay(driver) == ""
    assert driver.app == "clock"


@pytest.mark.parametrize("kind", ["permission", "update", "ad"])
def test_blocking_one_hides_the_app_until_it_is_gone(kind: str) -> None:
    driver = _covered(kind)
    assert not driver.sees("Stopwatch")
    driver.swipe("up")
    driver.wait()
    assert _overlay(driver) == kind


def test_ad_closes_by_a_cross_without_words() -> None:
    driver = _covered("ad")
    cross = [e for e in driver.elements if e.role == "button" and not e.text]
    assert [e.description for e in cross] == [""]
    driver.tap_icon("close")
    assert _overlay(driver) == ""
    assert driver.sees("Stopwatch")


def test_ad_does_not_close_with_back() -> None:
    driver = _covered("ad")
    driver.press("back")
    assert _overlay(driver) == "ad"


def test_bait_of_an_ad_leads_to_the_store() -> None:
    driver = _covered("ad")
    driver.tap("Install now")
    assert driver.app == "store"


def test_update_keeps_its_app_busy_for_a_while() -> None:
    driver = _covered("update")
    driver.tap("Update")
    assert _overlay(driver) == "updating"
    driver.press("back")
    assert _overlay(driver) == "updating"
    for _ in range(3):
        driver.wait()
    assert _overlay(driver) == ""


def test_notification_covers_the_bar_and_goes_when_wiped_up() -> None:
    driver = _covered("notice")
    banner = next(e for e in driver.elements if e.role == "banner")
    assert banner.bounds[1] < 0.1
    driver.swipe("up", banner.center)
    assert _overlay(driver) == ""


def test_notification_goes_by_itself() -> None:
    driver = _covered("notice")
    for _ in range(3):
        driver.wait()
    assert _overlay(driver) == ""


def test_tapping_the_notification_leads_away() -> None:
    driver = _covered("notice")
    banner = next(e for e in driver.elements if e.role == "banner")
    driver.tap(banner.text)
    assert driver.app == "settings"


def test_slow_page_shows_that_it_loads_and_then_its_content() -> None:
    slow = next(name for name in apps.names() if find(name).slow)
    driver, quiet = (Driver(2, nuisance_rate=1.0, weights={"slow": 1.0}) for _ in range(2))
    quiet.change("nuisance", "armed", to=[])
    for each in (driver, quiet):
        each.swipe("up")
        each.tap(find(slow).title)
    assert driver.sees("Loading...")
    assert not quiet.sees("Loading...")
    driver.wait()
    driver.wait()
    assert not driver.sees("Loading...")
    quiet.wait()
    quiet.wait()
    assert driver.elements == quiet.elements


def test_keyboard_that_overlaps_hides_what_is_below_it() -> None:
    bottoms = []
    for weights in ({"keyboard": 1.0}, {"ad": 1.0}):
        driver = Driver(3, nuisance_rate=1.0, weights=weights)
        note = next(iter(driver.data("notes")["notes"].values()))
        driver.change("apps", "notes", "notes", to={f"n{i}": note for i in range(40)})
        driver.open("notes")
        driver.tap_field("Search notes")
        below = [w for w in driver.device.phone.view.widgets if w.role == "item"]
        bottoms.append(max(w.visible()[3] for w in below))
    overlapped, resized = bottoms
    assert overlapped > KEYBOARD_TOP >= resized
