from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.devices.browser.pages import (
    SITE,
    FakeBrowser,
    FakeContext,
    FakeDrawing,
    FakePage,
    FakeSession,
    Response,
    make_driver,
)

from distrl import actions
from distrl.devices.browser import driver as module
from distrl.devices.browser.driver import (
    PageDriver,
    PageSnapshot,
    ScriptError,
    Tabs,
    open_page,
    page_script,
)
from distrl.devices.browser.site import Site
from distrl.errors import DeviceLost, TaskError
from distrl.types import Action

playwright = pytest.importorskip("playwright.async_api")

Work = Callable[[PageDriver, FakePage, FakeSession, FakeDrawing], Coroutine[Any, Any, object]]


def drive(work: Work, site: Site = SITE) -> tuple[FakePage, FakeSession, FakeDrawing]:
    """Have work done with a driver in an event loop of its own; what the page was sent."""
    made: list[Any] = []

    async def main() -> None:
        driver, page, session, drawing = make_driver(site)
        made.extend((page, session, drawing))
        await work(driver, page, session, drawing)

    asyncio.run(main())
    page, session, drawing = made
    return page, session, drawing


def performed(action: Action, site: Site = SITE, **says: Any) -> tuple[FakePage, FakeSession]:
    """What a page is sent for one action; `says` are answers of its script by their names."""

    async def work(driver: PageDriver, _: FakePage, session: FakeSession, __: FakeDrawing) -> None:
        session.says = {f"__distrl.{name}": value for name, value in says.items()}
        await driver.perform(action, picture=False)

    page, session, _ = drive(work, site)
    return page, session


# Touches


@pytest.mark.parametrize(
    ("x", "y", "pixel"),
    [
        (0.5, 0.5, (100, 200)),
        (0.0, 0.0, (0, 0)),
        (1.0, 1.0, (199.5, 399.5)),
        (0.999, 0.25, (199.5, 100)),
        (0.25, 0.999, (50, 399.5)),
    ],
)
def test_touches_stay_inside_the_page(x: float, y: float, pixel: tuple[float, float]) -> None:
    page, _ = performed(actions.tap(x, y))
    assert page.mouse.clicks == [pytest.approx(pixel)]


def test_touches_are_measured_by_what_is_shown_and_not_by_the_window() -> None:
    page, _ = performed(actions.tap(0.5, 0.5), replace(SITE, window=(2000, 4000)))
    assert page.mouse.clicks == [(100, 200)]


def test_a_long_press_holds_the_button_while_the_pages_time_passes() -> None:
    order: list[str] = []

    async def work(driver: PageDriver, _: FakePage, session: FakeSession, __: FakeDrawing) -> None:
        send = session.send

        async def noted(method: str, given: dict[str, Any] | None = None) -> dict[str, Any]:
            order.append((given or {}).get("type") or (given or {}).get("expression", ""))
            return await send(method, given)

        session.send = noted  # type: ignore[method-assign]
        await driver.perform(actions.long_press(0.5, 0.5), picture=False)

    drive(work)
    assert order[:4] == ["mouseMoved", "mousePressed", "__distrl.advance(700)", "mouseReleased"]


def mouse(session: FakeSession) -> list[tuple[str, float, float, str, int]]:
    return [
        (e["type"], e["x"], e["y"], e["button"], e["buttons"])
        for e in session.events("Input.dispatchMouseEvent")
    ]


def test_a_swipe_over_what_can_be_scrolled_scrolls_it() -> None:
    _, session = performed(actions.swipe(0.5, 0.75, 0.5, 0.25), scroll=True)
    assert session.expressions[0] == "__distrl.scroll(100.0,300.0,0.0,-200.0)"
    assert mouse(session) == []


