"""The other end of the protocol, which follows a script: no browser is needed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from distrl.devices.browser.driver import PageDriver
from distrl.devices.browser.protocol import Connection
from distrl.devices.browser.site import Site

SITE = Site(start="http://shop.test/index.html", width=200, height=400)
TARGET = "target-1"


class ScriptedBrowser:
    """Answers expressions from a table by how they begin, and everything else with nothing.

    A page that is told to go somewhere says how it gets there; only inside an event loop.
    """

    def __init__(self) -> None:
        self.connection = Connection(self._write)
        self.sent: list[tuple[str, str, dict[str, Any]]] = []
        """Session, method and parameters of everything but expressions."""
        self.expressions: list[str] = []
        self.says: dict[str, Any] = {}
        self.refusals: list[str] = []
        """What looks are refused with, one by one."""
        self.answers: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {}
        """By method."""
        self.silent: set[str] = set()
        """Methods that are never answered."""
        self.status: int | None = 200
        self.framed = False
        self.listing = json.dumps(listing())
        self._made = 0

    def _write(self, data: bytes) -> None:
        for message in data.split(b"\0")[:-1]:
            self._take(json.loads(message))

    def _take(self, request: dict[str, Any]) -> None:
        method, given, session = request["method"], request["params"], request.get("sessionId", "")
        if method != "Runtime.evaluate":
            self.sent.append((session, method, given))
        if method in self.silent:
            return
        answer = self._answer(method, given)
        self._say({"id": request["id"], **answer})
        if method == "Page.navigate" and "errorText" not in answer["result"]:
            self._arrive(session, answer["result"].get("loaderId"))

    def _answer(self, method: str, given: dict[str, Any]) -> dict[str, Any]:
        if method == "Runtime.evaluate":
            return self._evaluate(given["expression"])
        if method in self.answers:
            return {"result": self.answers[method](given)}
        self._made += 1
        named = {
            "Page.navigate": "loaderId",
            "Target.createTarget": "targetId",
            "Target.attachToTarget": "sessionId",
            "Target.createBrowserContext": "browserContextId",
        }
        return {"result": {named[method]: f"made-{self._made}"} if method in named else {}}

    def _evaluate(self, expression: str) -> dict[str, Any]:
        self.expressions.append(expression)
        if self.refusals and "Promise.resolve" in expression:
            return {"error": {"message": self.refusals.pop(0)}}
        for beginning, answer in self.says.items():
            if expression.startswith(beginning):
                return {"result": answer if isinstance(answer, dict) else value(answer)}
        if "__distrl.look" in expression:
            return {"result": value([self.listing, self.framed])}
        return {"result": value(0)}

    def _arrive(self, session: str, document: str | None) -> None:
        if document is None:
            return
        frame = next((g["targetId"] for _, m, g in reversed(self.sent) if "attachTo" in m), TARGET)
        if self.status is not None:
            response = {"status": self.status}
            self.tell(session, "Network.responseReceived", requestId=document, loaderId=document,
                      frameId=frame, response=response)  # fmt: skip
        self.tell(session, "Page.frameNavigated", frame={"id": frame, "loaderId": document})
        self.tell(session, "Page.loadEventFired")

    def _say(self, message: dict[str, Any]) -> None:
        data = json.dumps(message).encode() + b"\0"
        asyncio.get_running_loop().call_soon(self.connection.data_received, data)

    def tell(self, session: str, event: str, **told: Any) -> None:
        """Have an event happen."""
        self._say({"method": event, "params": told, "sessionId": session})

    def given(self, method: str) -> list[dict[str, Any]]:
        """The parameters of all requests of a method."""
        return [given for _, name, given in self.sent if name == method]


def value(told: Any) -> dict[str, Any]:
    """The answer to an expression."""
    return {"result": {"value": told}}


def listing(*elements: list[Any], app: str = "Shop", probe: Any = None) -> dict[str, Any]:
    """What the script of a page lists."""
    return {
        "width": 200,
        "height": 400,
        "elements": list(elements),
        "keyboard": False,
        "app": app,
        "probe": probe,
    }


class FakeDrawing:
    """Counts frames."""

    target_options: dict[str, Any] = {"enableBeginFrameControl": True}  # noqa: RUF012

    def __init__(self) -> None:
        self.frames = 0
        self.ticking = 0

    def tick(self, session: object) -> None:
        self.ticking += 1

    async def frame(self, session: object) -> None:
        self.frames += 1

    async def screenshot(self, session: object) -> bytes:
        return b"png"


def make_driver(site: Site = SITE) -> tuple[PageDriver, ScriptedBrowser, FakeDrawing]:
    """A driver of a page that has just been opened; only inside an event loop."""
    browser, drawing = ScriptedBrowser(), FakeDrawing()
    return PageDriver(browser.connection.session("page"), TARGET, drawing, site), browser, drawing


async def idle() -> None:
    """Let everything happen that can."""
    for _ in range(30):
        await asyncio.sleep(0)
