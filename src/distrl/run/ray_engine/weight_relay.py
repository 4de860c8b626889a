"""The way of new weights to all hosts: read once, put into the object store once, offered to each.

learner --> FileChannel --> WeightRelay --ray.put--> object store --> HostClient[N].offer
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import ray

from distrl.run.ray_engine.host_client import HostClient
from distrl.weights.file_channel import FileChannel

_POLL_SECONDS = 0.01
"""Between two looks for a new version. A look reads one small file, in some 20 microseconds, so it
may be short against the time that a host takes to load weights."""


class WeightRelay:
    """Offers every host the newest version that the learner published. Any thread may call."""

    def __init__(self, channel: FileChannel) -> None:
        """Take weights from the channel; nothing is read before the first `poll`."""
        self._channel = channel
        self._lock = threading.Lock()
        self._clients: list[HostClient] = []
        self._newest: tuple[int, Any] | None = None
        """A version, and the reference to its weights in the object store."""

    def poll(self) -> bool:
        """Put the newest version into the object store, if it is a new one; whether it was."""
        latest = self._channel.latest()
        if latest <= self.version:
            return False
        try:
            data = self._channel.sealed(latest)
        except LookupError:  # replaced by a newer one meanwhile
            return False
        # Outside the lock: a large model takes a while to copy, and hosts may join meanwhile. As
        # an array, because Ray hands arrays to actors of one node out of shared memory.
        put = ray.put(np.frombuffer(data, np.uint8))
        with self._lock:
            self._newest = latest, put
        return True

    @property
    def version(self) -> int:
        """The newest version in the object store; 0 before the first."""
        return self._newest[0] if self._newest else 0

    def add(self, client: HostClient) -> None:
        """Offer a host the newest version now, and later ones as they come."""
        with self._lock:
            self._clients.append(client)
        self.offer_to_all()

    def remove(self, client: HostClient) -> None:
        """Offer a host nothing any more; a host that was not added is no error."""
        with self._lock:
            if client in self._clients:
                self._clients.remove(client)

    def resend_to(self, client: HostClient) -> None:
        """Have the newest version sent again to a host that does not seem to have it."""
        with self._lock:
            client.forget_version()

    def offer_to_all(self) -> None:
        """Offer all hosts the newest version."""
        with self._lock:
            if self._newest is not None:
                for client in self._clients:
                    client.offer(*self._newest)

    def run(self, stopping: threading.Event) -> None:
        """Poll and offer until it is time to stop."""
        while not stopping.wait(_POLL_SECONDS):
            self.poll()
            # Also without a new version: a host may have been busy with an older one.
            self.offer_to_all()