def test_a_swipe_over_anything_else_drags_it() -> None:
    _, session = performed(actions.swipe(0.5, 0.75, 0.5, 0.25), scroll=False)
    kinds = [kind for kind, *_ in mouse(session)]
    assert kinds == ["mouseMoved", "mousePressed", *["mouseMoved"] * 6, "mouseReleased"]
    ways = [y for _, _, y, _, _ in mouse(session)]
    assert ways[0] == ways[1] == 300
    assert ways[2:-1] == sorted(ways[2:-1], reverse=True)
    assert ways[-2] == ways[-1] == 100
    held = [(button, buttons) for _, _, _, button, buttons in mouse(session)]
    assert held == [("none", 0), *[("left", 1)] * 8]


# Keys and texts


@pytest.mark.parametrize("text", ["", "hello", "é", "x" * 500])
def test_a_field_is_filled_at_once(text: str) -> None:
    _, session = performed(actions.type_text(text), fill=True)
    assert session.sent == []
    filled = [e for e in session.expressions if e.startswith("__distrl.fill(")]
    assert len(filled) == (1 if text else 0)


@pytest.mark.parametrize(
    "text", ["a'b", 'a"b', "</script>", "${x}", "a\\nb", "\u2028", "`", "\\u0000 x"]
)
def test_no_text_can_leave_the_quotes_of_the_script(text: str) -> None:
    _, session = performed(actions.type_text(text), fill=True)
    (expression,) = (e for e in session.expressions if e.startswith("__distrl.fill("))
    inside = expression.removeprefix("__distrl.fill(").removesuffix(")")
    assert json.loads(inside) == text
    assert "\u2028" not in inside


def test_short_texts_are_typed_key_by_key() -> None:
    _, session = performed(actions.type_text("aB 1"), fill=False)
    events = session.events("Input.dispatchKeyEvent")
    assert [e["type"] for e in events] == ["keyDown", "keyUp"] * 4
    assert [e.get("text") for e in events[::2]] == ["a", "B", " ", "1"]
    assert [e["windowsVirtualKeyCode"] for e in events[::2]] == [65, 66, 0, 49]
    assert all("text" not in e for e in events[1::2])


@pytest.mark.parametrize("text", ["é", "你好", "a\tb", "x" * 65])
def test_texts_that_no_keys_have_are_put_in_at_once(text: str) -> None:
    _, session = performed(actions.type_text(text), fill=False)
    assert session.sent == [("Input.insertText", {"text": text})]


def test_the_longest_text_that_is_typed_by_keys() -> None:
    _, session = performed(actions.type_text("x" * 64), fill=False)
    assert len(session.events("Input.dispatchKeyEvent")) == 128


def test_enter_is_a_key_with_a_line_end() -> None:
    _, session = performed(actions.press("enter"))
    down, up = session.events("Input.dispatchKeyEvent")
    assert (down["type"], down["text"], down["windowsVirtualKeyCode"]) == ("keyDown", "\r", 13)
    assert (up["type"], "text" in up) == ("keyUp", False)


def test_back_goes_no_further_than_where_the_site_began() -> None:
    async def work(driver: PageDriver, _: FakePage, session: FakeSession, __: FakeDrawing) -> None:
        session.says = {"navigation.": 3}
        await driver.visit(SITE)
        await driver.perform(actions.press("back"), picture=False)

    _, session, _ = drive(work)
    assert "__distrl.back(3)" in session.expressions


@pytest.mark.parametrize("home", [True, False])
def test_home_leads_to_the_start_where_the_site_has_one(home: bool) -> None:
    page, _ = performed(actions.press("home"), replace(SITE, home=home))
    assert page.visited == ([SITE.start] if home else [])


@pytest.mark.parametrize(
    ("action", "span"),
    [
        (actions.tap(0.5, 0.5), 500),
        (actions.type_text("a"), 500),
        (actions.press("enter"), 500),
        (actions.wait(), 1500),
    ],
)
def test_the_pages_time_passes_with_every_action(action: Action, span: int) -> None:
    _, session = performed(action)
    looking = next(e for e in session.expressions if "__distrl.look" in e)
    assert looking.startswith(f"Promise.resolve({span}).then(span=>__distrl.advance(span))")


# Loading


