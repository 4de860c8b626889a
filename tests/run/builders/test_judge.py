"""Judges in whole runs: who rewards, when the alarm is raised, and what nobody learns from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import pytest
from tests.collect.test_collector import Shelf
from tests.run.conftest import small_config
from tests.tasks.judges.episodes import play_task

from distrl.cli.main import main
from distrl.errors import ConfigError
from distrl.monitor.alerts import raised
from distrl.monitor.jsonl import read_records
from distrl.replay.store.sqlite import StoreReader
from distrl.run.builders.judge import RunJudge, require_judge
from distrl.run.processes.supervisor import Supervisor
from distrl.run.state.folder import RunFolder
from distrl.run.train import train
from distrl.services.scripted_server import Request, ScriptedServer
from distrl.types import Episode, Outcome

DEADLINE = 60.0
_CODE = re.compile(r"<<<(\w+)")


def yes(request: Request) -> str:
    found = _CODE.search(request.text)
    assert found is not None
    return json.dumps({"case": found[1], "success": True, "reason": "it looks fine"})


@pytest.fixture
def flattering() -> Iterator[ScriptedServer]:
    """A model that says yes to everything."""
    with ScriptedServer(yes) as server:
        yield server


@pytest.fixture
def moody() -> Iterator[ScriptedServer]:
    """A model that says yes to every other question, and nonsense to the rest."""
    turn = count()
    with ScriptedServer(lambda asked: "who knows" if next(turn) % 2 else yes(asked)) as server:
        yield server


def judged_run(root: Path, server: ScriptedServer, *more: str) -> list[Episode]:
    """The episodes of a small run whose judge asks a server."""
    at = (f"judge.endpoint={server.base_url}", "judge.model=m", "judge.price_prompt=1000")
    brief = ("evaluate.before=false", "evaluate.tasks=1", "monitor.every_seconds=0.05")
    config = small_config("judge.name=vlm", *at, *brief, *more)
    train(config, run_dir=root)
    with StoreReader(RunFolder(root).episodes) as store:
        return [store.get(name) for name in store.ids()]


def numbers(root: Path, part: str) -> dict[str, float]:
    """The last value of every number of a part."""
    found: dict[str, float] = {}
    for record in read_records(root / "metrics" / f"{part}.jsonl"):
        found.update(record.numbers)
    return found


def test_a_judge_that_is_flattered_raises_the_alarm_and_rewards_nobody(
    tmp_path: Path, flattering: ScriptedServer
) -> None:
    episodes = judged_run(tmp_path / "run", flattering, "max_episodes=54")
    assert len(episodes) == 54
    for episode in episodes:
        assert [verdict.judge for verdict in episode.verdicts] == ["state", "vlm"]
        assert episode.succeeded is episode.verdicts[0].success
        assert episode.steps[-1].reward == float(episode.succeeded)
    told = numbers(tmp_path / "run", "collect")
    assert told["collect/judge_apart"] > 0.1
    assert told["services/cost"] == pytest.approx(0.01 * len(flattering.requests))
    assert RunFolder(tmp_path / "run").judge_costs.is_file()
    assert "judge_apart" in [alert.name for alert in raised(tmp_path / "run")]


def test_a_judge_that_rewards_decides_and_nobody_learns_from_what_it_leaves_open(
    tmp_path: Path, moody: ScriptedServer
) -> None:
    root = tmp_path / "run"
    episodes = judged_run(root, moody, "max_episodes=24", "judge.rewards=true")
    said = {True: 0, False: 0, None: 0}
    for episode in episodes:
        verdict = episode.verdicts[-1]
        said[verdict.success] += 1
        assert episode.succeeded is (verdict.success is True)
        assert episode.steps[-1].reward == float(verdict.success is True)
        assert episode.outcome.trainable is (verdict.success is not None)
    assert said[True] and said[None]
    assert {e.outcome for e in episodes if not e.outcome.trainable} == {Outcome.TASK_ERROR}
    assert numbers(root, "learn")["replay/skipped"] == said[None]
    assert sorted(RunFolder(root).acknowledged.read_text().split()) == sorted(
        episode.id for episode in episodes
    )
    assert len({episode.task.id for episode in episodes}) > 1
    assert not [episode.id for episode in episodes if "." in episode.id]  # no second attempts


def test_a_run_whose_judge_rewards_and_never_decides_does_not_end_with_0(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ScriptedServer(lambda _: "who knows") as speechless:
        judge = {"judge.name": "vlm", "judge.endpoint": speechless.base_url, "judge.model": "m"}
        brief = {"evaluate.before": "false", "evaluate.tasks": "1", "max_episodes": "6"}
        given = {**judge, **brief, "judge.rewards": "true"}
        line = [f"{key}={value}" for key, value in given.items()]
        root = str(tmp_path / "run")
        assert main(["train", "--recipe", "debug", "--run-dir", root, *line]) == 1
    told = capsys.readouterr().err
    assert "the judge vlm, which rewards, could decide on none of " in told
    assert "vlm is void: the answer is no verdict" in told


def test_a_run_without_a_judge_has_nobody_to_set_going() -> None:
    judge = RunJudge(small_config(), None, finish=lambda episode: episode)  # type: ignore[arg-type]
    assert judge.judging is None
    assert judge.gauges() == {}
    judge.close()


def test_the_scripted_endpoint_needs_no_model_and_ends_with_the_run() -> None:
    config = small_config("judge.name=vlm", "judge.endpoint=scripted")
    judge = RunJudge(config, None, finish=lambda episode: episode)  # type: ignore[arg-type]
    assert judge.gauges()["services/requests"] == 0
    judge.close()


def test_a_package_that_a_judge_needs_is_missed_before_the_run_begins(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("distrl.run.builders.judge.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install 'distrl\[ocr\]'"):
        train(small_config("judge.name=ocr"), run_dir=tmp_path / "run")
    assert not (tmp_path / "run").exists()
    require_judge(small_config("judge.name=state"))


@pytest.mark.skipif(find_spec("rapidocr") is None, reason="needs rapidocr")
def test_judges_that_need_no_network_vote_on_the_phones_of_the_run() -> None:
    config = small_config("judge.name=vote:ocr,state", "phone.layout=2", "judge.seconds=600")
    store, supervisor = Shelf(), Supervisor()
    judge = RunJudge(config, store, finish=lambda episode: episode)
    assert judge.judging is not None
    judge.start(supervisor)
    played = play_task("scripted", phone=config.phone)
    future = judge.judging.hand_over(played)
    assert future is not None
    future.result(DEADLINE)
    supervisor.stop(timeout=DEADLINE)
    judge.close()
    (stored,) = store.episodes
    assert [verdict.judge for verdict in stored.verdicts] == ["state", "vote"]
    assert "state: success" in stored.verdicts[-1].reason
