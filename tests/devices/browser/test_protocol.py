from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import Any

import pytest

from distrl.devices.browser.protocol import LOST, Connection, ProtocolError


class Wire:
    """Keeps what is written, and says what it is told to."""

    def __init__(self) -> None:
        self.connection = Connection(self._write)
        self.written: list[dict[str, Any]] = []

    def _write(self, data: bytes) -> None:
        assert data.endswith(b"\0")
        self.written.append(json.loads(data[:-1]))

    def say(self, *messages: dict[str, Any]) -> None:
        self.connection.data_received(b"".join(json.dumps(m).encode() + b"\0" for m in messages))


def event(session: str, method: str, **told: Any) -> dict[str, Any]:
    return {"sessionId": session, "method": method, "params": told}


def test_requests_leave_at_once_and_answers_find_their_way() -> None:
    async def main() -> None:
        wire = Wire()
        page = wire.connection.session("page")
        first, second = page.ask("A", {"x": 1}), wire.connection.browser.ask("B")
        assert [(m["method"], m["params"], m.get("sessionId")) for m in wire.written] == [
            ("A", {"x": 1}, "page"),
            ("B", {}, None),
        ]
        one, two = (message["id"] for message in wire.written)
        wire.say({"id": two, "result": {"of": "B"}}, {"id": one, "result": {"of": "A"}})
        assert (await first, await second) == ({"of": "A"}, {"of": "B"})

    asyncio.run(main())


def test_messages_may_come_in_pieces() -> None:
    async def main() -> None:
        wire = Wire()
        answer = wire.connection.browser.ask("A")
        message = b'{"id":1,"result":{"text":"\xc3\xa9"}}\0'
        for place in range(len(message)):
            assert not answer.done()
            wire.connection.data_received(message[place : place + 1])
        assert await answer == {"text": "é"}

    asyncio.run(main())


def test_refusal_is_an_error_with_its_words() -> None:
    async def main() -> None:
        wire = Wire()
        answer = asyncio.create_task(wire.connection.browser.send("A"))
        await asyncio.sleep(0)
        wire.say({"id": 1, "error": {"code": -32000, "message": "no such page"}})
        with pytest.raises(ProtocolError, match="no such page"):
            await answer

    asyncio.run(main())


def test_answer_that_nobody_waits_for_any_more_is_no_error() -> None:
    async def main() -> None:
        wire = Wire()
        wire.connection.browser.ask("A").cancel()
        wire.connection.browser.tell("B")
        wire.say({"id": 1, "result": {}}, {"id": 2, "error": {"message": "refused"}})

    asyncio.run(main())


def test_events_reach_the_session_that_they_are_of() -> None:
    async def main() -> None:
        wire = Wire()
        heard: list[tuple[str, Any]] = []

        def note(name: str, told: dict[str, Any]) -> None:
            heard.append((name, told["n"]))

        for name in ("one", "two"):
            wire.connection.session(name).on("Page.loaded", partial(note, name))
        wire.say(event("two", "Page.loaded", n=1), event("one", "Page.other", n=2))
        wire.say(event("nobody", "Page.loaded", n=3), event("one", "Page.loaded", n=4))
        assert heard == [("two", 1), ("one", 4)]

    asyncio.run(main())


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("crash", "the page crashed"),
        ("close", "the page is closed"),
        ("end", "the browser has ended"),
    ],
)
def test_whoever_waits_for_a_page_that_is_gone_hears_of_it(how: str, why: str) -> None:
    async def main() -> None:
        wire = Wire()
        page, other = wire.connection.session("page"), wire.connection.session("other")
        told: list[str] = []
        page.on(LOST, lambda _: told.append(page.lost))
        waiting, elsewhere = page.ask("A"), other.ask("B")
        if how == "crash":
            wire.say(event("page", "Inspector.targetCrashed"))
        elif how == "close":
            wire.say({"method": "Target.detachedFromTarget", "params": {"sessionId": "page"}})
        else:
            wire.connection.connection_lost(None)
        with pytest.raises(ProtocolError, match=why):
            await waiting
        assert told == [page.lost] == [why]
        assert elsewhere.done() is (how == "end")
        assert elsewhere.exception() if how == "end" else not other.lost
        with pytest.raises(ProtocolError, match=f"C: {why}"):
            page.ask("C")
        count = len(wire.written)
        page.tell("D")  # what does not matter is not sent to nobody
        assert len(wire.written) == count

    asyncio.run(main())
