"""The fleet: leases devices, watches heartbeats, quarantines and probes devices that fail.

             lease                        give_back
    free ------------> leased until ... ------------> free, if its health allows
      ^                  |  ^ heartbeat                      |
      |                  |  +- as long as it is used    | lost too often
      | probe            | no heartbeat in time              v
      +------------- quarantine <-----------------------+-----> retired, if by its own fault
                     for longer every time

`health.py` decides about health; this file keeps track of who holds which device. A lease counts
once: a holder that returns a device after its lease has expired is told so, and the device stays
where it is. Probes run in the thread that asks for a device while none is free: it would wait
anyway. No device leaves quarantine without a successful probe. Devices of any kind may join and
leave at any time.

One re-entrant lock guards all state. It is never held while a device is called (probe, close),
since those calls may take minutes and would stop every heartbeat.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from distrl.devices.fault_causes import Cause, cause_of, said_cause
from distrl.devices.fleet.health import (
    Condition,
    Health,
    HealthLimits,
    after_loss,
    after_probe,
    after_success,
    may_be_probed,
    put_in_quarantine,
)
from distrl.errors import ConfigError, DeviceError, PipelineError, unknown_name
from distrl.interfaces import Clock, Device

_PROBE_SEED = 0
_STATES = ("free", "leased", "quarantined", "retired")
_log = logging.getLogger(__name__)


def probe(device: Device) -> None:
    """Reset a device and look at its screen; raises DeviceError when it does not do that."""
    device.reset(_PROBE_SEED)
    if not device.observe().screen.size:
        raise DeviceError(f"{device.id} shows an empty picture")


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to use a device for a while."""

    number: int
    """Never used twice."""
    device: Device
    deadline: float
    """Clock time at which the device is taken away, unless a heartbeat comes before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceReport:
    """What is known of one device."""

    id: str
    condition: Condition
    leased: bool
    causes: Mapping[Cause, int]
    """How often it was lost, by cause; and, without being lost, slow."""
    reason: str
    """What was wrong last; empty when nothing was."""


@dataclass(slots=True)
class _Member:
    device: Device
    serving_since: float | None
    condition: Condition = field(default_factory=Condition)
    causes: Counter[Cause] = field(default_factory=Counter)
    reason: str = ""
    served: float = 0.0
    lease: int | None = None
    probing: bool = False
    leaving: bool = False
    slow: bool = False
    """As of its last episode."""
    held_by_hand: bool = False
    """Kept out by hand, until it is released by hand."""

    @property
    def idle(self) -> bool:
        return self.lease is None and not self.probing

    def stop_serving(self, now: float) -> None:
        if self.serving_since is not None:
            self.served += now - self.serving_since
            self.serving_since = None


class Fleet:
    """Some devices, each with one user at a time. Any thread may call."""

    def __init__(
        self,
        devices: Sequence[Device],
        *,
        clock: Clock,
        # The longest call of a device (a reboot during a reset) has to fit between heartbeats.
        lease_seconds: float = 600.0,
        limits: HealthLimits | None = None,
        probe: Callable[[Device], None] = probe,
        slow: Callable[[Device], bool] = lambda _: False,
    ) -> None:
        """All devices are free; a lease ends `lease_seconds` after its last heartbeat.

        `probe` raises DeviceError when a device that was in quarantine is not well. `slow` says
        after an episode whether a device has become slow, which is counted and costs it nothing.
        """
        names = [device.id for device in devices]
        if not names:
            raise ConfigError("a fleet needs at least one device")
        if len(set(names)) < len(names):
            raise ConfigError(f"devices of a fleet need different names, got {names}")
        self._clock, self._lease_seconds = clock, lease_seconds
        self._limits = HealthLimits() if limits is None else limits
        self._probe, self._slow = probe, slow
        # Re-entrant: `lease` reclaims expired leases, and error texts read `retired`.
        self._lock = threading.RLock()
        self._members: dict[str, _Member] = {}
        self._departed_seconds, self._departed_causes = 0.0, Counter[Cause]()
        self._free: deque[str] = deque()
        self._leases: dict[int, Lease] = {}
        self._to_close: list[Device] = []
        """Devices that have left and are to be closed outside the lock, since closing may block."""
        self._next = 0
        self._all_out = False
        for device in devices:
            self.join(device)

    # Joining and leaving.

    def join(self, device: Device) -> None:
        """Take a device in, free at once; in place of a retired one of its name, if there is one.

        ConfigError when a device of that name is in use.
        """
        with self._lock:
            before = self._members.get(device.id)
            if before is not None and before.condition.health is not Health.RETIRED:
                raise ConfigError(f"the fleet has a device {device.id!r} already")
            now = self._clock.now()
            member = _Member(device, serving_since=now)
            if before is not None:
                member.causes, member.served = before.causes, before.served
            self._members[device.id] = member
            self._free.append(device.id)

    def leave(self, name: str) -> None:
        """Let a device go; whoever holds it may end what they do, and then it is closed."""
        with self._lock:
            if name not in self._members:
                raise unknown_name("device", name, self._members)
            member = self._members[name]
            member.leaving = True
            if member.idle:
                self._remove(member)
        self._close_departed()

    def _remove(self, member: _Member) -> None:
        name = member.device.id
        member.stop_serving(self._clock.now())
        self._departed_seconds += member.served
        self._departed_causes += member.causes
        del self._members[name]
        if name in self._free:
            self._free.remove(name)
        self._to_close.append(member.device)

    def _close_departed(self) -> None:
        """Close what has left; nobody else waits for it."""
        with self._lock:
            left, self._to_close = self._to_close, []
        for device in left:
            device.close()

    # By hand.

    def quarantine(self, name: str, reason: str) -> bool:
        """Keep a device from being handed out until it is released; one in use ends what it does.

        False when there is no such device, or it is out already.
        """
        with self._lock:
            member = self._members.get(name)
            if member is None or member.held_by_hand or member.condition.health is Health.RETIRED:
                return False
            member.held_by_hand, member.reason = True, reason
            if name in self._free:
                self._free.remove(name)
                member.stop_serving(self._clock.now())
            return True

    def release(self, name: str) -> bool:
        """Hand out again a device that is quarantined or retired, with a clean record.

        False when there is no such device, or it is not out.
        """
        with self._lock:
            member = self._members.get(name)
            if member is None or (member.condition.health.usable and not member.held_by_hand):
                return False
            member.held_by_hand, member.reason, member.condition = False, "", Condition()
            if member.idle:
                member.serving_since = self._clock.now()
                self._free.append(name)
            return True

    # Handing out and taking back.

    def lease(self, *, timeout: float) -> Lease | None:
        """The device that has been free for longest; None when none becomes free in time.

        With none free, a device whose quarantine is over is probed and handed out if it is well.
        Raises PipelineError when no device is left that could become free.
        """
        taken: list[Lease] = []

        def take() -> bool:
            # Expired leases are found by whoever waits: no thread of its own is needed for that.
            self.reclaim()
            lease = self._lease_free() or self._lease_after_probe()
            if lease is not None:
                taken.append(lease)
            return lease is not None

        self._clock.wait_until(take, timeout=timeout)
        return taken[0] if taken else None

    def _lease_free(self) -> Lease | None:
        with self._lock:
            if self._free:
                return self._new_lease(self._members[self._free.popleft()])
            if all(m.condition.health is Health.RETIRED for m in self._members.values()):
                raise PipelineError(f"no device is left: {self._reasons()}")
            # Not an error: devices with external causes, or held by hand, may come back.
            self._warn_if_all_are_out()
            return None

    def _warn_if_all_are_out(self) -> None:
        """Say once that nobody can work until a device comes back."""
        members = self._members.values()
        all_out = not any(m.condition.health.usable and not m.held_by_hand for m in members)
        if all_out and not self._all_out:
            reasons = "; ".join(f"{m.device.id}: {m.reason}" for m in members)
            _log.warning("all devices are out of use, and are waited for: %s", reasons)
        self._all_out = all_out

    def _new_lease(self, member: _Member) -> Lease:
        lease = Lease(self._next, member.device, self._clock.now() + self._lease_seconds)
        self._next += 1
        self._leases[lease.number] = lease
        member.lease = lease.number
        return lease

    def _lease_after_probe(self) -> Lease | None:
        """Probe the device that has been out of quarantine for longest; its lease if it is well."""
        with self._lock:
            now = self._clock.now()
            due = [
                member
                for member in self._members.values()
                if member.idle and not member.held_by_hand and may_be_probed(member.condition, now)
            ]
            if not due:
                return None
            member = min(due, key=lambda m: m.condition.until)
            member.probing = True  # nobody else may lease or probe it meanwhile
        fault = ""
        try:
            self._probe(member.device)
        except DeviceError as error:
            fault = str(error) or type(error).__name__
        finally:
            with self._lock:
                member.probing = False
        with self._lock:
            lease = self._apply_probe(member, fault)
        self._close_departed()
        return lease

    def _apply_probe(self, member: _Member, fault: str) -> Lease | None:
        now = self._clock.now()
        cause = self._count_fault(member, fault) if fault else None
        member.condition = after_probe(member.condition, cause, now, self._limits)
        if member.leaving or member.held_by_hand or not member.condition.health.usable:
            self._return_to_pool(member)
            return None
        member.serving_since = now
        return self._new_lease(member)

    def heartbeat(self, lease: Lease) -> bool:
        """Whoever holds the lease is alive; False when the lease is over and the device gone."""
        with self._lock:
            # Removed and added at the end: `reclaim` relies on the order of the heartbeats.
            if self._leases.pop(lease.number, None) is None:
                return False
            deadline = self._clock.now() + self._lease_seconds
            self._leases[lease.number] = Lease(lease.number, lease.device, deadline)
            return True

    def record_episode(self, lease: Lease, *, lost: bool, fault: str = "") -> int:
        """Record the result of an episode; returns how many episodes in a row have lost the device.

        Quarantine or retirement takes effect when the device is given back. For an expired lease
        nothing is recorded: the loss was counted when the lease was taken away.
        """
        with self._lock:
            member = self._holder(lease)
            if member is None:
                return 0
            if lost:
                cause = self._count_fault(member, fault)
                now = self._clock.now()
                member.condition = after_loss(member.condition, cause, now, self._limits)
            else:
                member.condition = after_success(member.condition)
                member.slow = self._slow(member.device)
                member.causes[Cause.SLOW] += member.slow
            return member.condition.losses

    def give_back(self, lease: Lease) -> bool:
        """The device is free again, if its health allows; False when the lease is over already."""
        with self._lock:
            member = self._end_lease(lease)
            if member is not None:
                self._return_to_pool(member)
        self._close_departed()
        return member is not None

    def reclaim(self) -> tuple[Lease, ...]:
        """Quarantine the devices whose lease has run out: whoever holds one does not answer."""
        with self._lock:
            now = self._clock.now()
            # All leases are equally long and ordered by their last heartbeats: expired ones come
            # first, and the search stops at the first that is not.
            late = tuple(takewhile(lambda lease: lease.deadline < now, self._leases.values()))
            for lease in late:
                member = self._end_lease(lease)
                assert member is not None
                cause = self._count_fault(
                    member, f"no sign of life within {self._lease_seconds:g} s"
                )
                member.condition = put_in_quarantine(member.condition, cause, now, self._limits)
                self._return_to_pool(member)
        self._close_departed()
        return late

    def _holder(self, lease: Lease) -> _Member | None:
        member = self._members.get(lease.device.id)
        return member if member is not None and member.lease == lease.number else None

    def _end_lease(self, lease: Lease) -> _Member | None:
        member = self._holder(lease)
        if member is not None:
            del self._leases[lease.number]
            member.lease = None
        return member

    def _return_to_pool(self, member: _Member) -> None:
        """Put a device that nobody holds where its health allows."""
        if member.leaving:
            self._remove(member)
        elif member.condition.health.usable and not member.held_by_hand:
            self._free.append(member.device.id)
        else:
            member.stop_serving(self._clock.now())

    def _count_fault(self, member: _Member, fault: str) -> Cause:
        """Count a fault and return the cause that it states; OTHER when it can only be guessed.

        External causes are never retired for. A guess must not suffice for that, or a broken
        device with an unlucky error message would be probed for ever.
        """
        member.reason = fault
        member.causes[cause_of(fault)] += 1
        return said_cause(fault) or Cause.OTHER

    # Looking.

    def report(self) -> tuple[DeviceReport, ...]:
        """What is known of every device, in the order in which they joined."""
        with self._lock:
            return tuple(
                DeviceReport(
                    id=name,
                    condition=member.condition,
                    leased=member.lease is not None,
                    causes=dict(+member.causes),
                    reason=member.reason,
                )
                for name, member in self._members.items()
            )

    def states(self) -> dict[str, tuple[str, str]]:
        """Of each device: free, leased, quarantined or retired, and what is wrong with it."""
        with self._lock:
            return {name: _state(member) for name, member in self._members.items()}

    @property
    def retired(self) -> dict[str, str]:
        """Names of the devices that are out of use for good, and why."""
        with self._lock:
            return {
                name: member.reason
                for name, member in self._members.items()
                if member.condition.health is Health.RETIRED
            }

    def wall_seconds(self) -> float:
        """Seconds in which devices were free or leased, summed over all that ever joined."""
        with self._lock:
            now = self._clock.now()
            running = (
                m.served + (0.0 if m.serving_since is None else now - m.serving_since)
                for m in self._members.values()
            )
            return self._departed_seconds + sum(running)

    def gauges(self) -> dict[str, float]:
        """How many devices are where, and how often each cause was met, by all that ever joined."""
        with self._lock:
            counts = Counter(_state(member)[0] for member in self._members.values())
            causes = sum(
                (member.causes for member in self._members.values()), self._departed_causes
            )
            return {
                **{f"fleet/{state}": counts[state] for state in _STATES},
                **{f"fleet/cause/{cause}": times for cause, times in sorted(causes.items())},
            }

    def close(self) -> None:
        """Close the devices that nobody holds; who holds a lease still uses the others."""
        with self._lock:
            idle = [member for member in self._members.values() if member.idle]
            self._free.clear()
            for member in idle:
                member.condition = Condition(health=Health.RETIRED)
                member.reason = member.reason or "closed"
        for member in idle:
            member.device.close()

    def _reasons(self) -> str:
        return "; ".join(f"{name}: {why}" for name, why in self.retired.items()) or "none joined"


def _state(member: _Member) -> tuple[str, str]:
    """What a device is, and what is wrong with it, if anything is."""
    if member.condition.health is Health.RETIRED:
        return "retired", member.reason
    if member.held_by_hand or not member.condition.health.usable:
        return "quarantined", member.reason
    return ("free" if member.idle else "leased"), (Cause.SLOW.value if member.slow else "")
