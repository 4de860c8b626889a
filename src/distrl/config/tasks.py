"""Settings of tasks: which ones, how hard the phone makes them, which are drawn more."""

from __future__ import annotations

from pydantic import Field

from distrl.config.base import Config


class TasksConfig(Config):
    """What is trained on."""

    suite: str = "general"
    """Which suite."""
    split: str = "train"
    """Which of its splits."""


class CurriculumConfig(Config):
    """Draws tasks near half solved more often than others."""

    enabled: bool = True
    """Off draws uniformly."""
    floor: float = Field(0.05, gt=0)
    """What is added to p * (1 - p), so that nothing is forgotten."""
    memory: float = Field(0.9, ge=0, lt=1)
    """How slowly the running success of a template follows its episodes."""
    unsolved: float = Field(1.0, gt=0)
    """How many times as often as its siblings a task is drawn that never succeeded."""
