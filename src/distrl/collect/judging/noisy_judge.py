"""A judge that errs: what training sees where no state check is to be had.

An error is drawn once for each episode, from the seed and the episode's name, so that a run with a
judge that errs can be repeated.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from distrl.collect.judging.verdicts import rewarded
from distrl.errors import ConfigError
from distrl.types import Episode, Verdict

JUDGE = "misjudged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Misjudgement:
    """How often a judge is wrong."""

    false_positive: float = 0.05
    """Share of the failures that it takes for successes."""
    false_negative: float = 0.10
    """Share of the successes that it takes for failures."""

    def __post_init__(self) -> None:
        """Refuse what is no share."""
        for name in ("false_positive", "false_negative"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"{name} must be from 0 to 1, got {getattr(self, name)!r}")


def misjudge(episode: Episode, rates: Misjudgement, *, seed: int) -> Episode:
    """The episode as such a judge sees it: its outcome, its last reward, and a verdict more.

    What a fault ended is nobody's success and is left as it is.
    """
    if not episode.outcome.trainable:
        return episode
    rate = rates.false_negative if episode.succeeded else rates.false_positive
    errs = Random(f"{seed} {episode.id} judge").random() < rate
    return rewarded(episode, Verdict(judge=JUDGE, success=episode.succeeded != errs))
