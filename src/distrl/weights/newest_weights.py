"""Polls a weight channel in the background, so that acting never waits for weights."""

from __future__ import annotations

import threading

from distrl.interfaces import Published, WeightChannel


class NewestWeights:
    """Holds the newest published version until the acting side takes it, between two passes.

    One thread looks and one takes. Neither needs a lock: each only assigns one attribute, and a
    version that is replaced before it was taken is a version that nobody needed.
    """

    def __init__(self, channel: WeightChannel, *, poll: float = 0.05) -> None:
        """Look at the channel every `poll` seconds: updates take longer, and a look is cheap."""
        self._channel, self._poll = channel, poll
        self._seen = 0
        self._next: Published | None = None

    def look(self) -> bool:
        """Fetch the newest version if it is a new one; whether there was one."""
        latest = self._channel.latest()
        if latest <= self._seen:
            return False
        try:
            self._next = self._channel.fetch(latest)
        except LookupError:  # replaced by a newer one meanwhile: the next look finds that
            return False
        self._seen = latest
        return True

    def take(self) -> Published | None:
        """What was fetched since the last time, if anything."""
        taken, self._next = self._next, None
        return taken

    def run(self, stopping: threading.Event) -> None:
        """Look until it is time to stop."""
        while not stopping.wait(self._poll):
            self.look()
