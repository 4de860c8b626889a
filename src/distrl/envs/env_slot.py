"""A slot: an environment that a fleet leases as it leases a device, without a device behind it."""

from __future__ import annotations

from distrl.errors import DeviceError
from distrl.interfaces import Env
from distrl.types import Action, Kind, Observation


class EnvSlot:
    """Holds an environment of a plug-in. Only the environment can be played on."""

    kinds: frozenset[Kind] = frozenset()

    def __init__(self, name: str, env: Env) -> None:
        """Give the slot a name that it keeps."""
        self._name = name
        self.env = env

    @property
    def id(self) -> str:
        """Stable name of this slot."""
        return self._name

    def reset(self, seed: int) -> None:
        """There is no device to reset."""
        raise self._none(f"reset({seed})")

    def observe(self) -> Observation:
        """There is no device to look at."""
        raise self._none("observe()")

    def perform(self, action: Action) -> None:
        """There is no device to touch."""
        raise self._none(f"{action.kind}")

    def close(self) -> None:
        """Close the environment."""
        self.env.close()

    def _none(self, asked: str) -> DeviceError:
        return DeviceError(f"{self._name} is a slot without a device: {asked} goes to its env")
