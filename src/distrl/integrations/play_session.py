"""One device that plays tasks of a suite, turn by turn: what every framework's adapter drives."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Protocol, runtime_checkable

from distrl.checks import require_seed
from distrl.config.devices import PhoneConfig
from distrl.envs.device_env import SavedEpisode
from distrl.envs.device_kinds import device_factory, env_on
from distrl.errors import ConfigError, TaskError, unknown_name
from distrl.integrations.messages import read_text
from distrl.interfaces import SaysGoal, Transition
from distrl.tasks.suites import load_suite
from distrl.types import Action, Observation, Outcome, Task, Verdict


class TaskBook:
    """The tasks of one suite, by name, by seed or at random."""

    def __init__(self, suite: str = "general", split: str = "train") -> None:
        """Draw from `split` where no task is named; ConfigError for what there is not."""
        self.name, self.split = suite, split
        self.suite = load_suite(suite)
        self._drawn = self.suite.tasks(split)
        if not self._drawn:
            raise ConfigError(f"the split {split!r} of {suite!r} has no tasks")

    @cached_property
    def _by_id(self) -> dict[str, Task]:
        splits = self.suite.splits
        return {task.id: task for split in splits for task in self.suite.tasks(split)}

    def named(self, task_id: str) -> Task:
        """A task of this suite, and of no other: names of others may be paths of files."""
        if task_id not in self._by_id:
            splits = self.suite.splits
            # The nearest of thousands would take seconds to find, for whoever asks for it.
            raise ConfigError(
                f"unknown task {task_id[:200]!r}: tasks are named "
                f"{self.suite.name}/SPLIT/NUMBER, such as {self._drawn[0].id}, with a SPLIT of "
                f"{', '.join(splits)}"
            )
        return self._by_id[task_id]

    def drawn(self, seed: int | None, split: str | None = None) -> Task:
        """The task of a seed, always the same one; any for None."""
        if seed is not None:
            require_seed(seed)
        if split is not None and split not in self.suite.splits:
            raise unknown_name("split", split, self.suite.splits)
        tasks = self._drawn if split is None else self.suite.tasks(split)
        if not tasks:
            raise ConfigError(f"the split {split!r} of {self.name!r} has no tasks")
        return Random(seed).choice(tasks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a reset or a step led to."""

    task: Task
    """With the goal in the words of the page, where the page words it."""
    seen: Observation
    steps_left: int
    reward: float = 0.0
    done: bool = False
    outcome: Outcome | None = None
    verdict: Verdict | None = None
    """Of the referee, once the episode has ended."""
    refused: str = ""
    """Why the action had no effect."""
    fault: str = ""

    @property
    def side_effects(self) -> tuple[str, ...]:
        """Lasting changes that the task did not allow; known once the episode has ended."""
        return () if self.verdict is None else self.verdict.side_effects


@dataclass(frozen=True, slots=True)
class SavedTurn:
    """A turn that can be gone back to, in this session or in another one of the same suite."""

    episode: SavedEpisode
    turn: Turn


@runtime_checkable
class Resumable(Protocol):
    """An environment whose running episode can be saved and gone on with."""

    def save(self) -> SavedEpisode:
        """The episode as it stands."""
        ...

    def resume(self, saved: SavedEpisode) -> Observation:
        """Go on with it."""
        ...


class PlaySession:
    """One device. Not for several threads at once."""

    def __init__(
        self, book: TaskBook, *, name: str = "session", phone: PhoneConfig | None = None
    ) -> None:
        """Make the device that the suite is for; `phone` is how embedded ones are made."""
        self.book = book
        device = device_factory(book.name, phone=phone).make_device(name)
        self._env, self.oracle = env_on(device)
        """The oracle knows the way, where anybody does; it is for tests and demonstrations."""
        self._turn: Turn | None = None

    @property
    def turn(self) -> Turn:
        """Where the episode stands; TaskError before the first reset."""
        if self._turn is None:
            raise TaskError("no episode is running; reset first")
        return self._turn

    @property
    def begun(self) -> bool:
        """Whether there was a reset."""
        return self._turn is not None

    def reset(self, task: Task) -> Turn:
        """Set a task up on the device."""
        self._turn = None
        seen = self._env.reset(task)
        if isinstance(self._env, SaysGoal):
            task = replace(task, goal=self._env.goal)
        self._turn = Turn(task=task, seen=seen, steps_left=task.step_limit)
        return self._turn

    def step(self, action: Action, *, why_none: str = "") -> Turn:
        """Carry out one action; `why_none` says why what was asked for is no action, if so.

        TaskError after the end of the episode.
        """
        before = self.turn
        if before.done:
            raise TaskError("the episode has ended; reset first")
        after = self._env.step(action)
        self._turn = self._following(before, after, why_none)
        return self._turn

    def write(self, text: str) -> Turn:
        """Carry out the action that a model wrote; text that is none costs a step."""
        action, why_none = read_text(text, self.turn.seen)
        return self.step(action, why_none=why_none)

    def save(self) -> SavedTurn:
        """The turn as it stands; TaskError for devices whose state cannot be taken out."""
        turn = self.turn
        return SavedTurn(self._resumable().save(), turn)

    def resume(self, saved: SavedTurn) -> Turn:
        """Go back, or over, to a saved turn. Several sessions may, and never affect each other."""
        self._turn = replace(saved.turn, seen=self._resumable().resume(saved.episode))
        return self._turn

    def close(self) -> None:
        """Give the device back; a second call does nothing."""
        self._turn = None
        self._env.close()

    def _resumable(self) -> Resumable:
        if not isinstance(self._env, Resumable):
            raise TaskError(
                f"the state of devices of the kind {self.book.suite.device!r} cannot be taken out "
                "and put back"
            )
        return self._env

    def _following(self, before: Turn, after: Transition, why_none: str) -> Turn:
        verdicts = self._env.verdicts() if after.outcome is not None else ()
        return replace(
            before,
            seen=after.observation,
            steps_left=before.steps_left - 1,
            reward=after.reward,
            done=after.terminated or after.truncated,
            outcome=after.outcome,
            verdict=verdicts[0] if verdicts else None,
            refused=why_none or after.refused,
            fault=after.fault,
        )
