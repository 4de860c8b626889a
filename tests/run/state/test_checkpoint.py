import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.learn.fakes import (
    ListSource,
    TinyModel,
    make_episode,
    make_step,
    make_task,
    pack,
    unpack,
)
from torch import Tensor

from distrl.clock import VirtualClock
from distrl.config.learn import AlgorithmConfig, LearnerConfig
from distrl.config.policies import PolicyConfig
from distrl.config.replay import ReplayConfig
from distrl.errors import ConfigError, WeightsError
from distrl.learn.algorithms.a_ride import ARide
from distrl.learn.ingest import Ingest
from distrl.learn.learner import Learner, LearnerParts
from distrl.learn.learner_state import Snapshot, flatten
from distrl.policies.pointer import packing
from distrl.policies.pointer.inputs import Preparer
from distrl.policies.pointer.model import PointerModel
from distrl.policies.pointer.text_encoder import DIMENSIONS, GoalVectors, words_of
from distrl.replay.buffer import ReplayBuffer
from distrl.run.state.checkpoint import (
    Checkpoints,
    load,
    model_weights,
    require_whole_checkpoint,
    set_damaged_aside,
    weights_of_run,
)
from distrl.types import (
    Action,
    Element,
    Kind,
    Observation,
    Outcome,
    Picture,
    Situation,
    StoredEpisode,
)
from distrl.weights.file_channel import FileChannel
from distrl.weights.memory_channel import MemoryChannel
from distrl.weights.serialization import digest_of


def make_snapshot(step: int) -> Snapshot:
    tensors = {"algorithm/model/w": torch.full((5,), float(step))}
    algorithm = {"model": {"w": {"$tensor": "algorithm/model/w"}}}
    return Snapshot(step, tensors, {"algorithm": algorithm, "step": step, "tiny": 0.1 + 0.2})


def steps_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path / "deep" / "checkpoints")
    path = checkpoints.save(make_snapshot(7))
    found = checkpoints.load_newest()
    assert found.snapshot is not None
    assert (found.path, found.skipped) == (path, ())
    assert found.snapshot.step == 7
    assert found.snapshot.state == make_snapshot(7).state
    assert torch.equal(model_weights(found.snapshot)["w"], torch.full((5,), 7.0))


def test_without_any_there_is_none(tmp_path: Path) -> None:
    found = Checkpoints(tmp_path / "nothing").load_newest()
    assert (found.snapshot, found.path, found.skipped) == (None, None, ())


def test_the_last_ones_are_kept_and_the_newest_is_by_number(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path, keep=3)
    for step in (8, 9, 10, 100):
        checkpoints.save(make_snapshot(step))
    assert steps_in(tmp_path) == ["step-10", "step-100", "step-9"]
    found = checkpoints.load_newest()
    assert found.snapshot is not None
    assert found.snapshot.step == 100


def test_fewer_than_three_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="at least 3"):
        Checkpoints(tmp_path, keep=2)


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def old_format(path: Path) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 99}))


@pytest.mark.parametrize(
    ("name", "harm", "reason"),
    [
        ("tensors.safetensors", flip, "is damaged"),
        ("state.json", flip, "is damaged"),
        ("manifest.json", flip, "step-2"),
        ("tensors.safetensors", Path.unlink, "is missing"),
        ("state.json", Path.unlink, "is missing"),
        ("manifest.json", Path.unlink, "is missing"),
        ("manifest.json", lambda path: path.write_text("[]"), "cannot be read"),
        ("manifest.json", lambda path: path.write_text("{"), "cannot be read"),
        ("manifest.json", old_format, "has format 99"),
        ("state.json", lambda path: os.truncate(path, 10), "is damaged"),
    ],
)
def test_a_damaged_one_is_skipped_with_its_reason(
    tmp_path: Path, name: str, harm: Callable[[Path], object], reason: str
) -> None:
    checkpoints = Checkpoints(tmp_path)
    checkpoints.save(make_snapshot(1))
    newest = checkpoints.save(make_snapshot(2))
    harm(newest / name)
    found = checkpoints.load_newest()
    assert found.snapshot is not None
    assert found.snapshot.step == 1
    ((path, told),) = found.skipped
    assert path == newest
    assert reason in told
    with pytest.raises(WeightsError):
        load(newest)


@pytest.mark.parametrize("dies_at", range(1, 11))
def test_dying_while_saving_leaves_the_older_ones_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dies_at: int
) -> None:
    checkpoints = Checkpoints(tmp_path)
    checkpoints.save(make_snapshot(1))
    syncs = iter(range(1, 100))
    real = os.fsync

    def die_at_some_sync(handle: int) -> None:
        if next(syncs) == dies_at:
            raise KeyboardInterrupt
        real(handle)

    monkeypatch.setattr(os, "fsync", die_at_some_sync)
    try:
        checkpoints.save(make_snapshot(2))
        died = False
    except KeyboardInterrupt:
        died = True
    monkeypatch.undo()
    assert died == (dies_at <= 7)
    found = Checkpoints(tmp_path).load_newest()
    assert found.snapshot is not None
    assert found.skipped == ()
    assert found.snapshot.step in (1, 2)
    # The next save clears up after the dead.
    Checkpoints(tmp_path).save(make_snapshot(3))
    assert not [name for name in steps_in(tmp_path) if name.startswith(".")]


