from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.contracts.store import make_episode

from distrl.cli.main import main
from distrl.replay.store.sqlite import SqliteStore, StoreReader


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "episodes.sqlite"
    with SqliteStore(path) as store:
        for number in range(3):
            store.add(make_episode(f"e{number}", seed=number))
    return path


def test_episodes_go_out_and_come_in_again(
    stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    out, back = tmp_path / "run.parquet", tmp_path / "back.sqlite"
    assert main(["export", "episodes", str(stored), "--out", str(out), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["episodes"] == 3
    assert figures["size_mb"] > 0
    assert main(["export", "episodes", str(out), "--out", str(back)]) == 0
    assert "3 episodes" in capsys.readouterr().out
    with StoreReader(stored) as first, StoreReader(back) as second:
        assert first.ids() == second.ids()
        second.verify()


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["export", "episodes", "STORED", "--out", "run.csv"], ".parquet or .sqlite"),
        (["export", "episodes", "STORED", "--out", "nowhere/run.parquet"], "no folder"),
        (["export", "episodes", "STORED", "--out", "STORED"], "there already"),
        (["export", "episodes", "nothing", "--out", "run.parquet"], "no episodes"),
        (["export", "policy", "--out", "x", "--observations", "2"], "at least 3"),
        (["export", "polices"], "did you mean 'policy'?"),
    ],
)
def test_what_cannot_be_ends_with_2(
    argv: list[str],
    said: str,
    stored: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(stored.parent)
    assert main([str(stored) if word == "STORED" else word for word in argv]) == 2
    assert said in capsys.readouterr().err
