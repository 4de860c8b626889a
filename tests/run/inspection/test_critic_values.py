from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from distrl.config import RunConfig
from distrl.errors import ConfigError
from distrl.learn.ingest import trajectory_of
from distrl.policies.pointer.policy import PointerPolicy
from distrl.replay.store.sqlite import StoreReader
from distrl.run.inspection.critic_values import CriticValues, policy_of
from distrl.run.state.checkpoint import Checkpoints
from distrl.run.state.folder import RunFolder, create_run
from distrl.run.train import TrainResult
from distrl.types import StoredEpisode


def newest(folder: RunFolder, count: int) -> list[StoredEpisode]:
    with StoreReader(folder.episodes) as store:
        return [episode for _, episode in store.read_after(0, count)]


@pytest.mark.slow
def test_a_checkpoint_says_of_every_step_what_training_would_compute(
    small_run: tuple[RunFolder, TrainResult],
) -> None:
    folder, _ = small_run
    insight = CriticValues(folder, folder.load_config())
    episodes = newest(folder, 6)
    seen = insight.look(episodes)
    assert insight.name == Checkpoints(folder.checkpoints).paths()[-1].name
    for episode, told in zip(episodes, seen, strict=True):
        assert len(told.steps) == len(episode.steps)
        for step, stored in zip(told.steps, episode.steps, strict=True):
            assert stored.log_prob is not None
            assert step.log_pi is not None
            assert step.ratio == pytest.approx(math.exp(step.log_pi - stored.log_prob), rel=1e-3)
            assert step.value is not None
            assert 0.0 <= step.value <= 1.0
        # The last advantage is the reward less what was expected.
        last = told.steps[-1]
        assert last.value is not None
        assert last.advantage == pytest.approx(episode.steps[-1].reward - last.value, abs=1e-5)


@pytest.mark.slow
def test_what_cannot_be_learned_from_is_left_unsaid(
    small_run: tuple[RunFolder, TrainResult],
) -> None:
    folder, _ = small_run
    insight = CriticValues(folder, folder.load_config())
    episode = max(newest(folder, 24), key=lambda e: len(e.steps))
    assert len(episode.steps) > 1
    by_hand = replace(episode.steps[0], decision=None)
    first_unknown = replace(episode, steps=(by_hand, *episode.steps[1:]))
    unknown = replace(episode.steps[-1], log_prob=None)
    last_by_hand = replace(episode, steps=(*episode.steps[:-1], unknown))
    silent, human = insight.look([first_unknown, last_by_hand])
    assert silent.steps[0].value is None
    assert silent.steps[1].value is not None
    assert human.steps[-1].ratio is None
    assert human.steps[-1].value is not None
    assert trajectory_of(first_unknown, lambda _: None) is not None


@pytest.mark.slow
def test_a_checkpoint_acts_by_its_name(small_run: tuple[RunFolder, TrainResult]) -> None:
    folder, _ = small_run
    config = folder.load_config()
    first = Checkpoints(folder.checkpoints).paths()[0].name
    old, new = policy_of(folder, config, first), policy_of(folder, config)
    assert isinstance(old, PointerPolicy)
    assert isinstance(new, PointerPolicy)
    assert old.digest != new.digest
    assert not all(
        torch.equal(a, b)
        for a, b in zip(old._model.parameters(), new._model.parameters(), strict=True)
    )


def test_a_run_without_a_checkpoint_is_an_error_that_says_so(tmp_path: Path) -> None:
    folder = create_run(tmp_path / "run", RunConfig())
    with pytest.raises(ConfigError, match="no checkpoint yet"):
        CriticValues(folder, RunConfig())
    with pytest.raises(ConfigError, match="no checkpoint named 'step-9'"):
        policy_of(folder, RunConfig(), "step-9")
