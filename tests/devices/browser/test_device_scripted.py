"""A browser device before a driver that follows a script: no browser is needed."""

from __future__ import annotations

import asyncio
import gc
import io
import json
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image
from tests.devices.browser.pages import SITE, listing

from distrl import actions
from distrl.devices.browser import device as module
from distrl.devices.browser.device import BrowserDevice, decode, elements_of
from distrl.devices.browser.driver import PageSnapshot
from distrl.devices.browser.site import Site
from distrl.errors import ActionError, DeviceLost
from distrl.types import Action, Element


def png(level: int, size: tuple[int, int] = (200, 400)) -> bytes:
    packed = io.BytesIO()
    Image.new("RGB", size, (level, level, level)).save(packed, "PNG")
    return packed.getvalue()


class ScriptedDriver:
    """A page that counts what is done to it; its screen is as bright as it has seen actions."""

    def __init__(self) -> None:
        self.steps = self.looks = self.shots = 0
        self.did: list[str] = []
        self.fails: Exception | None = None

    def _snapshot(self, picture: bool) -> PageSnapshot:
        if self.fails is not None:
            raise self.fails
        told = listing(["button", "Buy", "", 0, 0, 100, 40, True, None, False, False],
                       app=f"step {self.steps}", probe=self.steps)  # fmt: skip
        return PageSnapshot(json.dumps(told), png(self.steps) if picture else None)

    async def look(self, *, picture: bool) -> PageSnapshot:
        self.looks += 1
        return self._snapshot(picture)

    async def perform(self, action: Action, *, picture: bool) -> PageSnapshot:
        self.steps += 1
        self.did.append(action.kind.value)
        return self._snapshot(picture)

    async def run(self, script: str, *, picture: bool) -> PageSnapshot:
        self.steps += 1
        self.did.append(script)
        return self._snapshot(picture)

    async def evaluate(self, expression: str) -> str:
        return f"value of {expression}"

    async def screenshot(self) -> bytes:
        self.shots += 1
        if self.fails is not None:
            raise self.fails
        return png(self.steps)


class ScriptedTabs:
    """The pages of one context."""

    def __init__(self, driver: ScriptedDriver) -> None:
        self.driver, self.closed = driver, 0
        self.went: list[tuple[str, str]] = []

    async def load(self, site: Site) -> ScriptedDriver:
        self.went.append(("load", site.start))
        return self.driver

    async def switch_to(self, site: Site) -> ScriptedDriver:
        self.went.append(("switch", site.start))
        return self.driver

    async def close(self) -> None:
        self.closed += 1


