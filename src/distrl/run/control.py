"""What a watcher may ask of a running fleet, and who does it.

    {"do": "quarantine", "device": "phone-3"}    {"do": "release", "device": "phone-3"}
    {"do": "take", "device": "phone-3"}          {"do": "give", "device": "phone-3"}
    {"do": "act", "device": "phone-3", "action": "tap(0.500, 0.250)"}

Whatever else is asked is ignored: a run does not fail because somebody mistyped.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from distrl import actions
from distrl.collect.takeover import Takeover
from distrl.devices.fleet import Fleet

REQUESTS = ("quarantine", "release", "take", "give", "act")
_log = logging.getLogger(__name__)


class Control:
    """Passes requests on to the fleet and to whoever decides."""

    def __init__(self, fleet: Fleet, takeover: Takeover) -> None:
        """For a run."""
        self._fleet, self._takeover = fleet, takeover

    def obey(self, request: Mapping[str, Any]) -> None:
        """Do what is asked, if it is one of the known requests about a known device."""
        device = request.get("device")
        if not isinstance(device, str) or device not in self._fleet.states():
            _log.warning("a watcher asked about an unknown device: %r", device)
            return
        match request.get("do"):
            case "quarantine":
                self._fleet.quarantine(device, "by hand")
            case "release":
                self._fleet.release(device)
            case "take":
                self._takeover.take(device)
            case "give":
                self._takeover.give(device)
            case "act":
                action = actions.parse(str(request.get("action", "")))
                if action is not None:
                    self._takeover.act(device, action)
            case other:
                _log.warning("a watcher asked for %r, which is not one of %s", other, REQUESTS)

    def states(self) -> dict[str, dict[str, Any]]:
        """What fleet and takeover know of each device."""
        taken = self._takeover.states()
        return {
            name: {
                "state": state,
                "cause": cause,
                "taken": name in taken,
                "waits": taken.get(name, False),
            }
            for name, (state, cause) in self._fleet.states().items()
        }
