"""Every route, with every method, asked by everybody who should not be answered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from distrl.web.app import make_app
from distrl.web.guard import HEALTH, Access, Guard, Headers, Receive, Scope, Send, judge
from distrl.web.runs import Runs

PORT = 8321
ACCESS = Access.at(PORT, token="right-token")  # noqa: S106 - made up
CONTROLLING = Access.at(PORT, token="right-token", allow_control=True)  # noqa: S106 - made up
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
HOST = f"127.0.0.1:{PORT}"
BEARER = {"authorization": "Bearer right-token"}
EVIL_HOSTS = (
    "evil.example",
    f"evil.example:{PORT}",
    "127.0.0.1",
    f"127.0.0.1.evil.example:{PORT}",
    f"localhost:{PORT + 1}",
    f"127.0.0.1:{PORT}, evil.example",
    "",
)
EVIL_ORIGINS = (
    "http://evil.example",
    "null",
    f"https://{HOST}",
    f"http://127.0.0.1:{PORT + 1}",
    f"http://127.0.0.1.evil.example:{PORT}",
    "file://",
)
TRAVERSALS = (
    "../config.yaml",
    "..%2fconfig.yaml",
    "..%2F..%2F..%2Fetc%2Fpasswd",
    "%2e%2e/%2e%2e/etc/passwd",
    "....//....//etc/passwd",
    "..\\..\\etc\\passwd",
    "/etc/passwd",
    "%2Fetc%2Fpasswd",
    "config.yaml%00.png",
    "file:///etc/passwd",
    "..;/config.yaml",
    "%2e%2e%2f%2e%2e%2fconfig.yaml",
    "~root",
)


@pytest.fixture(scope="module")
def app(crowded: Path) -> Iterator[FastAPI]:
    runs = Runs([crowded])
    made = make_app(runs, ACCESS)
    yield made
    made.state.site.thinker.close()
    runs.close()


@pytest.fixture(scope="module")
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(Guard(app, ACCESS), base_url=f"http://{HOST}") as made:
        yield made


def paths(app: FastAPI) -> list[str]:
    """The address of every route, with something in the place of its parameters."""
    found = [route.path for route in app.routes if isinstance(route, APIRoute)]
    assert len(found) > 10
    assert len(found) == len(app.routes), "every route of the application is tried"
    values = {"run": "crowded", "episode": "made-000001", "place": 0, "name": "main.js"}
    return [path.format(**values, device="phone-0") for path in found]


@pytest.mark.parametrize("method", METHODS)
def test_no_route_answers_without_the_right_token(
    app: FastAPI, client: TestClient, method: str
) -> None:
    wrong: list[dict[str, str]] = [
        {},
        {"authorization": "Bearer wrong"},
        {"authorization": "Bearer "},
        {"authorization": "Basic right-token"},
        {"cookie": f"{ACCESS.cookie}=wrong"},
        {"cookie": "distrl-1=right-token"},
        {"x-token": "right-token"},
    ]
    for path in paths(app):
        if path == HEALTH:
            continue
        for headers in wrong:
            client.cookies.clear()
            refused = client.request(method, path, headers=headers)
            assert refused.status_code == 401, (method, path, headers)
        # In the address, the token counts on the front page alone.
        if path != "/":
            asked = client.request(method, path, params={"token": "right-token"})
            assert asked.status_code == 401, (method, path)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("host", EVIL_HOSTS)
def test_no_route_answers_under_another_name(
    app: FastAPI, client: TestClient, method: str, host: str
) -> None:
    for path in paths(app):
        refused = client.request(method, path, headers={**BEARER, "host": host})
        assert refused.status_code == 421, (method, path)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("origin", EVIL_ORIGINS)
def test_no_route_answers_to_another_site(
    app: FastAPI, client: TestClient, method: str, origin: str
) -> None:
    for path in paths(app):
        refused = client.request(method, path, headers={**BEARER, "origin": origin})
        assert refused.status_code == 403, (method, path)


@pytest.mark.parametrize("method", [m for m in METHODS if m not in ("GET", "HEAD")])
def test_nothing_but_reading_is_answered_unless_it_was_allowed(
    app: FastAPI, client: TestClient, method: str
) -> None:
    for path in paths(app):
        refused = client.request(method, path, headers=BEARER, json={"do": "take"})
        assert refused.status_code in (403, 405), (method, path)


def test_no_path_in_a_request_reaches_the_file_system(app: FastAPI, client: TestClient) -> None:
    templates = [route.path for route in app.routes if isinstance(route, APIRoute)]
    tried = 0
    for template in templates:
        for parameter in ("run", "episode", "place", "name", "device"):
            if f"{{{parameter}}}" not in template or "events" in template:
                continue
            for evil in TRAVERSALS:
                good = {"run": "crowded", "episode": "made-000001", "place": "0"}
                values = {**good, "name": "main.js", "device": "phone-0", parameter: evil}
                answer = client.get(template.format(**values), headers=BEARER)
                assert answer.status_code in (400, 404, 405, 422), (template, evil)
                for secret in (b"root:", b"max_episodes", b"right-token"):
                    assert secret not in answer.content, (template, evil)
                tried += 1
    assert tried > 100


def test_names_in_a_query_are_looked_up_too(client: TestClient) -> None:
    for evil in TRAVERSALS:
        for path in ("/api/compare", "/api/runs/crowded/duel"):
            query = {"left": evil, "right": evil}
            assert client.get(path, params=query, headers=BEARER).status_code == 404


def test_the_health_check_needs_no_token_and_says_nothing(client: TestClient) -> None:
    client.cookies.clear()
    answer = client.get(HEALTH)
    assert (answer.status_code, answer.json()) == (200, {"ok": True})
    assert client.post(HEALTH).status_code == 405


def test_the_address_with_the_token_sets_a_cookie_that_other_sites_cannot_use(
    app: FastAPI,
) -> None:
    with TestClient(Guard(app, ACCESS), base_url=f"http://{HOST}") as client:
        first = client.get("/", params={"token": "right-token"})
        assert first.status_code == 200
        assert "HttpOnly; SameSite=Strict" in first.headers["set-cookie"]
        assert client.get("/api/runs").status_code == 200


def test_answers_tell_the_browser_to_trust_nobody_else(client: TestClient) -> None:
    answer = client.get("/", headers=BEARER)
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-store"


def test_our_own_origin_and_every_name_of_the_loopback_are_ours(client: TestClient) -> None:
    for name in ("127.0.0.1", "localhost", "LOCALHOST", "[::1]"):
        host = f"{name}:{PORT}"
        headers = {**BEARER, "host": host, "origin": f"http://{host.lower()}"}
        assert client.get("/api/runs", headers=headers).status_code == 200


def test_two_host_headers_are_refused() -> None:
    headers = Headers([(b"host", HOST.encode()), (b"host", b"evil.example")])
    refusal = judge(ACCESS, "GET", HEALTH, "", headers)
    assert refusal is not None
    assert refusal.status == 421


def test_control_is_for_those_who_allowed_it_and_only_by_post() -> None:
    headers = Headers([(b"host", HOST.encode()), (b"authorization", b"Bearer right-token")])
    assert judge(CONTROLLING, "POST", "/api/x", "", headers) is None
    for method in ("PUT", "PATCH", "DELETE", "OPTIONS"):
        assert judge(CONTROLLING, method, "/api/x", "", headers) is not None


def test_every_server_gets_a_new_token_that_cannot_be_guessed() -> None:
    tokens = {Access.at(PORT).token for _ in range(8)}
    assert len(tokens) == 8
    assert min(map(len, tokens)) >= 40


async def _greeting(scope: Scope, receive: Receive, send: Send) -> None:
    assert scope["type"] == "websocket"
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": 1000})


@pytest.mark.parametrize(
    ("headers", "accepted"),
    [
        (BEARER, True),
        ({}, False),
        ({"authorization": "Bearer wrong"}, False),
        ({**BEARER, "host": "evil.example"}, False),
        ({**BEARER, "origin": "http://evil.example"}, False),
        ({**BEARER, "origin": f"http://{HOST}"}, True),
    ],
)
def test_a_web_socket_passes_as_a_request_does(headers: dict[str, str], accepted: bool) -> None:
    client, headers = TestClient(Guard(_greeting, ACCESS)), {"host": HOST, **headers}
    if accepted:
        with client.websocket_connect("/ws", headers=headers):
            return
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/ws", headers=headers):
        pass
