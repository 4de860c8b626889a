from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from distrl.bench.dashboard.synthetic_run import play_some
from distrl.cli.main import main
from distrl.config import RunConfig
from distrl.replay.store.sqlite import SqliteStore
from distrl.run.state.folder import create_run
from distrl.types import Outcome


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = create_run(tmp_path_factory.mktemp("runs") / "run", RunConfig())
    with SqliteStore(folder.episodes) as store:
        for number, episode in enumerate(play_some(3, policy="scripted")):
            failed = {"outcome": Outcome.FALSE_COMPLETE} if number == 2 else {}
            store.add(replace(episode, **failed))  # type: ignore[arg-type]
    return folder.root


def frames(path: Path) -> int:
    with Image.open(path) as picture:
        return int(getattr(picture, "n_frames", 1))


@pytest.mark.parametrize("name", ["film.gif", "film.webp"])
def test_successes_become_a_moving_picture(
    run: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / name
    assert main(["film", str(run), "--steps", "1", "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "played-0" in said
    assert "played-2" not in said
    assert frames(out) > 4


def test_failures_are_shown_when_they_are_asked_for(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["film", str(run), "--any", "--steps", "1", "--out", str(tmp_path / "film.gif")]
    assert main(line) == 0
    assert "played-2" in capsys.readouterr().out


def test_a_named_episode_is_shown(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "film.gif"
    assert main(["film", str(run), "--episode", "played-1", "--out", str(out)]) == 0
    assert frames(out) > 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--episode", "nobody"], "there is no episode 'nobody'"),
        (["--steps", "99"], "lower --steps"),
        (["--out", "film.mp4"], "must end in .gif or .webp"),
    ],
)
def test_what_cannot_be_shown_is_explained(
    run: Path, options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["film", str(run), *options]) == 2
    assert words in capsys.readouterr().err


def test_a_folder_without_episodes_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["film", str(tmp_path)]) == 2
    assert "there are no episodes" in capsys.readouterr().err


def test_damaged_episodes_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "episodes.sqlite").write_bytes(b"damaged")
    assert main(["film", str(tmp_path)]) == 2
    assert "this is not an episode store" in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_told_before_anything_is_drawn(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["film", str(run), "--out", str(tmp_path / "none" / "film.gif")]) == 2
    assert f"there is no folder {tmp_path / 'none'}" in capsys.readouterr().err
