import os
from collections.abc import Iterator
from dataclasses import asdict
from mmap import mmap

import pytest
from tests.envs.fakes import make_observation

from distrl.bench import phone
from distrl.bench.phone import look_at_screen, measure_phone, memory_of_phones, one_core, record
from distrl.tasks.referee import PhoneReferee
from distrl.tasks.suites import load_suite
from distrl.types import Kind, Observation, Task

TASKS = load_suite("general").tasks("train")[:6]


def test_recordings_are_whole_episodes_of_the_oracle() -> None:
    recordings = record(TASKS)
    assert [recording.task for recording in recordings] == list(TASKS)
    assert all(recording.actions[-1].kind.ends_episode for recording in recordings)
    assert all(recording.actions[0].kind is not Kind.COMPLETE for recording in recordings)


def test_every_figure_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone, "PHONES", 4)
    figures = measure_phone(0.05, tasks=TASKS)
    assert figures.episodes == len(TASKS)
    for name, value in asdict(figures).items():
        assert value >= 0.0, name
    assert figures.steps_per_second_blind > figures.steps_per_second > 0.0
    assert figures.snapshot_ms < figures.restore_observe_ms


def test_the_speed_counts_each_step_and_looks_after_each_and_after_resets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recordings = record(TASKS)
    looks: list[Observation] = []
    steps = sum(len(recording.actions) for recording in recordings)
    times = iter([0.0, *[2.0] * 100])
    monkeypatch.setattr("distrl.bench.phone.time.perf_counter", lambda: next(times))
    speed = phone.steps_per_second(recordings, looks.append, seconds=0.0)
    assert speed == steps / 2.0
    assert len(looks) == steps + len(recordings)


def test_looking_at_a_screen_draws_it() -> None:
    observation = make_observation()
    look_at_screen(observation)
    with pytest.raises(AssertionError):
        look_at_screen(make_observation(None))


def test_memory_is_that_of_phones_in_different_episodes(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: Iterator[int] = iter([100, 350])
    monkeypatch.setattr(phone, "resident_bytes", lambda: next(sizes))
    assert memory_of_phones(TASKS, 8) == 250


def test_the_process_s_memory_grows_with_what_it_holds() -> None:
    # Mapped anew: what a process has freed before may be given out again without it growing.
    with mmap(-1, 32 * 2**20) as held:
        before = phone.resident_bytes()
        held.write(b"x" * len(held))
        assert phone.resident_bytes() - before > 16 * 2**20


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the system does not tell")
def test_the_measurement_keeps_to_one_core_and_gives_the_rest_back() -> None:
    before = os.sched_getaffinity(0)
    with one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


def test_resets_are_measured_with_the_task_s_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    recordings = record(TASKS)
    resets: list[Task] = []
    begin = PhoneReferee.begin

    def counted(referee: PhoneReferee, task: Task) -> None:
        resets.append(task)
        begin(referee, task)

    monkeypatch.setattr(PhoneReferee, "begin", counted)
    phone.steps_per_second(recordings, look_at_screen, seconds=0.0)
    assert resets == list(TASKS)
