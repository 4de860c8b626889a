"""The evidence of an episode that a judge is shown, and verdicts that need none: pure functions."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from distrl import actions, screens
from distrl.replay.store.picture_codec import encode
from distrl.types import Action, Episode, Kind, Observation, Verdict

ACTIONS = 2
"""The last actions that are shown; more did not help the judge of the DistRL paper."""


@dataclass(frozen=True, slots=True)
class Case:
    """The evidence. There is no word of the agent in it but what it typed or answered."""

    goal: str
    actions: tuple[Action, ...]
    """The last ones, oldest first; the very last is what the agent declared."""
    shown: tuple[Observation, ...]
    """The last screens that differ, oldest first; at least one."""

    @property
    def final(self) -> Observation:
        """What the device showed at the end."""
        return self.shown[-1]

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the last screen, as its elements tell them."""
        elements = self.final.elements or ()
        return tuple(e.text or e.description for e in elements if e.text or e.description)

    def pictures(self) -> tuple[bytes, ...]:
        """The screens as PNG."""
        return tuple(encode(seen.screen, "png") for seen in self.shown)

    def digest(self) -> str:
        """The same for the same evidence."""
        digest = hashlib.sha256(self.goal.encode("utf-8", "replace"))
        for action in self.actions:
            digest.update(b"\0" + actions.to_text(action).encode("utf-8", "replace"))
        for seen in self.shown:
            digest.update(repr(seen.screen.shape).encode() + seen.screen.tobytes())
        digest.update("\0".join(self.words).encode("utf-8", "replace"))
        return digest.hexdigest()


def case_of(episode: Episode, *, most_screens: int = 2) -> Case | None:
    """The evidence of an episode; None when a fault has ended it, or nothing was done."""
    if episode.final is None or not episode.steps or not episode.outcome.trainable:
        return None
    seen = [episode.final]
    for step in reversed(episode.steps):
        if len(seen) == most_screens:
            break
        if not screens.same(step.observation.screen, seen[0].screen):
            seen.insert(0, step.observation)
    done = tuple(step.choice.action for step in episode.steps[-ACTIONS:])
    return Case(episode.task.goal, done, tuple(seen))


def declared(episode: Episode) -> Kind | None:
    """What the agent declared at the end; None when it ran out of steps."""
    last = episode.steps[-1].choice.action.kind if episode.steps else None
    return last if last is not None and last.ends_episode else None


def no_evidence(judge: str) -> Verdict:
    """The verdict where nobody could tell."""
    return void(judge, "there is nothing to judge: the episode ended with a fault")


def undeclared(judge: str) -> Verdict:
    """The verdict where the agent itself did not think that it was done."""
    return Verdict(judge=judge, success=False, reason="the agent never declared an end")


def void(judge: str, reason: str) -> Verdict:
    """Neither success nor failure."""
    return Verdict(judge=judge, success=None, reason=reason)
