from __future__ import annotations

import math
import sys
from dataclasses import replace
from subprocess import PIPE, Popen
from time import process_time

import numpy as np
import pytest

from distrl import actions
from distrl.bench.modes import (
    Budget,
    ModeFigures,
    batched,
    cpu_seconds,
    mean_step,
    measure_modes,
    memory_mb,
    ratios,
    speed_for,
)
from distrl.devices.fault_injection import FleetProfile
from distrl.envs.gymnasium_env import action_space, decode_action, encode_action


def figures(mode: str, steps: float, virtual: float | None = None) -> ModeFigures:
    return ModeFigures(
        mode=mode,
        devices=4,
        seconds=60.0,
        steps_per_minute=steps,
        utilisation=0.5,
        speed=10.0,
        cpu_seconds=2.0,
        rss_mb=800.0,
        virtual_steps_per_minute=virtual,
    )


def test_ratios_are_async_over_each_other_way() -> None:
    found = ratios(
        [
            figures("vector_env", 10.0),
            figures("async", 60.0, 64.0),
            figures("sync", 20.0, 16.0),
            figures("sync_pooled", 30.0, 30.0),
        ]
    )
    assert found == {
        "async_over_vector_env": 6.0,
        "async_over_sync": 3.0,
        "async_over_sync_pooled": 2.0,
        "async_utilisation": 0.5,
        "virtual_async_over_sync": 4.0,
    }


def test_the_mean_step_of_a_fleet_is_that_of_many_drawn_devices() -> None:
    profile = FleetProfile()
    speeds = np.array([profile.speed_of(f"phone-{n}", 0) for n in range(20_000)])
    each = speeds * profile.step * math.exp(profile.step_spread**2 / 2)
    assert mean_step(profile) == pytest.approx(1 / np.mean(1 / each), rel=0.02)
    even = replace(profile, fastest=2.0, slowest=2.0, step_spread=0.0)
    assert mean_step(even) == pytest.approx(2 * profile.step)


def test_four_times_the_devices_ask_for_twice_the_decisions() -> None:
    profile = FleetProfile()
    asked = [n * speed_for(n, profile) / mean_step(profile) for n in (8, 32, 128)]
    assert asked == pytest.approx([30.0, 60.0, 120.0])


def test_a_batch_of_actions_comes_apart_again() -> None:
    wanted = [actions.tap(0.25, 0.5), actions.type_text("hi"), actions.complete()]
    batch = batched(action_space(), [encode_action(action) for action in wanted])
    apart = [{name: values[n] for name, values in batch.items()} for n in range(3)]
    assert [decode_action(one) for one in apart] == wanted


def test_what_a_process_and_those_that_it_started_cost_is_counted_once() -> None:
    spent, alone = cpu_seconds(), memory_mb()
    child = Popen([sys.executable, "-c", "sum(range(3_000_000)); input()"], stdin=PIPE)
    try:
        assert memory_mb([child.pid]) > alone
    finally:
        child.communicate(b"\n", timeout=60)
    own = process_time()
    assert cpu_seconds() > spent
    assert cpu_seconds() >= own
    # A process that has ended has no memory to be told.
    assert memory_mb([child.pid]) > 0.0


@pytest.mark.slow
@pytest.mark.alone
def test_all_ways_are_measured_on_the_same_devices_and_agree_with_the_virtual_engine() -> None:
    # Others on the machine may spoil what is measured in real time.
    for _ in range(2):
        found = measure_modes(4, Budget(seconds=12.0, rounds=1))
        assert [one.mode for one in found] == ["vector_env", "async", "sync", "sync_pooled"]
        assert all(0.0 < one.utilisation <= 1.0 for one in found)
        assert all(one.cpu_seconds > 0.0 and one.rss_mb > 100.0 for one in found)
        rates = {one.mode: one.steps_per_minute for one in found}
        agreed = {
            one.mode: one.virtual_steps_per_minute == pytest.approx(one.steps_per_minute, rel=0.1)
            for one in found
            if one.mode in ("sync", "sync_pooled")
        }
        if all(agreed.values()):
            break
    assert agreed == {"sync": True, "sync_pooled": True}, found
    assert rates["async"] > max(rates["sync"], rates["vector_env"])
