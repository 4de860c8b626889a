"""The routes of `distrl play`. What may be asked is decided in `guard`.

/health                   somebody is here
/                         the page; /static/NAME what it is made of
/api/scene                what is played here: suite, splits, policies
/api/tasks                the tasks of a split
/api/events               server-sent events: every Snapshot
/api/screens/NUMBER       a picture of the device
/api/do                   POST: what the person wants
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from distrl import actions
from distrl.errors import ConfigError
from distrl.web.front import FOREVER, Files, add_front, answer, files_in
from distrl.web.play.catalogue import Catalogue
from distrl.web.play.session import Session

_SHARED = ("api.js", "dom.js", "icon.svg", "style.css")
"""Files of the dashboard that this page uses as well."""
_QUIET_SECONDS = 15.0
"""Without news for so long, a comment keeps the line open, and shows whether anybody is there."""


@dataclass(frozen=True)
class Stage:
    """What the routes work with."""

    session: Session
    catalogue: Catalogue
    policies: tuple[str, ...]
    demonstrations: Path
    tabs: set[Callable[[], None]] = field(default_factory=set)
    """Wakes each browser tab that waits for news."""
    closing: threading.Event = field(default_factory=threading.Event)
    """Set when the server is about to stop: nobody waits for news any more."""

    def close(self) -> None:
        """End all answers that wait for news."""
        self.closing.set()
        for wake in tuple(self.tabs):
            wake()


class Wish(BaseModel):
    """What the person wants."""

    model_config = ConfigDict(extra="forbid")

    do: Literal[
        "start", "next", "restart", "act", "take", "give", "policy", "run", "pause", "step",
        "pace", "keep",
    ]  # fmt: skip
    task: str = Field("", max_length=400)
    action: str = Field("", max_length=4000)
    policy: str = Field("", max_length=400)
    seconds: float = 1.0


def make_app(stage: Stage) -> FastAPI:
    """The application without its guard."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    add_front(app, static_files())
    _add_scene(app, stage)
    _add_live(app, stage)
    return app


def static_files() -> Files:
    """What the page is made of, by name."""
    shared = files_in("distrl.web")
    return {**{name: shared[name] for name in _SHARED}, **files_in("distrl.web.play")}


def _add_scene(app: FastAPI, stage: Stage) -> None:
    catalogue = stage.catalogue

    @app.get("/api/scene")
    def the_scene() -> Response:
        return answer(
            {
                "session": stage.session.id,
                "suite": catalogue.suite,
                "device": catalogue.loaded.device,
                "splits": catalogue.splits(),
                "policies": stage.policies,
                "demonstrations": str(stage.demonstrations),
            }
        )

    @app.get("/api/tasks")
    def the_tasks(split: str, text: str = "", template: str = "") -> Response:
        return answer(catalogue.listed(split, text=text[:200], template=template))

    @app.get("/api/screens/{number}")
    def the_screen(number: int) -> Response:
        picture = stage.session.screens.png(number)
        if picture is None:
            raise HTTPException(404, "there is no such screen")
        # For ever, because the page asks with the session's id, which no other session has.
        return Response(picture, media_type="image/png", headers={"cache-control": FOREVER})

    @app.post("/api/do")
    def the_wish(wish: Wish) -> Response:
        if not _carry_out(wish, stage):
            raise HTTPException(409, "busy: this was not carried out")
        return answer({"done": wish.do})


def _carry_out(wish: Wish, stage: Stage) -> bool:  # noqa: C901 - one case per wish
    """Whether the session took it."""
    session = stage.session
    match wish.do:
        case "start":
            session.start(stage.catalogue.task(wish.task))
        case "next":
            session.start(stage.catalogue.next_to(session.task))
        case "restart":
            session.restart()
        case "act":
            action = actions.parse(wish.action)
            if action is None:
                raise ConfigError(f"{wish.action!r} is no action, such as tap(0.5, 0.25)")
            return session.act(action)
        case "take":
            session.take()
        case "give":
            session.give()
        case "policy":
            session.choose_policy(wish.policy)
        case "run" | "pause":
            session.run(running=wish.do == "run")
        case "step":
            session.step()
        case "pace":
            session.set_pace(wish.seconds)
        case "keep":
            session.keep()
    return True


def _add_live(app: FastAPI, stage: Stage) -> None:
    @app.get("/api/events")
    async def the_events(request: Request) -> Response:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(
            _news(stage, request), media_type="text/event-stream", headers=headers
        )


async def _news(stage: Stage, request: Request) -> AsyncIterator[bytes]:
    """Every newest snapshot; those that came and went between two of them are left out."""
    loop, woken = asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        with suppress(RuntimeError):  # the server has ended meanwhile, and its loop with it
            loop.call_soon_threadsafe(woken.set)

    unlisten = stage.session.listen(wake)
    stage.tabs.add(wake)
    told = -1
    try:
        while not stage.closing.is_set() and not await request.is_disconnected():
            woken.clear()
            now = stage.session.snapshot
            if now.number != told:
                told = now.number
                yield b"event: snapshot\ndata: " + msgspec.json.encode(now) + b"\n\n"
                continue
            try:
                await asyncio.wait_for(woken.wait(), _QUIET_SECONDS)
            except TimeoutError:
                yield b": still here\n\n"
    finally:
        unlisten()
        stage.tabs.discard(wake)
