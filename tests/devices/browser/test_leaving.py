"""Whatever takes a page elsewhere, and whatever it asks for: in a real browser."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.devices.browser.browsers import find, needs_chromium

from distrl import actions
from distrl.clock import RealClock
from distrl.devices.browser.chromium import Chromium
from distrl.devices.browser.device import BrowserDevice
from distrl.devices.browser.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.slow, needs_chromium]

START = """<title>Start</title>
<a href="next.html">link</a>
<form action="next.html"><button>form</button></form>
<button onclick="location='next.html'">script</button>
<button onclick="setTimeout(() => { location.href = 'next.html' }, 100)">timer</button>
<button onclick="onbeforeunload = e => e.preventDefault(); location = 'next.html'">asks</button>
<a href="#here">anchor</a>
<a href="javascript:void 0">nothing</a>
<button onclick="window.open('next.html')">window</button>
<a target="_blank" href="next.html">tab</a>
<a download href="words.txt">download</a>
<button onclick="fetch('words.txt').then(async a => { document.title = await a.text() })">ask
</button>
<button onclick="new Worker('worker.js').onmessage = e => { document.title = e.data }">work</button>
"""
WORKER = """importScripts('more.js');
fetch('words.txt').then(a => a.text()).then(t => postMessage(t + more));"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Chromium]:
    browser = Chromium()
    yield browser
    browser.close()


@pytest.fixture
def page(chromium: Chromium, tmp_path: Path) -> Iterator[BrowserDevice]:
    files = {
        "index.html": START,
        "next.html": "<title>Next</title><p>here</p>",
        "words.txt": "words",
        "worker.js": WORKER,
        "more.js": "const more = ' of a worker';",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    site = Site(start="http://leave.test/index.html", folders={"http://leave.test": tmp_path})
    with closing(BrowserDevice("leaving", site, chromium=chromium)) as device:
        yield device


def tap(page: BrowserDevice, text: str) -> None:
    page.perform(actions.tap(*find(page.observe(), text).center))


@pytest.mark.parametrize("how", ["link", "form", "script", "timer", "asks"])
def test_next_document_is_what_is_seen_after_the_action_that_leads_to_it(
    page: BrowserDevice, how: str
) -> None:
    for _ in range(5):
        tap(page, how)
        assert page.observe().app == "Next"
        page.perform(actions.press("back"))
        assert page.observe().app == "Start"


@pytest.mark.parametrize("how", ["anchor", "nothing", "window", "tab", "download"])
def test_page_that_stays_is_seen_as_it_is(page: BrowserDevice, how: str) -> None:
    for _ in range(3):
        tap(page, how)
        assert page.observe().app == "Start"
    told = page._call(
        page._page()._session.connection.browser.send("Target.getTargets"), "asking for windows"
    )
    assert [info["type"] for info in told["targetInfos"]].count("page") == 1


def test_answer_to_what_an_action_asked_for_is_seen_after_it(page: BrowserDevice) -> None:
    tap(page, "ask")
    assert page.observe().app == "words"


def test_pictures_that_an_action_brings_are_listed_with_it(page: BrowserDevice) -> None:
    drawn = "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'></svg>"
    for turn in range(10):
        (page.site.folders["http://leave.test"] / f"{turn}.svg").write_text(drawn)
        page.run(f"document.body.innerHTML = '<img alt=drawn src={turn}.svg>'")
        left, top, right, bottom = find(page.observe(), "drawn").bounds
        size = ((right - left) * page.site.width, (bottom - top) * page.site.height)
        assert size == pytest.approx((30, 20), abs=0.1)


def test_workers_load_from_the_folder_too(page: BrowserDevice) -> None:
    tap(page, "work")

    def said() -> bool:
        return bool(page.evaluate("document.title") == "words of a worker")

    assert RealClock().wait_until(said, timeout=20.0)


def test_no_socket_leaves_the_site_not_even_from_a_worker(page: BrowserDevice) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.5)
        address = f"ws://127.0.0.1:{server.getsockname()[1]}/"
        inside = f"new WebSocket('{address}').onclose = () => postMessage('closed')"
        page.run(
            f"new WebSocket('{address}').onclose = () => {{ document.title = 'closed' }};"
            f"const worker = new Worker('data:text/javascript,' + encodeURIComponent({inside!r}));"
            "worker.onmessage = e => { document.body.textContent = e.data }"
        )

        def over() -> bool:
            said: list[str] = page.evaluate("[document.title, document.body.textContent]")
            return said == ["closed", "closed"]

        assert RealClock().wait_until(over, timeout=20.0)
        with pytest.raises(TimeoutError):
            server.accept()
