"""From what a Gymnasium environment shows to what a policy decides on.

    observation, info = env.reset()      situation = recall.situation(observation, info)
    observation, ... = env.step(...)     recall.remember(action)
                                         situation = recall.situation(observation, info)

A policy needs more than the newest screen: what was done so far, and what it touched. `Recall`
keeps both for one environment, and notices by itself when another episode has begun.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from distrl.actions import words_touched
from distrl.envs.gymnasium_env import decode_observation, not_an_observation
from distrl.types import Action, Observation, Situation, Task, step_seed


@dataclass(frozen=True, slots=True)
class _Done:
    steps_left: int
    action: Action
    touched: str


class Recall:
    """What was done so far in the episode of one environment."""

    def __init__(self, seed: int = 0) -> None:
        """`seed` decides the draws of episodes whose task is not told."""
        self._next_seed = seed
        self._new = True
        self._goal = ""
        self._seed = 0
        self._done: list[_Done] = []
        self._shown: tuple[int, Observation] | None = None

    @property
    def fresh(self) -> bool:
        """Whether the last situation was the first of its episode."""
        return not self._done

    @property
    def seed(self) -> int:
        """The seed of the running episode: that of its task, if it was told."""
        return self._seed

    def reset(self, seed: int | None = None) -> None:
        """Another episode begins with the next observation, with this seed for its draws."""
        self._new = True
        if seed is not None:
            self._next_seed = seed

    def situation(
        self, observation: Mapping[str, Any], info: Mapping[str, Any] | None = None
    ) -> Situation:
        """What a policy decides on now; ConfigError for an observation of another kind.

        A new episode has begun when the goal is another one, or when the steps left are not one
        fewer than before. An observation that comes twice is the same step, asked again.
        """
        seen = decode_observation(observation)
        try:
            goal, steps_left = str(observation["goal"]), int(observation["steps_left"])
        except (KeyError, TypeError) as error:
            raise not_an_observation(observation) from error
        task: Task | None = (info or {}).get("task")
        if task is not None:
            # The arrays have room for so many elements and characters; the values have all.
            goal, seen = task.goal, replace(seen, elements=(info or {})["elements"] or None)
        before = [done for done in self._done if done.steps_left > steps_left]
        follows = bool(before) and before[-1].steps_left == steps_left + 1
        if self._new or goal != self._goal or not follows:
            before = []
            self._seed = self._next_seed if task is None else task.seed
            self._next_seed += 1
        self._new, self._goal, self._done = False, goal, before
        self._shown = (steps_left, seen)
        return Situation(
            goal=goal,
            observation=seen,
            history=tuple(done.action for done in before),
            touched=tuple(done.touched for done in before),
            steps_left=max(1, steps_left),
            seed=step_seed(self._seed, len(before)),
        )

    def remember(self, action: Action) -> None:
        """This action was chosen in the last situation."""
        assert self._shown is not None
        steps_left, seen = self._shown
        self._done.append(_Done(steps_left, action, words_touched(action, seen)))
