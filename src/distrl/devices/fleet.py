"""The fleet: hands devices out and takes them back.

            lease                      give_back
    free ----------> leased until ... ----------> free
                       |   |
        retire         |   |  reclaim, past its deadline
    retired <----------+   +----------> retired

A lease counts once: whoever returns a device after its lease was reclaimed is told so, and the
device stays where it is. Wall time and quarantine are counted here, for the utilisation.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from distrl.errors import ConfigError, PipelineError
from distrl.interfaces import Clock, Device


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to use a device for a while."""

    number: int
    """Never used twice."""
    device: Device
    deadline: float
    """Clock time at which the device is taken away."""


class Fleet:
    """Some devices, each with one user at a time. Any thread may call."""

    def __init__(
        self, devices: Sequence[Device], *, clock: Clock, lease_seconds: float = 600.0
    ) -> None:
        """All devices are free; a lease ends after `lease_seconds`."""
        names = [device.id for device in devices]
        if not names:
            raise ConfigError("a fleet needs at least one device")
        if len(set(names)) < len(names):
            raise ConfigError(f"devices of a fleet need different names, got {names}")
        self._clock, self._lease_seconds = clock, lease_seconds
        self._lock = threading.Lock()
        self._free: deque[Device] = deque(devices)
        self._leased: dict[int, Lease] = {}
        self._retired: dict[str, str] = {}
        self._losses = dict.fromkeys(names, 0)
        self._next = 0
        self._size = len(names)
        self._retired_at: list[float] = []
        self._started = clock.now()

    def lease(self, *, timeout: float) -> Lease | None:
        """The device that has been free for longest; None when none becomes free in time.

        Raises PipelineError when no device is left that could become free.
        """
        taken: list[Lease] = []

        def take() -> bool:
            self.reclaim()
            with self._lock:
                if self._free:
                    lease = Lease(
                        self._next, self._free.popleft(), self._clock.now() + self._lease_seconds
                    )
                    self._next += 1
                    self._leased[lease.number] = lease
                    taken.append(lease)
                elif not self._leased:
                    raise PipelineError(f"no device is left: {self._reasons()}")
            return bool(taken)

        self._clock.wait_until(take, timeout=timeout)
        return taken[0] if taken else None

    def note(self, lease: Lease, *, lost: bool) -> int:
        """How many episodes in a row have now lost this device, whoever played them."""
        with self._lock:
            name = lease.device.id
            self._losses[name] = self._losses[name] + 1 if lost else 0
            return self._losses[name]

    def give_back(self, lease: Lease) -> bool:
        """The device is free again; False when the lease is over already."""
        with self._lock:
            if self._leased.pop(lease.number, None) is None:
                return False
            self._free.append(lease.device)
            return True

    def retire(self, lease: Lease, reason: str) -> bool:
        """The device is never handed out again; False when the lease is over already."""
        with self._lock:
            if self._leased.pop(lease.number, None) is None:
                return False
            self._retired[lease.device.id] = reason
            self._retired_at.append(self._clock.now())
            return True

    def reclaim(self) -> tuple[Lease, ...]:
        """Retire the devices whose lease has run out: whoever holds one does not answer."""
        now = self._clock.now()
        with self._lock:
            # All leases are equally long and stand in the order in which they were given.
            late = tuple(takewhile(lambda lease: lease.deadline < now, self._leased.values()))
        reason = f"not returned within {self._lease_seconds:g} s"
        return tuple(lease for lease in late if self.retire(lease, reason))

    @property
    def retired(self) -> dict[str, str]:
        """Names of the devices that are out of use, and why."""
        with self._lock:
            return dict(self._retired)

    def wall_seconds(self) -> float:
        """Clock time since the start, summed over the devices while they were in use."""
        now = self._clock.now()
        with self._lock:
            ends = [*self._retired_at, *[now] * (self._size - len(self._retired_at))]
        return sum(end - self._started for end in ends)

    def gauges(self) -> dict[str, float]:
        """How many devices are where."""
        with self._lock:
            return {
                "fleet/free": len(self._free),
                "fleet/leased": len(self._leased),
                "fleet/retired": len(self._retired),
            }

    def close(self) -> None:
        """Close the devices that are free; who holds a lease still uses the others."""
        with self._lock:
            free, self._free = list(self._free), deque()
        for device in free:
            device.close()

    def _reasons(self) -> str:
        return "; ".join(f"{name}: {why}" for name, why in self._retired.items()) or "all closed"
