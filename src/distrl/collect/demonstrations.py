"""Demonstrations of people as training data for a policy.

A person's step has neither a policy's decision nor its packed inputs. For each step the situation
is rebuilt as the policy would have seen it, and the action is expressed as the policy's decision.
A warm start clones the result (behaviour cloning), and a learner imitates it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

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
        if _is_cloned(episode, suite, split)
    ]


def _is_cloned(episode: Episode, suite: str, split: str) -> bool:
    return episode.succeeded and (episode.task.suite != suite or episode.task.split == split)


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """How many episodes `express_successes` takes, and why it leaves others out."""

    cloned: int
    failed: int
    other_split: int
    """Successes on another split of the suite."""
    other_suite: int
    """Those that are cloned although they were played in another suite."""

    def in_words(self, where: str) -> str:
        """As in `cloning 1 of 3 episodes in demonstrations (1 failed, 1 of another split)`."""
        total = self.cloned + self.failed + self.other_split
        left = [
            f"{number} {why}"
            for number, why in ((self.failed, "failed"), (self.other_split, "of another split"))
            if number
        ]
        out = f" ({', '.join(left)})" if left else ""
        strange = f"; {self.other_suite} of them of another suite" if self.other_suite else ""
        return f"cloning {self.cloned} of {total} episodes in {where}{out}{strange}"


def survey(episodes: Iterable[Episode], *, suite: str, split: str) -> Survey:
    """Count what `express_successes` would take and leave out."""
    cloned = failed = other_split = other_suite = 0
    for episode in episodes:
        if _is_cloned(episode, suite, split):
            cloned += 1
            other_suite += episode.task.suite != suite
        elif episode.succeeded:
            other_split += 1
        else:
            failed += 1
    return Survey(cloned=cloned, failed=failed, other_split=other_split, other_suite=other_suite)


def any_to_clone(episodes: Iterable[Episode], *, suite: str, split: str) -> bool:
    """Whether `express_successes` would take any; reads no further than the first of them."""
    return any(_is_cloned(episode, suite, split) for episode in episodes)


def express_episode(episode: Episode, express: Express) -> StoredEpisode:
    """What a learner needs of an episode that somebody else played."""
    steps = []
    for step, situation in zip(episode.steps, situations_of(episode), strict=True):
        decision, inputs = express(situation, step.choice.action)
        choice = replace(step.choice, decision=decision, inputs=inputs, log_prob=None, value=None)
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
