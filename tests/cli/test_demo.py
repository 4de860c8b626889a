from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.envs.coins import install_coins

from distrl.cli.main import main
from distrl.collect.demonstrations import express_successes
from distrl.learn.ingest import trajectory_of
from distrl.policies.pointer.inputs import options_of
from distrl.replay.store.sqlite import StoreReader
from distrl.run.state.episode_sources import open_episodes
from distrl.tasks.suites import load_suite
from distrl.types import Action, Episode, Outcome, Situation, Task

TRAIN = load_suite("general").tasks("train")
TIMER = next(task for task in TRAIN if task.template == "start_timer")


def record(monkeypatch: pytest.MonkeyPatch, out: Path, lines: str, *options: str) -> int:
    """Record with these words as the whole input, a command each."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{w}\n" for w in lines.split())))
    return main(["demo", "record", "--out", str(out), "--nuisance-rate", "0", *options])


def listed(out: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["demo", "list", str(out), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def episodes_in(out: Path) -> list[Episode]:
    with StoreReader(out / "episodes.sqlite") as store:
        return [store.get(episode_id) for episode_id in store.ids()]


def number_of(words: str, shown: str) -> str:
    """The number of the element with these words on the last screen that was shown."""
    screen = shown.rsplit("-- ", 1)[1].splitlines()[1:]
    return next(line.split()[0] for line in screen if words in line)


def set_timer(task: Task, capsys: pytest.CaptureFixture[str]) -> Iterator[str]:
    """A person who reads the screen before every command, and errs once."""
    assert task.goal in capsys.readouterr().out
    yield "hmm"
    yield "home"
    yield "swipe up"
    for words in ("Clock", "Timer", "Minutes"):
        yield f"tap {number_of(words, capsys.readouterr().out)}"
    yield f"type {task.parameters['minutes']}"
    yield f"tap {number_of('Start', capsys.readouterr().out)}"
    yield "done"


def test_what_a_person_does_can_be_learned_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", set_timer(TIMER, capsys))
    line = ["demo", "record", "--task", TIMER.id, "--out", str(tmp_path), "--nuisance-rate", "0"]
    assert main(line) == 0
    assert "succeeded after 8 steps\nstored; 1 demonstrations" in capsys.readouterr().out

    (episode,) = episodes_in(tmp_path)
    assert (episode.task, episode.outcome) == (TIMER, Outcome.SUCCEEDED)
    assert [step.choice.log_prob for step in episode.steps] == [None] * 8
    assert [step.reward for step in episode.steps] == [0.0] * 7 + [1.0]
    assert episode.steps[0].observation.screen.shape == (400, 180, 3)
    assert episode.verdicts[0].success

    def express(situation: Situation, action: Action) -> tuple[tuple[int, ...] | None, bytes]:
        return options_of(situation).decision(action), b"seen"

    with open_episodes(tmp_path) as source:
        (shown,) = express_successes(source.episodes, express, suite="general", split="train")
    learned = trajectory_of(shown, lambda data: data)
    assert learned is not None
    assert len(learned) == 8
    assert learned.succeeded


def test_several_tasks_are_recorded_in_turn_from_piped_input(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "distrl", "demo"]
    done = subprocess.run(
        [*command, "record", "--suite", "shopping", "--out", str(tmp_path / "new" / "folder")],
        input="wait\ndone\ninfeasible\nback\n",
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    tasks = load_suite("shopping").tasks("train")
    assert all(task.goal in done.stdout for task in tasks[:3])
    assert done.stdout.endswith("stopped before the end\n")
    stored = episodes_in(tmp_path / "new" / "folder")
    assert [episode.task for episode in stored] == list(tasks[:2])
    assert [len(episode.steps) for episode in stored] == [2, 1]


def test_recording_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert record(monkeypatch, tmp_path, "done done") == 0
    assert record(monkeypatch, tmp_path, "done done done", "--tasks", "1") == 0
    assert record(monkeypatch, tmp_path, "done", "--task", TRAIN[0].id) == 0
    rows = listed(tmp_path, capsys)["rows"]
    assert [row["task"] for row in rows] == [task.id for task in (*TRAIN[:3], TRAIN[0])]
    assert len({row["id"] for row in rows}) == 4


def test_an_episode_that_is_left_early_is_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert record(monkeypatch, tmp_path, "back quit done") == 0
    assert "stopped before the end\nnothing was stored" in capsys.readouterr().out
    assert listed(tmp_path, capsys) == {"count": 0, "succeeded": 0, "rows": []}


def test_only_tasks_of_a_template_are_recorded_until_there_are_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    timers = [task.id for task in TRAIN if task.template == "start_timer"]
    options = ("--template", "start_timer")
    assert record(monkeypatch, tmp_path, "done " * len(timers), *options) == 0
    assert [row["task"] for row in listed(tmp_path, capsys)["rows"]] == timers
    assert record(monkeypatch, tmp_path, "done", *options) == 0
    assert "every task" in capsys.readouterr().out
    assert listed(tmp_path, capsys)["count"] == len(timers)


def test_the_list_tells_how_each_one_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    task = next(t for t in TRAIN if load_suite("general").template(t.template).infeasible)
    assert record(monkeypatch, tmp_path, "wait infeasible", "--task", task.id) == 0
    assert record(monkeypatch, tmp_path, "done", "--task", TIMER.id) == 0
    found = listed(tmp_path, capsys)
    assert list(found) == ["count", "succeeded", "rows"]
    assert (found["count"], found["succeeded"]) == (2, 1)
    first, second = found["rows"]
    assert list(first) == ["id", "task", "template", "outcome", "steps", "seconds"]
    assert (first["task"], first["template"]) == (task.id, task.template)
    assert (first["outcome"], first["steps"]) == ("succeeded", 2)
    assert (second["outcome"], second["steps"]) == ("false_complete", 1)
    assert second["id"].startswith(f"{TIMER.id}/person/")
    assert main(["demo", "list", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "start_timer" in shown
    assert "1 of 2 succeeded" in shown


def test_a_recording_of_another_split_is_warned_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert record(monkeypatch, tmp_path, "done", "--split", "test", "--tasks", "1") == 0
    assert "do not train on them" in capsys.readouterr().err


def test_the_screen_is_written_if_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = tmp_path / "now.png"
    assert record(monkeypatch, tmp_path, "wait", "--screen", str(picture)) == 0
    assert picture.stat().st_size > 0


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["recrod"], "did you mean 'record'?"),
        (["record", "--out", "{}", "--suite", "genral"], "did you mean 'general'?"),
        (["record", "--out", "{}", "--split", "trian"], "did you mean 'train'?"),
        (["record", "--out", "{}", "--task", "7"], "SUITE/SPLIT/NUMBER"),
        (["record", "--out", "{}", "--tasks", "0"], "at least 1"),
        (["record", "--out", "{}/taken"], "taken"),
        (["record", "--out", "{}/run"], "is the folder of a run"),
        (["record", "--out", "{}/damaged"], "damaged"),
        (["list", "{}/nowhere"], "no demonstrations in"),
        (["list", "{}/damaged"], "damaged"),
    ],
)
def test_what_does_not_fit_ends_with_2_and_says_why(
    argv: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").touch()
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.yaml").touch()
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "episodes.sqlite").write_bytes(b"not a database" * 100)
    assert main(["demo", *(word.format(tmp_path) for word in argv)]) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert "Traceback" not in shown.err


def test_a_suite_of_a_plug_in_is_recorded_on_its_own_devices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_coins(tmp_path, monkeypatch)
    out = tmp_path / "demos"
    assert record(monkeypatch, out, "wait wait", "--suite", "coins", "--tasks", "2") == 0
    episodes = episodes_in(out)
    assert [episode.outcome for episode in episodes] == [Outcome.FAILED, Outcome.SUCCEEDED]
    assert {episode.task.goal for episode in episodes} == {"whatever"}


def test_an_option_that_would_do_nothing_beside_a_task_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert (
        main(["demo", "record", "--out", "demos", "--task", "general/train/0", "--template", "a"])
        == 2
    )
    assert "says which task: leave --template out" in capsys.readouterr().err
