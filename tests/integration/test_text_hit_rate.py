"""A cache that is filled from the phone's content knows what the policy asks for."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.policies.pointer.fakes import FakeTextEncoder, make_model

from distrl.clock import RealClock
from distrl.collect.episode import run_episode
from distrl.devices.phone.device import PhoneDevice
from distrl.envs.device_env import DeviceEnv
from distrl.interfaces import Policy
from distrl.policies import make_policy
from distrl.policies.pointer.inputs import Preparer
from distrl.run.builders.pointer import Pointer
from distrl.tasks.referee import PhoneOracle, PhoneReferee
from distrl.tasks.suites import load_suite
from distrl.types import Choice, Situation, Task

TASKS = 40
LEAST = 0.99


class Preparing:
    """Acts like another policy, and prepares every situation as the pointer does."""

    def __init__(self, inner: Policy, preparer: Preparer) -> None:
        self._inner, self._preparer = inner, preparer

    def begin(self, seed: int) -> None:
        self._inner.begin(seed)

    def act(self, situations: Sequence[Situation]) -> Sequence[Choice]:
        for situation in situations:
            self._preparer.prepare(situation)
        return self._inner.act(situations)


def collect(policy: str, tasks: Sequence[Task], preparer: Preparer) -> None:
    for task in tasks:
        device = PhoneDevice()
        referee = PhoneReferee(device)
        inner = make_policy(policy, PhoneOracle(referee), error_rate=0.2, seed=0)
        env, acting = DeviceEnv(device, referee), Preparing(inner, preparer)
        run_episode(env, acting, task, clock=RealClock(), episode_id=task.id)


@pytest.mark.parametrize("policy", ["scripted", "noisy", "random"])
@pytest.mark.parametrize("suite", ["general", "shopping"])
def test_what_is_asked_while_acting_was_read_ahead(suite: str, policy: str) -> None:
    encoder = FakeTextEncoder()
    preparer = Preparer(encoder, pixels=False)
    tasks = load_suite(suite).tasks("train")[:TASKS]
    pointer = Pointer(make_model(), encoder, preparer)
    assert pointer.read_ahead(task.goal for task in tasks) > 1000
    assert pointer.read_ahead(task.goal for task in tasks) == 0
    collect(policy, tasks, preparer)
    assert encoder.hits > 1000
    assert encoder.hit_rate >= LEAST, encoder.encoded[-encoder.misses :]
