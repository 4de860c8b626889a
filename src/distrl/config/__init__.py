"""Settings of a run: typed, frozen, checked before anything heavy is loaded."""

from __future__ import annotations

from distrl.config.load import dump, load_run_config, recipe_names
from distrl.config.run import RunConfig

__all__ = ["RunConfig", "dump", "load_run_config", "recipe_names"]