def test_visit_takes_the_size_of_the_site_only_when_it_is_another() -> None:
    async def work(driver: PageDriver, *_: object) -> None:
        await driver.visit(SITE)
        await driver.visit(replace(SITE, width=300))
        await driver.visit(replace(SITE, width=300))

    page, _, _ = drive(work)
    assert page.sizes == [{"width": 300, "height": 400}]
    assert page.visited == [SITE.start] * 3


@pytest.mark.parametrize(("status", "lost"), [(200, False), (304, False), (404, True), (500, True)])
def test_server_that_refuses_the_start_loses_the_page(status: int, lost: bool) -> None:
    async def work(driver: PageDriver, page: FakePage, *_: object) -> None:
        page.answer = Response(status)
        await driver.visit(SITE)

    if lost:
        with pytest.raises(DeviceLost, match=f"cannot be loaded: status {status}"):
            drive(work)
    else:
        drive(work)


def test_page_without_an_answer_is_loaded_all_the_same() -> None:
    async def work(driver: PageDriver, page: FakePage, *_: object) -> None:
        page.answer = None  # as a data: address has none
        await driver.visit(SITE)

    assert drive(work)[0].visited == [SITE.start]


def test_a_look_waits_for_what_is_being_loaded() -> None:
    async def work(
        driver: PageDriver, page: FakePage, session: FakeSession, drawing: FakeDrawing
    ) -> None:
        page.handlers["request"]("picture")
        page.handlers["request"]("script")
        looking = asyncio.create_task(driver.look(picture=False))
        for one in ("picture", "script"):
            for _ in range(20):
                await asyncio.sleep(0)
            assert not looking.done()
            page.handlers["requestfinished" if one == "picture" else "requestfailed"](one)
        await looking
        assert drawing.frames == 0
        # What has arrived may have changed the page: it is listed again.
        assert sum("__distrl.look" in e for e in session.expressions) == 2

    drive(work)


def test_a_connection_that_stays_open_is_not_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_QUIET_SECONDS", 0.01)

    async def work(driver: PageDriver, page: FakePage, *_: object) -> None:
        page.handlers["request"]("a stream of news")
        await driver.look(picture=False)
        await asyncio.wait_for(driver.look(picture=False), 1.0)  # the second does not wait for it

    drive(work)


def test_a_page_that_wants_frames_gets_one_before_it_is_listed() -> None:
    async def work(driver: PageDriver, _: FakePage, session: FakeSession, __: FakeDrawing) -> None:
        session.framed = True
        await driver.look(picture=False)

    _, session, drawing = drive(work)
    assert drawing.frames == 1
    assert sum("__distrl.look" in e for e in session.expressions) == 2


@pytest.mark.parametrize("picture", [True, False])
def test_a_look_has_a_picture_if_it_was_asked_for(picture: bool) -> None:
    async def work(driver: PageDriver, _: FakePage, session: FakeSession, __: FakeDrawing) -> None:
        seen = await driver.look(picture=picture)
        assert seen == PageSnapshot(session.listing, b"png" if picture else None)

    drive(work)


def test_document_that_goes_away_while_it_is_looked_at_is_followed_by_the_next() -> None:
    async def work(
        driver: PageDriver, page: FakePage, session: FakeSession, _: FakeDrawing
    ) -> None:
        session.errors = [playwright.Error("Execution context was destroyed")]
        seen = await driver.look(picture=False)
        assert seen.listing == session.listing
        assert page.loads == 1

    drive(work)


def test_second_document_that_goes_away_is_an_error() -> None:
    async def work(driver: PageDriver, _: FakePage, session: FakeSession, __: FakeDrawing) -> None:
        session.errors = [playwright.Error("destroyed"), playwright.Error("destroyed again")]
        with pytest.raises(playwright.Error, match="again"):
            await driver.look(picture=False)

    drive(work)


# Crashes and scripts


@pytest.mark.parametrize("how", ["crash", "close"])
def test_page_that_is_gone_is_lost(how: str) -> None:
    async def work(driver: PageDriver, page: FakePage, *_: object) -> None:
        assert driver.alive
        if how == "crash":
            page.handlers["crash"](page)
        else:
            page.closed = True
        assert not driver.alive
        for call in (driver.look(picture=False), driver.screenshot()):
            with pytest.raises(DeviceLost, match="the page crashed"):
                await call

    drive(work)


