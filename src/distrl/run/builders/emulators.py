"""The emulators of a run: started with it, owned by it, and ended with it."""

from __future__ import annotations

import atexit
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from distrl.config.devices import EmulatorsConfig
from distrl.devices.android.emulator import EmulatorGroup, EmulatorSettings


def emulator_settings(config: EmulatorsConfig) -> EmulatorSettings:
    """How the emulators of a run are started."""
    return EmulatorSettings(
        avd=config.avd,
        snapshot=config.snapshot,
        program=config.program,
        memory_mb=config.memory_mb,
        cores=config.cores,
        gpu=config.gpu,
        boot_seconds=config.boot_seconds,
        options=tuple(config.options),
    )


@contextmanager
def running_emulators(
    config: EmulatorsConfig, *, adb_port: int, logs: Path | None
) -> Iterator[EmulatorGroup]:
    """The emulators of a run, all of them started; DeviceLost when one does not start.

    They end with the context, or with this process if it never comes to that.
    """
    group = EmulatorGroup(
        emulator_settings(config),
        config.count,
        adb_port=adb_port,
        folder=Path(tempfile.mkdtemp(prefix="distrl-emulators-")) if logs is None else logs,
        first_port=config.first_port,
    )
    # Before they start: an emulator outlives the process that started it.
    atexit.register(group.close)
    try:
        group.start()
        yield group
    finally:
        group.close()
        atexit.unregister(group.close)