class ScriptedChromium:
    """Does its work at once; opens a context with every reset."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.opened: list[ScriptedTabs] = []
        self.seeds: list[int] = []
        self.failing: list[Exception] = []
        self.connected = self.answering = True
        self.killed = self.browsers = 0
        monkeypatch.setattr(module, "open_page", self._open)

    def call(self, work: Coroutine[Any, Any, Any], *, doing: str, timeout: float) -> Any:
        try:
            return asyncio.run(work)
        except DeviceLost as error:
            raise DeviceLost(f"{doing}: {error}") from error

    async def browser(self) -> ScriptedChromium:
        self.browsers += 1
        return self

    def answers(self) -> bool:
        return self.answering

    def kill(self) -> None:
        self.killed += 1

    async def _open(
        self, browser: object, site: Site, seed: int, *, stays: bool
    ) -> tuple[ScriptedTabs, ScriptedDriver]:
        if self.failing:
            raise self.failing.pop(0)
        self.seeds.append(seed)
        driver = ScriptedDriver()
        self.opened.append(ScriptedTabs(driver))
        return self.opened[-1], driver


@pytest.fixture
def chromium(monkeypatch: pytest.MonkeyPatch) -> ScriptedChromium:
    return ScriptedChromium(monkeypatch)


def make(chromium: ScriptedChromium, site: Site = SITE, *, pictures: bool = False) -> BrowserDevice:
    return BrowserDevice("page", site, chromium=chromium, pictures=pictures)  # type: ignore[arg-type]


def driver_of(chromium: ScriptedChromium) -> ScriptedDriver:
    return chromium.opened[-1].driver


# Looking


def test_page_is_opened_by_the_first_call_that_needs_it(chromium: ScriptedChromium) -> None:
    device = make(chromium)
    assert chromium.opened == []
    device.observe()
    device.observe()
    assert len(chromium.opened) == 1
    assert chromium.seeds == [0]


def test_page_is_listed_once_until_something_is_done(chromium: ScriptedChromium) -> None:
    device = make(chromium)
    for _ in range(3):
        assert device.observe().app == "step 0"
        assert device.probe == 0
    assert driver_of(chromium).looks == 1
    device.perform(actions.wait())
    assert device.observe().app == "step 1"
    assert driver_of(chromium).looks == 1  # an action looks at what became of it


def test_page_whose_time_runs_is_listed_with_every_look(chromium: ScriptedChromium) -> None:
    device = make(chromium, replace(SITE, frozen=False))
    for _ in range(3):
        device.observe()
    assert driver_of(chromium).looks == 3


def test_screen_that_nobody_looks_at_is_never_taken(chromium: ScriptedChromium) -> None:
    device = make(chromium)
    for _ in range(3):
        device.observe()
        gc.collect()
        device.perform(actions.wait())
    assert driver_of(chromium).shots == 0


def test_screen_that_somebody_may_still_look_at_is_taken_before_the_page_moves_on(
    chromium: ScriptedChromium,
) -> None:
    device = make(chromium)
    before = device.observe()
    device.perform(actions.wait())
    after = device.observe()
    assert before.screen[0, 0].tolist() == [0, 0, 0]
    assert after.screen[0, 0].tolist() == [1, 1, 1]
    assert before.screen is before.screen
    assert driver_of(chromium).shots == 2


@pytest.mark.parametrize("how", ["reset", "visit", "run", "close"])
def test_whatever_moves_the_page_on_leaves_the_old_screen(
    chromium: ScriptedChromium, how: str
) -> None:
    device = make(chromium)
    device.perform(actions.wait())
    before = device.observe()
    if how == "reset":
        device.reset(1)
    elif how == "visit":
        device.visit(SITE, seed=0)
    elif how == "run":
        device.run("x()")
    else:
        device.close()
    assert before.screen[0, 0].tolist() == [1, 1, 1]


def test_pictures_that_come_with_every_look_are_not_taken_again(
    chromium: ScriptedChromium,
) -> None:
    device = make(chromium, pictures=True)
    device.perform(actions.wait())
    assert device.observe().screen[0, 0].tolist() == [1, 1, 1]
    assert driver_of(chromium).shots == 0


# Losing a page


def test_lost_page_stays_lost_until_it_is_reset(chromium: ScriptedChromium) -> None:
    device = make(chromium)
    device.observe()
    driver_of(chromium).fails = DeviceLost("the page crashed")
    with pytest.raises(DeviceLost, match=r"page: wait on http://shop\.test.*the page crashed"):
        device.perform(actions.wait())
    for call in (device.observe, lambda: device.perform(actions.wait()), lambda: device.probe):
        with pytest.raises(DeviceLost, match="the page crashed"):
            call()
    device.reset(3)
    assert device.observe().app == "step 0"
    assert chromium.seeds == [0, 3]


def test_screen_of_a_page_that_was_lost_meanwhile_is_black(
    chromium: ScriptedChromium, caplog: pytest.LogCaptureFixture
) -> None:
    device = make(chromium)
    seen = device.observe()
    driver_of(chromium).fails = DeviceLost("the page crashed")
    assert seen.screen.shape == (400, 200, 3)
    assert not seen.screen.any()
    assert "the page crashed" in caplog.text
    with pytest.raises(DeviceLost):
        device.observe()


@pytest.mark.parametrize(("answering", "killed"), [(True, 0), (False, 1)])
def test_browser_is_killed_only_if_it_is_the_one_that_hangs(
    chromium: ScriptedChromium, answering: bool, killed: int
) -> None:
    device = make(chromium)
    chromium.answering = answering
    chromium.failing = [DeviceLost("no answer within 90 s")]
    with pytest.raises(DeviceLost, match="page: opening"):
        device.reset(0)
    assert chromium.killed == killed
    device.reset(1)


def test_browser_that_died_unnoticed_costs_nobody_an_episode(chromium: ScriptedChromium) -> None:
    device = make(chromium)
    chromium.connected = False
    chromium.failing = [DeviceLost("Target closed")]
    device.reset(5)
    assert chromium.seeds == [5]
    assert chromium.browsers == 2


# Going from site to site


def test_visit_of_a_site_that_is_alike_keeps_the_context(chromium: ScriptedChromium) -> None:
    device = make(chromium)
    device.reset(0)
    other = replace(SITE, start="http://shop.test/other")
    device.visit(other, seed=1)
    device.visit(other, seed=1, stays=True)
    assert chromium.seeds == [0]
    assert chromium.opened[0].went == [("load", other.start), ("switch", other.start)]
    assert device.site is other


def test_visit_of_any_other_site_opens_a_new_context(chromium: ScriptedChromium) -> None:
    device = make(chromium)
    device.reset(0)
    device.visit(replace(SITE, start="http://bank.test/"), seed=7)
    assert chromium.seeds == [0, 7]
    assert [tabs.closed for tabs in chromium.opened] == [1, 0]


def test_visit_after_a_loss_opens_a_new_context(chromium: ScriptedChromium) -> None:
    device = make(chromium)
    device.reset(0)
    driver_of(chromium).fails = DeviceLost("crashed")
    with pytest.raises(DeviceLost):
        device.observe()
    device.visit(SITE, seed=4)
    assert chromium.seeds == [0, 4]
    device.observe()


# The rest of the contract


@pytest.mark.parametrize("action", [actions.complete(), actions.infeasible()])
def test_declarations_are_not_for_pages(chromium: ScriptedChromium, action: Action) -> None:
    device = make(chromium)
    with pytest.raises(ActionError, match=f"page cannot {action.kind}"):
        device.perform(action)
    assert driver_of(chromium).did == []


def test_scripts_move_the_page_on_and_values_do_not(chromium: ScriptedChromium) -> None:
    device = make(chromium)
    device.observe()
    assert device.evaluate("1") == "value of 1"
    assert device.observe().app == "step 0"
    device.run("buy()")
    assert device.observe().app == "step 1"
    assert driver_of(chromium).did == ["buy()"]


def test_closed_page_is_gone(chromium: ScriptedChromium) -> None:
    device = make(chromium)
    device.observe()
    device.close()
    device.close()
    assert [tabs.closed for tabs in chromium.opened] == [1]
    for call in (
        device.observe,
        lambda: device.reset(0),
        lambda: device.perform(actions.wait()),
        lambda: device.visit(SITE, seed=0),
    ):
        with pytest.raises(DeviceLost, match="page is closed"):
            call()


# Parts


def row(
    left: float, top: float, right: float, bottom: float, *, checked: bool | None = None
) -> list[Any]:
    return ["button", "Buy", "now", left, top, right, bottom, True, checked, False, False]


@pytest.mark.parametrize(
    ("box", "bounds"),
    [
        ((0, 0, 200, 400), (0.0, 0.0, 1.0, 1.0)),
        ((50, 100, 100, 200), (0.25, 0.25, 0.5, 0.5)),
        ((-50, -50, 100, 200), (0.0, 0.0, 0.5, 0.5)),
        ((150, 300, 999, 999), (0.75, 0.75, 1.0, 1.0)),
        ((33.333333, 0, 66.666666, 400), (0.1667, 0.0, 0.3333, 1.0)),
        ((200, 0, 300, 400), None),
        ((0, -100, 200, 0), None),
        ((50, 50, 50, 90), None),
        ((100, 50, 50, 90), None),
        ((50, 50, 50.001, 90), None),
    ],
)
def test_the_table_of_bounds(
    box: tuple[float, float, float, float], bounds: tuple[float, ...] | None
) -> None:
    found = elements_of(listing(row(*box)))
    assert [e.bounds for e in found] == ([] if bounds is None else [bounds])


def test_states_of_elements_are_kept() -> None:
    (found,) = elements_of(listing(row(0, 0, 200, 400, checked=False)))
    expected = Element("button", "Buy", "now", (0.0, 0.0, 1.0, 1.0), enabled=True, checked=False)
    assert found == expected


def test_picture_is_cut_to_what_the_site_shows() -> None:
    pixels = decode(png(9, (800, 900)), SITE)
    assert pixels.shape == (400, 200, 3)
    assert not pixels.flags.writeable
    np.testing.assert_array_equal(pixels[0, 0], [9, 9, 9])
