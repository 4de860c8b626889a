"""Both ways of drawing keep the same promises: every test runs on whichever browsers there are."""

from __future__ import annotations

import asyncio
import base64
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.devices.browser.browsers import SHOP, find, needs_chromium

from distrl import actions
from distrl.clock import RealClock
from distrl.devices.browser import drawing as module
from distrl.devices.browser.chromium import Chromium, find_chromium
from distrl.devices.browser.device import BrowserDevice
from distrl.devices.browser.drawing import (
    ContinuousDrawing,
    OnDemandDrawing,
    drawing_flags,
    drawing_of,
    draws_on_demand,
)
from distrl.devices.browser.protocol import ProtocolError
from distrl.errors import DeviceLost


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
    drawing = drawing_of(Path("/usr/bin") / name)
    assert isinstance(drawing, OnDemandDrawing if on_demand else ContinuousDrawing)
    frames = "--enable-begin-frame-control"
    assert (frames in drawing_flags(Path("/usr/bin") / name)) is on_demand


# Without a browser


class Frames:
    """A session that draws when it is let; frames without a picture come first."""

    def __init__(self, *pictures: bytes | None) -> None:
        self._pictures = list(pictures)
        self.asked: list[dict[str, Any]] = []
        self.at_once = self.most_at_once = 0
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def send(self, method: str, given: dict[str, Any] | None = None) -> dict[str, Any]:
        self.asked.append({"method": method, **(given or {})})
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await self.go_on.wait()
        await asyncio.sleep(0)
        self.at_once -= 1
        picture = self._pictures.pop(0) if self._pictures else None
        return {} if picture is None else {"screenshotData": base64.b64encode(picture).decode()}


@pytest.mark.parametrize("empty", [0, 1, 2])
def test_first_frame_that_has_a_picture_is_the_screenshot(empty: int) -> None:
    async def main() -> None:
        session = Frames(*[None] * empty, b"a picture")
        assert await OnDemandDrawing().screenshot(session) == b"a picture"  # type: ignore[arg-type]
        assert len(session.asked) == empty + 1
        assert all(one["screenshot"]["format"] == "png" for one in session.asked)

    asyncio.run(main())


def test_page_without_a_picture_in_three_frames_is_lost() -> None:
    async def main() -> None:
        session = Frames()
        with pytest.raises(DeviceLost, match="3 frames were drawn, and none has a picture"):
            await OnDemandDrawing().screenshot(session)  # type: ignore[arg-type]
        assert len(session.asked) == 3

    asyncio.run(main())


def test_one_frame_is_drawn_at_a_time_whoever_asks() -> None:
    """A browser that is asked for two frames at once dies."""

    async def main() -> None:
        session, drawing = Frames(), OnDemandDrawing()
        await asyncio.gather(*(drawing.frame(session) for _ in range(10)))  # type: ignore[arg-type]
        assert len(session.asked) == 10
        assert session.most_at_once == 1

    asyncio.run(main())


def test_frame_that_nobody_waits_for_any_more_keeps_its_turn_until_it_has_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_FRAME_SECONDS", 0.02)

    async def main() -> None:
        session, drawing = Frames(), OnDemandDrawing()
        session.go_on.clear()
        for _ in range(2):
            with pytest.raises(DeviceLost, match=r"no frame within 0\.02 s"):
                await drawing.frame(session)  # type: ignore[arg-type]
        assert len(session.asked) == 1  # the second waited for its turn
        session.go_on.set()
        await drawing.frame(session)  # type: ignore[arg-type]
        assert session.most_at_once == 1
        assert len(session.asked) == 3

    asyncio.run(main())


def test_error_of_a_frame_that_nobody_waits_for_is_looked_at(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    monkeypatch.setattr(module, "_FRAME_SECONDS", 0.01)
    unheard: list[dict[str, Any]] = []

    class Failing(Frames):
        async def send(self, method: str, given: dict[str, Any] | None = None) -> dict[str, Any]:
            await self.go_on.wait()
            raise RuntimeError("the page is gone")

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, found: unheard.append(found))
        session = Failing()
        session.go_on.clear()
        with pytest.raises(DeviceLost):
            await OnDemandDrawing().frame(session)  # type: ignore[arg-type]
        session.go_on.set()
        await asyncio.sleep(0.01)

    asyncio.run(main())
    assert unheard == []


def test_browser_that_draws_by_itself_is_asked_for_its_picture() -> None:
    class Camera:
        async def send(self, method: str, given: dict[str, Any]) -> dict[str, Any]:
            assert method == "Page.captureScreenshot"
            return {"data": base64.b64encode(b"a picture").decode()}

    async def main() -> None:
        assert await ContinuousDrawing().screenshot(Camera()) == b"a picture"  # type: ignore[arg-type]

    asyncio.run(main())


def test_page_whose_time_runs_is_drawn_until_it_is_gone() -> None:
    class Mortal(Frames):
        async def send(self, method: str, given: dict[str, Any] | None = None) -> dict[str, Any]:
            if len(self.asked) == 3:
                raise ProtocolError("the page is closed")
            return await super().send(method, given)

    async def main() -> None:
        drawing, session = OnDemandDrawing(), Mortal()
        drawing.tick(session)  # type: ignore[arg-type]
        (task,) = drawing._ticking
        await asyncio.wait_for(task, 10.0)
        assert len(session.asked) == 3
        assert drawing._ticking == set()

    asyncio.run(main())


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
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks fontconfig")
def test_letters_of_fixed_width_are_those_of_the_machine(shop: BrowserDevice) -> None:
    widths = [
        shop.evaluate(
            "(font => { const pen = document.createElement('canvas').getContext('2d');"
            f"pen.font = '40px ' + font; return pen.measureText('mmm').width }})('{font}')"
        )
        for font in ("monospace", '"Monospace"', "serif")
    ]
    assert widths[0] == widths[1] != widths[2]


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
