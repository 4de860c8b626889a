from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from tests.contracts.monkey import random_action
from tests.devices.phone.driver import Driver

from distrl import actions
from distrl.config.devices import PhoneConfig
from distrl.devices.phone import apps, nuisance
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


def _plan(seed: int, settings: PhoneConfig) -> dict[str, Any]:
    weights = settings.nuisance_weights
    plan: dict[str, Any] = create_state(
        seed,
        nuisance_rate=settings.nuisance_rate,
        weights=nuisance.WEIGHTS if weights is None else weights,
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
    settings = PhoneConfig()
    assert settings.nuisance_rate <= 0.25
    share = sum(bool(_kind(_plan(seed, settings))) for seed in range(2000)) / 2000
    assert 0.22 <= share <= 0.28


def test_kinds_come_as_often_as_their_weights_say() -> None:
    settings = PhoneConfig(
        nuisance_rate=1.0, nuisance_weights={"ad": 3.0, "slow": 1.0, "notice": 0.0}
    )
    counts = Counter(_kind(_plan(seed, settings)) for seed in range(2000))
    assert set(counts) == {"ad", "slow"}
    assert 2.5 <= counts["ad"] / counts["slow"] <= 3.6


def test_all_kinds_are_drawn_by_default() -> None:
    settings = PhoneConfig(nuisance_rate=1.0)
    counts = Counter(_kind(_plan(seed, settings)) for seed in range(1000))
    assert set(counts) == set(nuisance.KINDS)


@pytest.mark.parametrize(
    "settings",
    [
        PhoneConfig(nuisance_rate=0.0),
        PhoneConfig(nuisance_rate=1.0, nuisance_weights={}),
    ],
)
def test_nuisances_can_be_switched_off(settings: PhoneConfig) -> None:
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


# Every kind, in every app, leaves the user a way on


@pytest.mark.parametrize("kind", ["permission", "update", "ad", "consent", "notice"])
@pytest.mark.parametrize("variant", range(6))
def test_every_variant_can_be_closed_by_something_on_the_screen(kind: str, variant: int) -> None:
    driver = _covered(kind)
    driver.change("ui", "overlay", "variant", to=variant)
    closed = 0
    for widget in [w for w in driver.device.phone.view.widgets if w.role and w.on_tap]:
        twin = driver.device.fork()
        element = widget.element()
        if element is not None:
            twin.perform(actions.tap(*element.center))
            closed += twin.snapshot()["ui"]["overlay"] is None
    assert closed


@pytest.mark.parametrize("app", apps.names())
@pytest.mark.parametrize("kind", ["update", "ad", "notice"])
def test_what_closes_a_nuisance_gives_the_app_back_as_it_was(app: str, kind: str) -> None:
    driver = Driver()
    driver.open(app)
    before = driver.texts()
    overlay = {"kind": kind, "app": app, "variant": 2, "until": driver.state["time"] + 14}
    if kind != "notice":
        del overlay["until"]
    driver.change("ui", "overlay", to=overlay)
    time = driver.state["time"]
    if kind == "update":
        driver.tap("Not now")
    elif kind == "ad":
        driver.tap_icon("close")
    else:
        driver.swipe("up", next(e for e in driver.elements if e.role == "banner").center)
    assert _overlay(driver) == ""
    driver.change("time", to=time)
    assert driver.texts() == before


@pytest.mark.parametrize("kind", ["permission", "update"])
def test_back_closes_a_dialog_of_the_system_and_leaves_the_page(kind: str) -> None:
    driver = _covered(kind)
    driver.back()
    assert _overlay(driver) == ""
    assert driver.app == "clock"


def test_nothing_can_be_typed_below_a_dialog() -> None:
    driver = Driver()
    driver.open("notes")
    driver.tap_field("Search notes")
    driver.change("ui", "overlay", to={"kind": "ad", "app": "notes", "variant": 1})
    assert not driver.device.observe().keyboard
    driver.type("lost")
    assert driver.var("query", "") == ""


def test_the_shade_cannot_be_pulled_over_an_ad() -> None:
    driver = _covered("ad")
    driver.pull_shade()
    assert not driver.state["ui"]["shade"]


def test_a_notice_and_a_consent_leave_the_page_usable() -> None:
    for kind in ("notice", "consent"):
        driver = _covered(kind)
        driver.tap("Timer", role="tab")
        assert driver.element("Timer", "tab").checked


def test_installing_an_update_ends_by_itself_and_changes_nothing() -> None:
    driver = _covered("update")
    with driver.changes():
        driver.tap("Update")
        driver.wait(4)
    assert _overlay(driver) == ""


def test_the_bait_of_an_ad_on_a_phone_without_a_store_only_closes_it() -> None:
    driver = _covered("ad")
    installed = driver.state["system"]["installed"]
    driver.change("system", "installed", to={k: v for k, v in installed.items() if k != "store"})
    driver.tap("Install now")
    assert (driver.app, _overlay(driver)) == ("clock", "")


def test_ads_differ_in_name_and_in_where_their_cross_is() -> None:
    names: set[str] = set()
    places: set[int] = set()
    for variant in range(6):
        driver = _covered("ad")
        driver.change("ui", "overlay", "variant", to=variant)
        names.update(text for text in driver.of_role("text") if text)
        cross = next(w for w in driver.device.phone.view.widgets if w.paint and "close" in w.paint)
        places.add(cross.x)
    assert len(names) == 5
    assert len(places) == 2


def test_a_permission_names_the_app_and_what_it_wants() -> None:
    driver = Driver()
    driver.open("camera")
    driver.change("ui", "overlay", to={"kind": "permission", "app": "camera", "variant": 0})
    assert driver.sees("Allow Camera to take pictures and record video?")


# The plan


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
def test_episodes_have_a_nuisance_as_often_as_the_rate_says(rate: float) -> None:
    plans = [nuisance.plan(Random(seed), rate, nuisance.WEIGHTS) for seed in range(1000)]
    share = sum(bool(_kind(plan)) for plan in plans) / 1000
    assert abs(share - rate) < 0.05


@pytest.mark.parametrize("kind", nuisance.KINDS)
def test_a_kind_that_is_alone_is_always_drawn(kind: str) -> None:
    assert {_kind(nuisance.plan(Random(s), 1.0, {kind: 0.3})) for s in range(20)} == {kind}


def test_an_armed_nuisance_waits_for_one_to_three_actions() -> None:
    weights = {kind: 1.0 for kind in nuisance.KINDS if kind != "slow"}
    waits = set()
    for seed in range(200):
        for armed in nuisance.plan(Random(seed), 1.0, weights)["armed"]:
            waits.add(armed["after"])
    assert waits == {1, 2, 3}


def test_a_nuisance_that_does_not_fit_waits_for_its_moment() -> None:
    driver = Driver(1, nuisance_rate=1.0, weights={"permission": 1.0})
    for _ in range(6):
        driver.wait()
    assert _overlay(driver) == ""
    assert driver.state["nuisance"]["armed"]
    driver.open("camera")
    driver.wait()
    assert _overlay(driver) == "permission"


def test_the_home_screen_is_spared_ads_and_notices() -> None:
    for kind in ("ad", "notice"):
        driver = Driver(1, nuisance_rate=1.0, weights={kind: 1.0})
        for _ in range(8):
            driver.wait()
        assert _overlay(driver) == ""


def test_a_slow_page_is_slow_once() -> None:
    slow = next(name for name in apps.names() if find(name).slow)
    driver = Driver(2, nuisance_rate=1.0, weights={"slow": 1.0})
    driver.swipe("up")
    driver.tap(find(slow).title)
    assert driver.sees("Loading...")
    driver.wait(2)
    driver.press("home")
    driver.swipe("up")
    driver.tap(find(slow).title)
    assert not driver.sees("Loading...")


def test_a_slow_page_can_be_left_while_it_loads() -> None:
    slow = next(name for name in apps.names() if find(name).slow)
    driver = Driver(2, nuisance_rate=1.0, weights={"slow": 1.0})
    driver.swipe("up")
    driver.tap(find(slow).title)
    driver.back()
    assert driver.app == "launcher"


@pytest.mark.parametrize(("direction", "gone"), [("left", True), ("right", True), ("down", False)])
def test_a_notice_is_wiped_away_to_the_sides_too_but_not_down(direction: str, gone: bool) -> None:
    driver = _covered("notice")
    banner = next(e for e in driver.elements if e.role == "banner")
    driver.swipe(direction, banner.center)
    assert (_overlay(driver) == "") == gone


def test_a_notice_is_over_exactly_when_its_time_is() -> None:
    driver = _covered("notice")
    driver.change("ui", "overlay", "until", to=driver.state["time"] + 10)
    driver.wait()
    assert _overlay(driver) == "notice"
    driver.wait()
    assert _overlay(driver) == ""
