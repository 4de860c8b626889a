"""The real client of OpenEnv, from PyPI, against a real server."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from typing import Any

import pytest

from distrl.clock import RealClock
from distrl.errors import ConfigError
from distrl.web.serve import Place, Served

pytest.importorskip("websockets")
from distrl.integrations.openenv.serve import Offer, serving_openenv

TASK = "general/val/0"


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving_openenv(Offer(sessions=64)) as made:
        yield made


def connect(served: Served) -> Any:
    core = pytest.importorskip("openenv.core", reason="openenv is not installed")
    headers = {"Authorization": f"Bearer {served.access.token}"}
    return core.GenericEnvClient(base_url=served.origin, headers=headers).sync()


def ask(served: Served, method: str, path: str, headers: dict[str, str]) -> int:
    host = served.origin.removeprefix("http://")
    connection = HTTPConnection(host, timeout=10)
    try:
        connection.request(method, path, headers=headers)
        return connection.getresponse().status
    finally:
        connection.close()


def test_the_real_client_plays_an_episode(served: Served) -> None:
    with connect(served) as env:
        begun = env.reset(task=TASK, snapshot=True)
        assert begun.observation["task"] == TASK
        assert (begun.reward, begun.done) == (0.0, False)
        stepped = env.step({"action": "press(home)", "screen": True})
        assert stepped.observation["screen"].startswith("iVBOR")  # a PNG in base64
        again = env.reset(restore=begun.observation["snapshot"])
        assert again.observation["elements"] == begun.observation["elements"]
        ended = env.step({"kind": "complete"})
        assert (ended.done, ended.observation["outcome"]) == (True, "false_complete")
        assert env.state()["task"] == TASK


def test_the_real_client_is_told_what_it_does_wrong(served: Served) -> None:
    with connect(served) as env:
        with pytest.raises(RuntimeError, match=r"unknown task .* \(code: VALIDATION_ERROR\)"):
            env.reset(task="general/val/1000")
        with pytest.raises(RuntimeError, match="reset first"):
            env.step({"action": "wait()"})
        assert env.reset(seed=1).observation["goal"]


def test_sixty_four_sessions_play_side_by_side_and_none_is_left(served: Served) -> None:
    def play(number: int) -> tuple[str, int]:
        with connect(served) as env:
            task = f"general/val/{number % 64}"
            first = env.reset(task=task).observation["task"]
            steps = 0
            while not env.step({"action": "swipe(up)"}).done:
                steps += 1
            return first, steps

    with ThreadPoolExecutor(64) as threads:
        played = list(threads.map(play, range(64)))
    assert played == [(f"general/val/{number}", 14) for number in range(64)]
    assert RealClock().wait_until(lambda: sessions(served) == 0, timeout=10)


def sessions(served: Served) -> int:
    import json

    connection = HTTPConnection(served.origin.removeprefix("http://"), timeout=10)
    connection.request(
        "GET", "/sessions", headers={"Authorization": f"Bearer {served.access.token}"}
    )
    active: int = json.load(connection.getresponse())["active_sessions"]
    connection.close()
    return active


def test_nobody_plays_without_the_token(served: Served) -> None:
    import websockets.exceptions
    from websockets.sync.client import connect as open_socket

    address = served.origin.replace("http://", "ws://")
    wrong: list[dict[str, str]] = [{}, {"Authorization": "Bearer wrong"}]
    for headers in wrong:
        for query in ("", f"?token={served.access.token}"):
            with pytest.raises(websockets.exceptions.InvalidStatus) as refused:
                open_socket(f"{address}/ws{query}", additional_headers=headers, proxy=None)
            assert refused.value.response.status_code == 403
        for path in ("/reset", "/step", "/fork", "/close"):
            assert ask(served, "POST", path, headers) == 401
        for path in ("/state?session_id=x", "/schema", "/metadata", "/sessions", "/openapi.json"):
            assert ask(served, "GET", path, headers) == 401
    assert ask(served, "GET", "/health", {}) == 200


def test_what_cannot_be_served_is_refused() -> None:
    for offer, said in (
        (Offer(suite="generl"), "did you mean 'general'"),
        (Offer(split="tset"), "did you mean 'test'"),
        (Offer(sessions=0), "sessions must be a whole number"),
        (Offer(idle_seconds=0), "must be above 0"),
    ):
        with pytest.raises(ConfigError, match=said), serving_openenv(offer, Place()):
            pass
