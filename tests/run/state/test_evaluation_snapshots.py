from __future__ import annotations

from pathlib import Path

import torch

from distrl.run.state.evaluation_snapshots import EvaluationSnapshots
from distrl.weights.file_channel import FileChannel


def test_the_newest_weights_are_kept_at_each_mark(tmp_path: Path) -> None:
    channel = FileChannel(tmp_path / "weights")
    evaluation_snapshots = EvaluationSnapshots(tmp_path / "evaluation_snapshots", channel, 0.5)
    for version, seconds in enumerate((1.0, 29.0, 31.0, 45.0, 95.0), 1):
        channel.publish({"w": torch.tensor([float(version)])}, version)
        evaluation_snapshots.keep(seconds, episodes=10 * version)
    kept = [
        (snapshot.seconds, snapshot.episodes, snapshot.weights["w"].item())
        for snapshot in evaluation_snapshots.unseen()
    ]
    assert kept == [(31.0, 30, 3.0), (95.0, 50, 5.0)]
    assert list(evaluation_snapshots.unseen()) == []


def test_a_run_that_goes_on_keeps_what_was_kept(tmp_path: Path) -> None:
    channel = FileChannel(tmp_path / "weights")
    channel.publish({"w": torch.tensor([1.0])}, 1)
    EvaluationSnapshots(tmp_path / "evaluation_snapshots", channel, 1.0).keep(60.0, 1)
    channel.publish({"w": torch.tensor([2.0])}, 2)
    again = EvaluationSnapshots(tmp_path / "evaluation_snapshots", channel, 1.0)
    again.keep(61.0, 2)
    assert [snapshot.weights["w"].item() for snapshot in again.unseen()] == [1.0]


def test_nothing_is_kept_unless_asked_for(tmp_path: Path) -> None:
    evaluation_snapshots = EvaluationSnapshots(
        tmp_path / "evaluation_snapshots", FileChannel(tmp_path / "weights"), None
    )
    evaluation_snapshots.keep(1000.0, 3)
    assert list(evaluation_snapshots.unseen()) == []
    assert not (tmp_path / "evaluation_snapshots").exists()
