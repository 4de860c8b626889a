from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import pytest
from tests.devices.browser.pages import (
    SITE,
    TARGET,
    FakeDrawing,
    ScriptedBrowser,
    idle,
    make_driver,
)

from distrl import actions
from distrl.devices.browser import driver as module
from distrl.devices.browser.driver import PageDriver, PageSnapshot, ScriptError
from distrl.devices.browser.protocol import ProtocolError
from distrl.devices.browser.site import Site
from distrl.errors import DeviceLost, TaskError
from distrl.types import Action

Work = Callable[[PageDriver, ScriptedBrowser, FakeDrawing], Coroutine[Any, Any, object]]


def drive(work: Work, site: Site = SITE) -> tuple[ScriptedBrowser, FakeDrawing]:
    """Have work done with a driver in an event loop of its own; what its page was sent."""
    made: list[Any] = []

    async def main() -> None:
        driver, browser, drawing = make_driver(site)
        made.extend((browser, drawing))
        await work(driver, browser, drawing)

    asyncio.run(main())
    browser, drawing = made
    return browser, drawing


def performed(action: Action, site: Site = SITE, **says: Any) -> ScriptedBrowser:
    """What a page is sent for one action; `says` are answers of its script by their names."""

    async def work(driver: PageDriver, browser: ScriptedBrowser, _: FakeDrawing) -> None:
        browser.says = {f"__distrl.{name}": value for name, value in says.items()}
        await driver.perform(action, picture=False)

    return drive(work, site)[0]


def mouse(browser: ScriptedBrowser) -> list[tuple[str, float, float]]:
    return [(e["type"], e["x"], e["y"]) for e in browser.given("Input.dispatchMouseEvent")]


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
    events = mouse(performed(actions.tap(x, y)))
    assert [kind for kind, *_ in events] == ["mouseMoved", "mousePressed", "mouseReleased"]
    assert all(place == pytest.approx(pixel) for _, *place in events)


def test_touches_are_measured_by_what_is_shown_and_not_by_the_window() -> None:
    events = mouse(performed(actions.tap(0.5, 0.5), replace(SITE, window=(2000, 4000))))
    assert {tuple(place) for _, *place in events} == {(100, 200)}


def test_events_of_an_action_leave_together_and_the_look_follows_their_answers() -> None:
    async def work(driver: PageDriver, browser: ScriptedBrowser, _: FakeDrawing) -> None:
        browser.silent.add("Input.dispatchMouseEvent")
        tapping = asyncio.create_task(driver.perform(actions.tap(0.5, 0.5), picture=False))
        await idle()
        assert len(browser.sent) == 3
        assert browser.expressions == []
        tapping.cancel()

    drive(work)


def test_a_long_press_holds_the_button_while_the_pages_time_passes() -> None:
    async def work(driver: PageDriver, browser: ScriptedBrowser, _: FakeDrawing) -> None:
        held: list[list[str]] = []
        evaluate = browser._evaluate

        def noted(expression: str) -> dict[str, Any]:
            if expression == "__distrl.advance(700)":
                held.append([kind for kind, *_ in mouse(browser)])
            return evaluate(expression)

        browser._evaluate = noted  # type: ignore[method-assign]
        await driver.perform(actions.long_press(0.5, 0.5), picture=False)
        assert held == [["mouseMoved", "mousePressed"]]
        assert mouse(browser)[-1][0] == "mouseReleased"

    drive(work)


def test_a_swipe_over_what_can_be_scrolled_scrolls_it() -> None:
    browser = performed(actions.swipe(0.5, 0.75, 0.5, 0.25), scroll=True)
    assert browser.expressions[0] == "__distrl.scroll(100.0,300.0,0.0,-200.0)"
    assert mouse(browser) == []


def test_a_swipe_over_anything_else_drags_it() -> None:
    events = mouse(performed(actions.swipe(0.5, 0.75, 0.5, 0.25), scroll=False))
    assert (events[0], events[-1]) == (("mouseMoved", 100, 300), ("mouseReleased", 100, 100))
    assert len(events) == 9


# Keys and texts


@pytest.mark.parametrize("text", ["", "hello", "é", "x" * 500])
def test_a_field_is_filled_at_once(text: str) -> None:
    browser = performed(actions.type_text(text), fill=True)
    assert browser.sent == []
    filled = [e for e in browser.expressions if e.startswith("__distrl.fill(")]
    assert len(filled) == (1 if text else 0)


@pytest.mark.parametrize(
    "text", ["a'b", 'a"b', "</script>", "${x}", "a\\nb", "\u2028", "`", "\\u0000 x"]
)
def test_no_text_can_leave_the_quotes_of_the_script(text: str) -> None:
    browser = performed(actions.type_text(text), fill=True)
    (expression,) = (e for e in browser.expressions if e.startswith("__distrl.fill("))
    inside = expression.removeprefix("__distrl.fill(").removesuffix(")")
    assert json.loads(inside) == text
    assert "\u2028" not in inside