def test_second_window_is_closed() -> None:
    async def work(driver: PageDriver, page: FakePage, *_: object) -> None:
        popup = FakePage()
        await page.handlers["popup"](popup)
        assert popup.closed
        gone = FakePage()
        gone.closing = playwright.Error("Target closed")
        await page.handlers["popup"](gone)

    drive(work)


FAILED = {
    "exceptionDetails": {
        "text": "Uncaught",
        "exception": {"description": "TypeError: x is null\n    at <anonymous>:1:1"},
    }
}


@pytest.mark.parametrize(
    ("details", "words"),
    [
        (FAILED, "TypeError: x is null"),
        ({"exceptionDetails": {"text": "SyntaxError: bad"}}, "SyntaxError: bad"),
        ({"exceptionDetails": {}}, ""),
    ],
)
def test_script_that_fails_is_told_in_one_line(details: dict[str, Any], words: str) -> None:
    async def work(driver: PageDriver, _: FakePage, session: FakeSession, __: FakeDrawing) -> None:
        session.says = {"x()": details}
        with pytest.raises(ScriptError) as caught:
            await driver.evaluate("x()")
        assert str(caught.value) == words

    drive(work)


def test_script_of_a_task_that_fails_is_the_tasks_fault() -> None:
    async def work(driver: PageDriver, _: FakePage, session: FakeSession, __: FakeDrawing) -> None:
        session.says = {"Promise.resolve((async()": FAILED}
        with pytest.raises(TaskError, match=r"shop\.test/index\.html failed: TypeError"):
            await driver.run("x.y()", picture=False)

    drive(work)


def test_value_of_an_expression_is_handed_back_and_nothing_is_none() -> None:
    async def work(driver: PageDriver, _: FakePage, session: FakeSession, __: FakeDrawing) -> None:
        session.says = {"1+1": 2, "void": {"result": {"type": "undefined"}}}
        assert await driver.evaluate("1+1") == 2
        assert await driver.evaluate("void 0") is None

    drive(work)


# Pages side by side


def tabs() -> tuple[Tabs, FakeDrawing]:
    drawing = FakeDrawing()
    return Tabs(FakeContext(), drawing, SITE), drawing  # type: ignore[arg-type]


def sites(count: int) -> list[Site]:
    return [replace(SITE, start=f"http://shop.test/{number}") for number in range(count)]


def test_one_page_goes_from_site_to_site() -> None:
    async def main() -> None:
        opened, drawing = tabs()
        first, second = sites(2)
        assert await opened.load(first) is await opened.load(second)
        assert drawing.opened[0][0].visited == [first.start, second.start]

    asyncio.run(main())


def test_pages_that_are_kept_are_loaded_once() -> None:
    async def main() -> None:
        opened, drawing = tabs()
        first, second = sites(2)
        kept = await opened.switch_to(first)
        await opened.switch_to(second)
        assert await opened.switch_to(first) is kept
        assert [page.visited for page, _ in drawing.opened] == [[first.start], [second.start]]

    asyncio.run(main())


@pytest.mark.parametrize("why", ["crashed", "another site"])
def test_page_that_is_of_no_use_any_more_is_opened_anew(why: str) -> None:
    async def main() -> None:
        opened, drawing = tabs()
        site = SITE
        kept = await opened.switch_to(site)
        page = drawing.opened[0][0]
        if why == "crashed":
            page.handlers["crash"](page)
        else:
            site = replace(SITE, probe="1")
        assert await opened.switch_to(site) is not kept
        assert page.closed
        assert len(drawing.opened) == 2

    asyncio.run(main())


def test_page_that_was_used_longest_ago_is_closed_when_there_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MAX_OPEN_PAGES", 2)

    async def main() -> None:
        opened, drawing = tabs()
        first, second, third = sites(3)
        for site in (first, second, first, third):
            await opened.switch_to(site)
        assert [page.closed for page, _ in drawing.opened] == [False, True, False]

    asyncio.run(main())


