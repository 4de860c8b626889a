from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.web.test_guard import ACCESS, BEARER, CONTROLLING, HOST

from distrl.bench.dashboard.synthetic_run import make_synthetic_run
from distrl.monitor.live_screens import CONTROL, LIVE, SCREENS, WATCHED
from distrl.run.state.folder import RunFolder
from distrl.web.app import make_app, static_files
from distrl.web.guard import Access, Guard
from distrl.web.runs import Runs, State, is_held


class Asking:
    """Asks as somebody who may."""

    def __init__(self, client: TestClient) -> None:
        self._client = client

    def get(self, path: str, status: int = 200, **query: Any) -> Any:
        answer = self._client.get(path, params=query, headers=BEARER)
        assert answer.status_code == status, answer.text
        return answer.json()

    def post(self, path: str, body: dict[str, Any], status: int = 200) -> Any:
        answer = self._client.post(path, json=body, headers=BEARER)
        assert answer.status_code == status, answer.text
        return answer.json()

    def raw(self, path: str) -> tuple[str, bytes]:
        answer = self._client.get(path, headers=BEARER)
        assert answer.status_code == 200
        return answer.headers["content-type"], answer.content


def serve(root: Path, access: Access = ACCESS) -> Iterator[Asking]:
    runs = Runs([root])
    app = make_app(runs, access)
    with TestClient(Guard(app, access), base_url=f"http://{HOST}") as client:
        yield Asking(client)
    app.state.site.thinker.close()
    runs.close()


@pytest.fixture(scope="module")
def ask(crowded: Path) -> Iterator[Asking]:
    yield from serve(crowded)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    root = tmp_path / "own"
    make_synthetic_run(root, 30)
    return root


@pytest.fixture
def controlling(own: Path) -> Iterator[Asking]:
    yield from serve(own, CONTROLLING)


def test_all_runs_are_listed_with_where_they_are(ask: Asking) -> None:
    listed = ask.get("/api/runs")
    (run,) = listed["runs"]
    assert (run["run"], run["state"], run["episodes"]) == ("crowded", "stopped", 240)
    assert listed["control"] is False


def test_every_chart_of_the_overview_says_what_healthy_looks_like(ask: Asking) -> None:
    overview = ask.get("/api/runs/crowded/overview")
    assert len(overview["charts"]) == 8
    assert all(len(chart["healthy"]) > 20 for chart in overview["charts"])
    drawn = {chart["id"]: chart["series"] for chart in overview["charts"]}
    (success,) = drawn["success-time"]
    assert success["y"] == sorted(success["y"])
    assert [gauge["words"] for gauge in overview["gauges"]].count("entropy") == 1


def test_tasks_come_with_intervals_and_the_hardest_first(ask: Asking) -> None:
    rows = ask.get("/api/runs/crowded/tasks")["templates"]
    shares = [row["success"] for row in rows if row["success"] is not None]
    assert shares == sorted(shares)
    for row in rows:
        if row["success"] is not None:
            assert row["low"] <= row["success"] <= row["high"]
    assert sum(row["episodes"] + row["faults"] for row in rows) == 240


def test_filters_narrow_the_list_and_its_choices(ask: Asking) -> None:
    path = "/api/runs/crowded/episodes"
    everything = ask.get(path, limit=200)
    won = ask.get(path, outcome="succeeded", limit=200)
    assert everything["total"] == 240
    assert won["total"] == everything["choices"]["outcome"]["succeeded"]
    assert {row["outcome"] for row in won["rows"]} == {"succeeded"}
    second = ask.get(path, limit=100, offset=100)
    assert second["rows"] == everything["rows"][100:]


def test_a_filter_that_does_not_exist_is_refused(ask: Asking) -> None:
    ask.get("/api/runs/crowded/episodes", 422, outcom="succeeded")
    ask.get("/api/runs/crowded/episodes", 422, limit=100_000)


def test_an_episode_is_shown_with_its_steps_screens_and_verdicts(ask: Asking) -> None:
    episode = ask.get("/api/runs/crowded/episodes/made-000004")
    assert (episode["before"], episode["after"]) == ("made-000003", "made-000005")
    assert episode["task"]["goal"]
    assert episode["verdicts"][0]["judge"] == "state"
    for place in range(len(episode["steps"]) + episode["final"]):
        kind, data = ask.raw(f"/api/runs/crowded/episodes/made-000004/screens/{place}")
        assert kind in ("image/png", "image/webp")
        assert len(data) > 500
    beyond = len(episode["steps"]) + 1
    ask.get(f"/api/runs/crowded/episodes/made-000004/screens/{beyond}", 404)
    ask.get("/api/runs/crowded/episodes/made-000004/screens/-1", 404)


def test_what_there_is_not_is_said_so(ask: Asking) -> None:
    assert "no run named" in ask.get("/api/runs/other/overview", 404)["detail"]
    assert "no episode named" in ask.get("/api/runs/crowded/episodes/x", 404)["detail"]