def test_a_step_that_is_there_already_is_replaced(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path)
    path = checkpoints.save(make_snapshot(5))
    flip(path / "state.json")
    checkpoints.save(make_snapshot(5))
    assert steps_in(tmp_path) == ["step-5"]
    found = checkpoints.load_newest()
    assert found.snapshot is not None
    assert found.skipped == ()


def test_other_files_in_the_folder_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "step-x").mkdir()
    checkpoints = Checkpoints(tmp_path)
    for step in range(1, 6):
        checkpoints.save(make_snapshot(step))
    assert steps_in(tmp_path) == ["notes.txt", "step-3", "step-4", "step-5", "step-x"]


def test_what_is_no_number_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        Checkpoints(tmp_path).save(Snapshot(1, {}, {"x": float("nan")}))
    assert steps_in(tmp_path) == []


def test_no_file_is_a_pickle(tmp_path: Path) -> None:
    path = Checkpoints(tmp_path).save(make_snapshot(1))
    assert steps_in(path) == ["manifest.json", "state.json", "tensors.safetensors"]
    for file in path.glob("*.json"):
        json.loads(file.read_text())


def test_a_run_gives_its_newest_weights(tmp_path: Path) -> None:
    Checkpoints(tmp_path / "checkpoints").save(make_snapshot(3))
    weights, path = weights_of_run(tmp_path)
    assert float(weights["w"][0]) == 3.0
    assert path == tmp_path / "checkpoints" / "step-3"


def test_a_run_gives_its_averaged_weights_where_the_algorithm_keeps_them(tmp_path: Path) -> None:
    algorithm = ARide(TinyModel(0), AlgorithmConfig())
    algorithm.ema.load_state_dict(TinyModel(1).state_dict())
    tensors: dict[str, Tensor] = {}
    state = {"algorithm": flatten(algorithm.state_dict(), "algorithm", tensors)}
    Checkpoints(tmp_path / "checkpoints").save(Snapshot(1, tensors, state))
    weights, _ = weights_of_run(tmp_path)
    assert digest_of(weights) == digest_of(TinyModel(1).state_dict())


def test_a_run_without_weights_says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no run at"):
        weights_of_run(tmp_path / "none")
    with pytest.raises(ConfigError, match="has no whole checkpoint"):
        weights_of_run(tmp_path)
    Checkpoints(tmp_path / "runs" / "mine" / "checkpoints").save(make_snapshot(3))
    with pytest.raises(ConfigError, match=r"it holds runs, such as .*/runs/mine"):
        weights_of_run(tmp_path / "runs")
    path = Checkpoints(tmp_path / "checkpoints").save(make_snapshot(3))
    flip(path / "state.json")
    with pytest.raises(ConfigError, match=r"no whole checkpoint; .*state.json is damaged"):
        weights_of_run(tmp_path)


class Words:
    """Stands in for the sentence encoder: vectors that follow from the words alone."""

    def label(self, text: str) -> Any:
        rng = np.random.default_rng(sum(map(ord, text)))
        return rng.normal(size=DIMENSIONS).astype(np.float32)

    def labels(self, texts: Sequence[str]) -> Any:
        rows = [self.label(text) for text in texts]
        return np.array(rows, np.float32).reshape(len(texts), DIMENSIONS)

    def goal(self, goal: str) -> GoalVectors:
        words = self.labels([goal[start:end] for start, end in words_of(goal)])
        return GoalVectors(words, words)


WORDS: Any = Words()


def make_situation(rng: np.random.Generator, goal: str) -> Situation:
    elements = tuple(
        Element(
            "button", str(rng.choice(["Save", "Back", "Mail"])), bounds=(0.1, top, 0.9, top + 0.1)
        )
        for top in rng.random(int(rng.integers(2, 6))) * 0.8
    )
    pixels = rng.integers(0, 255, (48, 27, 3), np.uint8)
    observation = Observation(Picture(pixels), elements, keyboard=False, app="made")
    history = (Action(Kind.TAP, 0.5, 0.5),)
    return Situation(goal=goal, observation=observation, history=history, steps_left=4)


