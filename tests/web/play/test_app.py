from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from starlette.testclient import TestClient
from tests.web.play.sessions import TIMER, session_on, until, until_phase
from tests.web.test_guard import BEARER, CONTROLLING, EVIL_HOSTS, EVIL_ORIGINS, HOST

from distrl.web.guard import HEALTH, Guard
from distrl.web.play.app import Stage, _news, make_app, static_files
from distrl.web.play.catalogue import Catalogue
from distrl.web.play.session import Session
from distrl.web.play.snapshot import Phase


class Asking:
    """Asks as somebody who may."""

    def __init__(self, client: TestClient, session: Session) -> None:
        self.client, self.session = client, session

    def get(self, path: str, status: int = 200, **query: Any) -> Any:
        answer = self.client.get(path, params=query, headers=BEARER)
        assert answer.status_code == status, answer.text
        return answer.json()

    def do(self, wish: str, status: int = 200, **more: Any) -> Any:
        answer = self.client.post("/api/do", json={"do": wish, **more}, headers=BEARER)
        assert answer.status_code == status, answer.text
        return answer.json()


@pytest.fixture
def ask(tmp_path: Path) -> Iterator[Asking]:
    with session_on(tmp_path) as session:
        until_phase(session, Phase.PERSON)
        stage = Stage(session, Catalogue.of("general"), ("scripted",), tmp_path / "demos")
        app = Guard(make_app(stage), CONTROLLING)
        with TestClient(app, base_url=f"http://{HOST}") as client:
            yield Asking(client, session)


def test_the_scene_names_what_can_be_chosen(ask: Asking) -> None:
    scene = ask.get("/api/scene")
    assert (scene["suite"], scene["device"], scene["policies"]) == (
        "general",
        "phone",
        ["scripted"],
    )
    assert scene["splits"]["train"] == 600


def test_tasks_are_listed_and_a_wrong_split_is_told(ask: Asking) -> None:
    assert ask.get("/api/tasks", split="val")["count"] == 64
    assert "did you mean 'val'" in ask.get("/api/tasks", 400, split="vall")["detail"]


def test_wishes_reach_the_session(ask: Asking) -> None:
    session = ask.session
    ask.do("act", action="press(home)")
    until(session, lambda now: len(now.history) == 1)
    ask.do("pause")
    ask.do("policy", policy="scripted")
    until_phase(session, Phase.POLICY)
    ask.do("step")
    until(session, lambda now: len(now.history) == 2)
    ask.do("take")
    until_phase(session, Phase.PERSON)
    ask.do("give")
    ask.do("pace", seconds=0)
    ask.do("run")
    until_phase(session, Phase.ENDED)
    ask.do("keep")
    assert session.snapshot.kept_count == 1
    ask.do("next")
    until(session, lambda now: now.task != TIMER.id)
    ask.do("start", task="general/val/3")
    until(session, lambda now: now.task == "general/val/3")
    ask.do("restart")


def test_what_cannot_be_carried_out_is_told(ask: Asking) -> None:
    assert "is no action" in ask.do("act", 400, action="jump(1)")["detail"]
    assert "did you mean" in ask.do("policy", 400, policy="scriptd")["detail"]
    assert "has no task" in ask.do("start", 400, task="general/val/9999")["detail"]
    assert "no finished episode" in ask.do("keep", 400)["detail"]
    ask.do("fly", 422)
    ask.do("act", 422, action="wait()", more=1)
    ask.do("act", action="complete()")
    until_phase(ask.session, Phase.ENDED)
    assert "busy" in ask.do("act", 409, action="wait()")["detail"]


def test_a_screen_is_a_picture_and_one_that_is_gone_is_not_found(ask: Asking) -> None:
    answer = ask.client.get("/api/screens/1", headers=BEARER)
    assert answer.headers["content-type"] == "image/png"
    ask.get("/api/screens/999", 404)


def test_the_page_is_made_of_files_that_are_there(ask: Asking) -> None:
    assert "distrl play" in ask.client.get("/", headers=BEARER).text
    for name in static_files():
        assert ask.client.get(f"/static/{name}", headers=BEARER).status_code == 200
    assert ask.client.get("/static/../app.py", headers=BEARER).status_code == 404


def routes(client: TestClient) -> list[str]:
    guard = client.app
    assert isinstance(guard, Guard)
    return [r.path for r in guard._app.routes if isinstance(r, APIRoute)]  # type: ignore[attr-defined]


def test_nobody_is_answered_without_the_token_or_from_another_site(ask: Asking) -> None:
    paths = [
        path.replace("{number}", "1").replace("{name}", "play.js") for path in routes(ask.client)
    ]
    assert "/api/do" in paths
    for path in paths:
        method = "POST" if path == "/api/do" else "GET"
        if path != HEALTH:
            assert ask.client.request(method, path).status_code == 401
        for origin in EVIL_ORIGINS:
            headers = {**BEARER, "origin": origin}
            assert ask.client.request(method, path, headers=headers).status_code == 403
        for host in EVIL_HOSTS:
            headers = {**BEARER, "host": host}
            assert ask.client.request(method, path, headers=headers).status_code == 421
    assert ask.session.snapshot.history == ()


class Staying:
    """A request of a tab that stays open."""

    async def is_disconnected(self) -> bool:
        return False


def test_a_tab_that_waits_for_news_is_told_them_and_ends_when_the_server_does(
    tmp_path: Path,
) -> None:
    async def listen(stage: Stage) -> list[bytes]:
        news = _news(stage, Staying())  # type: ignore[arg-type]
        heard = [await anext(news)]
        waiting = asyncio.ensure_future(anext(news))
        await asyncio.to_thread(stage.session.set_pace, 2.0)
        heard.append(await asyncio.wait_for(waiting, 10))
        ending = asyncio.ensure_future(anext(news))
        await asyncio.to_thread(stage.close)
        with pytest.raises(StopAsyncIteration):
            await asyncio.wait_for(ending, 10)
        return heard

    with session_on(tmp_path) as session:
        until_phase(session, Phase.PERSON)
        stage = Stage(session, Catalogue.of("general"), (), tmp_path / "demos")
        before, after = asyncio.run(listen(stage))
        assert stage.tabs == set()
    assert b'"pace":1.0' in before
    assert b'"pace":2.0' in after