def test_a_run_that_is_not_there_is_answered_with_the_nearest_name(ask: Asking) -> None:
    said = "there is no run named 'crowdd'; did you mean 'crowded'?"
    assert ask.get("/api/runs/crowdd/overview", 404)["detail"] == said
    assert ask.get("/api/runs", wanted="crowdd")["missing"] == said
    assert ask.get("/api/runs", wanted="zzz")["missing"] == "there is no run named 'zzz'"
    assert ask.get("/api/runs", wanted="crowded")["missing"] == ""


def test_a_filter_by_ratio_says_that_only_the_newest_have_one(ask: Asking) -> None:
    path = "/api/runs/crowded/episodes"
    assert "newest 240 episodes only" in ask.get(path, ratio_low=1)["note"]
    assert ask.get(path)["note"] == ""


def test_without_a_checkpoint_there_is_no_insight(ask: Asking) -> None:
    assert ask.get("/api/runs/crowded/episodes/made-000000/insight") == {
        "checkpoint": None,
        "steps": [],
    }


def test_bars_of_the_microscope_are_filters_that_find_their_episodes(ask: Asking) -> None:
    lag = ask.get("/api/runs/crowded/lag")["charts"][0]
    assert lag["id"] == "lag"
    assert sum(bar["count"] for bar in lag["bars"]) == 240
    for bar in lag["bars"]:
        found = ask.get(
            "/api/runs/crowded/episodes", lag_low=bar["low"], lag_high=bar["high"], limit=1
        )
        assert found["total"] == bar["count"]


def test_a_run_compared_with_itself_does_not_differ(ask: Asking) -> None:
    picked = ["crowded", "crowded"]
    assert ask.get("/api/overlay", pick=picked)["settings"] == []
    rows = ask.get("/api/overlay/templates", pick=picked)["rows"]
    assert {row["difference"] for row in rows} == {0.0}


def test_a_branch_replays_exactly_and_goes_another_way(ask: Asking) -> None:
    # The pattern of this episode was played on the first task; its head was given another one, so
    # that a true one is looked for by its task.
    path = "/api/runs/crowded/episodes/made-000000/branch"
    forked = ask.get(path, step=0, action="press(home)", then="none")
    assert forked["branch"]["steps"][0]["action"]["key"] == "home"
    assert forked["branch"]["steps"][1]["action"]["kind"] == "complete"
    assert forked["branch"]["screens"][0].startswith("data:image/png;base64,")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"step": 999}, "has steps 0 to"),
        ({"step": 0, "action": "jump()"}, "is no action"),
        ({"step": 0, "then": "scriptd"}, "scripted"),
    ],
)
def test_a_branch_that_cannot_be_is_explained(
    ask: Asking, query: dict[str, Any], words: str
) -> None:
    path = "/api/runs/crowded/episodes/made-000000/branch"
    assert words in ask.get(path, 400, **query)["detail"]


def test_the_page_and_all_that_it_imports_are_served(ask: Asking) -> None:
    kind, page = ask.raw("/")
    assert kind.startswith("text/html")
    assert b"/static/main.js" in page
    for name in static_files():
        kind, data = ask.raw(f"/static/{name}")
        assert data, name
        if name.endswith(".js"):
            assert kind.startswith("text/javascript")


def test_a_run_that_does_not_run_has_no_live_fleet_and_obeys_nobody(
    controlling: Asking, own: Path
) -> None:
    fleet = controlling.get("/api/runs/own/fleet")
    assert (fleet["live"], fleet["devices"], fleet["control"]) == (False, [], True)
    assert not (own / LIVE / WATCHED).exists()
    controlling.post("/api/runs/own/fleet/phone-0", {"do": "take"}, 404)


def test_requests_reach_a_run_that_runs(controlling: Asking, own: Path) -> None:
    (own / LIVE).mkdir()
    live_screens = {"at": 0, "devices": [{"device": "phone-0", "number": 0, "screen": 1}]}
    (own / LIVE / SCREENS).write_text(json.dumps(live_screens))
    (own / LIVE / "0.png").write_bytes(b"a picture")
    with RunFolder(own).lock("run"):
        assert is_held(own / "run.lock")
        assert controlling.get("/api/runs/own/fleet")["devices"] == live_screens["devices"]
        assert (own / LIVE / WATCHED).exists()
        assert controlling.raw("/api/runs/own/fleet/phone-0/screen")[1] == b"a picture"
        path = "/api/runs/own/fleet/phone-0"
        controlling.post(path, {"do": "take"})
        controlling.post(path, {"do": "act", "action": "tap(0.5, 0.5)"})
        controlling.post(path, {"do": "act", "action": "rm -rf /"}, 400)
        controlling.post(path, {"do": "explode"}, 422)
        controlling.post("/api/runs/own/fleet/phone-9", {"do": "take"}, 404)
    lines = (own / LIVE / CONTROL).read_text().splitlines()
    asked = [json.loads(line) for line in lines]
    assert [(a["do"], a["device"], a["action"]) for a in asked] == [
        ("take", "phone-0", ""),
        ("act", "phone-0", "tap(0.5, 0.5)"),
    ]


def test_whether_a_run_runs_is_read_from_its_lock(own: Path) -> None:
    (run,) = Runs([own])
    assert run.state() is State.STOPPED
    with run.folder.lock("run"):
        assert run.state() is State.RUNNING
    run.folder.note({**run.progress(), "after": {}})
    assert run.state() is State.FINISHED
