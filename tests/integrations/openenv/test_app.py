"""The server over HTTP and WebSocket, without anybody's client."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from PIL import Image
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from distrl.integrations.openenv.app import Server, make_app
from distrl.integrations.openenv.exchange import Exchange
from distrl.integrations.openenv.sessions import Sessions
from distrl.integrations.play_session import PlaySession, TaskBook

BOOK = TaskBook("starter")
TASK = "starter/val/0"


def make_client(
    *, limit: int = 4, idle_seconds: float = 60.0, in_loop: bool = True
) -> tuple[TestClient, Sessions]:
    sessions = Sessions(
        lambda name: PlaySession(BOOK, name=name), limit=limit, idle_seconds=idle_seconds
    )
    server = Server(Exchange(sessions, BOOK, screens=False), in_loop=in_loop)
    return TestClient(make_app(server)), sessions


@pytest.fixture(params=[True, False], ids=["in the loop", "in threads"])
def client(request: pytest.FixtureRequest) -> Iterator[TestClient]:
    made, sessions = make_client(in_loop=request.param)
    with made:
        yield made
    sessions.close_all()


def ask(socket: WebSocketTestSession, about: str, **data: Any) -> dict[str, Any]:
    socket.send_json({"type": about, "data": data})
    answer: dict[str, Any] = socket.receive_json()
    return answer


def test_an_episode_over_a_web_socket(client: TestClient) -> None:
    with client.websocket_connect("/ws") as socket:
        begun = ask(socket, "reset", task=TASK)
        assert begun["type"] == "observation"
        seen = begun["data"]["observation"]
        assert (seen["task"], seen["screen"]) == (TASK, None)
        assert seen["goal"] == BOOK.named(TASK).goal
        assert {"role", "text", "bounds"} <= seen["elements"][0].keys()
        stepped = ask(socket, "step", action="press(home)", screen=True)["data"]
        assert (stepped["done"], stepped["reward"]) == (False, 0.0)
        picture = base64.b64decode(stepped["observation"]["screen"])
        assert Image.open(io.BytesIO(picture)).format == "PNG"
        ended = ask(socket, "step", kind="infeasible")["data"]
        assert ended["done"]
        assert ended["observation"]["outcome"] == "failed"
        assert ended["observation"]["success"] is False
        state = ask(socket, "state")["data"]
        assert (state["task"], state["step_count"], state["done"]) == (TASK, 2, True)
        socket.send_json({"type": "close"})
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()
    assert client.get("/sessions").json()["active_sessions"] == 0


def test_an_episode_over_http(client: TestClient) -> None:
    begun = client.post("/reset", json={"seed": 3}).json()
    session = begun["metadata"]["session_id"]
    assert begun["observation"]["task"] == BOOK.drawn(3).id
    step = {"session_id": session, "action": "press(back)"}
    assert client.post("/step", json=step).json()["done"] is False
    # OpenEnv's own shape: the action inside of the request.
    nested = {"session_id": session, "action": {"kind": "complete"}, "timeout_s": 3}
    assert client.post("/step", json=nested).json()["done"] is True
    again = {"session_id": session, "action": "wait()"}
    late = client.post("/step", json=again)
    assert (late.status_code, late.json()["detail"]["code"]) == (409, "EXECUTION_ERROR")
    state = client.get("/state", params={"session_id": session}).json()
    assert state["step_count"] == 2
    assert client.post("/close", json={"session_id": session}).json() == {"closed": session}
    assert client.post("/step", json=again).status_code == 404
    assert client.get("/sessions").json() == {"active_sessions": 0, "max_sessions": 4}


def test_what_is_sent_fits_the_schemas(client: TestClient) -> None:
    schemas = client.get("/schema").json()
    with client.websocket_connect("/ws") as socket:
        ask(socket, "reset", task=TASK, snapshot=True)
        for action in ({"action": "tap(1)", "screen": True}, {"kind": "complete"}):
            jsonschema.validate(action, schemas["action"])
            answer = ask(socket, "step", **action)["data"]
            jsonschema.validate(answer["observation"], schemas["observation"])
        jsonschema.validate(ask(socket, "state")["data"], schemas["state"])


def test_the_server_says_what_it_is(client: TestClient) -> None:
    assert client.get("/health").json() == {"status": "healthy"}
    about = client.get("/metadata").json()
    assert about["name"] == "distrl"
    assert "starter" in about["description"]


def test_a_snapshot_is_restored_in_this_session_and_in_others(client: TestClient) -> None:
    with client.websocket_connect("/ws") as one, client.websocket_connect("/ws") as other:
        ask(one, "reset", task=TASK)
        marked = ask(one, "step", action="press(home)", snapshot=True)["data"]["observation"]
        name = marked["snapshot"]
        moved = ask(one, "step", action="swipe(up)")["data"]["observation"]
        for socket, asked in ((one, "restore"), (other, "reset")):
            data = {"snapshot": name} if asked == "restore" else {"restore": name}
            back = ask(socket, asked, **data)["data"]["observation"]
            assert back["elements"] == marked["elements"]
            assert back["steps_left"] == marked["steps_left"]
            same = ask(socket, "step", action="swipe(up)")["data"]["observation"]
            assert same["elements"] == moved["elements"]
        assert ask(one, "snapshot")["data"]["snapshot"] != name


def test_a_fork_goes_its_own_way_in_a_session_of_its_own(client: TestClient) -> None:
    with client.websocket_connect("/ws") as one:
        ask(one, "reset", task=TASK)
        ask(one, "step", action="press(home)")
        twin = ask(one, "fork")["data"]["session_id"]
        with client.websocket_connect(f"/ws?session_id={twin}") as other:
            assert ask(other, "state")["data"]["step_count"] == 1
            assert ask(other, "step", kind="complete")["data"]["done"]
            assert not ask(one, "state")["data"]["done"]
        assert client.get("/sessions").json()["active_sessions"] == 1
        over_http = client.post(
            "/fork", json={"session_id": ask(one, "fork")["data"]["session_id"]}
        )
        assert over_http.status_code == 200
        assert client.get("/sessions").json()["active_sessions"] == 3


BAD_FRAMES = [
    ("not json", "INVALID_JSON"),
    ("[" * 5000, "INVALID_JSON"),
    ('"\\ud800"', "INVALID_JSON"),
    ("7", "VALIDATION_ERROR"),
    ("[]", "VALIDATION_ERROR"),
    ("null", "VALIDATION_ERROR"),
    ("{}", "UNKNOWN_TYPE"),
    ('{"type": "dance"}', "UNKNOWN_TYPE"),
    ('{"type": ["step"]}', "UNKNOWN_TYPE"),
    ('{"type": "mcp", "data": {}}', "UNKNOWN_TYPE"),
    ('{"type": "reset", "data": 5}', "VALIDATION_ERROR"),
    ('{"type": "reset", "data": {"seed": -1}}', "VALIDATION_ERROR"),
    ('{"type": "reset", "data": {"seed": 1e400}}', "INVALID_JSON"),
    ('{"type": "reset", "data": {"task": "general/val/0"}}', "VALIDATION_ERROR"),
    ('{"type": "reset", "data": {"task": "../../etc/passwd.txt/train/0"}}', "VALIDATION_ERROR"),
    ('{"type": "reset", "data": {"split": "unseen"}}', "VALIDATION_ERROR"),
    ('{"type": "reset", "data": {"restore": "nothing"}}', "VALIDATION_ERROR"),
    ('{"type": "restore", "data": {}}', "VALIDATION_ERROR"),
    ('{"type": "step", "data": {"action": "wait()"}}', "EXECUTION_ERROR"),
    ('{"type": "snapshot"}', "EXECUTION_ERROR"),
    ('{"type": "fork"}', "EXECUTION_ERROR"),
]


def test_every_bad_frame_is_answered_in_kind_and_the_session_goes_on(client: TestClient) -> None:
    with client.websocket_connect("/ws") as socket:
        for frame, code in BAD_FRAMES:
            socket.send_text(frame)
            answer = socket.receive_json()
            assert (answer["type"], answer["data"]["code"]) == ("error", code), frame
            assert answer["data"]["message"]
        socket.send_bytes(b"\xff\xfe")
        assert socket.receive_json()["data"]["code"] == "INVALID_JSON"
        socket.send_bytes(json.dumps({"type": "reset"}).encode())
        assert socket.receive_json()["type"] == "observation"
        for step in ({"kind": "fly"}, {"kind": "tap"}, {"kind": "tap", "element": 400}, {"no": 1}):
            assert ask(socket, "step", **step)["data"]["code"] == "VALIDATION_ERROR"
        # A model's words are no bad message: they cost a step.
        told = ask(socket, "step", action="dance()")["data"]["observation"]
        assert "'dance()' is no action" in told["refused"]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/step", b"{", 400),
        ("/step", b"[1]", 422),
        ("/step", b"{}", 404),
        ("/step", b'{"session_id": 5, "action": "wait()"}', 404),
        ("/reset", b'{"seed": "x"}', 422),
        ("/reset", b'{"session_id": "gone"}', 404),
        ("/close", b"", 404),
        ("/restore", b"\xff", 400),
        ("/fork", b" " * ((1 << 20) + 1), 422),
    ],
)
def test_every_bad_request_is_answered_in_kind(
    client: TestClient, path: str, body: bytes, status: int
) -> None:
    answer = client.post(path, content=body)
    assert answer.status_code == status
    assert answer.json()["detail"]["message"]
    assert client.get("/sessions").json()["active_sessions"] == 0


def test_who_comes_when_all_sessions_are_in_use_is_told_so() -> None:
    client, _ = make_client(limit=1)
    with client, client.websocket_connect("/ws") as one:
        ask(one, "reset", task=TASK)
        with client.websocket_connect("/ws") as refused:
            assert refused.receive_json()["data"]["code"] == "CAPACITY_REACHED"
            with pytest.raises(WebSocketDisconnect):
                refused.receive_json()
        assert client.post("/reset", json={}).status_code == 503
        assert ask(one, "fork")["data"]["code"] == "CAPACITY_REACHED"
        assert ask(one, "state")["data"]["task"] == TASK


def test_an_idle_connection_is_closed_with_a_word() -> None:
    client, sessions = make_client(idle_seconds=0.05)
    with client, client.websocket_connect("/ws") as socket:
        assert "0.05 s without a message" in socket.receive_json()["data"]["message"]
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()
    assert sessions.count == 0
