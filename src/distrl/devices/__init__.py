"""Devices an agent can operate. `make_device` makes one by the name of its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from distrl import plugins
from distrl.plugins import Part

if TYPE_CHECKING:
    from distrl.interfaces import Device

DEVICES = ("phone",)
"""Names of the built-in kinds."""


def device_names() -> tuple[str, ...]:
    """Names that `make_device` knows, those of plug-ins last."""
    return (*DEVICES, *plugins.names(Part.DEVICE, DEVICES))


def make_device(name: str, device_id: str | None = None) -> Device:
    """A device of a kind, under the id that it keeps: by default the name and a number."""
    from distrl.interfaces import Device

    wanted = device_id or f"{name}-0"
    if name == "phone":
        # Imported here: a device of one kind should not cost the imports of another.
        from distrl.devices.phone.device import PhoneDevice

        return PhoneDevice(wanted)
    plugin = plugins.find(Part.DEVICE, name, DEVICES)
    made = plugin.make(wanted)
    if not isinstance(made, Device):
        raise plugin.broken(f"it made {made!r}, which is no Device")
    return made
