"""One DDP worker with its process group and learner replaced: the order of what it does."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from tests.run.conftest import small_config

from distrl.config import RunConfig
from distrl.learn.learner import SharedUpdate
from distrl.run.multi_learner import worker
from distrl.run.state.folder import RunFolder, create_run

TURNS = [SharedUpdate(number=n, version=1, progress=n / 10) for n in (3, 5, 8)]


class Learners:
    """A process group of fakes that keeps, in order, what the worker does."""

    def __init__(self) -> None:
        self.done: list[object] = []

    def join(self, rendezvous: Path, rank: int, count: int, device: torch.device) -> Learners:
        self.done.append(("join", rendezvous.name, rank, count, device.type))
        return self

    def wait_for_everybody(self) -> None:
        self.done.append("barrier")

    def turns(self) -> Iterator[SharedUpdate]:
        yield from TURNS

    def leave(self) -> None:
        self.done.append("leave")

    def build(
        self, folder: RunFolder, config: RunConfig, group: object, device: torch.device
    ) -> Learners:
        assert group is self
        assert config == folder.load_config()
        self.done.append("build")
        return self

    def follow(self, turn: SharedUpdate) -> None:
        self.done.append(turn)


@pytest.fixture
def learners(monkeypatch: pytest.MonkeyPatch) -> Learners:
    made = Learners()
    monkeypatch.setattr(worker, "ProcessGroup", made.join)
    monkeypatch.setattr(worker, "build_worker_learner", made.build)
    return made


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return create_run(tmp_path / "run", small_config("learner.processes=3", "device=cpu"))


def test_a_worker_makes_every_announced_update_in_order_and_leaves(
    learners: Learners, run: RunFolder
) -> None:
    worker.follow(run, Path("meet"), 2)
    assert learners.done[0] == ("join", "meet", 2, 3, "cpu")
    assert learners.done[3:] == [*TURNS, "leave"]


def test_the_checkpoint_is_read_after_the_barrier_when_it_is_written(
    learners: Learners, run: RunFolder
) -> None:
    worker.follow(run, Path("meet"), 1)
    assert learners.done[1:3] == ["barrier", "build"]


class FakeParent:
    def __init__(self, descriptor: int) -> None:
        assert descriptor == 7

    def run(self, work: object) -> int:
        assert callable(work)
        work()
        return 3


def test_the_process_is_told_its_run_its_rendezvous_and_its_rank(
    learners: Learners, run: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "Parent", FakeParent)
    monkeypatch.setattr(logging, "basicConfig", lambda **_: None)
    assert worker.main([str(run.root), "/tmp/meet", "1", "7"]) == 3  # noqa: S108 - not opened
    assert learners.done[0] == ("join", "meet", 1, 3, "cpu")
    assert learners.done[-1] == "leave"
