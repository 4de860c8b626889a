from __future__ import annotations

import socket
from dataclasses import replace
from pathlib import Path

import pytest
from tests.run.conftest import small_config
from tests.tasks.judges.episodes import play_task

from distrl.cli.main import main
from distrl.config import load_run_config
from distrl.errors import ConfigError
from distrl.replay.store.sqlite import SqliteStore
from distrl.run.startable import check_startable
from distrl.run.state.episode_sources import write_store
from distrl.types import Outcome

ANY_APP = 'collect.android.safety.apps=["*"]'
PHONES = ("collect.devices=0", ANY_APP, "init=scratch")


def test_a_run_with_right_names_may_start() -> None:
    check_startable(small_config())


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("algorithm.name=a_rid", "did you mean 'a_ride'?"),
        ("policy.name=pointr", "did you mean 'pointer'?"),
        ("tasks.suite=genral", "did you mean 'general'?"),
        ("tasks.suite=general:open_ap", "did you mean 'open_app'?"),
        ("tasks.suite=goals.yaml", "cannot read the suite 'goals.yaml'"),
        ("tasks.split=trian", "unknown tasks.split 'trian'; did you mean 'train'?"),
        ("evaluate.split=tset", "unknown evaluate.split 'tset'; did you mean 'test'?"),
        ("init=warmstart", "did you mean 'warm_start'?"),
        ("init=pretrained:generl", "did you mean 'general'?"),
        ("init=runs/nowhere", "unknown init 'runs/nowhere'"),
        ("phone.nuisance_weights={promotion: 1}", "did you mean 'promo'?"),
        ("phone.layouts={clok: 2}", "did you mean 'clock'?"),
        ("policy.options={width: 3}", "it has no key 'width'"),
        ("monitor.trackers={mlflo: {}}", "unknown tracker 'mlflo'"),
    ],
)
def test_wrong_names_are_found_by_a_dry_run_with_the_nearest_right_one(
    setting: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--recipe", "debug", "--dry-run", setting]) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert "min_episodes" in shown.out  # the settings are shown all the same


def test_a_split_without_tasks_is_refused_with_those_that_have_some() -> None:
    with pytest.raises(ConfigError, match=r"no tasks in it .*train, val, test"):
        check_startable(small_config("tasks.suite=starter", "evaluate.split=unseen"))


def test_everything_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        check_startable(small_config("algorithm.name=a_rid", "init=scrach"))
    assert [line.split("'")[1] for line in str(caught.value).splitlines()] == ["a_rid", "scrach"]


def test_a_warm_start_needs_a_store_with_episodes(tmp_path: Path) -> None:
    given = tmp_path / "given.sqlite"
    config = small_config("init=warm_start", f"warm_start.episodes={given}")
    with pytest.raises(ConfigError, match="there are no episodes in"):
        check_startable(config)
    SqliteStore(given).close()
    with pytest.raises(ConfigError, match="holds no episode"):
        check_startable(config)


def test_given_episodes_of_which_none_can_be_cloned_are_refused(tmp_path: Path) -> None:
    given = tmp_path / "given.sqlite"
    write_store([replace(play_task("scripted"), outcome=Outcome.FALSE_COMPLETE)], given)
    config = small_config("init=warm_start", f"warm_start.episodes={given}")
    with pytest.raises(ConfigError, match="none of whose 1 episodes can be cloned"):
        check_startable(config)


def test_given_episodes_that_no_init_would_clone_are_refused_by_a_dry_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = "warm_start.episodes=nowhere"
    assert main(["train", "--recipe", "debug", "--dry-run", given]) == 2
    assert "init is scratch, which clones nothing: set init=warm_start" in capsys.readouterr().err
    check_startable(small_config(given), resumed=True)


def test_a_resumed_run_does_not_need_what_it_started_from(tmp_path: Path) -> None:
    config = small_config(f"init={tmp_path / 'removed'}")
    check_startable(config, resumed=True)
    with pytest.raises(ConfigError, match="unknown init"):
        check_startable(config)


def test_a_judge_at_a_port_where_nobody_listens_is_refused() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # taken, and nobody listens
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        config = small_config("judge.name=vlm", f"judge.endpoint={address}", "judge.model=m")
        with pytest.raises(ConfigError, match=r"judge\.endpoint .* nobody answers"):
            check_startable(config)
        free.listen()
        check_startable(config)


def test_a_gpu_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    with pytest.raises(ConfigError, match="device is cuda, which this machine does not have"):
        check_startable(small_config("device=cuda"))


def test_a_phone_that_does_not_answer_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("adbutils")
    serials = 'collect.android.serials=["127.0.0.1:1"]'
    assert main(["train", "--recipe", "debug", "--dry-run", serials, *PHONES]) == 2
    assert "do not answer: 127.0.0.1:1 (" in capsys.readouterr().err


def test_pages_have_nobody_to_record_demonstrations() -> None:
    pytest.importorskip("miniwob")
    with pytest.raises(ConfigError, match="nobody knows the way in miniwob"):
        check_startable(small_config("tasks.suite=miniwob", "init=warm_start"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            ["init=pretrained", "policy.width=32"],
            "the weights in pretrained are of another network",
        ),
        (
            ["init=pretrained", "policy.name=lm"],
            "init is pretrained, a pointer, and policy.name is",
        ),
        (["collect.devices=1000000000"], "collect.devices must be less than or equal to 10000"),
        (["seed=12345678901234567890123"], "seed must be less than or equal to 9007199254740991"),
        (["learner.processes=1000000"], "learner.processes must be less than or equal to 1024"),
        (["collect.cassettes=/etc/hostname"], "collect.cassettes: /etc/hostname is not a folder"),
        (["init=/etc/hostname"], "init is /etc/hostname, a file; it takes"),
        (["--run-dir", ""], "--run-dir must be the path of a folder or a file, got ''"),
    ],
)
def test_what_a_run_would_refuse_a_dry_run_refuses(
    line: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--recipe", "debug", "--dry-run", *line]) == 2
    assert message in capsys.readouterr().err


def test_pretrained_weights_fit_the_policy_that_they_were_trained_with() -> None:
    check_startable(load_run_config("quickstart", ["init=pretrained"]))
