from __future__ import annotations

import socket
from contextlib import nullcontext
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from distrl.bench.dashboard.measure import fetch
from distrl.cli.main import main
from distrl.config import RunConfig
from distrl.run.state.folder import create_run
from distrl.web.serve import Place, serving


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return create_run(tmp_path / "run", RunConfig()).root


def test_a_folder_without_runs_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", str(tmp_path)]) == 2
    assert "there is no run in" in capsys.readouterr().err


def test_a_port_that_is_none_is_refused(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", str(run), "--port", "70000"]) == 2
    assert "--port must be a whole number, from 0 to 65535" in capsys.readouterr().err


def test_a_port_that_is_taken_is_refused_with_a_way_out(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["watch", str(run), "--port", port]) == 2
    assert "choose another --port" in capsys.readouterr().err


def test_a_mistyped_option_is_refused_with_the_nearest_one(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", str(run), "--allow-controll"]) == 2
    assert "--allow-control" in capsys.readouterr().err


def test_it_is_served_on_the_loopback_and_answers_over_http(run: Path) -> None:
    with serving([run], Place(token="fixed")) as served:  # noqa: S106 - made up
        assert served.origin.startswith("http://127.0.0.1:")
        assert served.address.endswith("/?token=fixed")
        assert b'"run":"run"' in fetch(served, "/api/runs")


@pytest.mark.parametrize("token", ["", "t0ken-0f-my-0wn"])
def test_a_token_of_ones_own_is_not_shown(
    token: str, run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISTRL_WATCH_TOKEN", token)
    monkeypatch.setattr("distrl.cli.watch.signals_noted", lambda: nullcontext(lambda: None))
    assert main(["watch", str(run), "--port", "0"]) == 0
    shown = capsys.readouterr().out.splitlines()[0]
    if token:
        assert shown.endswith("/?token=$DISTRL_WATCH_TOKEN")
    else:
        assert len(shown.partition("/?token=")[2]) >= 20


def test_nothing_listens_any_more_after_it_was_closed(run: Path) -> None:
    with serving([run]) as served:
        port = int(served.origin.rsplit(":", 1)[1])
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0


def test_somebody_who_waits_for_news_does_not_hold_up_the_end(
    run: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serving([run]) as served:
        headers = {"Authorization": f"Bearer {served.access.token}"}
        request = Request(f"{served.origin}/api/runs/run/events", headers=headers)  # noqa: S310 - ours
        news = urlopen(request, timeout=60)  # noqa: S310 - our own server
        assert news.readline() == b"event: status\n"
    assert news.read().startswith(b"data: {")
    assert not caplog.records


def test_a_host_that_is_not_this_machine_is_not_blamed_on_the_port(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    create_run(tmp_path / "run", RunConfig())
    assert main(["watch", str(tmp_path / "run"), "--host", "999.1.1.1", "--port", "0"]) == 2
    told = capsys.readouterr().err
    assert "--host 999.1.1.1 is no address of this machine" in told
    assert "--port" not in told


def test_screenshots_are_not_written_into_a_file(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("mine")
    line = ["watch", str(run), "--screenshots", str(tmp_path / "file")]
    assert main(line) == 2
    assert "screenshots are written into a folder, and" in capsys.readouterr().err
