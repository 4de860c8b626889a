from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.devices.browser.pages import SITE, FakeDrawing, ScriptedBrowser, idle

from distrl.devices.browser import tabs as module
from distrl.devices.browser.site import Site
from distrl.devices.browser.tabs import Browser, Tabs, close_second_windows, open_page, page_script
from distrl.errors import DeviceLost


def scripted() -> tuple[Browser, ScriptedBrowser, FakeDrawing]:
    other_end, drawing = ScriptedBrowser(), FakeDrawing()
    return Browser(other_end.connection, drawing), other_end, drawing


def tabs() -> tuple[Tabs, ScriptedBrowser]:
    browser, other_end, _ = scripted()
    return Tabs(browser, "context-7", SITE, "window.__distrlSeed=41"), other_end


def sites(count: int) -> list[Site]:
    return [replace(SITE, start=f"http://shop.test/{number}") for number in range(count)]


def visited(other_end: ScriptedBrowser) -> list[tuple[str, str]]:
    return [(page, given["url"]) for page, method, given in other_end.sent if "navigate" in method]


# Pages side by side


def test_one_page_goes_from_site_to_site() -> None:
    async def main() -> None:
        opened, other_end = tabs()
        first, second = sites(2)
        assert await opened.load(first) is await opened.load(second)
        (page, one), (same, two) = visited(other_end)
        assert (one, two, page) == (first.start, second.start, same)

    asyncio.run(main())


def test_pages_that_are_kept_are_loaded_once() -> None:
    async def main() -> None:
        opened, other_end = tabs()
        first, second = sites(2)
        kept = await opened.switch_to(first)
        await opened.switch_to(second)
        assert await opened.switch_to(first) is kept
        (one, _), (other, _) = visited(other_end)
        assert one != other

    asyncio.run(main())


@pytest.mark.parametrize("why", ["crashed", "another site"])
def test_page_that_is_of_no_use_any_more_is_opened_anew(why: str) -> None:
    async def main() -> None:
        opened, other_end = tabs()
        site = SITE
        kept = await opened.switch_to(site)
        if why == "crashed":
            other_end.tell(visited(other_end)[0][0], "Inspector.targetCrashed")
            await idle()
        else:
            site = replace(SITE, probe="1")
        assert await opened.switch_to(site) is not kept
        assert other_end.given("Target.closeTarget") == [{"targetId": kept.target}]

    asyncio.run(main())


def test_page_that_was_used_longest_ago_is_closed_when_there_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MAX_OPEN_PAGES", 2)

    async def main() -> None:
        opened, other_end = tabs()
        first, second, third = sites(3)
        drivers = [await opened.switch_to(site) for site in (first, second, first, third)]
        assert other_end.given("Target.closeTarget") == [{"targetId": drivers[1].target}]

    asyncio.run(main())


@pytest.mark.parametrize("frozen", [True, False])
def test_frames_come_by_themselves_only_where_time_does(frozen: bool) -> None:
    async def main() -> None:
        browser, _, drawing = scripted()
        site = replace(SITE, frozen=frozen)
        await Tabs(browser, "context-7", site, "").load(site)
        assert drawing.ticking == (0 if frozen else 1)

    asyncio.run(main())


# What a page is opened with


def test_page_is_prepared_before_it_goes_anywhere() -> None:
    async def main() -> None:
        opened, other_end = tabs()
        await opened.load(SITE)
        assert other_end.given("Target.createTarget") == [
            {
                "url": "about:blank",
                "browserContextId": "context-7",
                "enableBeginFrameControl": True,
            }
        ]
        methods = [method for _, method, _ in other_end.sent]
        before = methods[: methods.index("Page.navigate")]
        for wanted in (
            *("Fetch.enable", "Network.enable", "Page.enable", "Target.setAutoAttach"),
            *("Page.addScriptToEvaluateOnNewDocument", "Emulation.setDeviceMetricsOverride"),
        ):
            assert wanted in before
        (script,) = other_end.given("Page.addScriptToEvaluateOnNewDocument")
        assert script == {"source": "window.__distrlSeed=41"}

    asyncio.run(main())


def test_frames_and_workers_inside_go_on_when_their_requests_are_answered_too() -> None:
    async def main() -> None:
        opened, other_end = tabs()
        await opened.load(SITE)
        page = visited(other_end)[0][0]
        other_end.tell(page, "Target.attachedToTarget", sessionId="worker")
        await idle()
        inside = [method for session, method, _ in other_end.sent if session == "worker"]
        assert "Fetch.enable" in inside
        assert inside[-1] == "Runtime.runIfWaitingForDebugger"
        blocked = {"url": "http://tracker.test/", "method": "GET", "headers": {}}
        other_end.tell("worker", "Fetch.requestPaused", requestId="r-1", request=blocked)
        await idle()
        assert other_end.sent[-1][:2] == ("worker", "Fetch.failRequest")

    asyncio.run(main())


@pytest.mark.parametrize(("kind", "accepted"), [("beforeunload", True), ("alert", False)])
def test_dialogs_are_answered(kind: str, accepted: bool) -> None:
    async def main() -> None:
        opened, other_end = tabs()
        await opened.load(SITE)
        other_end.tell(visited(other_end)[0][0], "Page.javascriptDialogOpening", type=kind)
        await idle()
        assert other_end.given("Page.handleJavaScriptDialog") == [{"accept": accepted}]

    asyncio.run(main())


def test_second_window_is_closed() -> None:
    async def main() -> None:
        _, other_end, _ = scripted()
        close_second_windows(other_end.connection.browser)
        for kind, opener in (("page", ""), ("worker", "t1"), ("page", "t1")):
            info = {"type": kind, "openerId": opener, "targetId": f"{kind} of {opener}"}
            other_end.tell("", "Target.targetCreated", targetInfo=info)
        await idle()
        assert other_end.given("Target.closeTarget") == [{"targetId": "page of t1"}]

    asyncio.run(main())


# Contexts


def opening(
    set_up: Callable[[ScriptedBrowser], object] = lambda _: None, site: Site = SITE
) -> ScriptedBrowser:
    made: list[ScriptedBrowser] = []

    async def main() -> None:
        browser, other_end, _ = scripted()
        made.append(other_end)
        set_up(other_end)
        try:
            await open_page(browser, site, 41)
        finally:
            await idle()

    try:
        asyncio.run(main())
    except DeviceLost:
        assert made[0].given("Target.disposeBrowserContext")
        raise
    return made[0]


def test_context_reaches_its_site_alone_and_keeps_no_files() -> None:
    other_end = opening(site=replace(SITE, allowed=("http://api.test",)))
    (wall,) = other_end.given("Target.createBrowserContext")
    assert wall["proxyBypassList"] == "<-loopback>;shop.test:80;api.test:80"
    (files,) = other_end.given("Browser.setDownloadBehavior")
    assert files["behavior"] == "deny"
    (script,) = other_end.given("Page.addScriptToEvaluateOnNewDocument")
    assert script["source"].startswith("window.__distrlSeed=41;")
    assert page_script() in script["source"]
    assert other_end.given("Target.disposeBrowserContext") == []


def test_context_whose_page_does_not_open_is_closed() -> None:
    def refuse(other_end: ScriptedBrowser) -> None:
        def refused(_: dict[str, Any]) -> dict[str, Any]:
            return {"errorText": "net::ERR_FAILED"}

        other_end.answers["Page.navigate"] = refused

    with pytest.raises(DeviceLost, match=r"net::ERR_FAILED"):
        opening(refuse)
