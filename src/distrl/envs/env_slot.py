"""Environments without a device of their own, such as those of Gymnasium, as a device kind.

A fleet leases a slot with the environment in it as it leases a device.
"""

from __future__ import annotations

from collections.abc import Callable

from distrl.envs.device_kinds import DeviceSettings
from distrl.errors import DeviceError
from distrl.interfaces import Device, Env
from distrl.types import Action, Kind, Observation


class EnvSlot:
    """Holds an environment. Only the environment can be played on."""

    kinds: frozenset[Kind] = frozenset()

    def __init__(self, name: str, env: Env, *, device_kind: str = "slot") -> None:
        """Give the slot a name that it keeps."""
        self._name = name
        self.env = env
        self.device_kind = device_kind

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


class EnvKind:
    """A device kind whose devices are slots: for a plug-in that has an Env and no Device."""

    def __init__(self, name: str, build: Callable[[str], Env]) -> None:
        """`name` is the kind's own; `build` makes an environment from the id of its slot."""
        self._name, self._build = name, build

    def make_device(self, device_id: str, settings: DeviceSettings) -> EnvSlot:
        """A slot with a new environment; there is nothing to set."""
        del settings
        return EnvSlot(device_id, self._build(device_id), device_kind=self._name)

    def make_env(self, device: Device, inside: EnvSlot) -> tuple[Env, None]:
        """The environment in the slot; nobody knows the way in it."""
        del device
        return inside.env, None
