from __future__ import annotations

import json
import socket
import threading
from http.client import HTTPResponse
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from tests.devices.adb_tools import needs_adbutils, own_server
from tests.devices.adb_tools import served as android
from tests.run.conftest import small_config
from tests.web.play.sessions import DEADLINE, TIMER

from distrl.bench.dashboard.measure import fetch
from distrl.config import load_run_config
from distrl.errors import ConfigError
from distrl.run.builders.initial_weights import warm_start_parts
from distrl.run.builders.policy_bundle import build_policy_bundle
from distrl.web.play.serve import Show, has_desktop, play, playing
from distrl.web.serve import Place, Served


def ask(served: Served, path: str, wish: object = None) -> HTTPResponse:
    headers = {
        "authorization": f"Bearer {served.access.token}",
        "content-type": "application/json",
    }
    data = None if wish is None else json.dumps(wish).encode()
    request = Request(f"{served.origin}{path}", data, headers)  # noqa: S310 - our own server
    answer: HTTPResponse = urlopen(request, timeout=DEADLINE)  # noqa: S310 - our own server
    return answer


def do(served: Served, **wish: object) -> None:
    ask(served, "/api/do", wish).close()


def snapshots(served: Served, until: str) -> dict[str, object]:
    """The first snapshot in a phase, as a browser would hear of it."""
    with ask(served, "/api/events") as lines:
        for line in lines:
            if line.startswith(b"data: "):
                found: dict[str, object] = json.loads(line[6:])
                if found["phase"] == until:
                    return found
    raise AssertionError(until)


def test_two_tabs_see_the_same_session(tmp_path: Path) -> None:
    with playing(Show(task=TIMER.id, demonstrations=tmp_path / "demos"), Place()) as served:
        assert snapshots(served, "person") == snapshots(served, "person")
        assert served.origin.startswith("http://127.0.0.1:")
        assert fetch(served, "/health") == b'{"ok":true}'


def test_a_tab_hears_the_end_when_the_server_stops(tmp_path: Path) -> None:
    ended = threading.Event()

    def listen(served: Served) -> None:
        with ask(served, "/api/events") as lines:
            for _ in lines:
                pass
        ended.set()

    with playing(Show(demonstrations=tmp_path / "demos"), Place()) as served:
        snapshots(served, "person")
        tab = threading.Thread(target=listen, args=(served,), daemon=True)
        tab.start()
    assert ended.wait(DEADLINE)


def test_what_was_kept_on_the_page_is_what_training_clones(tmp_path: Path) -> None:
    """From the page's request to the trajectories of a warm start."""
    demos = tmp_path / "demos"
    with playing(Show(task=TIMER.id, policies=("scripted",), demonstrations=demos), Place()) as at:
        do(at, do="pace", seconds=0)
        ending = snapshots(at, "ended")["ending"]
        assert isinstance(ending, dict)
        assert ending["success"]
        do(at, do="keep")
    small = ("policy.width=16", "policy.heads=2", "policy.layers=1")
    config = load_run_config("debug", [*small, f"warm_start.episodes={demos}"])
    parts = warm_start_parts(config, build_policy_bundle(config), lambda _: None)
    assert parts.given is not None
    (episode,) = parts.given.read()
    assert episode.task.id == TIMER.id
    assert all(step.decision is not None for step in episode.steps)


@pytest.mark.parametrize(
    ("show", "told"),
    [
        (Show(suite="generl"), "did you mean 'general'"),
        (Show(split="trian"), "did you mean 'train'"),
        (Show(task="general/val/999"), "numbers 0 to 63"),
        (Show(policies=("scriptd",)), "did you mean 'scripted'"),
        (Show(policies=("pretrained:nobody",)), "unknown pretrained policy"),
    ],
)
def test_what_there_is_not_is_refused_before_anything_is_served(show: Show, told: str) -> None:
    with pytest.raises(ConfigError, match=told), playing(show, Place()):
        pytest.fail("it was served")


def test_the_folder_of_a_run_is_no_folder_of_demonstrations(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").touch()
    with (
        pytest.raises(ConfigError, match="folder of a run"),
        playing(Show(demonstrations=tmp_path), Place()),
    ):
        pytest.fail("it was served")


def test_a_port_that_is_taken_is_refused(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        place = Place(port=taken.getsockname()[1])
        show = Show(demonstrations=tmp_path / "demos")
        with pytest.raises(ConfigError, match="choose another --port"), playing(show, place):
            pytest.fail("it was served")


def test_play_serves_until_it_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []

    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("distrl.web.play.serve.open_page", opened.append)
    monkeypatch.setattr("distrl.web.play.serve._wait_for_ever", interrupt)
    play(policy="random", demonstrations=tmp_path / "demos")
    (address,) = opened
    assert f"Play here: {address}" in capsys.readouterr().out


def test_no_browser_is_opened_where_nobody_sits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not has_desktop()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert has_desktop()
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setenv("SSH_CONNECTION", "here there")
    assert not has_desktop()


@needs_adbutils
def test_goals_for_android_are_played_on_a_phone_over_adb_and_again(tmp_path: Path) -> None:
    goals = tmp_path / "goals.yaml"
    goals.write_text(
        "tasks: [{goal: Open the clock, step_limit: 3, check: [{app: org.distrl.phone.clock}]}]"
    )
    with own_server(tmp_path) as server, android(scale=1) as phone:
        config = small_config(
            f"tasks.suite={goals}",
            f'collect.android.serials=["{phone.address}"]',
            f"collect.android.adb_port={server.adb.port}",
            'collect.android.safety.apps=["org.distrl.phone.*"]',
            "collect.devices=0",
        )
        show = Show(suite=str(goals), demonstrations=tmp_path / "demos", android=config)
        with playing(show, Place()) as page:
            for _ in range(2):
                assert snapshots(page, "person")["goal"] == "Open the clock"
                do(page, do="act", action="press(home)")
                do(page, do="act", action="complete()")
                assert snapshots(page, "ended")
                do(page, do="restart")
