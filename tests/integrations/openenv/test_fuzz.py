"""Generated frames and requests: each is answered in kind, and none passes without the token."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from distrl.integrations.openenv.app import Server, make_app
from distrl.integrations.openenv.exchange import Exchange
from distrl.integrations.openenv.sessions import Sessions
from distrl.integrations.play_session import PlaySession, TaskBook
from distrl.web.guard import Access, Guard

BOOK = TaskBook("starter")
ACCESS = Access.at(8000, token="right-token", allow_control=True)  # noqa: S106 - made up
HEADERS = {"host": "127.0.0.1:8000", "authorization": "Bearer right-token"}
PATHS = ("reset", "step", "snapshot", "restore", "fork", "close")

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)
values = st.one_of(
    anything,
    st.sampled_from(["tap(1)", "wait()", "starter/val/0", "type", "tap", "up", "back", 0.5, 1, 7]),
)
names = st.sampled_from(
    ["action", "kind", "element", "x", "y", "x2", "y2", "direction", "text", "key", "seed", "task",
     "split", "restore", "snapshot", "screen", "episode_id", "metadata", "session_id", "other"]
)  # fmt: skip
fields = st.dictionaries(names, values, max_size=5)
messages = st.fixed_dictionaries(
    {"type": st.sampled_from(["reset", "step", "state", "snapshot", "restore", "fork", "mcp"])},
    optional={"data": fields | anything},
)


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    sessions = Sessions(lambda name: PlaySession(BOOK, name=name), limit=8, idle_seconds=60.0)
    server = Server(Exchange(sessions, BOOK, screens=False), in_loop=True)
    with TestClient(Guard(make_app(server), ACCESS)) as made:  # it raises what a route raises
        yield made
    sessions.close_all()


@settings(max_examples=60, deadline=None)
@given(frames=st.lists(messages | anything | st.text(), min_size=1, max_size=6))
def test_every_frame_is_answered_in_kind(client: TestClient, frames: list[Any]) -> None:
    with client.websocket_connect("/ws", headers=HEADERS) as socket:
        for frame in frames:
            socket.send_text(frame if isinstance(frame, str) else json.dumps(frame))
            answer = socket.receive_json()
            assert answer["type"] in ("observation", "state", "snapshot", "fork", "error")
            if answer["type"] == "error":
                assert answer["data"]["code"] and answer["data"]["message"]


@settings(max_examples=100, deadline=None)
@given(path=st.sampled_from(PATHS), body=fields.map(json.dumps).map(str.encode) | st.binary())
def test_every_request_is_answered_in_kind(client: TestClient, path: str, body: bytes) -> None:
    answer = client.post(f"/{path}", content=body, headers=HEADERS)
    assert answer.status_code in (200, 400, 404, 409, 422, 503)
    if answer.status_code != 200:
        assert answer.json()["detail"]["message"]


@settings(max_examples=60, deadline=None)
@given(
    path=st.sampled_from([*PATHS, "state", "schema", "metadata", "sessions", "openapi.json", ""]),
    method=st.sampled_from(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"]),
    token=st.text(st.characters(min_codepoint=33, max_codepoint=126)),
)
def test_no_other_token_opens_anything(
    client: TestClient, path: str, method: str, token: str
) -> None:
    headers = {"host": "127.0.0.1:8000", "authorization": f"Bearer {token}"}
    asked = client.request(method, f"/{path}", headers=headers, params={"session_id": token})
    assert asked.status_code == 401