def test_text_that_no_field_takes_is_typed() -> None:
    browser = performed(actions.type_text("ab"), fill=False)
    assert len(browser.given("Input.dispatchKeyEvent")) == 4


def test_enter_is_typed() -> None:
    browser = performed(actions.press("enter"))
    assert [e["key"] for e in browser.given("Input.dispatchKeyEvent")] == ["Enter", "Enter"]


def test_back_goes_no_further_than_where_the_site_began() -> None:
    async def work(driver: PageDriver, browser: ScriptedBrowser, _: FakeDrawing) -> None:
        browser.says = {"navigation.": 3}
        await driver.visit(SITE)
        await driver.perform(actions.press("back"), picture=False)

    assert "__distrl.back(3)" in drive(work)[0].expressions


def test_back_may_take_the_document_away_that_was_asked() -> None:
    async def work(driver: PageDriver, browser: ScriptedBrowser, _: FakeDrawing) -> None:
        evaluate = browser._evaluate

        def gone(expression: str) -> dict[str, Any]:
            if "back" in expression:
                return {"error": {"message": "Inspected target navigated or closed"}}
            return evaluate(expression)

        browser._evaluate = gone  # type: ignore[method-assign]
        seen = await driver.perform(actions.press("back"), picture=False)
        assert seen.listing == browser.listing

    drive(work)


def visited(browser: ScriptedBrowser) -> list[str]:
    return [given["url"] for given in browser.given("Page.navigate")]


@pytest.mark.parametrize("home", [True, False])
def test_home_leads_to_the_start_where_the_site_has_one(home: bool) -> None:
    browser = performed(actions.press("home"), replace(SITE, home=home))
    assert visited(browser) == ([SITE.start] if home else [])


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
    browser = performed(action)
    looking = next(e for e in browser.expressions if "__distrl.look" in e)
    assert looking.startswith(f"Promise.resolve({span}).then(span=>__distrl.advance(span))")


# Loading


def test_visit_takes_the_size_of_the_site_only_when_it_is_another() -> None:
    async def work(driver: PageDriver, *_: object) -> None:
        await driver.visit(SITE)
        await driver.visit(replace(SITE, width=300))
        await driver.visit(replace(SITE, width=300))

    browser, _ = drive(work)
    sizes = browser.given("Emulation.setDeviceMetricsOverride")
    assert [(size["width"], size["height"]) for size in sizes] == [(300, 400)]
    assert visited(browser) == [SITE.start] * 3


@pytest.mark.parametrize(("status", "lost"), [(200, False), (304, False), (404, True), (500, True)])
def test_server_that_refuses_the_start_loses_the_page(status: int, lost: bool) -> None:
    async def work(driver: PageDriver, browser: ScriptedBrowser, _: FakeDrawing) -> None:
        browser.status = status
        await driver.visit(SITE)

    if lost:
        with pytest.raises(DeviceLost, match=f"cannot be loaded: status {status}"):
            drive(work)
    else:
        drive(work)


def test_start_that_nobody_serves_loses_the_page() -> None:
    async def work(driver: PageDriver, browser: ScriptedBrowser, _: FakeDrawing) -> None:
        browser.answers["Page.navigate"] = lambda _: {"errorText": "net::ERR_CONNECTION_REFUSED"}
        await driver.visit(SITE)

    with pytest.raises(DeviceLost, match=r"index\.html cannot be loaded: net::ERR_CONNECTION"):
        drive(work)


def test_start_that_does_not_come_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LOAD_SECONDS", 0.02)

    async def work(driver: PageDriver, browser: ScriptedBrowser, _: FakeDrawing) -> None:
        browser.silent.add("Page.navigate")
        await driver.visit(SITE)

    with pytest.raises(DeviceLost, match="Timeout 20ms exceeded"):
        drive(work)


def test_page_without_an_answer_is_loaded_all_the_same() -> None:
    async def work(driver: PageDriver, browser: ScriptedBrowser, _: FakeDrawing) -> None:
        browser.status = None  # as a data: address has none
        await driver.visit(SITE)

    assert visited(drive(work)[0]) == [SITE.start]


def request(browser: ScriptedBrowser, name: str) -> None:
    asked = {"url": "http://shop.test/x"}
    browser.tell("page", "Network.requestWillBeSent", requestId=name, loaderId="d", request=asked)


def test_a_look_waits_for_what_is_being_loaded() -> None:
    async def work(driver: PageDriver, browser: ScriptedBrowser, drawing: FakeDrawing) -> None:
        request(browser, "picture")
        request(browser, "script")
        looking = asyncio.create_task(driver.look(picture=False))
        for one in ("picture", "script"):
            await idle()
            assert not looking.done()
            end = "Network.loadingFinished" if one == "picture" else "Network.loadingFailed"
            browser.tell("page", end, requestId=one)
        await looking
        assert drawing.frames == 0
        # What has arrived may have changed the page: it is listed again.
        assert sum("__distrl.look" in e for e in browser.expressions) == 2

    drive(work)


