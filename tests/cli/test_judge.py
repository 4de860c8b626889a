from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from tests.tasks.judges.episodes import play_task

from distrl.cli.main import main
from distrl.collect.judging.adversarial import make_adversarial
from distrl.replay.store.sqlite import SqliteStore
from distrl.services.scripted_server import Request, ScriptedServer

KEYS = {"agreement", "false_positive", "false_negative", "fake_verdicts_accepted", "void", "rows"}


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A few played episodes and a few that try to deceive."""
    path = tmp_path_factory.mktemp("audit") / "episodes.sqlite"
    with SqliteStore(path) as store:
        for number in range(2):
            store.add(play_task("scripted", number))
        for episode in make_adversarial(8):
            store.add(episode)
    return str(path)


def test_the_state_judge_agrees_with_what_is_known(
    stored: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["judge", "audit", stored, "--judge", "state", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures.keys() >= KEYS
    assert figures["agreement"] == 1.0
    assert figures["episodes"] == 10
    assert figures["fake_verdicts_accepted"] == 0
    # The screens that were made blank are not what the phone showed.
    assert figures["void"] == pytest.approx(0.2)


def test_a_model_that_believes_screens_lets_no_fake_through(
    stored: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["judge", "audit", stored, "--judge", "vlm", "--endpoint", "scripted", "--json"]
    main(line)
    figures = json.loads(capsys.readouterr().out)
    assert figures["fake_verdicts_accepted"] == 0
    kinds = {row["part"]: row for row in figures["rows"]}
    assert kinds["verdict"]["void"] == kinds["orders"]["void"] == kinds["success"]["void"] == 1.0


def test_an_audit_tells_on_stderr_how_many_episodes_are_judged(
    stored: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("distrl.cli.output._LINE_SECONDS", 0.0)
    main(["judge", "audit", stored, "--judge", "state", "ocr", "--json"])
    shown = capsys.readouterr()
    json.loads(shown.out)
    assert "judging episodes: 10 of 20\n" in shown.err
    assert shown.err.count("judging episodes: 20 of 20\n") == 1


def test_an_endpoint_that_is_named_is_asked(
    stored: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["judge", "audit", stored, "--endpoint", "scripted", "--json"])
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {row["judge"] for row in rows} == {"state", "vlm"}


def test_a_judge_that_decides_nothing_ends_with_1_and_says_why(
    stored: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with ScriptedServer(lambda request: "I would rather not say") as server:
        line = ["--endpoint", server.base_url, "--model", "m", "--judge", "vlm"]
        assert main(["judge", "audit", stored, *line]) == 1
    assert "vlm decided none of 2 episodes: " in capsys.readouterr().err


def test_judges_that_ask_the_same_model_share_its_budget_and_its_answers(
    stored: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def no(request: Request) -> str:
        code = re.findall(r"for case (\w+)", request.text)[0]
        return json.dumps({"case": code, "success": False, "reason": "no"})

    asked = []
    for judges in (["vlm"], ["vlm", "vote:state,vlm"]):
        with ScriptedServer(no) as server:
            line = ["--endpoint", server.base_url, "--model", "m", "--judge", *judges]
            main(["judge", "audit", stored, *line, "--json"])
            asked.append(len(server.requests))
        rows = json.loads(capsys.readouterr().out)["rows"]
        assert {row["judge"] for row in rows} == set(judges)
    assert asked[0] == asked[1] > 0


def test_several_judges_have_rows_of_their_own_and_a_table(
    stored: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n" * 20))
    code = main(["judge", "audit", stored, "--judge", "human", "vote:state,human"])
    shown = capsys.readouterr()
    assert code == 1
    assert "human" in shown.out
    assert "vote:" in shown.out
    assert "do not reward with it" in shown.err


def test_fewer_episodes_are_spread_over_the_source(
    stored: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["judge", "audit", stored, "--episodes", "5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["episodes"] == 5


def test_adversarial_episodes_are_written_to_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "fakes.sqlite"
    assert main(["judge", "adversarial", "--out", str(out), "--episodes", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["episodes"] == 4
    assert main(["judge", "adversarial", "--out", str(out)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert main(["judge", "adversarial", "--out", str(tmp_path / "fakes.parquet")]) == 2
    assert "--out must end in .sqlite" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--judge"], "needs the name of a judge"),
        (["--judge", "stat"], "did you mean 'state'?"),
        (["--judge", "vote"], "unknown judge 'vote'"),
        (["--judge", "vote:state,ocrr"], "did you mean 'ocr'?"),
        (["--judge", "vlm"], "needs --endpoint"),
        (["--judge", "vlm", "--endpoint", "nowhere", "--model", "m"], "http://"),
        (["--judge", "vlm", "--endpoint", "http://[x", "--model", "m"], "no address"),
        (["--judge", "vlm", "--endpoint", "scripted", "--cache", "/no/such/c"], "no folder /no/"),
        (
            ["--judge", "vlm", "--endpoint", "scripted", "--costs", "/no/such/l"],
            "no folder /no/",
        ),
        (["--judge", "vlm", "--endpoint", "scripted", "--cap", "1"], "prices"),
        (["--episodes", "0"], "at least 1"),
        (["--jugde", "state"], "did you mean '--judge'?"),
    ],
)
def test_what_cannot_be_ends_with_2(
    argv: list[str], said: str, stored: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["judge", "audit", stored, *argv]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("name", ["nothing-here", ""])
def test_a_source_without_episodes_ends_with_2(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["judge", "audit", str(tmp_path / name)]) == 2
    assert "there" in capsys.readouterr().err
