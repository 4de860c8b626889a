"""Settings of replay: how many episodes are kept and which are drawn."""

from __future__ import annotations

from pydantic import Field

from distrl.config.base import Config


class PrioritiesConfig(Config):
    """How much each term of an episode's priority counts."""

    # Weights of the three terms: each is divided by its running mean first, so these are the shares
    # of a typical episode. The TD error leads, as in prioritised replay.
    error: float = Field(1.0, ge=0)
    """Mean size of the temporal differences."""
    ratio: float = Field(0.5, ge=0)
    """Mean clipped ratio of the newest policy to the one that acted."""
    surprise: float = Field(0.25, ge=0)
    """Mean of -log pi."""
    # Above 0: an episode of which nothing surprises would never be drawn again.
    floor: float = Field(0.01, gt=0)
    """What every episode has at least."""


class ReplayConfig(Config):
    """The buffer that the learner draws from."""

    capacity: int = Field(6000, ge=1)
    """Episodes kept; the oldest make room. An unpacked step of the pointer takes about 40 kB."""
    # Half way between uniform and greedy: greedy replay overfits to a few surprising episodes.
    alpha: float = Field(0.5, ge=0, le=1)
    """How strongly priorities count; 0 draws uniformly."""
    # Annealed up to 1, as in prioritised replay: the bias of the sampling matters most at the end,
    # when the policy converges.
    importance_start: float = Field(0.4, ge=0, le=1)
    """Exponent of the importance weights at the start of the budget."""
    importance_end: float = Field(1.0, ge=0, le=1)
    """The same at its end."""
    # Large enough that at least 500 episodes stay eligible.
    max_lag: int = Field(200, ge=0)
    """Episodes with an older step than this, in versions, train the critics only."""
    # What is too stale for the policy still trains the critics.
    old_share: float = Field(0.125, ge=0, le=1)
    """Share of each batch that is drawn from all episodes instead of the fresh ones."""
    priorities: PrioritiesConfig = PrioritiesConfig()
    """What makes an episode worth replaying."""
