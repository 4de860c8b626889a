"""The phone as MobileGym's tasks know it: what they call while they set themselves up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from distrl.devices.mobilegym import scripts
from distrl.devices.mobilegym.device import MobileGymDevice, Shown
from distrl.errors import TaskError


class SimulatedPhone:
    """What its own environment offers to tasks, by the same names, on a device of ours.

    Nothing here waits for anything but the page, so every call is over when it returns.
    """

    supports_state_injection = True

    def __init__(self, device: MobileGymDevice, seed: int) -> None:
        """Episodes of a seed begin on `device`."""
        self._device, self._seed = device, seed
        self.stopwatch = _Stopwatch()
        self.page = self
        """Its tasks call nothing but `page.evaluate`."""

    async def reset(self, app_ids: Sequence[str] | None = None) -> None:
        """A new phone with the data of some apps."""
        self._device.reset(self._seed)
        self._device.load(app_ids)

    async def evaluate(self, source: str, argument: Any = None) -> Any:
        """What a function in the page returns."""
        return self._device.await_script(scripts.called(source, argument))

    async def get_state(self, *, required_apps: Sequence[str] | None = None) -> dict[str, Any]:
        """Its state; TaskError while an app that is needed has none."""
        state = self._device.shown().state
        missing = [app for app in required_apps or () if app not in (state.get("apps") or {})]
        if missing:
            raise TaskError(f"the phone has no state of {', '.join(missing)}")
        return state

    async def set_state(
        self, patch: dict[str, Any], *, deep: bool = True, reload: bool = False
    ) -> None:
        """Merge something into its state."""
        self._device.patch(patch, deep=deep, reload=reload)

    async def get_observation(self) -> Shown:
        """What its judge will look at."""
        return self._device.shown()

    async def get_route(self) -> dict[str, Any]:
        """Which page of which app is shown."""
        return self._device.shown().route

    async def open_app(
        self,
        app_name: str,
        timeout_ms: int = 8000,  # noqa: ARG002 - an app is there when this returns
        wait_stable: bool = False,  # noqa: ARG002
    ) -> None:
        """Open an app; it is there when this returns."""
        self._device.open_app(app_name)

    async def warm_apps(
        self,
        app_ids: Sequence[str],
        settle_ms: int = 300,  # noqa: ARG002 - each has come to rest before the next is opened
    ) -> None:
        """Open apps one after another, so that each has a state, and go home."""
        for app in app_ids:
            self._device.open_app(app)
        self._device.go_home()

    async def go_home(self) -> None:
        """Show the launcher."""
        self._device.go_home()


class _Stopwatch:
    """Takes no time: its runner's tasks are written against one."""

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:  # noqa: ARG002 - nothing is kept
        """Something that would be timed."""
        yield

    def reset(self) -> None:
        """Nothing is kept."""

    def summary(self) -> str:
        """Nothing was timed."""
        return ""
