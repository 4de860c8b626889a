import json
from pathlib import Path

import pytest

from distrl.cli.main import main
from distrl.collect.evaluation.evaluate import Report
from distrl.collect.evaluation.statistics import summarise
from distrl.config.factors import Factor
from distrl.services.scripted_server import ScriptedServer

KEYS = [
    *("success", "low", "high", "episodes", "false_complete", "side_effects"),
    *("mean_steps", "oracle_steps", "rows"),
]


def test_json_has_exactly_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "--policy", "scripted", "--tasks", "8", "--json"]) == 0
    shown = capsys.readouterr()
    figures = json.loads(shown.out)
    assert list(figures) == KEYS
    assert figures["success"] == figures["high"] == 1.0
    assert figures["episodes"] == sum(row["episodes"] for row in figures["rows"]) == 8
    assert shown.err == ""


def test_the_table_has_a_row_per_template_and_one_for_all(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["eval", "--split", "train", "--template", "set_alarm", "--tasks", "3"]) == 0
    shown = capsys.readouterr().out
    assert "scripted on general/train" in shown
    assert "set_alarm" in shown
    assert "all" in shown
    assert "0.439 - 1.000" in shown


def test_options_reach_the_evaluation(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["eval", "--json", "--tasks", "6", "--policy", "noisy", "--split", "train"]

    def mean_steps(*more: str) -> float:
        assert main([*line, *more]) == 0
        steps: float = json.loads(capsys.readouterr().out)["mean_steps"]
        return steps

    plain = mean_steps("--error-rate", "0", "--nuisance-rate", "0")
    assert mean_steps("--error-rate", "0", "--nuisance-rate", "1") > plain
    erring = mean_steps("--error-rate", "0.5", "--nuisance-rate", "0")
    assert erring != plain
    assert mean_steps("--error-rate", "0.5", "--nuisance-rate", "0", "--seed", "9") != erring


def test_the_second_layout_can_be_evaluated(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "--layout", "2", "--tasks", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["success"] == 1.0


@pytest.mark.parametrize(
    ("argv", "nearest"),
    [
        (["--policy", "scriptd"], "'scripted'"),
        (["--suite", "shoping"], "'shopping'"),
        (["--split", "unsen"], "'unseen'"),
        (["--template", "set_alarn"], "'set_alarm'"),
        (["--eror-rate", "0.1"], "'--error-rate'"),
    ],
)
def test_a_wrong_name_ends_with_2_and_the_nearest(
    argv: list[str], nearest: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", *argv]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"did you mean {nearest}?" in shown.err
    assert "Traceback" not in shown.err


@pytest.mark.parametrize(
    "argv",
    [
        ["--policy", "noisy", "--error-rate", "2"],
        ["--nuisance-rate", "-1"],
        ["--tasks", "0"],
        ["--layout", "3"],
        ["--policy", "api", "--endpoint", "http://127.0.0.1:9/v1", "--temperature", "-1"],
    ],
)
def test_a_value_that_does_not_fit_ends_with_2(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", *argv]) == 2
    assert argv[-1] in capsys.readouterr().err


def test_a_prompted_model_answers_at_the_temperature_that_is_asked_for() -> None:
    with ScriptedServer(lambda _: "complete()") as server:
        line = ["eval", "--policy", "api", "--endpoint", server.base_url, "--model", "m"]
        assert main([*line, "--tasks", "1", "--json"]) == 0
        assert main([*line, "--tasks", "1", "--temperature", "0.7", "--json"]) == 0
    assert [request.body["temperature"] for request in server.requests] == [0.0, 0.7]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--error-rate", "0.5"], "--error-rate is for the policy noisy"),
        (["--policy", "random", "--pictures"], "--pictures is for the policy api"),
        (["--policy", "random", "--temperature", "-1"], "--temperature is for the policy api"),
        (
            ["--endpoint", "http://127.0.0.1:9/v1"],
            "--endpoint is for the policy api and for judges",
        ),
        (["--cap", "1"], "--cap is for the policy api and for judges"),
        (["--phones", "android"], "--phones is for goals for phones over adb"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(
    options: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", "--tasks", "1", *options]) == 2
    assert told in capsys.readouterr().err


WEBAPP = str(Path(__file__).resolve().parents[2] / "examples" / "webapp" / "suite.yaml")


@pytest.mark.parametrize("option", [["--layout", "2"], ["--nuisance-rate", "0"]])
def test_options_of_embedded_phones_are_refused_for_pages(
    option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", "--policy", "random", "--suite", WEBAPP, *option]) == 2
    assert f"{option[0]} is for suites of embedded phones" in capsys.readouterr().err


def test_tasks_that_ask_for_the_same_thing_are_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing = Report(overall=summarise("all", []), rows=(), faults=())
    monkeypatch.setattr("distrl.run.evaluate.evaluate_tasks", lambda *_, **__: nothing)
    line = ["eval", "--policy", "random", "--suite", WEBAPP, "--split", "test"]
    main([*line, "--template", "clear"])
    assert "20 of these tasks have 1 different goals" in capsys.readouterr().out
    main([*line, "--template", "clear", "--tasks", "1"])
    assert "different goals" not in capsys.readouterr().out


STARTER = ["eval", "--suite", "starter", "--policy", "noisy", "--tasks", "4"]


def test_factors_have_a_row_each_below_the_plain_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*STARTER, "--factors", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert list(figures) == ["policy", "suite", "split", "rows"]
    assert [row["factor"] for row in figures["rows"]] == ["plain", *Factor]
    keys = ["factor", "setting", "success", "low", "high", "tasks", "kept"]
    assert all(list(row) == keys for row in figures["rows"])
    plain = figures["rows"][0]["success"]
    assert all(row["kept"] == row["success"] / plain for row in figures["rows"])


def test_factors_are_a_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*STARTER, "--factors"]) == 0
    shown = capsys.readouterr().out
    assert "dropped_frames" in shown and "German words" in shown


def test_a_card_is_written_and_holds_until_somebody_changes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "cards" / "card.html"
    assert main([*STARTER, "--card", str(page)]) == 0
    assert str(page) in capsys.readouterr().out.replace("\n", "")
    assert main(["eval", "--verify", str(page)]) == 0
    assert "the card holds" in capsys.readouterr().out
    figures = page.with_suffix(".json")
    tree = json.loads(figures.read_text("utf-8"))
    tree["overall"]["success"] = 0.987
    figures.write_text(json.dumps(tree), "utf-8")
    assert main(["eval", "--verify", str(figures)]) == 1
    shown = capsys.readouterr().out
    assert "overall.success" in shown and "does not hold: 1 differ" in shown
    assert main(["eval", "--verify", str(figures), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["holds"] is False and told["differences"][0]["card"] == "0.987"


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["--verify", "nowhere.json"], "there is no score card in nowhere.json"),
        (["--verify", "pyproject.toml"], "a score card is a page (.html)"),
        (["--verify", "card.json", "--tasks", "3"], "--tasks would do nothing beside --verify"),
        (["--verify", "card.json", "--seed", "3"], "--seed would do nothing beside --verify"),
        (["--card", "card.pdf"], "a score card is a page (.html)"),
        (["--card", "card.html", "--policy", "api", "--model", "m"], "api may not"),
        (["--card", "card.html", "--factors"], "--factors is for evaluations without --card"),
        (["--suite", "miniwob", "--policy", "random", "--factors"], "--factors is for suites of"),
    ],
)
def test_a_card_that_cannot_be_made_or_read_ends_with_2(
    argv: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", *argv]) == 2
    shown = capsys.readouterr().err
    assert told in shown and "Traceback" not in shown
