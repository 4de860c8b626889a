"""Screens of a session as pictures for a page: embedded phones are drawn large, others as seen."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.paint import render
from distrl.devices.phone.ui import keyboard
from distrl.devices.phone.ui.view import HEIGHT, KEYBOARD_TOP, WIDTH
from distrl.interfaces import Device, innermost
from distrl.replay.store.picture_codec import encode
from distrl.types import Observation, Picture

_SCALE = 3
"""Embedded phones are drawn at 540x1200 pixels: sharp on the densest displays."""
_MOST_KEPT = 12
"""Pictures that are kept: a browser that is behind by more asks for a newer one."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A picture that is drawn when a browser asks for it."""

    picture: Picture
    width: int
    height: int


def screen_of(device: Device, seen: Observation) -> Screen:
    """What a device shows; call it before the device changes, draw it whenever."""
    inside = innermost(device)
    if isinstance(inside, PhoneDevice):
        view, width, height = inside.phone.view, WIDTH * _SCALE, HEIGHT * _SCALE
        return Screen(Picture(lambda: render.render(view, width, height)), width, height)
    height, width = seen.screen.shape[:2]
    return Screen(seen.picture, width, height)


def backspace_of(device: Device, seen: Observation) -> tuple[float, float] | None:
    """Where to tap for Backspace; None where the screen has no such key."""
    if not seen.keyboard or not isinstance(innermost(device), PhoneDevice):
        return None
    left, top, width, height = next(
        place for key, *place in keyboard.layout() if key == keyboard.BACKSPACE
    )
    return (left + width / 2) / WIDTH, (KEYBOARD_TOP + top + height / 2) / HEIGHT


class Screens:
    """The newest pictures of a session by number. Any thread may ask."""

    def __init__(self) -> None:
        """There is none yet."""
        self._lock = Lock()
        self._kept: OrderedDict[int, Screen] = OrderedDict()
        self._last = 0

    def add(self, screen: Screen) -> int:
        """Keep a screen, and forget the oldest; returns its number, from 1."""
        with self._lock:
            self._last += 1
            self._kept[self._last] = screen
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
            return self._last

    def png(self, number: int) -> bytes | None:
        """A screen as a PNG; None when it is not kept any more."""
        with self._lock:
            screen = self._kept.get(number)
        # Outside the lock: drawing takes long, and the session must be able to go on.
        return None if screen is None else encode(screen.picture.pixels, "png")
