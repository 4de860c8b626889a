"""Settings of tasks: which ones are trained on, and which are drawn more."""

from __future__ import annotations

from pydantic import Field

from distrl.config.base import Choice, Config
from distrl.config.factors import Factor


class TasksConfig(Config):
    """The tasks that are trained on."""

    suite: str = "general"
    """Name of the suite, such as general or miniwob:basic, a file of goals for phones,
    openenv:URL for the environment of an OpenEnv server, androidworld:CHECKOUT, browsergym:NAMES
    for tasks of BrowserGym, or mobilegym:CHECKOUT for those of MobileGym."""
    split: str = "train"
    """Split of the suite that is trained on: train, or wide for many more templates and wordings
    (general, shopping); all others are for evaluation."""
    factors: list[Choice[Factor]] = Field(default_factory=list)
    """Factors of robustness that embedded phones draw from while training: the seed of a task
    decides whether it has one of them, and which; evaluations have none."""


class CurriculumConfig(Config):
    """Curriculum: tasks that succeed about half of the time are drawn more often than others."""

    enabled: bool = True
    """Whether there is a curriculum; off draws tasks uniformly."""
    floor: float = Field(0.05, gt=0)
    """Added to the weight p * (1 - p) of a template with success rate p; larger values draw solved
    and hopeless templates more often."""
    memory: float = Field(0.9, ge=0, lt=1)
    """EMA decay of a template's success rate: 0.9 remembers about the last ten episodes."""
    unsolved: float = Field(1.0, gt=0)
    """How many times as often a task that never succeeded is drawn as others of its template."""
