"""What a watcher may ask of a running fleet, and who does it.

    {"do": "quarantine", "device": "phone-3"}    {"do": "release", "device": "phone-3"}
    {"do": "take", "device": "phone-3"}          {"do": "give", "device": "phone-3"}
    {"do": "act", "device": "phone-3", "action": "tap(0.500, 0.250)"}
    {"do": "join", "device": "R58N123ABC", "opt_in": true}         {"do": "leave", "device": ...}

Whatever else is asked is ignored: a run does not fail because somebody mistyped.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from distrl import actions
from distrl.collect.takeover import Takeover
from distrl.devices.fleet.fleet import Fleet
from distrl.errors import ConfigError

REQUESTS = ("quarantine", "release", "take", "give", "act", "join", "leave")
_log = logging.getLogger(__name__)


class Join(Protocol):
    """Takes a phone in by its serial."""

    def __call__(self, serial: str, *, opted_in: bool) -> None:
        """Do so."""
        ...


class Control:
    """Passes requests on to the fleet and to whoever decides."""

    def __init__(
        self, fleet: Fleet, takeover: Takeover, *, join: Join, leave: Callable[[str], None]
    ) -> None:
        """For a run; `join` and `leave` raise ConfigError for what cannot be."""
        self._fleet, self._takeover = fleet, takeover
        self._join, self._leave = join, leave

    def handle(self, request: Mapping[str, Any]) -> None:
        """Do what is asked, if it is one of the known requests about a known device."""
        try:
            self._handle(request)
        except ConfigError as error:
            _log.warning("what a watcher asked cannot be done: %s", error)

    def _handle(self, request: Mapping[str, Any]) -> None:
        device = request.get("device")
        if isinstance(device, str) and request.get("do") == "join":
            self._join(device, opted_in=request.get("opt_in") is True)
            return
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
            case "leave":
                self._leave(device)
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
