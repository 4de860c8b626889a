"""Settings of replay: how many episodes are kept and which are drawn."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from distrl.config.base import Choice, Config


class InitialPriority(StrEnum):
    """The priority that an episode arrives with."""

    MAX = "max"
    """The largest that is held: everything new is likely to be drawn soon."""
    ACTOR = "actor"
    """By the values and probabilities that the policy noted when it acted."""


class PrioritiesConfig(Config):
    """How much each term of an episode's priority counts."""

    # Weights of the three terms: each is divided by its running mean first, so these are the shares
    # of a typical episode. The TD error leads, as in prioritised replay.
    error: float = Field(1.0, ge=0)
    """Weight of the mean absolute temporal-difference error."""
    ratio: float = Field(0.5, ge=0)
    """Weight of the mean clipped importance ratio of the newest policy to the one that acted."""
    surprise: float = Field(0.25, ge=0)
    """Weight of the mean surprise, -log pi."""
    # Above 0: an episode of which nothing surprises would never be drawn again.
    floor: float = Field(0.01, gt=0)
    """Priority that every episode has at least, so that none is never drawn."""


class ReplayConfig(Config):
    """The replay buffer that the learner samples from."""

    capacity: int = Field(6000, ge=1)
    """Episodes kept in memory; the oldest make room. A step of the pointer takes about 40 kB."""
    # Half way between uniform and greedy: greedy replay overfits to a few surprising episodes.
    alpha: float = Field(0.5, ge=0, le=1)
    """Exponent of priorities in sampling: 0 samples uniformly, 1 in proportion."""
    # Annealed up to 1, as in prioritised replay: the bias of the sampling matters most at the end,
    # when the policy converges.
    importance_start: float = Field(0.4, ge=0, le=1)
    """Exponent (beta) of the importance-sampling weights at the start of the budget: 0 does not
    correct for prioritised sampling, 1 corrects fully."""
    importance_end: float = Field(1.0, ge=0, le=1)
    """Exponent of the importance-sampling weights at the end of the budget; linear in between."""
    # Large enough that at least 500 episodes stay eligible.
    max_lag: int = Field(200, ge=0)
    """Staleness bound in published versions: episodes with an older step train the critics only."""
    # What is too stale for the policy still trains the critics.
    old_share: float = Field(0.125, ge=0, le=1)
    """Share of each batch that is sampled from all episodes instead of the fresh ones, for the
    critics."""
    priorities: PrioritiesConfig = PrioritiesConfig()
    """What an episode's priority is made of."""
    initial_priority: Choice[InitialPriority] = InitialPriority.MAX
    """The priority of a new episode: max, the largest that is held, or actor, by the values and
    probabilities that were noted when it was played. Where these are not known, it is max."""