def test_frames_come_by_themselves_only_where_time_does() -> None:
    async def main() -> None:
        for frozen in (True, False):
            drawing = FakeDrawing()
            site = replace(SITE, frozen=frozen)
            await Tabs(FakeContext(), drawing, site).load(site)  # type: ignore[arg-type]
            assert drawing.ticking == [not frozen]

    asyncio.run(main())


# Contexts and what they may load


def test_context_is_the_same_on_every_machine() -> None:
    async def main() -> None:
        browser, drawing = FakeBrowser(), FakeDrawing()

        async def drawn(context: object) -> FakeDrawing:
            assert context is browser.context
            return drawing

        await open_page(browser, SITE, 41, drawn=drawn)  # type: ignore[arg-type]
        assert browser.options["viewport"] == {"width": 200, "height": 400}
        assert (browser.options["locale"], browser.options["timezone_id"]) == ("en-US", "UTC")
        assert browser.options["service_workers"] == "block"
        assert browser.options["accept_downloads"] is False
        (script,) = browser.context.scripts
        assert script.startswith("window.__distrlSeed=41;")
        assert page_script() in script
        assert browser.context.closed == 0

    asyncio.run(main())


def test_context_whose_page_does_not_open_is_closed() -> None:
    async def main() -> None:
        browser = FakeBrowser()

        async def drawn(context: object) -> FakeDrawing:
            raise DeviceLost("no frame")

        with pytest.raises(DeviceLost, match="no frame"):
            await open_page(browser, SITE, 0, drawn=drawn)  # type: ignore[arg-type]
        assert browser.context.closed == 1

    asyncio.run(main())


class Route:
    """One request of a page, and what became of it."""

    def __init__(self, url: str) -> None:
        self.request, self.url, self.done = self, url, list[tuple[str, Any]]()
        self.gone = False

    async def fulfill(self, **given: Any) -> None:
        if self.gone:
            raise playwright.Error("Target closed")
        self.done.append(("fulfill", given))

    async def continue_(self) -> None:
        self.done.append(("continue", None))

    async def abort(self, why: str) -> None:
        self.done.append(("abort", why))

    def connect_to_server(self) -> None:
        self.done.append(("connect", None))

    async def close(self) -> None:
        self.done.append(("close", None))


@pytest.fixture
def shop(tmp_path: Path) -> Site:
    (tmp_path / "style.css").write_text("body {}")
    return Site(
        start="http://shop.test/",
        folders={"http://shop.test": tmp_path},
        allowed=("http://api.test",),
    )


@pytest.mark.parametrize(
    ("url", "done"),
    [
        ("http://shop.test/style.css", "fulfill"),
        ("http://shop.test/none.css", "fulfill"),
        ("http://api.test/items", "continue"),
        ("data:text/css,a", "continue"),
        ("http://tracker.test/", "abort"),
        ("file:///etc/passwd", "abort"),
    ],
)
def test_requests_are_answered_by_the_folder_the_network_or_nobody(
    shop: Site, url: str, done: str
) -> None:
    route = Route(url)
    asyncio.run(module._answering(shop)(route))
    ((name, given),) = route.done
    assert name == done
    if url.endswith("style.css"):
        assert given["content_type"] == "text/css"
        assert given["path"].name == "style.css"
    if url.endswith("none.css"):
        assert given["status"] == 404
    if name == "abort":
        assert given == "blockedbyclient"


def test_request_of_a_page_that_is_gone_is_no_error(shop: Site) -> None:
    route = Route("http://shop.test/style.css")
    route.gone = True
    asyncio.run(module._answering(shop)(route))
    assert route.done == []


@pytest.mark.parametrize(
    ("url", "done"),
    [
        ("ws://api.test/live", "connect"),
        ("ws://tracker.test/", "close"),
        ("wss://api.test", "close"),
    ],
)
def test_sockets_reach_allowed_origins_only(shop: Site, url: str, done: str) -> None:
    route = Route(url)
    asyncio.run(module._connecting(shop)(route))
    assert [name for name, _ in route.done] == [done]
