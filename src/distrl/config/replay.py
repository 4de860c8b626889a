"""Settings of replay: how many episodes are kept and which are drawn."""

from __future__ import annotations

from pydantic import Field

from distrl.config.base import Config


class PrioritiesConfig(Config):
    """How much each term of an episode's priority counts."""

    error: float = Field(1.0, ge=0)
    """Mean size of the temporal differences."""
    ratio: float = Field(0.5, ge=0)
    """Mean clipped ratio of the newest policy to the one that acted."""
    surprise: float = Field(0.25, ge=0)
    """Mean of -log pi."""
    floor: float = Field(0.01, gt=0)
    """What every episode has at least."""


class ReplayConfig(Config):
    """The buffer that the learner draws from."""

    capacity: int = Field(6000, ge=1)
    """Episodes kept; the oldest make room. An unpacked step of the pointer takes about 40 kB."""
    alpha: float = Field(0.5, ge=0, le=1)
    """How strongly priorities count; 0 draws uniformly."""
    importance_start: float = Field(0.4, ge=0, le=1)
    """Exponent of the importance weights at the start of the budget."""
    importance_end: float = Field(1.0, ge=0, le=1)
    """The same at its end."""
    max_lag: int = Field(200, ge=0)
    """Episodes with an older step than this, in versions, train the critics only."""
    old_share: float = Field(0.125, ge=0, le=1)
    """Share of each batch that is drawn from all episodes instead of the fresh ones."""
    priorities: PrioritiesConfig = PrioritiesConfig()
    """What makes an episode worth replaying."""
