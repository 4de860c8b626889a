from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.run.conftest import small_config
from tests.run.runs import fake_run

from distrl.cli.main import main
from distrl.learn import captioner_training
from distrl.learn.captioner_training import CaptionSettings
from distrl.run.builders import pretrained


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the package would have its policies: nothing is there yet."""
    monkeypatch.setattr(pretrained, "FOLDER", tmp_path / "shipped")
    return tmp_path / "shipped"


def test_a_policy_is_made_listed_and_evaluated_by_its_name(
    shipped: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = fake_run(tmp_path / "run", small_config())
    assert main(["pretrained", "make", "--run", str(run.root), "--tasks", "2", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["name"], made["tasks"]) == ("general", 2)
    assert sorted(path.name for path in shipped.iterdir()) == [
        "general.json",
        "general.safetensors",
    ]
    assert main(["pretrained", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"count": 1, "rows": [made]}
    line = ["eval", "--policy", "pretrained", "--split", "test", "--tasks", "2", "--json"]
    for without in ("nothing", "pixels", "elements"):
        assert main([*line, "--without", without]) == 0
        figures = json.loads(capsys.readouterr().out)
        assert figures["episodes"] == 2
        if without == "nothing":
            assert figures["success"] == made["success"]


def test_people_get_a_table(
    shipped: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = fake_run(tmp_path / "run", small_config())
    words = ["make", "--run", str(run.root), "--tasks", "1", "--name", "mine"]
    assert main(["pretrained", *words, "--out", str(tmp_path / "out")]) == 0
    assert "mine" in capsys.readouterr().out
    assert main(["pretrained", "list", "--out", str(tmp_path / "out")]) == 0
    assert "mine" in capsys.readouterr().out
    assert not shipped.exists()


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["eval", "--policy", "pretrained"], "distrl pretrained make --run RUN"),
        (["eval", "--policy", "pretraned"], "did you mean 'pretrained'?"),
        (["pretrained", "mak"], "did you mean 'make'?"),
        (["pretrained", "make", "--runs", "x"], "did you mean '--run'?"),
        (["pretrained", "make", "--run", "nowhere"], "there is no run at nowhere"),
    ],
)
def test_bad_input_ends_with_2(
    argv: list[str], message: str, shipped: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert "Traceback" not in shown.err


def test_a_folder_of_the_same_name_does_not_hide_the_policy(
    shipped: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "pretrained").mkdir()
    monkeypatch.chdir(tmp_path)
    assert main(["eval", "--policy", "pretrained"]) == 2
    assert "no pretrained policy is installed" in capsys.readouterr().err
    assert main(["eval", "--policy", "./pretrained"]) == 2
    assert "has no whole checkpoint" in capsys.readouterr().err


def test_a_damaged_policy_is_told(
    shipped: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = fake_run(tmp_path / "run", small_config())
    assert main(["pretrained", "make", "--run", str(run.root), "--tasks", "1", "--json"]) == 0
    (shipped / "general.safetensors").write_bytes(b"half")
    assert main(["eval", "--policy", "pretrained"]) == 2
    assert "install distrl again" in capsys.readouterr().err


def test_captions_are_made_as_asked_and_progress_goes_to_stderr(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[object] = []

    def make(settings: CaptionSettings, told: Callable[[str], None]) -> str:
        asked.append(settings)
        told("drawing")
        return "made"

    def write(captioner: str, path: Path | None, *, code: str) -> dict[str, object]:
        asked.append((captioner, path))
        return {"names": 9, "code": code}

    monkeypatch.setattr(captioner_training, "train_captioner", make)
    monkeypatch.setattr(captioner_training, "write_captioner", write)
    out = tmp_path / "captions.safetensors"
    line = ["pretrained", "captions", "--seed", "4", "--out", str(out)]
    assert main([*line, "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["names"] == 9
    assert shown.err == "drawing\n"
    assert main([*line, "--quick"]) == 0
    assert "names" in capsys.readouterr().out
    quick = replace(captioner_training.QUICK, seed=4)
    assert asked == [CaptionSettings(seed=4), ("made", out), quick, ("made", out)]


def test_a_folder_that_is_not_there_is_no_empty_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pretrained", "list", "--out", str(tmp_path / "missing")]) == 2
    assert "there is no folder" in capsys.readouterr().err


@pytest.mark.parametrize("out", ["", "none/captions.safetensors"])
def test_a_place_where_captions_cannot_be_written_is_told_before_they_are_made(
    out: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pretrained", "captions", "--out", str(tmp_path / out)]) == 2
    assert "--out is a file in a folder that is there" in capsys.readouterr().err
