from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest
from tests.contracts.store import make_episode

from distrl.bench.train import (
    figures_of,
    kb_per_episode,
    latest_of_each_part,
    measure_training,
    part_of,
    processor_by_part,
)
from distrl.replay.store.sqlite import SqliteStore

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells by thread")


def test_steps_of_the_pool_are_trained_but_not_replayed() -> None:
    learned = {"learn/trained_steps": 40.0, "learn/pooled_steps": 160.0, "learn/updates": 5.0}
    collected = {"collect/steps": 100.0, "batcher/decisions": 120.0}
    used = {"learner": 15.0, "batcher": 5.0}
    figures = figures_of(learned, collected, used, seconds=10.0, disk_kb=7.5)
    assert figures.trained_steps_per_second == 20.0
    assert figures.replayed_steps_per_second == 4.0
    assert figures.replay_ratio == 0.4
    assert figures.decisions_per_second == 12.0
    assert figures.cores_used == 2.0
    assert figures.disk_kb_per_episode == 7.5
    assert [(row.part, row.share) for row in figures.rows] == [("learner", 0.75), ("batcher", 0.25)]


def test_the_disk_of_a_store_is_divided_among_its_episodes(tmp_path: Path) -> None:
    path = tmp_path / "episodes.sqlite"
    with SqliteStore(path) as store:
        for number in range(4):
            store.add(make_episode(f"e-{number}"))
    assert kb_per_episode(path) == path.stat().st_size / 4000


def test_threads_of_a_run_have_a_part_each() -> None:
    named = ["batcher", "collector-3", "store", "numbers", "view", ""]
    assert [part_of(name) for name in named] == [
        "batcher",
        "devices",
        "store",
        "rest",
        "rest",
        "rest",
    ]


def test_a_thread_that_has_ended_keeps_the_time_it_had() -> None:
    before = {"batcher": 4.0, "devices": 7.0, "rest": 1.0}
    now = {"devices": 2.0, "rest": 1.5, "learner": 3.0}
    assert latest_of_each_part(before, now) == {
        "batcher": 4.0,
        "devices": 7.0,
        "rest": 1.5,
        "learner": 3.0,
    }


@linux
def test_a_thread_that_computes_gets_the_time_of_its_part() -> None:
    before, told = processor_by_part().get("batcher", 0.0), threading.Event()
    found: list[float] = []

    def compute() -> None:
        while processor_by_part()["batcher"] - before < 0.1:
            pass
        found.append(processor_by_part()["batcher"] - before)
        told.set()

    thread = threading.Thread(target=compute, name="batcher", daemon=True)
    thread.start()
    assert told.wait(60.0)
    assert found[0] >= 0.1


@linux
@pytest.mark.slow
def test_a_short_quickstart_is_measured() -> None:
    figures = measure_training(seconds=20.0)
    assert figures.trained_steps_per_second > figures.replayed_steps_per_second > 0
    assert figures.decisions_per_second > 0
    assert figures.disk_kb_per_episode > 1.0
    assert {row.part for row in figures.rows} >= {"learner", "batcher", "devices", "store"}
    assert sum(row.share for row in figures.rows) == pytest.approx(1.0)
