"""The emulators of a run: started with it, owned by it, and ended with it."""

from __future__ import annotations

import atexit
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from distrl.config.devices import EmulatorsConfig
from distrl.devices.android.emulator import EmulatorGroup


@contextmanager
def running_emulators(
    config: EmulatorsConfig, *, adb_port: int, logs: Path | None
) -> Iterator[EmulatorGroup]:
    """The emulators of a run, all of them started; DeviceLost when one does not start.

    They end with the context, or with this process if it never comes to that.
    """
    group = EmulatorGroup(
        config,
        adb_port=adb_port,
        folder=Path(tempfile.mkdtemp(prefix="distrl-emulators-")) if logs is None else logs,
    )
    # Before they start: an emulator outlives the process that started it.
    atexit.register(group.close)
    try:
        group.start()
        yield group
    finally:
        group.close()
        atexit.unregister(group.close)
