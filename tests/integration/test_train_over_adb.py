"""Four phones in processes of their own, the real adb between, and a run that trains on them."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from tests.devices.adb_tools import needs_adbutils

from distrl.config import load_run_config
from distrl.replay.store.sqlite import StoreReader
from distrl.run.state.folder import RunFolder
from distrl.run.train import train

EPISODES = 200


@contextmanager
def _served_phone(folder: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "distrl", "adbd", "--port", "0", "--scale", "2"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()
        assert process.wait(timeout=30) == 0
    finally:
        process.kill()
        process.communicate(timeout=10)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@needs_adbutils
def test_a_run_trains_on_four_served_phones(tmp_path: Path) -> None:
    with ExitStack() as phones:
        serials = [phones.enter_context(_served_phone(tmp_path)) for _ in range(4)]
        listed = ", ".join(f'"{serial}"' for serial in serials)
        config = load_run_config(
            "debug",
            [
                f"max_episodes={EPISODES}",
                "minutes=null",
                "policy.width=16",
                "policy.heads=2",
                "collect.devices=0",
                f"collect.android.serials=[{listed}]",
                'collect.android.safety.apps=["org.distrl.phone.*"]',
                "collect.android.safety.blocked=[]",
                "learner.replay_ratio=1",
                "evaluate.before=false",
                "evaluate.tasks=3",
            ],
        )
        result = train(config, run_dir=tmp_path / "run")
    assert result.episodes >= EPISODES
    assert result.updates > 0
    with StoreReader(RunFolder(tmp_path / "run").episodes) as store:
        episodes = [store.get(name) for name in store.ids()]
    by_device = Counter(episode.device for episode in episodes)
    assert set(by_device) == set(serials)
    assert min(by_device.values()) >= EPISODES / 8
    assert [episode.fault for episode in episodes if episode.fault] == []
    assert max(s.choice.version for episode in episodes for s in episode.steps) > 1
