"""Killing Chromium over and over while a run trains on its pages."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest
from tests.devices.browser.browsers import needs_chromium

from distrl.clock import RealClock
from distrl.config import load_run_config
from distrl.devices.browser.chromium import shared_chromium
from distrl.replay.store.sqlite import StoreReader
from distrl.run.state.folder import RunFolder
from distrl.run.train import train
from distrl.types import Outcome

pytest.importorskip("miniwob", reason="miniwob is not installed: pip install 'distrl[browser]'")
pytestmark = [pytest.mark.browser, pytest.mark.slow, needs_chromium]

KILLS = 10
EPISODES = 120


@pytest.mark.timeout(1200)
def test_ten_kills_lose_no_acknowledged_episode_and_the_run_goes_on(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    config = load_run_config(
        "debug",
        [
            "tasks.suite=miniwob:click-test,click-button,click-test-2",
            *("minutes=15", f"max_episodes={EPISODES}", "collect.devices=2", "evaluate.tasks=2"),
            *("evaluate.before=false", "policy.width=16", "policy.heads=2"),
        ],
    )
    killed: list[int] = []
    over = threading.Event()

    def acknowledged() -> int:
        path = folder.acknowledged
        return len(path.read_text().splitlines()) if path.exists() else 0

    def kill_now_and_then() -> None:
        clock, chromium = RealClock(), shared_chromium()
        for kill in range(KILLS):
            due = (kill + 1) * EPISODES // (KILLS + 2)

            def ready(due: int = due) -> bool:
                alive = chromium.pid not in (None, *killed)
                return over.is_set() or (alive and acknowledged() >= due)

            clock.wait_until(ready, timeout=300.0)
            if over.is_set() or chromium.pid is None:
                return
            killed.append(chromium.pid)
            os.kill(chromium.pid, signal.SIGKILL)

    killer = threading.Thread(target=kill_now_and_then)
    killer.start()
    try:
        result = train(config, run_dir=folder.root)
    finally:
        over.set()
        killer.join()
    assert len(set(killed)) == KILLS
    with StoreReader(folder.episodes) as store:
        outcomes = store.outcomes()
        kept = set(store.ids())
        goals = {episode.task.goal for _, episode in store.read_after(0, EPISODES) if episode.steps}
    noted = [line.split()[0] for line in folder.acknowledged.read_text().splitlines()]
    assert set(noted) <= kept
    assert any("button" in goal.lower() and '"' in goal for goal in goals)  # as the page says it
    assert not goals & {"click test", "click button", "click test 2"}
    assert len(noted) == len(set(noted))
    lost = outcomes.get(Outcome.DEVICE_LOST, 0)
    assert 1 <= lost <= 2 * KILLS  # at most one episode of each of the two pages
    assert result.episodes - lost >= EPISODES - 2 * KILLS
