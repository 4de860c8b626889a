"""Trackers: monitors that show a run's numbers elsewhere, such as W&B, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from distrl import plugins
from distrl.config.run import MonitorConfig, RunConfig
from distrl.errors import ConfigError
from distrl.interfaces import Monitor
from distrl.monitor.safe_monitor import SafeMonitor
from distrl.monitor.tensorboard import TensorBoardMonitor
from distrl.monitor.wandb import WandbMonitor
from distrl.plugins import Part, Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackerContext:
    """What a tracker is told when a run begins, or goes on."""

    folder: Path
    """Of the run; its name is the run's."""
    settings: Mapping[str, Any]
    """All settings of the run, as plain values."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """What `monitor.trackers` says under the tracker's name."""


def make_tensorboard(context: TrackerContext) -> Monitor:
    """TensorBoard files in the run's folder."""
    return TensorBoardMonitor(context.folder / "tensorboard")


def make_wandb(context: TrackerContext) -> Monitor:
    """A run of Weights & Biases; ConfigError when its package is missing."""
    return WandbMonitor(
        context.options["project"],
        context.folder,
        name=context.folder.name,
        settings=dict(context.settings),
    )


TRACKERS = Registry(
    Part.TRACKER,
    {"wandb": f"{__name__}:make_wandb", "tensorboard": f"{__name__}:make_tensorboard"},
    Monitor,
)
_TITLES = {"wandb": "W&B", "tensorboard": "TensorBoard"}


def require_trackers(config: MonitorConfig) -> None:
    """ConfigError for a tracker that nobody offers; none is made."""
    for name in _wanted(config):
        TRACKERS.require(name)


def open_trackers(folder: Path, config: RunConfig, tell: Callable[[str], None]) -> list[Monitor]:
    """The trackers that `config.monitor` asks for; none of them can stop the run later.

    ConfigError for a name that nobody offers, and when a tracker refuses its options. Any other
    error of a tracker is told once, and that tracker is switched off.
    """
    settings = config.model_dump(mode="json")

    def open_one(name: str, options: Mapping[str, Any]) -> Monitor:
        context = TrackerContext(folder=folder, settings=settings, options=options)
        return SafeMonitor(_TITLES.get(name, name), partial(_make, name, context), tell)

    return [open_one(name, options) for name, options in _wanted(config.monitor).items()]


def _wanted(config: MonitorConfig) -> dict[str, Mapping[str, Any]]:
    """Options by name. TensorBoard is last, because the others may refuse to begin."""
    for name in config.trackers:
        if name in TRACKERS.built_in:
            raise ConfigError(
                f"monitor.trackers is for plug-ins; {name} is switched on by monitor.{name}"
            )
    wandb = {} if config.wandb is None else {"wandb": {"project": config.wandb}}
    tensorboard: dict[str, Mapping[str, Any]] = {"tensorboard": {}} if config.tensorboard else {}
    return {**wandb, **config.trackers, **tensorboard}


def _make(name: str, context: TrackerContext) -> Monitor:
    made: Monitor
    if name in TRACKERS.built_in:
        made = TRACKERS.make(name, context)
    else:
        plugin = plugins.find(Part.TRACKER, name, ())
        # Not `plugin.make`, which makes a ConfigError of every error: a tracker whose server cannot
        # be reached should be switched off, and not keep a run from starting.
        made = TRACKERS.checked(plugin, plugin.entry.load()(context))
    return made
