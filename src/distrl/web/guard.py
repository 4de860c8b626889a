"""Who may ask: every request passes here before any route sees it.

    Host       must be a name that this server was started under: a page of another site whose
               name points at us (DNS rebinding) has its own name there
    Origin     if sent, must be ours, whatever the method
    method     reading only, unless control was allowed
    token      in the cookie, or as `Authorization: Bearer`; in the address of the first page only

WebSockets pass the same way; one that is refused is never accepted, and the client sees a 403.

The health check needs no token and says nothing but that somebody is here.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeAlias
from urllib.parse import parse_qs

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

HEALTH, FRONT = "/health", "/"
READING = frozenset({"GET", "HEAD"})
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_HEADERS = (
    (b"content-security-policy", b"default-src 'none'; script-src 'self'; "
     b"style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "
     b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What is needed to be let in."""

    token: str
    hosts: frozenset[str]
    """Values of the Host header that are ours, in small letters."""
    cookie: str
    allow_control: bool = False

    @classmethod
    def at(
        cls,
        port: int,
        *,
        names: tuple[str, ...] = (),
        token: str | None = None,
        allow_control: bool = False,
    ) -> Access:
        """For a server on this port, under the loopback's names and others."""
        # Cookies do not tell ports apart, so that two dashboards need two names.
        return cls(
            token=token or secrets.token_urlsafe(32),
            hosts=frozenset(f"{name.lower()}:{port}" for name in (*_LOOPBACK, *names)),
            cookie=f"distrl-{port}",
            allow_control=allow_control,
        )


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not answered."""

    status: int
    reason: str


def judge(access: Access, method: str, path: str, query: str, headers: Headers) -> Refusal | None:
    """Whether a request is refused, and why; a pure function of what was sent."""
    hosts = headers.all("host")
    if len(hosts) != 1 or hosts[0].lower() not in access.hosts:
        return Refusal(421, "this server is not known under that name")
    origins = headers.all("origin")
    if any(origin.lower() not in {f"http://{h}" for h in access.hosts} for origin in origins):
        return Refusal(403, "requests of other sites are not answered")
    if path == HEALTH:
        return None if method in READING else Refusal(405, "only reading is allowed")
    if not _has_token(access, path, query, headers):
        return Refusal(401, "the token is missing or wrong; open the address that was printed")
    if method not in READING and not (method == "POST" and access.allow_control):
        return Refusal(403, "only reading is allowed; start with --allow-control to change things")
    return None


class Headers:
    """The headers of a request; a name may come more than once."""

    def __init__(self, raw: list[tuple[bytes, bytes]]) -> None:
        """As ASGI gives them."""
        self._raw = raw

    def all(self, name: str) -> list[str]:
        """All values of a header."""
        wanted = name.encode()
        return [value.decode("latin-1") for key, value in self._raw if key.lower() == wanted]


def _has_token(access: Access, path: str, query: str, headers: Headers) -> bool:
    shown = [value.removeprefix("Bearer ") for value in headers.all("authorization")]
    for line in headers.all("cookie"):
        try:
            morsel = SimpleCookie(line).get(access.cookie)
        except CookieError:
            continue
        if morsel is not None:
            shown.append(morsel.value)
    if path == FRONT:
        # Nowhere else: addresses end up in histories and logs.
        shown += parse_qs(query).get("token", [])
    right = access.token.encode()
    return any(secrets.compare_digest(token.encode(), right) for token in shown)


class Guard:
    """Stands before an application."""

    def __init__(self, app: App, access: Access) -> None:
        """Let pass what `judge` does not refuse."""
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] not in ("http", "websocket"):
            return  # there is no other way in
        refusal = judge(
            self._access,
            scope.get("method", "GET"),  # a WebSocket is asked for by GET
            scope["path"],
            scope["query_string"].decode("latin-1"),
            Headers(scope["headers"]),
        )
        if scope["type"] == "websocket":
            if refusal is None:
                await self._app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "reason": refusal.reason})
            return
        dressed = self._dressed(send, front=scope["path"] == FRONT and refusal is None)
        if refusal is None:
            await self._app(scope, receive, dressed)
            return
        body = refusal.reason.encode()
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
        headers.append((b"content-length", str(len(body)).encode()))
        start = {"type": "http.response.start", "status": refusal.status, "headers": headers}
        await dressed(start)
        await dressed({"type": "http.response.body", "body": body})

    def _dressed(self, send: Send, *, front: bool) -> Send:
        access = self._access
        cookie = f"{access.cookie}={access.token}; Path=/; HttpOnly; SameSite=Strict"

        async def send_dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message["headers"], *_HEADERS]
                if front:
                    headers.append((b"set-cookie", cookie.encode()))
                names = {name.lower() for name, _ in headers}
                if b"cache-control" not in names:
                    headers.append((b"cache-control", b"no-store"))
                message = {**message, "headers": headers}
            await send(message)

        return send_dressed
