"""Pages, sessions and contexts that follow a script: drivers are tested without a browser."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from distrl.devices.browser.drawing import Drawing
from distrl.devices.browser.driver import PageDriver
from distrl.devices.browser.site import Site

SITE = Site(start="http://shop.test/index.html", width=200, height=400)


class FakeMouse:
    """Notes where it was clicked."""

    def __init__(self) -> None:
        self.clicks: list[tuple[float, float]] = []

    async def click(self, x: float, y: float) -> None:
        self.clicks.append((x, y))


class Response:
    """What a server answered."""

    def __init__(self, status: int) -> None:
        self.status = status


class FakePage:
    """A page that goes wherever it is sent."""

    def __init__(self) -> None:
        self.mouse = FakeMouse()
        self.handlers: dict[str, Callable[[Any], Any]] = {}
        self.visited: list[str] = []
        self.sizes: list[dict[str, int]] = []
        self.loads = 0
        self.answer: Response | None = Response(200)
        self.closed = False
        self.closing: Exception | None = None

    def on(self, name: str, handler: Callable[[Any], Any]) -> None:
        self.handlers[name] = handler

    async def goto(self, url: str, **_: object) -> Response | None:
        self.visited.append(url)
        return self.answer

    async def set_viewport_size(self, size: dict[str, int]) -> None:
        self.sizes.append(size)

    async def wait_for_load_state(self, state: str, **_: object) -> None:
        assert state == "load"
        self.loads += 1

    def is_closed(self) -> bool:
        return self.closed

    async def close(self) -> None:
        if self.closing is not None:
            raise self.closing
        self.closed = True


class FakeSession:
    """Answers expressions from a table by how they begin; notes all else that it is sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.expressions: list[str] = []
        self.says: dict[str, Any] = {}
        self.errors: list[Exception] = []
        self.framed = False
        self.listing = json.dumps(listing())

    async def send(self, method: str, given: dict[str, Any] | None = None) -> dict[str, Any]:
        if method != "Runtime.evaluate":
            self.sent.append((method, given or {}))
            return {}
        expression = (given or {})["expression"]
        self.expressions.append(expression)
        if self.errors and "Promise.resolve" in expression:
            raise self.errors.pop(0)
        for beginning, answer in self.says.items():
            if expression.startswith(beginning):
                return answer if isinstance(answer, dict) else {"result": {"value": answer}}
        if "__distrl.look" in expression:
            return {"result": {"value": [self.listing, self.framed]}}
        return {"result": {"value": 0}}

    def events(self, method: str) -> list[dict[str, Any]]:
        return [given for name, given in self.sent if name == method]


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
    """Counts frames, and opens pages that follow a script."""

    def __init__(self) -> None:
        self.frames = 0
        self.shots: list[bytes] = [b"png"]
        self.opened: list[tuple[FakePage, FakeSession]] = []
        self.ticking: list[bool] = []

    async def open(self, *, ticking: bool) -> tuple[FakePage, FakeSession]:
        self.ticking.append(ticking)
        self.opened.append((FakePage(), FakeSession()))
        return self.opened[-1]

    async def frame(self, session: FakeSession) -> None:
        self.frames += 1

    async def screenshot(self, session: FakeSession) -> bytes:
        return self.shots[-1]


class FakeContext:
    """Notes what it was set up with."""

    def __init__(self) -> None:
        self.routes: dict[str, Callable[..., Awaitable[None]]] = {}
        self.scripts: list[str] = []
        self.closed = 0

    async def route(self, pattern: str, answer: Callable[..., Awaitable[None]]) -> None:
        self.routes[pattern] = answer

    async def route_web_socket(self, pattern: str, answer: Callable[..., Awaitable[None]]) -> None:
        self.routes[f"ws {pattern}"] = answer

    async def add_init_script(self, script: str) -> None:
        self.scripts.append(script)

    async def close(self) -> None:
        self.closed += 1


class FakeBrowser:
    """Opens one context."""

    def __init__(self) -> None:
        self.context = FakeContext()
        self.options: dict[str, Any] = {}
        self.connected = True

    async def new_context(self, **options: Any) -> FakeContext:
        self.options = options
        return self.context

    def is_connected(self) -> bool:
        return self.connected


def make_driver(site: Site = SITE) -> tuple[PageDriver, FakePage, FakeSession, FakeDrawing]:
    """A driver of a page that has just been opened; only inside an event loop."""
    page, session, drawing = FakePage(), FakeSession(), FakeDrawing()
    kept: Drawing = drawing  # type: ignore[assignment]
    driver = PageDriver(page, session, kept, site)  # type: ignore[arg-type]
    return driver, page, session, drawing
