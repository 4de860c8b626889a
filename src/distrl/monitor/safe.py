"""A broken monitor never stops a run: it is switched off after its first error, and said once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

from distrl.errors import ConfigError
from distrl.interfaces import Monitor


class Safe:
    """Stands before a monitor and takes its errors."""

    def __init__(
        self, name: str, build: Callable[[], Monitor], tell: Callable[[str], None]
    ) -> None:
        """Build the monitor. ConfigError is for the user and passes; other errors are told."""
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
        """Whether it still records."""
        return self._monitor is not None

    def record(self, numbers: Mapping[str, float], *, step: int) -> None:
        """Pass on, if it still works."""
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
        with self._lock:
            first, self._told, self._monitor = not self._told, True, None
        if first:
            self._tell(f"{self._name} is switched off after an error: {error!r}")


class Fan:
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
