"""A tiny trainable policy, and stored episodes for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from distrl.learn.model import Evaluation
from distrl.replay.trajectory import Trajectory
from distrl.types import Action, Kind, Outcome, StoredEpisode, StoredStep, Task

FEATURES, CHOICES = 4, 3


class TinyModel(nn.Module):
    """Chooses one of three from four numbers."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        self.weight = nn.Parameter(torch.randn(FEATURES, CHOICES + 3, generator=generator))
        self.evaluations = 0

    def evaluate(self, inputs: Sequence[Any], decisions: Sequence[tuple[int, ...]]) -> Evaluation:
        self.evaluations += len(inputs)
        out = torch.from_numpy(np.stack(inputs)) @ self.weight
        log_probs = out[:, :CHOICES].log_softmax(-1)
        chosen = torch.tensor([decision[0] for decision in decisions])
        return Evaluation(
            log_prob=log_probs.gather(1, chosen[:, None])[:, 0],
            entropy=-(log_probs.exp() * log_probs).sum(-1),
            invalid=log_probs[:, 0].exp(),
            value_logits=out[:, CHOICES : CHOICES + 2],
        )

    def goal_logits(self, inputs: Sequence[Any]) -> Tensor:
        return (torch.from_numpy(np.stack(inputs)) @ self.weight)[:, -1]


def pack(inputs: Any) -> bytes:
    return np.asarray(inputs, np.float32).tobytes()


def unpack(data: bytes) -> Any:
    return np.frombuffer(data, np.float32)


def make_task(number: int = 0, template: str = "tap") -> Task:
    return Task(
        id=f"made/train/{number}",
        goal=f"Do it {number} times",
        suite="made",
        split="train",
        template=template,
        parameters={},
        seed=number,
        step_limit=9,
    )


def make_step(
    number: int,
    *,
    decision: tuple[int, ...] | None = (1,),
    log_prob: float | None = -1.0,
    version: int = 1,
    reward: float = 0.0,
    penalties: dict[str, float] | None = None,
) -> StoredStep:
    inputs = np.random.default_rng(number).normal(size=FEATURES)
    return StoredStep(
        action=Action(Kind.WAIT),
        decision=decision,
        log_prob=log_prob,
        entropy=1.0,
        version=version,
        digest="d",
        inputs=pack(inputs),
        reward=reward,
        penalties=penalties or {},
        decide_seconds=0.0,
        device_seconds=0.0,
    )


def make_episode(
    number: int,
    *,
    length: int | None = None,
    succeeded: bool | None = None,
    version: int = 1,
    task: Task | None = None,
) -> StoredEpisode:
    """An episode whose every part follows from its number."""
    rng = np.random.default_rng(number)
    size = int(rng.integers(1, 6)) if length is None else length
    won = bool(rng.random() < 0.5) if succeeded is None else succeeded
    steps = [
        make_step(
            1000 * number + i,
            decision=(int(rng.integers(CHOICES)),),
            log_prob=-float(rng.random()) - 0.5,
            version=version,
            reward=float(won and i == size - 1),
        )
        for i in range(size)
    ]
    return StoredEpisode(
        id=f"episode-{number}",
        task=task or make_task(number % 7),
        outcome=Outcome.SUCCEEDED if won else Outcome.STEP_LIMIT,
        steps=tuple(steps),
    )


class ListSource:
    """Episodes in a list; numbers start at 1 and leave gaps."""

    def __init__(self, episodes: Sequence[StoredEpisode] = ()) -> None:
        self.episodes = list(episodes)
        self.reads = 0

    def read_after(self, number: int, limit: int) -> list[tuple[int, StoredEpisode]]:
        self.reads += 1
        rows = [(3 * i + 1, episode) for i, episode in enumerate(self.episodes)]
        return [row for row in rows if row[0] > number][:limit]


def make_trajectory(number: int, *, length: int = 2, succeeded: bool = True) -> Trajectory:
    """A demonstration: nobody knows how likely its steps were."""
    rng = np.random.default_rng(10_000 + number)
    rewards = np.zeros(length, np.float32)
    rewards[-1] = float(succeeded)
    return Trajectory(
        id=f"demonstration-{number}",
        inputs=tuple(rng.normal(size=FEATURES).astype(np.float32) for _ in range(length)),
        decisions=tuple((int(rng.integers(CHOICES)),) for _ in range(length)),
        log_mu=np.full(length, np.nan, np.float32),
        rewards=rewards,
        penalties=np.zeros(length, np.float32),
        terminated=True,
        oldest_version=0,
        succeeded=succeeded,
        goal="shown",
    )
