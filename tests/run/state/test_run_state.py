from __future__ import annotations

from pathlib import Path

import pytest
from tests.run.conftest import small_config

from distrl.clock import VirtualClock
from distrl.collect.episode import run_episode
from distrl.monitor.gauges import MINUTES
from distrl.policies.random import RandomPolicy
from distrl.replay.store.sqlite import SqliteStore, StoreReader
from distrl.run.local.pipeline import make_devices, make_env
from distrl.run.state.folder import RunFolder, create_run
from distrl.run.state.run_state import RunState, make_sampler, steps_in
from distrl.run.train import TrainResult
from distrl.tasks.suites import load_suite


def test_the_sampler_goes_on_from_what_is_stored(
    small_run: tuple[RunFolder, TrainResult], tmp_path: Path
) -> None:
    config, suite = small_config(), load_suite("general")
    with SqliteStore(tmp_path / "empty.sqlite") as empty:
        assert make_sampler(config, suite, empty).success() == {}
    with StoreReader(small_run[0].episodes) as store:
        tried = {summary.template for summary in store.summaries()}
        assert set(make_sampler(config, suite, store).success()) == tried


def test_steps_of_all_episodes_are_counted(small_run: tuple[RunFolder, TrainResult]) -> None:
    with StoreReader(small_run[0].episodes) as store:
        assert steps_in(store) == sum(len(store.get(name).steps) for name in store.ids())


def test_what_is_acknowledged_is_logged_counted_and_sampled_by(tmp_path: Path) -> None:
    clock, config = VirtualClock(), small_config("collect.devices=1", "max_episodes=3")
    folder = create_run(tmp_path / "run", config)
    run_state = RunState(folder, config, clock, version=lambda: 5, before=30.0)
    run_state.start()
    job = run_state.jobs.next()
    assert job is not None
    (device,) = make_devices(config, clock)
    episode = run_episode(
        make_env(device), RandomPolicy(seed=1), job.task, clock=clock, episode_id=job.episode_id
    )
    run_state.store.add(episode)
    run_state.acknowledge(episode)
    clock.sleep(30.0)
    gauges = run_state.gauges()
    run_state.close()
    assert folder.acknowledged.read_text() == f"{job.episode_id}\n"
    assert gauges["collect/episodes"] == 1.0
    assert gauges["collect/steps"] == len(episode.steps)
    assert gauges["collect/lag"] > 0  # version 5 acts, and the episode knows of none
    assert gauges[MINUTES] == pytest.approx(1.0, abs=0.1)

    again = RunState(folder, config, clock, version=lambda: 5)
    assert again.counters.episodes == 1
    left = [again.jobs.next() for _ in range(3)]
    again.close()
    assert [job is None for job in left] == [False, False, True]
