from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from distrl.devices.browser.loading import Loading
from distrl.devices.browser.protocol import Connection, ProtocolError, Session


def follow(work: Callable[[Loading, Session], Coroutine[Any, Any, None]]) -> None:
    """Have work done with a page that loads nothing yet."""

    async def main() -> None:
        session = Connection(lambda _: None).session("page")
        await work(Loading(session, "main"), session)

    asyncio.run(main())


def request(session: Session, name: str, *, document: str = "d1", **more: Any) -> None:
    told = {"requestId": name, "loaderId": document, "request": {"url": "http://a.test/"}, **more}
    session.hear("Network.requestWillBeSent", told)


def arrive(session: Session, document: str, *, frame: str = "main") -> None:
    session.hear("Page.frameNavigated", {"frame": {"id": frame, "loaderId": document}})


@pytest.mark.parametrize("end", ["Network.loadingFinished", "Network.loadingFailed"])
def test_page_is_quiet_when_all_its_requests_have_ended(end: str) -> None:
    async def work(loading: Loading, session: Session) -> None:
        assert loading.quiet
        request(session, "r1")
        request(session, "r2")
        session.hear(end, {"requestId": "r1"})
        assert not loading.quiet
        session.hear(end, {"requestId": "r2"})
        assert loading.quiet

    follow(work)


def test_requests_of_frames_and_workers_inside_count_too() -> None:
    async def work(loading: Loading, session: Session) -> None:
        inner = session.connection.session("worker")
        loading.follow(inner)
        request(inner, "r1")
        assert not loading.quiet

    follow(work)


@pytest.mark.parametrize(
    "more", [{"type": "Preflight"}, {"request": {"url": "data:image/png;base64,AA"}}]
)
def test_what_has_no_end_of_its_own_is_not_waited_for(more: dict[str, Any]) -> None:
    async def work(loading: Loading, session: Session) -> None:
        request(session, "r1", **more)
        assert loading.quiet

    follow(work)


def test_requests_of_a_document_that_is_gone_are_forgotten() -> None:
    async def work(loading: Loading, session: Session) -> None:
        request(session, "r1", document="d1")
        request(session, "r2", document="d2")
        arrive(session, "of a frame inside", frame="inner")
        arrive(session, "d2")
        session.hear("Network.loadingFinished", {"requestId": "r2"})
        assert loading.quiet

    follow(work)


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ("Page.frameRequestedNavigation", {"disposition": "currentTab"}),
        ("Page.frameScheduledNavigation", {"delay": 0}),
    ],
)
@pytest.mark.parametrize(
    "end", ["Page.frameNavigated", "Page.navigatedWithinDocument", "Page.frameStoppedLoading"]
)
def test_document_that_is_on_its_way_is_waited_for(
    event: str, told: dict[str, Any], end: str
) -> None:
    async def work(loading: Loading, session: Session) -> None:
        session.hear(event, {"frameId": "main", **told})
        assert not loading.quiet
        session.hear(end, {"frameId": "main", "frame": {"id": "main", "loaderId": "d2"}})
        assert loading.quiet

    follow(work)


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ("Page.frameRequestedNavigation", {"frameId": "main", "disposition": "newTab"}),
        ("Page.frameRequestedNavigation", {"frameId": "inner", "disposition": "currentTab"}),
        ("Page.frameScheduledNavigation", {"frameId": "main", "delay": 300}),
        ("Page.frameScheduledNavigation", {"frameId": "inner", "delay": 0}),
    ],
)
def test_what_takes_no_documents_place_soon_is_not_waited_for(
    event: str, told: dict[str, Any]
) -> None:
    async def work(loading: Loading, session: Session) -> None:
        session.hear(event, told)
        assert loading.quiet

    follow(work)


def test_plan_that_is_dropped_is_not_waited_for() -> None:
    async def work(loading: Loading, session: Session) -> None:
        session.hear("Page.frameScheduledNavigation", {"frameId": "main", "delay": 0})
        session.hear("Page.frameClearedScheduledNavigation", {"frameId": "inner"})
        assert not loading.quiet
        session.hear("Page.frameClearedScheduledNavigation", {"frameId": "main"})
        assert loading.quiet

    follow(work)


def test_document_is_complete_when_its_own_load_event_has_come() -> None:
    async def work(loading: Loading, session: Session) -> None:
        arrive(session, "d1")
        assert not loading.is_complete()
        session.hear("Page.loadEventFired", {})
        assert loading.is_complete() and loading.is_complete("d1")
        assert not loading.is_complete("d2")

    follow(work)


def test_status_is_that_of_the_main_document() -> None:
    async def work(loading: Loading, session: Session) -> None:
        for name, document, frame, status in (
            ("d1", "d1", "main", 404),
            ("r1", "d1", "main", 200),
            ("d2", "d2", "inner", 500),
        ):
            told = {"requestId": name, "loaderId": document, "frameId": frame}
            session.hear("Network.responseReceived", {**told, "response": {"status": status}})
        assert loading.status_of("d1") == 404
        assert loading.status_of("d2") is None

    follow(work)


def test_waiting_ends_with_the_event_the_time_or_the_page() -> None:
    async def work(loading: Loading, session: Session) -> None:
        request(session, "r1")
        waiting = asyncio.create_task(loading.until(lambda: loading.quiet, 60.0))
        await asyncio.sleep(0)
        session.hear("Network.loadingFinished", {"requestId": "r1"})
        await waiting
        request(session, "r2")
        with pytest.raises(TimeoutError):
            await loading.until(lambda: loading.quiet, 0.01)
        waiting = asyncio.create_task(loading.until(lambda: loading.quiet, 60.0))
        await asyncio.sleep(0)
        session.lose("the page crashed")
        with pytest.raises(ProtocolError, match="the page crashed"):
            await waiting
        loading.forget()
        await loading.until(lambda: loading.quiet, 60.0)

    follow(work)
