"""The routes of `distrl serve openenv`. Who may ask is decided in `web/guard.py`.

/ws                       a session per connection; ?session_id= takes over one that was forked
/reset /step /snapshot /restore /fork /close     POST, with a session_id in the body
/state?session_id=        how a session stands
/schema /metadata         what can be sent, what comes back, what is served
/sessions                 how many sessions there are, and may be
/health                   somebody is here; needs no token
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from fastapi import FastAPI, Request, WebSocket
from fastapi.responses import Response
from pydantic import BaseModel
from starlette.requests import ClientDisconnect
from starlette.websockets import WebSocketDisconnect

from distrl import __version__
from distrl.integrations.openenv import protocol
from distrl.integrations.openenv.exchange import Exchange
from distrl.integrations.openenv.protocol import MOST_BYTES, STATUS, Code, MessageError
from distrl.integrations.openenv.sessions import Held

_NORMAL = 1000
_GOING_AWAY = 1001
_TRY_AGAIN_LATER = 1013
_BODIES: dict[str, type[BaseModel]] = {
    "reset": protocol.ResetData,
    "step": protocol.StepData,
    "restore": protocol.RestoreData,
    "snapshot": protocol.NoData,
    "fork": protocol.NoData,
}


class Server:
    """Sessions behind routes."""

    def __init__(self, exchange: Exchange, *, in_loop: bool) -> None:
        """`in_loop` carries messages out on the event loop itself.

        That is for devices whose steps take less time than handing them to a thread, such as the
        embedded phone. Others get a thread for each message, so that no session waits for another.
        """
        self.exchange, self.sessions, self._in_loop = exchange, exchange.sessions, in_loop

    async def answer(self, held: Held, kind: object, data: object) -> dict[str, Any]:
        """Carry out one message; MessageError for what a client can get wrong."""
        if held.busy:
            raise MessageError(Code.EXECUTION_ERROR, "this session is still busy with a message")
        held.busy = True
        try:
            answer: dict[str, Any] = await self._run(lambda: self.exchange.answer(held, kind, data))
        finally:
            held.busy = False
        return answer

    async def opened(self) -> Held:
        """A new session."""
        held: Held = await self._run(self.sessions.open)
        return held

    async def closed(self, held: Held) -> None:
        """End a session, whoever cancels this."""
        await asyncio.shield(self._run(lambda: self.sessions.close(held)))

    async def close_idle(self) -> None:
        """End sessions that nobody uses, for as long as the server runs."""
        pause = min(5.0, self.sessions.idle_seconds / 4)
        while True:
            await asyncio.sleep(pause)
            await self._run(self.sessions.close_idle)

    async def _run(self, call: Callable[[], Any]) -> Any:
        return call() if self._in_loop else await asyncio.to_thread(call)


def make_app(server: Server) -> FastAPI:
    """The application without its guard."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        reaper = asyncio.create_task(server.close_idle())
        try:
            yield
        finally:
            reaper.cancel()

    app = FastAPI(
        title="distrl", version=__version__, docs_url=None, redoc_url=None, lifespan=lifespan
    )
    _add_facts(app, server)
    for kind in _BODIES:
        _add_message(app, server, kind)
    _add_closing(app, server)

    @app.websocket("/ws")
    async def the_session(socket: WebSocket) -> None:
        await _converse(server, socket)

    return app


def _add_facts(app: FastAPI, server: Server) -> None:
    sessions, book = server.sessions, server.exchange.book

    @app.get("/health")
    async def the_health() -> Response:
        return _json({"status": "healthy"})

    @app.get("/schema")
    async def the_schemas() -> Response:
        return _json(protocol.schemas())

    @app.get("/metadata")
    @app.get("/", include_in_schema=False)
    async def the_metadata() -> Response:
        about = (
            f"Tasks of the suite {book.name} on devices of the kind {book.suite.device}: a screen, "
            "its elements, and a verdict at the end. Sessions can be saved, restored and forked."
        )
        return _json({"name": "distrl", "description": about, "version": __version__})

    @app.get("/sessions")
    async def the_sessions() -> Response:
        return _json({"active_sessions": sessions.count, "max_sessions": sessions.limit})

    @app.get("/state")
    async def the_state(session_id: str) -> Response:
        return await _in_kind(server, "state", session_id, {})


