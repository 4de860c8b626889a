"""MobileGym's phone in a tab of Chromium: seen as any page is, acted on by the page's globals."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from distrl.devices.browser.chromium import Chromium
from distrl.devices.browser.device import BrowserDevice
from distrl.devices.browser.driver import WAIT_MS
from distrl.devices.browser.site import Site
from distrl.devices.mobilegym import scripts
from distrl.errors import ActionError, DeviceLost, TaskError
from distrl.types import Action, Kind

WIDTH, HEIGHT = 360, 800
_MOST_LOADED = 100_000
"""How many files the page may load and still be counted."""
_MOST_ROUNDS = 5
"""How often what was loaded may load something else before it is looked at as it is."""
_HOUR = 9
"""When the phone's day begins: a morning, whatever the machine's clock says."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What MobileGym's judges look at. They ask for its fields by these names."""

    state: dict[str, Any]
    route: dict[str, Any]


class MobileGymDevice(BrowserDevice):
    """One simulated phone. Its time passes with actions, from nine in the morning of today."""

    device_kind = "mobilegym"
    kinds = frozenset(kind for kind in Kind if not kind.ends_episode)

    def __init__(
        self, name: str, url: str, *, chromium: Chromium | None = None, pictures: bool = False
    ) -> None:
        """`url` is where MobileGym is served; nothing is opened yet."""
        site = Site(start=url, width=WIDTH, height=HEIGHT, home=False, probe=scripts.LOADED)
        super().__init__(name, site, chromium=chromium, pictures=pictures)

    def reset(self, seed: int) -> None:
        """A new phone, which has started; tasks say themselves which data they need."""
        self.site = replace(self.site, clock=_morning(datetime.now().astimezone()))
        super().reset(seed)
        self.evaluate(f"performance.setResourceTimingBufferSize({_MOST_LOADED})")
        try:
            self.await_script(scripts.STARTED)
        except TaskError as error:
            raise DeviceLost(f"{self.site.start} shows no phone of MobileGym: {error}") from None

    def perform(self, action: Action) -> None:
        """Carry out one action by the page's globals, and let its time pass."""
        if action.kind not in self.kinds:
            raise ActionError(f"{self.id} cannot {action.kind} (it can: {sorted(self.kinds)})")
        body = scripts.hand(action, WIDTH, HEIGHT)
        if action.kind is Kind.WAIT:
            body = f"await new Promise(done => setTimeout(done, {WAIT_MS}));"
        self.change(body)

    def change(self, body: str) -> None:
        """Run what changes the page, and let its time move on until it shows what it loaded."""
        loaded = self.probe
        self.run(f"await {scripts.awaited(body)}")
        # Apps are loaded when they are opened, and drawn only while time passes after that.
        for _ in range(_MOST_ROUNDS):
            if self.probe == loaded:
                break
            loaded = self.probe
            self.run("")

    def await_script(self, body: str) -> Any:
        """What an asynchronous function's body returns; TaskError for one that throws."""
        told = self.evaluate(scripts.told(body))
        if "failed" in told:
            raise TaskError(f"a script for {self.site.start} failed: {told['failed']}")
        return told.get("value")

    def shown(self) -> Shown:
        """State and route; DeviceLost while the page has none."""
        text, route = self.await_script(scripts.state())
        state = json.loads(text) if text else None
        if not isinstance(state, dict) or "os" not in state:
            raise DeviceLost(f"{self.id}: the page gives no state")
        return Shown(state, route or {})

    def patch(self, state: dict[str, Any], *, deep: bool = True, reload: bool = False) -> None:
        """Merge something into the state."""
        given = [state, {"deep": deep, "reload": reload}]
        self.change(scripts.called("([state, how]) => window.__SIM__.setState(state, how)", given))

    def open_app(self, app: str) -> None:
        """Open an app by its id or name; nothing happens for one that is not there."""
        self.change(scripts.opened(app))

    def go_home(self) -> None:
        """Show the launcher."""
        self.change("window.__OS__.goHome();")

    def load(self, apps: Sequence[str] | None) -> None:
        """Wait for the data of some apps."""
        self.await_script(scripts.loaded(list(apps) if apps is not None else None))


def _morning(now: datetime) -> int:
    """Nine o'clock of a day, as a browser whose clock is UTC counts."""
    morning = datetime(now.year, now.month, now.day, _HOUR, tzinfo=UTC)
    return round(morning.timestamp() * 1000)
