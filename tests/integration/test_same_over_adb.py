"""The same scripted policy over the real adb and in one process: the same in every step."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from tests.devices.adb_tools import needs_adbutils, own_server, served

from distrl.clock import RealClock
from distrl.collect.episode import run_episode
from distrl.config.devices import AndroidConfig, PhoneConfig
from distrl.devices.android.adb import AdbServer
from distrl.devices.android.device import AndroidDevice
from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_env import DeviceEnv
from distrl.policies.noisy import NoisyPolicy
from distrl.policies.scripted import ScriptedPolicy
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.served import ServedOracle, ServedReferee
from distrl.tasks.suites import load_suite
from distrl.types import Episode, Outcome, Task

pytestmark = needs_adbutils


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdbServer]:
    with own_server(tmp_path_factory.mktemp("home")) as started:
        yield started


def _in_process(tasks: list[Task], settings: PhoneConfig, *, noise: float) -> list[Episode]:
    device = PhoneDevice("here", settings)
    referee = PhoneReferee(device)
    env, oracle, clock = DeviceEnv(device, referee), PhoneOracle(referee), RealClock()
    policy = NoisyPolicy(oracle, noise) if noise else ScriptedPolicy(oracle)
    return [run_episode(env, policy, task, clock=clock, episode_id=task.id) for task in tasks]


def _over_adb(
    server: AdbServer, tasks: list[Task], settings: PhoneConfig, *, noise: float
) -> list[Episode]:
    clock = RealClock()
    with served(settings) as daemon:
        device = AndroidDevice(server.adb.phone(daemon.address), AndroidConfig(screen_width=180))
        env = DeviceEnv(device, ServedReferee(device.ask_served, device.prepare))
        oracle = ServedOracle(device.ask_served)
        policy = NoisyPolicy(oracle, noise) if noise else ScriptedPolicy(oracle)
        played = [run_episode(env, policy, t, clock=clock, episode_id=t.id) for t in tasks]
        env.close()
    return played


def _compare(server: AdbServer, tasks: list[Task], *, layout: int, noise: float) -> list[Outcome]:
    settings = PhoneConfig(nuisance_rate=0.5, layout=layout)
    here = _in_process(tasks, settings, noise=noise)
    there = _over_adb(server, tasks, settings, noise=noise)
    for one, two in zip(here, there, strict=True):
        assert two.fault == ""
        assert [s.choice.action for s in one.steps] == [s.choice.action for s in two.steps]
        assert [s.observation.elements for s in one.steps] == [
            s.observation.elements for s in two.steps
        ]
        assert [s.observation.keyboard for s in one.steps] == [
            s.observation.keyboard for s in two.steps
        ]
        for left, right in zip(one.steps, two.steps, strict=True):
            np.testing.assert_array_equal(left.observation.screen, right.observation.screen)
        assert [s.reward for s in one.steps] == [s.reward for s in two.steps]
        assert (one.outcome, one.verdicts) == (two.outcome, two.verdicts)
    return [episode.outcome for episode in here]


def _tasks(suite: str, split: str, count: int) -> list[Task]:
    return list(load_suite(suite).tasks(split)[:count])


def test_a_few_tasks_are_played_the_same(server: AdbServer) -> None:
    outcomes = _compare(server, _tasks("general", "test", 3), layout=1, noise=0.0)
    assert outcomes == [Outcome.SUCCEEDED] * 3


@pytest.mark.slow
@pytest.mark.parametrize("suite", ["general", "shopping"])
@pytest.mark.parametrize("layout", [1, 2])
def test_many_tasks_are_played_the_same(server: AdbServer, suite: str, layout: int) -> None:
    outcomes = _compare(server, _tasks(suite, "test", 32), layout=layout, noise=0.0)
    assert outcomes.count(Outcome.SUCCEEDED) >= 30


@pytest.mark.slow
def test_mistakes_are_played_the_same_too(server: AdbServer) -> None:
    outcomes = _compare(server, _tasks("general", "val", 32), layout=1, noise=0.4)
    assert len(set(outcomes)) > 1
