"""Both ways of drawing keep the same promises: every test runs on whichever browsers there are."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.devices.browser.browsers import SHOP, find, needs_chromium

from distrl import actions
from distrl.clock import RealClock
from distrl.devices.browser.chromium import Chromium, find_chromium
from distrl.devices.browser.device import BrowserDevice
from distrl.devices.browser.drawing import drawing_flags, draws_on_demand


@pytest.mark.parametrize(
    ("name", "on_demand"),
    [
        ("chromium-headless-shell", True),
        ("headless_shell", True),
        ("chrome-headless-shell", True),
        ("chromium", False),
        ("google-chrome", False),
    ],
)
def test_browsers_without_windows_draw_on_demand(name: str, on_demand: bool) -> None:
    assert draws_on_demand(Path("/usr/bin") / name) is on_demand
    frames = "--enable-begin-frame-control"
    assert (frames in drawing_flags(Path("/usr/bin") / name)) is on_demand


@pytest.fixture(scope="module", params=["windowless", "full"])
def chromium(request: pytest.FixtureRequest) -> Iterator[Chromium]:
    found = find_chromium(full=request.param == "full")
    if draws_on_demand(found) is not (request.param == "windowless"):
        pytest.skip(f"there is no {request.param} Chromium")
    browser = Chromium(found)
    yield browser
    browser.close()


@pytest.fixture
def shop(chromium: Chromium) -> Iterator[BrowserDevice]:
    device = BrowserDevice("shop", SHOP, chromium=chromium)
    yield device
    device.close()


def _paint(colour: str) -> str:
    return f"document.body.innerHTML = ''; document.body.style.background = '{colour}'"


browser = pytest.mark.browser
slow = pytest.mark.slow


@browser
@slow
@needs_chromium
def test_a_screen_shows_what_was_done_last(shop: BrowserDevice) -> None:
    for level in range(0, 250, 25):
        shop.run(_paint(f"rgb({level},0,0)"))
        assert shop.observe().screen[300, 180].tolist() == [level, 0, 0]


@browser
@slow
@needs_chromium
def test_pages_that_are_drawn_side_by_side_show_themselves(chromium: Chromium) -> None:
    wrong: list[tuple[int, object]] = []

    def play(number: int) -> None:
        device = BrowserDevice(f"page-{number}", SHOP, chromium=chromium, pictures=True)
        for turn in range(10):
            device.run(_paint(f"rgb({number},{turn},9)"))
            pixel = device.observe().screen[300, 180].tolist()
            if pixel != [number, turn, 9]:
                wrong.append((number, pixel))
        device.close()

    threads = [threading.Thread(target=play, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@browser
@slow
@needs_chromium
@pytest.mark.parametrize(
    "set_up",
    [
        "addEventListener('scroll', heard)",
        "window.onscroll = heard",
        "new IntersectionObserver(all => all[0].isIntersecting && heard()).observe(last)",
    ],
)
def test_what_a_page_hears_with_a_frame_is_listed_at_once(shop: BrowserDevice, set_up: str) -> None:
    shop.run(
        "document.body.innerHTML = "
        "'<p id=told>quiet</p><div style=height:2000px></div><p id=last>x</p>';"
        "const told = document.getElementById('told'), last = document.getElementById('last');"
        "told.style.cssText = 'position:fixed;top:0';"
        f"const heard = () => {{ told.textContent = 'heard' }}; {set_up}"
    )
    assert find(shop.observe(), "quiet")
    shop.run("scrollTo(0, 3000)")
    assert find(shop.observe(), "heard")


@browser
@slow
@needs_chromium
def test_frames_of_a_page_whose_time_runs_come_by_themselves(chromium: Chromium) -> None:
    device = BrowserDevice("live", replace(SHOP, frozen=False), chromium=chromium)
    device.run(
        "window.frames_drawn = 0;"
        "const count = () => { frames_drawn++; requestAnimationFrame(count) }; count()"
    )
    more = lambda: device.evaluate("frames_drawn") >= 5  # noqa: E731
    assert RealClock().wait_until(more, timeout=20.0)
    device.close()


@browser
@slow
@needs_chromium
def test_what_is_hidden_is_neither_seen_nor_listed(chromium: Chromium) -> None:
    plain = BrowserDevice("plain", SHOP, chromium=chromium)
    covered = BrowserDevice(
        "covered", replace(SHOP, hidden="input[type=checkbox]"), chromium=chromium
    )
    roles = [{e.role for e in one.observe().elements or ()} for one in (plain, covered)]
    assert roles[0] - roles[1] == {"checkbox"}
    assert (plain.observe().screen != covered.observe().screen).any()
    plain.close()
    covered.close()


@browser
@slow
@needs_chromium
def test_a_page_takes_the_size_of_each_site_that_it_visits(shop: BrowserDevice) -> None:
    before = shop.observe().screen
    for wide in (True, False):
        site = replace(SHOP, width=500, height=400) if wide else SHOP
        shop.visit(site, seed=0)
        seen = shop.observe().screen
        assert seen.shape == (site.height, site.width, 3)
        assert shop.evaluate("[innerWidth, innerHeight]") == [site.width, site.height]
        assert "1" not in [element.text for element in shop.observe().elements or ()]
        shop.perform(actions.tap(*find(shop.observe(), "Buy").center))
        assert find(shop.observe(), "1")
    assert np.array_equal(before, seen)