def pointer_episode(number: int) -> StoredEpisode:
    rng, task = np.random.default_rng(number), make_task(number)
    won = number % 2 == 0
    length = int(rng.integers(1, 4))
    steps = []
    for i in range(length):
        inputs = packing.pack(Preparer(WORDS).prepare(make_situation(rng, task.goal)))
        decision = [(0, 1, 0), (2, 0, 3), (3, 0, 2), (4, 0, 0)][int(rng.integers(4))]
        reward = float(won and i == length - 1)
        step = make_step(0, decision=decision, log_prob=-1.0 - rng.random(), reward=reward)
        steps.append(dataclasses.replace(step, inputs=inputs))
    outcome = Outcome.SUCCEEDED if won else Outcome.STEP_LIMIT
    return StoredEpisode(id=f"p{number}", task=task, outcome=outcome, steps=tuple(steps))


class Rig:
    """A learner on one of the models, with its checkpoints on disk."""

    def __init__(self, kind: str, folder: Path, *, episodes: int = 12) -> None:
        torch.manual_seed(0)
        self.model: Any = TinyModel()
        stored: Callable[[int], StoredEpisode] = make_episode
        packs, unpacks = pack, unpack
        if kind == "pointer":
            self.model, stored = PointerModel(PolicyConfig(width=16, layers=1)), pointer_episode
            packs, unpacks = packing.pack, partial(packing.unpack, encoder=WORDS)
        self.checkpoints = Checkpoints(folder)
        self.source = ListSource([stored(i) for i in range(episodes)])
        buffer = ReplayBuffer(ReplayConfig(capacity=10), np.random.default_rng(0))
        settings = AlgorithmConfig(learning_rate=1e-3, imitation=0.0, critic_warmup=2)
        parts = LearnerParts(
            algorithm=ARide(self.model, settings),
            ingest=Ingest(source=self.source, buffer=buffer, unpack=unpacks),
            channel=MemoryChannel(),
            clock=VirtualClock(),
            pack=packs,
        )
        few = LearnerConfig(
            batch=4, min_episodes=4, replay_ratio=1e6, publish_every=2, sweep_share=0.3
        )
        self.learner = Learner(parts, few)

    def run(self, updates: int) -> None:
        for _ in range(updates):
            assert self.learner.step() is not None

    @property
    def digest(self) -> str:
        weights: dict[str, Tensor] = self.model.state_dict()
        return digest_of(weights)


@pytest.mark.parametrize("kind", ["tiny", "pointer"])
def test_twice_as_far_is_the_same_as_half_way_and_on_from_the_checkpoint(
    tmp_path: Path, kind: str
) -> None:
    through = Rig(kind, tmp_path / "a")
    through.run(6)
    half_way = through.digest
    through.run(6)

    before = Rig(kind, tmp_path / "b")
    before.run(6)
    before.checkpoints.save(before.learner.snapshot())
    before.run(3)  # what comes after the checkpoint is lost
    after = Rig(kind, tmp_path / "b")
    found = after.checkpoints.load_newest()
    assert found.snapshot is not None
    after.learner.restore(found.snapshot)
    assert after.digest == half_way
    after.run(6)
    assert after.digest == through.digest
    assert after.digest != half_way


def test_another_process_goes_on_to_the_same_bits(tmp_path: Path) -> None:
    through = Rig("tiny", tmp_path)
    through.run(5)
    through.checkpoints.save(through.learner.snapshot())
    through.run(5)
    code = (
        "import pathlib, sys\n"
        "from tests.run.state.test_checkpoint import Rig\n"
        "rig = Rig('tiny', pathlib.Path(sys.argv[1]))\n"
        "rig.learner.restore(rig.checkpoints.load_newest().snapshot)\n"
        "rig.run(5)\n"
        "print(rig.digest)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    assert done.stdout.strip() == through.digest


def test_a_run_whose_checkpoints_are_all_damaged_says_which_and_what_to_do(
    tmp_path: Path,
) -> None:
    checkpoints = Checkpoints(tmp_path / "checkpoints")
    checkpoints.save(make_snapshot(1))
    require_whole_checkpoint(tmp_path)
    flip(checkpoints.save(make_snapshot(2)) / "tensors.safetensors")
    require_whole_checkpoint(tmp_path)  # an older one is whole
    flip(tmp_path / "checkpoints" / "step-1" / "tensors.safetensors")
    with pytest.raises(ConfigError, match=r"step-2.*step-1.*--resume --from-scratch$"):
        require_whole_checkpoint(tmp_path)
    FileChannel(tmp_path / "weights").publish({"w": torch.ones(3)}, 4)
    with pytest.raises(ConfigError, match=rf"distrl train init={tmp_path}/weights$"):
        require_whole_checkpoint(tmp_path)


def test_damaged_checkpoints_are_set_aside_only_if_none_is_whole(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path / "checkpoints")
    first = checkpoints.save(make_snapshot(1))
    assert set_damaged_aside(tmp_path) is None
    flip(first / "tensors.safetensors")
    aside = set_damaged_aside(tmp_path)
    assert aside is not None
    assert (aside / "step-1").is_dir()
    require_whole_checkpoint(tmp_path)
