from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.run.conftest import small_config
from tests.run.runs import fake_run

from distrl.cli.main import main
from distrl.cli.second_judge import JudgeArguments, require_held_out
from distrl.errors import ConfigError
from distrl.run.state.folder import create_run

LINE = ["eval", "--policy", "noisy", "--error-rate", "0.4", "--tasks", "8"]
KEYS = [
    *("judge", "judge_success", "judge_void", "judge_agreement"),
    *("judge_false_positive", "judge_false_negative", "judge_apart"),
]


def test_the_figures_of_the_judge_stand_beside_those_of_the_state(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*LINE, "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert main([*LINE, "--json", "--judge", "state"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert {key: figures[key] for key in alone} == alone
    assert [key for key in figures if key not in alone] == KEYS
    assert figures["judge"] == "state"
    assert figures["judge_success"] == figures["success"]
    assert (figures["judge_agreement"], figures["judge_void"]) == (1.0, 0.0)


def test_a_judge_at_an_endpoint_may_be_of_another_opinion(
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = ["eval", "--policy", "scripted", "--tasks", "6", "--judge", "vlm"]
    assert main([*line, "--judge-endpoint", "scripted"]) == 0
    shown = capsys.readouterr().out
    assert "held-out judge vlm: success 0.000 where it decided" in shown
    assert "agrees with the state check on 0.000 of its verdicts" in shown


def test_a_judge_that_never_decides_ends_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["eval", "--policy", "scripted", "--tasks", "1", "--judge", "vlm", "--model", "m"]
    # Nobody listens there, and a rate limit leaves no turn for a second try.
    code = main([*line, "--endpoint", "http://127.0.0.1:9/v1", "--per-minute", "0.1"])
    assert code == 1
    assert "held-out judge vlm: every verdict is void" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--judge", "ocrr"], "did you mean 'ocr'?"),
        (["--judge", "vote:state"], "two or more different judges"),
        (["--judge", "vlm"], "the judge vlm needs --endpoint URL and --model NAME"),
        (["--juge", "ocr"], "did you mean '--judge'?"),
    ],
)
def test_a_judge_that_there_is_not_ends_with_2(
    more: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*LINE, *more]) == 2
    shown = capsys.readouterr()
    assert told in shown.err
    assert shown.out == ""


def test_a_run_is_not_evaluated_by_the_judge_that_rewarded_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = str(tmp_path / "run")
    fake_run(Path(root), small_config("judge.name=vote:state,ocr", "judge.rewards=true"))
    assert main(["eval", "--policy", root, "--judge", "state", "--tasks", "2"]) == 2
    assert "state rewarded the run" in capsys.readouterr().err


def judge(name: str, model: str = "") -> JudgeArguments:
    return JudgeArguments(judge=name, endpoint="http://h/v1", model=model)


def test_another_model_is_another_judge(tmp_path: Path) -> None:
    root = str(tmp_path / "run")
    at = ("judge.endpoint=http://h/v1", "judge.model=small", "judge.rewards=true")
    create_run(Path(root), small_config("judge.name=vlm", *at))
    require_held_out(judge("vlm", "large"), root)
    require_held_out(judge("ocr"), root)
    with pytest.raises(ConfigError, match=r"vlm \(small at http://h/v1\) rewarded the run"):
        require_held_out(judge("vote:ocr,vlm", "small"), root)


def test_a_judge_that_only_looked_on_may_evaluate(tmp_path: Path) -> None:
    root = str(tmp_path / "run")
    create_run(Path(root), small_config("judge.name=ocr"))
    require_held_out(judge("ocr"), root)
    require_held_out(judge("ocr"), "scripted")
