from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.devices.adb_tools import needs_adbutils, own_server, served
from tests.run.conftest import small_config

from distrl.clock import RealClock, VirtualClock
from distrl.collect.episode import run_episode
from distrl.devices.adb import Adb, AdbServer
from distrl.devices.android import AndroidDevice
from distrl.errors import ConfigError
from distrl.policies.random import RandomPolicy
from distrl.run.android import android_devices, evaluate_on_android, open_adb
from distrl.run.pipeline import make_devices, make_env
from distrl.tasks.suites import find_task, load_suite

GOALS = """
tasks:
  - goal: Open the clock
    step_limit: 2
    check: [{app: org.distrl.phone.clock}]
"""


@pytest.fixture
def goals(tmp_path: Path) -> str:
    path = tmp_path / "goals.yaml"
    path.write_text(GOALS)
    return str(path)


def test_phones_over_adb_join_the_embedded_ones() -> None:
    config = small_config('collect.android.serials=["emulator-5554", "10.0.0.1:5555"]')
    devices = make_devices(config, VirtualClock(), Adb())
    assert [device.id for device in devices] == [
        "phone-0",
        "phone-1",
        "phone-2",
        "emulator-5554",
        "10.0.0.1:5555",
    ]
    assert isinstance(devices[-1], AndroidDevice)
    assert devices[-1].settings.screen_width == 180


def test_somebody_has_to_collect() -> None:
    with pytest.raises(ConfigError, match="nobody would collect"):
        small_config("collect.devices=0")


def test_run_without_phones_has_no_server() -> None:
    with open_adb(small_config()) as adb:
        assert adb is None


def test_server_that_runs_already_is_used() -> None:
    config = small_config('collect.android.serials=["x"]', "collect.android.adb_port=5037")
    with open_adb(config) as adb:
        assert adb is not None
        assert adb.port == 5037


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ((), "collect.android.serials"),
        (('collect.android.serials=["x"]',), "set collect.devices to 0"),
        (('collect.android.serials=["x"]', "collect.devices=0", "init=warm_start"), "set init"),
    ],
)
def test_goals_of_a_file_need_phones_over_adb(goals: str, more: tuple[str, ...], said: str) -> None:
    config = small_config(f"tasks.suite={goals}", *more)
    with pytest.raises(ConfigError, match=said), open_adb(config):
        pass


def test_goals_that_nobody_can_judge_are_not_trained_on(tmp_path: Path) -> None:
    path = tmp_path / "goals.txt"
    path.write_text("Open the clock\n")
    more = (f"tasks.suite={path}", 'collect.android.serials=["x"]', "collect.devices=0")
    with pytest.raises(ConfigError, match="nobody can judge"), open_adb(small_config(*more)):
        pass


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdbServer]:
    with own_server(tmp_path_factory.mktemp("home")) as started:
        yield started


@needs_adbutils
def test_goals_of_a_file_are_played_and_evaluated_over_adb(server: AdbServer, goals: str) -> None:
    with served(scale=1) as daemon:
        config = small_config(
            f"tasks.suite={goals}",
            f'collect.android.serials=["{daemon.address}"]',
            f"collect.android.adb_port={server.adb.port}",
            "collect.devices=0",
        )
        (device,) = android_devices(config, server.adb, RealClock())
        env = make_env(device)
        (task,) = load_suite(goals).tasks("train")
        episode = run_episode(env, RandomPolicy(), task, clock=RealClock(), episode_id="e")
        assert episode.outcome.trainable, episode.fault
        served_task = find_task("general/val/0")
        episode = run_episode(env, RandomPolicy(), served_task, clock=RealClock(), episode_id="f")
        assert episode.outcome.trainable, episode.fault
        report = evaluate_on_android(config, RandomPolicy(), [task], lambda *_: None)
        assert (report.overall.episodes, report.faults) == (1, ())
        assert report.overall.oracle_steps is None
