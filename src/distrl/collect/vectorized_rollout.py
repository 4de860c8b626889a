"""Vectorized rollout: many episodes in one thread, with one forward pass for all that wait."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

from distrl.collect.driver import START, Answer, Ended, Reply, advance, attempt
from distrl.collect.episode import Decide, OnDevice, Wait, play
from distrl.interfaces import Clock, Env, Policy
from distrl.types import Episode, Outcome, Task


def run_episodes(
    envs: Sequence[Env],
    policy: Policy,
    tasks: Sequence[Task],
    *,
    clock: Clock,
    name: Callable[[Task], str] = lambda task: task.id,
) -> Iterator[tuple[int, Episode]]:
    """Play each task once; yields episodes as they end, with the index of their task.

    The policy sees each situation with its own seed and nothing of who else plays, so that the
    result is the same as one by one.
    """
    waiting = list(enumerate(tasks))[::-1]
    playing: list[_Playing] = []
    free = list(envs)
    while waiting or playing:
        while waiting and free:
            index, task = waiting.pop()
            env = free.pop()
            machine = play(env, task, clock=clock, episode_id=name(task), seed=task.seed)
            playing.append(_Playing(index, env, machine))
        # All advance to their next decision before anyone is answered: one pass serves them all.
        for one in playing:
            one.advance_to_decision()
        for one in [p for p in playing if p.episode is not None]:
            playing.remove(one)
            assert one.episode is not None
            # A device that is lost before its first step would be free again at once, and lose
            # task after task while the others still play: it gets no other, unless it is the last.
            if not (_never_began(one.episode) and (playing or free)):
                free.append(one.env)
            yield one.index, one.episode
        if playing:
            choices = policy.act([one.decision.situation for one in playing])
            for one, choice in zip(playing, choices, strict=True):
                one.reply = Answer(choice)


def _never_began(episode: Episode) -> bool:
    return episode.outcome is Outcome.DEVICE_LOST and not episode.steps


class _Playing:
    """An episode under way, at a decision or at its end."""

    def __init__(self, index: int, env: Env, machine: Generator[Wait, Any, Episode]) -> None:
        self.index, self.env = index, env
        self._machine = machine
        self._wait: Wait | None = None
        self.reply: Reply = START
        self.episode: Episode | None = None

    @property
    def decision(self) -> Decide:
        assert isinstance(self._wait, Decide)
        return self._wait

    def advance_to_decision(self) -> None:
        wait = advance(self._machine, self.reply)
        while isinstance(wait, OnDevice):
            wait = advance(self._machine, attempt(wait.run))
        if isinstance(wait, Ended):
            self.episode = wait.result
        else:
            self._wait = wait
