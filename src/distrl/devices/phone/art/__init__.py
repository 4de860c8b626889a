"""The phone's drawn art: icons, photographs, product pictures and maps.

Every function is pure: the same arguments give the same pixels, at any size.
"""

from __future__ import annotations

from distrl.devices.phone.art.icons import ICONS, icon_mask
from distrl.devices.phone.art.maps import map_tile
from distrl.devices.phone.art.pen import Pixels
from distrl.devices.phone.art.photos import SUBJECTS, photo
from distrl.devices.phone.art.products import COLORS, PRODUCT_KINDS, product

__all__ = [
    "COLORS",
    "ICONS",
    "PRODUCT_KINDS",
    "SUBJECTS",
    "Pixels",
    "icon_mask",
    "map_tile",
    "photo",
    "product",
]
