"""What a store gives back: to a learner without pictures, to a dashboard a line per episode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from distrl.types import Action, Choice, Episode, Observation, Outcome, Step, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredStep:
    """A step without what was seen, which lives apart from it."""

    action: Action
    decision: tuple[int, ...] | None
    log_prob: float | None
    entropy: float | None
    version: int
    digest: str
    inputs: bytes
    reward: float
    penalties: Mapping[str, float]
    decide_seconds: float
    device_seconds: float

    @classmethod
    def of(cls, step: Step) -> StoredStep:
        """Leave the observation out."""
        choice = step.choice
        return cls(
            action=choice.action,
            decision=choice.decision,
            log_prob=choice.log_prob,
            entropy=choice.entropy,
            version=choice.version,
            digest=choice.digest,
            inputs=choice.inputs,
            reward=step.reward,
            penalties=step.penalties,
            decide_seconds=step.decide_seconds,
            device_seconds=step.device_seconds,
        )

    def at(self, observation: Observation) -> Step:
        """The whole step again."""
        return Step(
            observation=observation,
            choice=Choice(
                action=self.action,
                decision=self.decision,
                log_prob=self.log_prob,
                entropy=self.entropy,
                version=self.version,
                digest=self.digest,
                inputs=self.inputs,
            ),
            reward=self.reward,
            penalties=self.penalties,
            decide_seconds=self.decide_seconds,
            device_seconds=self.device_seconds,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEpisode:
    """What a learner needs of an episode."""

    id: str
    task: Task
    outcome: Outcome
    steps: tuple[StoredStep, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One line about an episode; finding and reading it costs no picture and no step."""

    number: int
    """Its place in the order of the store, from 1."""
    id: str
    task_id: str
    suite: str
    split: str
    template: str
    outcome: Outcome
    steps: int
    reward: float
    """Sum over its steps."""
    started: float
    ended: float
    device: str
    min_version: int | None
    """Oldest policy version among its steps; None without steps."""
    max_version: int | None
    fault: str


class EpisodeReader(Protocol):
    """Reads episodes, also while somebody else adds to them."""

    def get(self, episode_id: str) -> Episode:
        """The stored episode, its screens decoded on first use; KeyError when there is none."""
        ...

    def ids(self) -> Sequence[str]:
        """All ids in the order in which they became durable."""
        ...

    def count(self) -> int:
        """How many episodes there are."""
        ...

    def read_after(self, number: int, limit: int) -> list[tuple[int, StoredEpisode]]:
        """The first `limit` episodes after a number, oldest first, with their own numbers.

        Numbers only grow: whoever asks again with the last one it saw misses nothing.
        """
        ...

    def summaries(self, after: int = 0, limit: int = 1000) -> list[Summary]:
        """Lines about the first `limit` episodes after a number."""
        ...

    def outcomes(
        self, *, suite: str | None = None, split: str | None = None, template: str | None = None
    ) -> Mapping[Outcome, int]:
        """How many episodes ended in which way, of all or of some."""
        ...


class DurableStore(EpisodeReader, Protocol):
    """An EpisodeStore for collectors and learners."""

    def add(self, episode: Episode) -> None:
        """Return once the episode is durable. Adding the same id again changes nothing."""
        ...

    def add_later(self, episode: Episode) -> Future[None]:
        """Return at once; the future is done when the episode is durable, and fails if not.

        Episodes become durable in the order in which they were handed in.
        """
        ...

    def close(self) -> None:
        """Finish what was handed in, then refuse more; a second call does nothing."""
        ...
