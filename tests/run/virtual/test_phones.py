from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.contracts.store import make_episode
from tests.policies.pointer.fakes import FakeTextEncoder
from tests.run.conftest import small_config

from distrl.clock import VirtualClock
from distrl.collect.judging.noisy_judge import Misjudgement
from distrl.devices.fault_injection import FleetProfile, TimedDevice
from distrl.devices.phone.device import PhoneDevice
from distrl.interfaces import innermost
from distrl.learn.learner import Budget
from distrl.run.builders.pointer import build_pointer
from distrl.run.virtual.engine import VirtualEngine, VirtualSettings
from distrl.run.virtual.phones import BootingReferee, build_virtual, timed_env
from distrl.tasks.suites import load_suite
from distrl.types import Episode, Outcome

STEADY = FleetProfile(hang_rate=0.0, crash_rate=0.0, reset=10.0, reset_spread=0.0)
WRONG = Misjudgement(false_positive=1.0, false_negative=1.0)
TASK = load_suite("general").tasks("train")[0]


def engine_of(
    *settings: str,
    judge: Misjudgement | None = None,
    seconds: float = 60.0,
    episodes: int | None = None,
) -> VirtualEngine:
    config = small_config("policy.pixels=false", "policy.captions=false", *settings)
    virtual = VirtualSettings(seconds=seconds, profile=STEADY, episodes=episodes)
    return build_virtual(config, virtual, build_pointer(config, FakeTextEncoder()), judge=judge)


def finish_of(*settings: str, judge: Misjudgement | None = None) -> Callable[[Episode], Episode]:
    return engine_of(*settings, judge=judge)._parts.finish


def test_a_run_has_the_phones_that_its_settings_ask_for() -> None:
    devices = engine_of("collect.devices=3", "phone.elements=false")._parts.devices
    assert [device.id for device in devices] == ["phone-0", "phone-1", "phone-2"]
    for device in devices:
        assert isinstance(device, TimedDevice)
        phone = innermost(device)
        assert isinstance(phone, PhoneDevice)
        assert phone.observe().elements is None


def test_phones_differ_in_speed_by_the_seed_of_the_run() -> None:
    def speeds(seed: int) -> list[float]:
        devices = engine_of("collect.devices=3", f"seed={seed}")._parts.devices
        return [device.speed for device in devices if isinstance(device, TimedDevice)]

    one, same, other = speeds(1), speeds(1), speeds(2)
    assert one == same != other
    assert len(set(one)) == 3


def test_the_random_numbers_of_a_run_follow_from_its_seed() -> None:
    def drawn(seed: int) -> list[str]:
        tasks = engine_of(f"seed={seed}")._parts.tasks
        return [tasks.next().id for _ in range(5)]

    assert drawn(1) == drawn(1) != drawn(2)
    assert engine_of("seed=5").settings.seed == 5


def test_weights_that_act_are_not_the_ones_that_are_trained() -> None:
    config = small_config("policy.pixels=false", "policy.captions=false")
    pointer = build_pointer(config, FakeTextEncoder())
    engine = build_virtual(config, VirtualSettings(seconds=60.0), pointer)
    trained = {id(weight) for weight in pointer.model.parameters()}
    acting = {id(weight) for weight in engine._parts.policy._model.parameters()}  # type: ignore[attr-defined]
    assert trained.isdisjoint(acting)


@pytest.mark.parametrize("wanted", [True, False])
def test_successes_are_pooled_if_the_run_wants_it(wanted: bool) -> None:
    engine = engine_of(f"success_pool.enabled={str(wanted).lower()}")
    assert (engine._parts.ingest.pool is not None) is wanted


@pytest.mark.parametrize("size", [0.0, 0.375])
def test_penalties_are_those_of_the_settings(size: float) -> None:
    lied = replace(make_episode(), outcome=Outcome.FALSE_COMPLETE)
    finished = finish_of(f"collect.penalties.false_complete={size}")(lied)
    assert finished.steps[-1].penalties.get("false_complete", 0.0) == -size


def test_without_a_judge_an_episode_is_what_the_phone_says() -> None:
    for outcome in (Outcome.SUCCEEDED, Outcome.FALSE_COMPLETE):
        assert finish_of()(replace(make_episode(), outcome=outcome)).outcome is outcome


def test_what_is_trained_on_is_what_the_judge_says() -> None:
    finish = finish_of(judge=WRONG)
    assert not finish(make_episode()).succeeded
    assert finish(replace(make_episode(), outcome=Outcome.FALSE_COMPLETE)).succeeded
    lost = replace(make_episode(), outcome=Outcome.DEVICE_LOST)
    assert finish(lost).outcome is Outcome.DEVICE_LOST


def timed_phone() -> tuple[TimedDevice, VirtualClock]:
    clock = VirtualClock()
    return TimedDevice(PhoneDevice("phone-0"), clock, STEADY, seed=0), clock


def test_a_reset_takes_the_time_of_the_fleet() -> None:
    device, clock = timed_phone()
    env = timed_env(device)
    env.reset(TASK)
    assert clock.now() == pytest.approx(10.0 * device.speed, rel=0.5)
    assert clock.now() > 0.0


def test_the_task_is_set_up_on_the_phone_inside() -> None:
    device, _ = timed_phone()
    plain = PhoneDevice("plain")
    seen = timed_env(device).reset(TASK)
    referee = BootingReferee(plain, plain)
    referee.begin(TASK)
    assert seen.elements == plain.observe().elements
    assert seen.app == plain.observe().app


@pytest.mark.parametrize("seconds", [60.0, math.inf])
def test_the_budget_is_that_of_the_settings_and_not_of_the_run(seconds: float) -> None:
    engine = engine_of("minutes=3", "max_episodes=24", seconds=seconds, episodes=7)
    wanted = None if math.isinf(seconds) else seconds
    assert engine.learner.budget == Budget(seconds=wanted, episodes=7)
