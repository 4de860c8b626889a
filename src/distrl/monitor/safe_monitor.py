"""Monitors that cannot stop a run: a broken one is switched off after its first error."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

from distrl.errors import ConfigError
from distrl.interfaces import Monitor


class SafeMonitor:
    """Passes records to a monitor until its first error. Any thread may call."""

    def __init__(
        self, name: str, build: Callable[[], Monitor], tell: Callable[[str], None]
    ) -> None:
        """Build the monitor. ConfigError is raised; any other error is told, as later ones are."""
        self._name, self._tell, self._told = name, tell, False
        self._lock = threading.Lock()
        self._monitor: Monitor | None = None
        try:
            self._monitor = build()
        except ConfigError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, training is worth more
            self._switch_off(error)

    @property
    def working(self) -> bool:
        """Whether the monitor has not failed and is not closed."""
        return self._monitor is not None

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Pass on, unless it was switched off."""
        if (monitor := self._monitor) is not None:
            self._guard(lambda: monitor.record(numbers, step=step))

    def close(self) -> None:
        """Close it; a second call does nothing."""
        with self._lock:
            monitor, self._monitor = self._monitor, None
        if monitor is not None:
            self._guard(monitor.close)

    def _guard(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:  # noqa: BLE001 - as above
            self._switch_off(error)

    def _switch_off(self, error: Exception) -> None:
        # Two threads may fail at once; only one of them tells.
        with self._lock:
            first, self._told, self._monitor = not self._told, True, None
        if first:
            self._tell(f"{self._name} is switched off after an error: {error!r}")


class MonitorGroup:
    """Several monitors as one."""

    def __init__(self, monitors: Sequence[Monitor]) -> None:
        """Record to each, in this order."""
        self._monitors = tuple(monitors)

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Pass on to each."""
        for monitor in self._monitors:
            monitor.record(numbers, step=step)

    def close(self) -> None:
        """Close each."""
        for monitor in self._monitors:
            monitor.close()
