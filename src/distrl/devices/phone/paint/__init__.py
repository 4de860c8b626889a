"""How each kind of widget looks: a painter fills one tile, its arguments are all it needs.

A function `paint_<name>` in one of these modules is the painter of widgets whose paint begins
with `<name>`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from distrl.devices.phone.paint import controls, pictures, records, system
from distrl.devices.phone.paint.system import WALLPAPER_PHOTOS, wallpaper

__all__ = ["PAINTERS", "WALLPAPER_PHOTOS", "wallpaper"]

_PREFIX = "paint_"


def _painters(*modules: ModuleType) -> dict[str, Callable[..., None]]:
    found: dict[str, Callable[..., None]] = {}
    for module in modules:
        for name, function in vars(module).items():
            if name.startswith(_PREFIX) and function.__module__ == module.__name__:
                short = name.removeprefix(_PREFIX)
                assert short not in found, f"two painters are named {short}"
                found[short] = function
    return found


PAINTERS = _painters(controls, pictures, records, system)
