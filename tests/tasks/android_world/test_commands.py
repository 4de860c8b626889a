"""AndroidWorld by the commands that people type, on a served phone over the real adb."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.devices.adb_tools import needs_adbutils, own_server, served
from tests.run.conftest import small_config

from distrl.cli.main import main
from distrl.clock import RealClock
from distrl.collect.episode import run_episode
from distrl.config import RunConfig
from distrl.config.load import dump
from distrl.devices.android.adb import AdbServer
from distrl.devices.phone.adbd.shell import said
from distrl.devices.phone.adbd.tools import TOOLS
from distrl.errors import ConfigError
from distrl.policies.random import RandomPolicy
from distrl.run.builders.action_kinds import fit_kinds
from distrl.run.builders.android import Phones
from distrl.run.local.pipeline import make_env
from distrl.tasks.suites import load_suite

SOME = "#AlarmNote,HowManyNotes,TurnSettingOn"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdbServer]:
    with own_server(tmp_path_factory.mktemp("home")) as started:
        yield started


@pytest.fixture
def rooted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Served phones on which adb is root, as on an emulator after `adb root`."""
    monkeypatch.setitem(TOOLS, "whoami", lambda *_: said("root\n"))


def on_phone(suite: str, serial: str, *more: str) -> RunConfig:
    return small_config(
        f"tasks.suite={suite}",
        f'collect.android.serials=["{serial}"]',
        'collect.android.safety.apps=["*"]',
        "collect.devices=0",
        *more,
    )


def test_suites_lists_its_tasks(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suites", f"{small}{SOME}", "--split", "test", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["template"] for row in rows] == ["AlarmNote", "HowManyNotes", "TurnSettingOn"]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("androidworld:/no/such/place", "is no checkout of AndroidWorld"),
        ("{}#TurnSetingOn", "did you mean 'TurnSettingOn'?"),
        ("{}#ContactsNewContactDraft", "cannot be played over adb"),
    ],
)
@pytest.mark.parametrize("line", [["suites"], ["eval", "--policy", "random", "--suite"]])
def test_what_is_no_suite_ends_with_2_and_one_sentence(
    small: str, line: list[str], address: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*line, address.format(small)]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert "Traceback" not in told


def test_it_needs_phones_over_adb(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", f"tasks.suite={small}{SOME}", "--dry-run"]) == 2
    assert "are for phones over adb" in capsys.readouterr().err
    assert main(["eval", "--policy", "random", "--suite", f"{small}{SOME}"]) == 2
    assert "--phones RECIPE" in capsys.readouterr().err


def test_a_run_knows_before_it_starts_what_phones_lack(small: str) -> None:
    with pytest.raises(ConfigError, match=r"SimpleSmsReply need an SMS that arrives.*R58N"):
        Phones(
            on_phone(f"{small}#SimpleSmsReply", "R58N", 'collect.android.safety.opt_in=["R58N"]'),
            RealClock(),
        )
    closed = on_phone(f"{small}{SOME}", "127.0.0.1:1", 'collect.android.safety.apps=["org.notes"]')
    with pytest.raises(ConfigError, match=r"add com\.android\.settings"):
        Phones(closed, RealClock())


def test_policies_may_answer_where_tasks_ask(small: str) -> None:
    asking = fit_kinds(on_phone(f"{small}{SOME}", "127.0.0.1:1"))
    assert "answer" in (asking.policy.kinds or ())
    assert fit_kinds(on_phone(f"{small}#AlarmNote", "127.0.0.1:1")).policy.kinds is None


@needs_adbutils
@pytest.mark.usefixtures("rooted")
def test_its_tasks_are_played_over_adb(small: str, server: AdbServer) -> None:
    suite = f"{small}{SOME}"
    with served(scale=1) as daemon:
        port = f"collect.android.adb_port={server.adb.port}"
        (device,) = Phones(on_phone(suite, daemon.address, port), RealClock()).all()
        env = make_env(device)
        for task in load_suite(suite).tasks("test"):
            episode = run_episode(env, RandomPolicy(), task, clock=RealClock(), episode_id="e")
            assert episode.outcome.trainable, episode.fault
            assert episode.verdicts[0].judge == "android_world"
        env.close()


@needs_adbutils
@pytest.mark.usefixtures("rooted")
def test_eval_and_a_dry_run_take_it_on_the_phones_of_a_recipe(
    small: str, server: AdbServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = f"{small}{SOME}"
    with served(scale=1) as daemon:
        port = f"collect.android.adb_port={server.adb.port}"
        recipe = tmp_path / "phones.yaml"
        recipe.write_text(dump(on_phone(suite, daemon.address, port)))
        line = ["eval", "--policy", "random", "--suite", suite, "--phones", str(recipe), "--json"]
        assert main([*line, "--split", "test"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["episodes"] == 3, found
        assert main(["train", "--recipe", str(recipe), "--dry-run"]) == 0


@needs_adbutils
def test_a_phone_that_gives_no_root_is_lost_with_that_reason(small: str, server: AdbServer) -> None:
    suite = f"{small}{SOME}"
    with served(scale=1) as daemon:
        port = f"collect.android.adb_port={server.adb.port}"
        (device,) = Phones(on_phone(suite, daemon.address, port), RealClock()).all()
        env = make_env(device)
        task = load_suite(suite).tasks("test")[0]
        episode = run_episode(env, RandomPolicy(), task, clock=RealClock(), episode_id="e")
        assert "gives adb no root" in episode.fault