def test_a_connection_that_stays_open_is_not_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "QUIET_SECONDS", 0.01)

    async def work(driver: PageDriver, browser: ScriptedBrowser, _: FakeDrawing) -> None:
        request(browser, "a stream of news")
        await driver.look(picture=False)
        await asyncio.wait_for(driver.look(picture=False), 1.0)  # the second does not wait for it

    drive(work)


def test_a_page_that_wants_frames_gets_one_before_it_is_listed() -> None:
    async def work(driver: PageDriver, browser: ScriptedBrowser, _: FakeDrawing) -> None:
        browser.framed = True
        await driver.look(picture=False)

    browser, drawing = drive(work)
    assert drawing.frames == 1
    assert sum("__distrl.look" in e for e in browser.expressions) == 2


@pytest.mark.parametrize("picture", [True, False])
def test_a_look_has_a_picture_if_it_was_asked_for(picture: bool) -> None:
    async def work(driver: PageDriver, browser: ScriptedBrowser, _: FakeDrawing) -> None:
        seen = await driver.look(picture=picture)
        assert seen == PageSnapshot(browser.listing, b"png" if picture else None)

    drive(work)


def test_documents_that_go_away_while_they_are_looked_at_are_followed_by_the_next() -> None:
    async def work(driver: PageDriver, browser: ScriptedBrowser, _: FakeDrawing) -> None:
        browser.refusals = ["Execution context was destroyed"] * 4
        seen = await driver.look(picture=False)
        assert seen.listing == browser.listing
        # Only the first lets time pass.
        assert sum("advance" in e for e in browser.expressions) == 1

    drive(work)


def test_next_document_is_looked_at_when_it_is_complete() -> None:
    async def work(driver: PageDriver, browser: ScriptedBrowser, _: FakeDrawing) -> None:
        browser.refusals = ["Execution context was destroyed"]
        browser.tell("page", "Page.frameNavigated", frame={"id": TARGET, "loaderId": "next"})
        looking = asyncio.create_task(driver.look(picture=False))
        await idle()
        assert len(browser.expressions) == 1
        browser.tell("page", "Page.loadEventFired")
        await looking

    drive(work)


def test_documents_that_go_away_for_ever_are_an_error() -> None:
    async def work(driver: PageDriver, browser: ScriptedBrowser, _: FakeDrawing) -> None:
        browser.refusals = [f"destroyed {turn}" for turn in range(9)]
        with pytest.raises(ProtocolError, match="destroyed 4"):
            await driver.look(picture=False)

    drive(work)


def test_mouse_leaves_before_a_script_runs_however_many_frames_that_takes() -> None:
    async def work(driver: PageDriver, browser: ScriptedBrowser, drawing: FakeDrawing) -> None:
        browser.silent.add("Input.dispatchMouseEvent")
        running = asyncio.create_task(driver.run("x()", picture=False))
        await idle()
        assert drawing.frames >= 3
        assert not any("x()" in e for e in browser.expressions)
        browser.connection.data_received(b'{"id":1,"result":{}}\0')
        await running
        assert mouse(browser) == [("mouseMoved", 199, 399)]

    drive(work)


# Crashes and scripts


@pytest.mark.parametrize("why", ["the page crashed", "the page is closed"])
def test_page_that_is_gone_is_lost(why: str) -> None:
    async def work(driver: PageDriver, browser: ScriptedBrowser, _: FakeDrawing) -> None:
        assert driver.alive
        browser.connection.session("page").lose(why)
        assert not driver.alive
        for call in (driver.look(picture=False), driver.screenshot()):
            with pytest.raises(DeviceLost, match=why):
                await call

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
    async def work(driver: PageDriver, browser: ScriptedBrowser, _: FakeDrawing) -> None:
        browser.says = {"x()": details}
        with pytest.raises(ScriptError) as caught:
            await driver.evaluate("x()")
        assert str(caught.value) == words

    drive(work)


def test_script_of_a_task_that_fails_is_the_tasks_fault() -> None:
    async def work(driver: PageDriver, browser: ScriptedBrowser, _: FakeDrawing) -> None:
        browser.says = {"Promise.resolve((async()": FAILED}
        with pytest.raises(TaskError, match=r"shop\.test/index\.html failed: TypeError"):
            await driver.run("x.y()", picture=False)

    drive(work)


def test_value_of_an_expression_is_handed_back_and_nothing_is_none() -> None:
    async def work(driver: PageDriver, browser: ScriptedBrowser, _: FakeDrawing) -> None:
        browser.says = {"1+1": 2, "void": {"result": {"type": "undefined"}}}
        assert await driver.evaluate("1+1") == 2
        assert await driver.evaluate("void 0") is None

    drive(work)
