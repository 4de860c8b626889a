from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from distrl.cli.main import main
from distrl.clock import RealClock
from distrl.services.scripted_server import ScriptedServer
from distrl.types import Task
from distrl.web.play.session import Session, SessionParts


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--suite", "generl"], "did you mean 'general'"),
        (["--split", "tset"], "did you mean 'test'"),
        (["--task", "general/val/64"], "the numbers 0 to 63"),
        (["--task", "seven"], "SUITE/SPLIT/NUMBER"),
        (["--policy", "pretraind"], "did you mean 'pretrained'"),
        (["--policy", "runs/none"], "there is no run in runs/none"),
        (["--policy", "api"], "the policy api needs --endpoint URL and --model NAME"),
        (["--port", "70000"], "--port must be a whole number, from 0 to 65535, got 70000"),
        (["--nuisance-rate", "2"], "nuisance_rate"),
        (["--no-opn"], "--no-open"),
    ],
)
def test_what_there_is_not_is_refused_in_one_line(
    options: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *options]) == 2
    shown = capsys.readouterr()
    assert told in shown.err
    assert len(shown.err.splitlines()) == 1
    assert shown.out == ""


def test_a_folder_of_a_run_is_refused_for_demonstrations(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.yaml").touch()
    assert main(["play", "--out", str(tmp_path)]) == 2
    assert "is the folder of a run" in capsys.readouterr().err


def test_the_address_is_printed_and_opened_unless_told_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("distrl.cli.play.signals_noted", lambda: nullcontext(lambda: None))
    monkeypatch.setattr("distrl.web.play.serve.open_page", opened.append)
    out = str(tmp_path / "demos")
    assert main(["play", "--out", out, "--policy", "random", "scripted"]) == 0
    (address,) = opened
    assert capsys.readouterr().out.splitlines() == [f"Play here: {address}", "Ctrl-C ends it."]
    assert main(["play", "--out", out, "--no-open"]) == 0
    assert len(opened) == 1
    assert not Path(out).exists()


def test_a_prompted_model_is_offered_and_acts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions: list[Session] = []

    def note(parts: SessionParts, task: Task, *, policy: str) -> Session:
        sessions.append(Session(parts, task, policy=policy))
        return sessions[-1]

    def until_it_acted() -> None:
        session = sessions[0]
        assert RealClock().wait_until(lambda: bool(session.snapshot.history), timeout=60.0)
        assert session.snapshot.history[0].who == "api"

    monkeypatch.setattr("distrl.cli.play.signals_noted", lambda: nullcontext(until_it_acted))
    monkeypatch.setattr("distrl.web.play.serve.Session", note)
    with ScriptedServer(lambda _: "press(home)") as server:
        endpoint = ["--endpoint", server.base_url, "--model", "scripted"]
        options = ["--out", str(tmp_path / "demos"), "--no-open", "--policy", "api"]
        assert main(["play", *options, *endpoint]) == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_it_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    command = [
        sys.executable,
        "-m",
        "distrl",
        "play",
        "--no-open",
        "--out",
        str(tmp_path / "demos"),
    ]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("Play here: http://127.0.0.1:")
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, errors) == (0, "")


def test_an_option_that_would_do_nothing_beside_a_task_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["play", "--task", "general/val/0", "--split", "test"]) == 2
    assert "says which task: leave --split out" in capsys.readouterr().err
