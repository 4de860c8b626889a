"""Demonstrations of people as training data for a policy.

A person's step has neither a policy's decision nor its packed inputs. For each step the situation
is rebuilt as the policy would have seen it, and the action is expressed as the policy's decision.
A warm start clones the result (behaviour cloning), and a learner imitates it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from distrl.actions import words_touched
from distrl.interfaces import Express
from distrl.types import Episode, Situation, Step, StoredEpisode, step_seed


def express_successes(
    episodes: Iterable[Episode], express: Express, *, suite: str, split: str
) -> list[StoredEpisode]:
    """Those that succeeded, in the terms of a policy that is to be trained on a suite's split.

    What was played on the suite's other splits is left out: it is kept for looking at the result.
    """
    return [
        express_episode(episode, express)
        for episode in episodes
        if episode.succeeded and (episode.task.suite != suite or episode.task.split == split)
    ]


def express_episode(episode: Episode, express: Express) -> StoredEpisode:
    """What a learner needs of an episode that somebody else played."""
    steps = []
    for step, situation in zip(episode.steps, situations_of(episode), strict=True):
        decision, inputs = express(situation, step.choice.action)
        choice = replace(step.choice, decision=decision, inputs=inputs, log_prob=None)
        steps.append(replace(step, choice=choice))
    return StoredEpisode.of(replace(episode, steps=tuple(steps)))


def situations_of(episode: Episode) -> Iterator[Situation]:
    """What whoever acted could look at, before each step."""
    task, before = episode.task, list[Step]()
    for step in episode.steps:
        yield Situation(
            goal=task.goal,
            observation=step.observation,
            history=tuple(s.choice.action for s in before),
            touched=tuple(words_touched(s.choice.action, s.observation) for s in before),
            steps_left=task.step_limit - len(before),
            seed=step_seed(task.seed, len(before)),
        )
        before.append(step)
