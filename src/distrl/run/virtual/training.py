"""`distrl train engine=virtual`: the training stage of a run, under virtual time.

    RunConfig, first weights --> VirtualEngine --> RUN/checkpoints/step-N

Devices take the times of a fleet of emulators (`FleetProfile`), deciding and learning cost what
`cost.json` says, and nothing waits for the wall clock: the same settings and the same seed give
the same weights, bit for bit. Another processor or another version of torch may round differently.
Episodes are not stored, and such a run cannot be resumed; it is started again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from distrl.config import RunConfig
from distrl.errors import ConfigError
from distrl.replay.trajectory import Trajectory
from distrl.run.builders.pointer import Pointer
from distrl.run.state.checkpoint import Checkpoints
from distrl.run.state.folder import RunFolder
from distrl.run.virtual.engine import VirtualRun, VirtualSettings
from distrl.run.virtual.phones import build_virtual
from distrl.tasks.seed_suite import SeedSuite
from distrl.tasks.suites import is_over_adb, load_suite


def require_virtual(config: RunConfig) -> None:
    """ConfigError unless the suite is played on embedded phones."""
    suite = config.tasks.suite
    if is_over_adb(suite) or isinstance(load_suite(suite), SeedSuite):
        raise ConfigError(
            f"engine: virtual plays suites of the embedded phone, such as general and shopping; "
            f"tasks.suite is {suite!r}"
        )


def train_virtually(
    folder: RunFolder,
    config: RunConfig,
    pointer: Pointer,
    demonstrations: Sequence[Trajectory],
    passed: Callable[[float], None],
) -> VirtualRun:
    """Train `pointer` until `config.minutes` of virtual time or `config.max_episodes` are spent.

    The learner's last state is saved as a checkpoint in `folder`; `passed` is told the share of
    the budget that is spent.
    """
    seconds = math.inf if config.minutes is None else 60.0 * config.minutes
    # One checkpoint, at the end: the run is evaluated before and after, not on the way.
    settings = VirtualSettings(seconds=seconds, episodes=config.max_episodes, checkpoints=1)
    engine = build_virtual(config, settings, pointer, demonstrations, passed=passed)
    found = engine.run()
    keep = config.learner.keep_checkpoints
    Checkpoints(folder.checkpoints, keep=keep).save(engine.learner.snapshot())
    return found
