"""The driver's side of one collecting host: calls to its Ray actor, with a deadline on each.

Ray reports trouble by a dozen exceptions; here they become two:

    HostLost     its process or node is gone, or it has been silent for too long: not called again
    HostFailed   it answers, with an error or with bytes that are no response: closed, then replaced
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import ray
from ray.exceptions import ActorUnavailableError, GetTimeoutError, RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from distrl.config import RunConfig
from distrl.errors import DistrlError, StoreError
from distrl.run.builders.policy_bundle import config_for_hosts
from distrl.run.ray_engine.driver import RAY_SECONDS, finishes_within
from distrl.run.ray_engine.host_actor import HostActor
from distrl.run.ray_engine.host_slots import DEVICE_HOST, Slot
from distrl.run.ray_engine.protocol import RESPONSE, HostResponse

READY_SECONDS = 300.0
"""Longest wait until a new host has loaded its policy. It takes seconds, and minutes for the first
one on a machine, which fills caches of models and texts."""
RESEND_SECONDS = 5.0
"""A load of weights takes well under a second; one that is not done by then may have been lost on
the way, and is sent again."""
_LISTEN_SECONDS = 0.5
"""How long one `ray.get` waits, and so how late a stop of the run is noticed."""
_RECONNECT_SECONDS = 0.25
"""Pause before a call is repeated over a connection that broke: Ray reconnects by itself, and calls
in between fail at once."""
_CLOSE_SECONDS = 15.0
"""A host that closes waits for its devices to be let go of; emulators need seconds."""
_log = logging.getLogger(__name__)


class HostLost(DistrlError):  # noqa: N818 - the name says what happened
    """A host that will not answer again."""


class HostFailed(DistrlError):  # noqa: N818 - the name says what happened
    """A host that answers with an error, or with what is no response."""


def is_due(version: int, *, sent: int, under_way: bool, waited: float) -> bool:
    """Whether to send a host a version: it was not sent it, and is not loading another.

    A load that takes longer than RESEND_SECONDS may be lost, and is not waited for.
    """
    return version > sent and (not under_way or waited >= RESEND_SECONDS)


class HostClient:
    """Calls one host. Every call may be repeated (the host answers it again) and has a deadline."""

    def __init__(
        self,
        slot: Slot,
        config: RunConfig,
        *,
        beside_learner: bool,
        actor: type[HostActor] = HostActor,
    ) -> None:
        """Start the host's actor in its slot; `beside_learner` if the learner's machine has it."""
        self.slot = slot
        cluster = config.cluster
        self._timeout_seconds = cluster.host_timeout_seconds
        remote: Any = ray.remote(actor)
        self._actor: Any = remote.options(
            # Hosts are counted by slots; Ray's count of processors would keep some from starting.
            num_cpus=0,
            num_gpus=cluster.gpus_per_host,
            resources={DEVICE_HOST: 1},
            # HostPool restarts hosts, with backoff; Ray would do it at once, every time.
            max_restarts=0,
            # So that weights are loaded, and `close` is heard, while an exchange waits.
            max_concurrency=4,
            scheduling_strategy=NodeAffinitySchedulingStrategy(slot.node, soft=False),
        ).remote(
            slot.name,
            config_for_hosts(config).model_dump_json(),
            beside_learner=beside_learner,
            abandoned_seconds=cluster.host_timeout_seconds,
        )
        self._loading: Any = None
        """The call that loads weights, while it is under way."""
        self._sent = 0
        """The newest version that it was sent."""
        self._sent_at = 0.0

    def wait_ready(self, stopping: threading.Event) -> str:
        """Wait until the host has started; returns why it could not, or an empty string.

        Raises as `exchange` does. Returns an empty string, too, when the run stops meanwhile.
        """
        return self._call(self._actor.ready.remote, stopping, READY_SECONDS) or ""

    def exchange(self, request: bytes, stopping: threading.Event) -> HostResponse | None:
        """Send a request and return the response; None when the run stops meanwhile.

        Raises HostLost when the host is gone, or silent for too long, and HostFailed when it
        answers with an error, or with what cannot be read.
        """
        answer = self._call(
            lambda: self._actor.exchange.remote(request), stopping, self._timeout_seconds
        )
        try:
            return None if answer is None else RESPONSE.decode(answer)
        except StoreError as error:
            raise HostFailed(f"its answer cannot be read: {error}") from None

    def offer(self, version: int, weights: Any) -> None:
        """Send the host new weights, unless it has them or is still loading others; never waits."""
        if version <= self._sent:
            return  # most offers: Ray is not asked
        under_way = self._loading is not None and not self._loaded()
        waited = time.monotonic() - self._sent_at
        if is_due(version, sent=self._sent, under_way=under_way, waited=waited):
            self._sent, self._sent_at = version, time.monotonic()
            self._loading = self._actor.load.remote(version, weights)

    def forget_version(self) -> None:
        """Let the next `offer` send the newest version again, even if it was sent before."""
        self._sent = 0

    def _loaded(self) -> bool:
        if not ray.wait([self._loading], timeout=0)[0]:
            return False
        try:
            ray.get(self._loading)
        except RayTaskError as error:
            _log.warning("%s refused weights: %s", self.slot.name, error.cause)
        except RayError:
            pass  # the host is gone, and the thread that exchanges with it finds out by itself
        self._loading = None
        return True

    def _call(self, call: Callable[[], Any], stopping: threading.Event, seconds: float) -> Any:
        """Make a call, again whenever the connection breaks, until it is answered or time is up."""
        deadline = time.monotonic() + seconds
        pending: Any = None
        while not stopping.is_set():
            try:
                pending = call() if pending is None else pending
                return ray.get(pending, timeout=_LISTEN_SECONDS)
            # First: Ray derives it from the class of its cause, which may be one of those below.
            except RayTaskError as error:
                raise HostFailed(str(error)) from None
            except (GetTimeoutError, ActorUnavailableError) as error:
                if time.monotonic() > deadline:
                    raise HostLost(f"{self.slot.name} said nothing for {seconds:g} s") from None
                # A slow call is waited for. One on a broken connection may never have arrived, and
                # is made again; that is safe, because hosts answer a repeated request alike.
                if isinstance(error, ActorUnavailableError):
                    pending = None
                    stopping.wait(_RECONNECT_SECONDS)
            except RayError as error:
                raise HostLost(f"{self.slot.name} is gone: {error}") from None
        return None

    def close(self) -> None:
        """Have the host let go of its devices and end what it started for them, if it can."""

        def ask() -> None:
            with suppress(RayError):  # a host that cannot is killed anyway
                ray.get(self._actor.close.remote(), timeout=_CLOSE_SECONDS)

        finishes_within(_CLOSE_SECONDS, ask)

    def kill(self) -> None:
        """End the host's process at once."""
        finishes_within(RAY_SECONDS, lambda: ray.kill(self._actor))