def _add_message(app: FastAPI, server: Server, kind: str) -> None:
    schema = _BODIES[kind].model_json_schema(ref_template="#/components/schemas/{model}")
    body = {"content": {"application/json": {"schema": _flat(schema)}}}

    @app.post(f"/{kind}", name=kind, openapi_extra={"requestBody": body})
    async def the_message(request: Request) -> Response:
        try:
            data = await _body(request)
            session_id = data.pop("session_id", None)
            if kind == "step" and isinstance(data.get("action"), dict):
                # OpenEnv has the action inside of the request, where ours is the request.
                data = {**data.pop("action"), **_without_theirs(data)}
        except MessageError as error:
            return _refused(error)
        if kind != "reset" or session_id is not None:
            return await _in_kind(server, kind, session_id, data)
        return await _reset_anew(server, data)


def _without_theirs(data: dict[str, Any]) -> dict[str, Any]:
    """What OpenEnv's requests may have beside the action, and nobody here needs."""
    return {name: value for name, value in data.items() if name not in ("timeout_s", "request_id")}


async def _reset_anew(server: Server, data: dict[str, Any]) -> Response:
    try:
        held = await server.opened()
    except MessageError as error:
        return _refused(error)
    answer = await _in_kind(server, "reset", held.id, data)
    if answer.status_code != 200:
        await server.closed(held)  # nobody was told its id
    return answer


def _add_closing(app: FastAPI, server: Server) -> None:
    @app.post("/close")
    async def the_closing(request: Request) -> Response:
        try:
            held = server.sessions.find((await _body(request)).get("session_id"))
        except MessageError as error:
            return _refused(error)
        await server.closed(held)
        return _json({"closed": held.id})


async def _in_kind(server: Server, kind: str, session_id: object, data: dict[str, Any]) -> Response:
    try:
        answer = await server.answer(server.sessions.find(session_id), kind, data)
    except MessageError as error:
        return _refused(error)
    return _json(answer["data"])


async def _body(request: Request) -> dict[str, Any]:
    raw = b""
    try:
        async for chunk in request.stream():
            raw += chunk
            if len(raw) > MOST_BYTES:
                raise MessageError(Code.VALIDATION_ERROR, f"more than {MOST_BYTES} bytes")
    except ClientDisconnect:
        raise MessageError(Code.INVALID_JSON, "the request ended early") from None
    data = protocol.decoded(raw) if raw else {}
    if not isinstance(data, dict):
        raise MessageError(Code.VALIDATION_ERROR, "the body must be a JSON object")
    return data


async def _converse(server: Server, socket: WebSocket) -> None:
    """One connection: its session begins and ends with it, with or without a goodbye."""
    await socket.accept()
    wanted = socket.query_params.get("session_id")
    with suppress(WebSocketDisconnect):
        try:
            held = await server.opened() if wanted is None else server.sessions.attach(wanted)
        except MessageError as error:
            await _send(socket, error.answer())
            await socket.close(_TRY_AGAIN_LATER)
            return
        held.attached = True
        try:
            code = await _until_closed(server, socket, held)
        finally:
            await server.closed(held)
        await socket.close(code)


async def _until_closed(server: Server, socket: WebSocket, held: Held) -> int:
    """Answer messages until the client or the clock ends it; the code to close with."""
    idle = server.sessions.idle_seconds
    while True:
        try:
            async with asyncio.timeout(idle):
                raw = await _frame(socket)
        except TimeoutError:
            idled = MessageError(Code.SESSION_ERROR, f"closed after {idle:g} s without a message")
            await _send(socket, idled.answer())
            return _GOING_AWAY
        try:
            message = protocol.decoded(raw)
            if not isinstance(message, dict):
                raise MessageError(Code.VALIDATION_ERROR, "a message must be a JSON object")
            if message.get("type") == "close":
                return _NORMAL
            answer = await server.answer(held, message.get("type"), message.get("data"))
        except MessageError as error:
            answer = error.answer()
        await _send(socket, answer)


async def _frame(socket: WebSocket) -> str | bytes:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    return text if text is not None else message.get("bytes") or b""


async def _send(socket: WebSocket, answer: dict[str, Any]) -> None:
    await socket.send_text(protocol.encoded(answer).decode())


def _json(content: Any, status: int = 200) -> Response:
    return Response(protocol.encoded(content), status, media_type="application/json")


def _refused(error: MessageError) -> Response:
    return _json({"detail": error.answer()["data"]}, STATUS[error.code])


def _flat(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema for the body of a request: definitions inline, and the session's id beside them."""
    definitions = schema.pop("$defs", {})

    def inline(node: Any) -> Any:
        if isinstance(node, list):
            return [inline(part) for part in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            return inline(definitions[node["$ref"].rsplit("/", 1)[-1]])
        return {name: inline(part) for name, part in node.items()}

    made: dict[str, Any] = inline(schema)
    made.setdefault("properties", {})["session_id"] = {"type": "string"}
    return made
