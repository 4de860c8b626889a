"""What the system itself draws: bars, launcher, shade, keyboard, wallpaper."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from distrl.devices.phone.paint import canvas, fonts
from distrl.devices.phone.paint.canvas import Canvas, Color
from distrl.devices.phone.paint.fonts import BODY, SMALL
from distrl.devices.phone.ui import keyboard
from distrl.types import Pixels


def paint_toast(c: Canvas, text: str) -> None:
    """A short message."""
    c.box(0, 0, c.width, c.height, (50, 52, 58), c.height / 2)
    c.text(
        c.width / 2,
        c.height / 2,
        fonts.shorten(text, SMALL, c.width - 12),
        SMALL,
        "white",
        align="center",
    )


def paint_tile(c: Canvas, icon: str, label: str, on: bool, tint: Color) -> None:
    """A quick-settings tile."""
    c.fill("surface")
    c.box(0, 0, c.width, c.height, tint if on else "faint", 8)
    ink = "white" if on else "text"
    if label:
        c.icon(12, c.height / 2, 13, icon, ink)
        c.text(22, c.height / 2, fonts.shorten(label, SMALL, c.width - 24), SMALL, ink)
    else:
        c.icon(c.width / 2, c.height / 2, 16, icon, ink)


def paint_notice(c: Canvas, icon: str, tint: Color, app: str, title: str, text: str) -> None:
    """A notification."""
    c.fill("surface")
    c.box(0, 0, c.width, c.height, "bg", 6)
    c.box(4, 4, 14, 14, tint, 7)
    c.icon(11, 11, 9, icon, "white")
    c.text(22, 8, fonts.shorten(f"{app} - {title}", SMALL, c.width - 26), SMALL, "text", bold=True)
    c.text(22, 20, fonts.shorten(text, SMALL, c.width - 26), SMALL, "muted")


def paint_app_icon(c: Canvas, icon: str, tint: Color, label: str, ink: Color) -> None:
    """A launcher icon with its label."""
    side = 30
    x, y = (c.width - side) / 2, 6 if label else (c.height - side) / 2
    c.box(x, y, side, side, tint, 9)
    c.icon(c.width / 2, y + side / 2, 19, icon, "white")
    if label:
        c.text(
            c.width / 2,
            y + side + 8,
            fonts.shorten(label, SMALL, c.width - 1),
            SMALL,
            ink,
            align="center",
        )


def paint_overline(c: Canvas, text: str, size: int, ink: Color) -> None:
    """Text straight on the wallpaper."""
    c.text(c.width / 2, c.height / 2, text, size, ink, align="center")


def paint_search_pill(c: Canvas, hint: str) -> None:
    """The search field of the home screen."""
    c.box(0, 0, c.width, c.height, (250, 250, 252), c.height / 2)
    c.icon(13, c.height / 2, 12, "search", (90, 94, 104))
    c.text(24, c.height / 2, hint, BODY, (116, 120, 130))


def paint_page_dot(c: Canvas, chosen: bool) -> None:
    """Which home page is shown."""
    c.box(4, 2, 4, 4, "white" if chosen else (150, 160, 180), 2)


def paint_spinner(c: Canvas) -> None:
    """Something is loading."""
    c.fill("bg")
    c.icon(c.width / 2, c.height / 2, 24, "refresh", "muted")


def paint_status(
    c: Canvas,
    clock: str,
    flags: tuple[bool, ...],
    battery: int,
    notices: bool,
) -> None:
    """The status bar."""
    c.fill((24, 26, 32))
    c.text(6, c.height / 2, clock, SMALL, "white")
    if notices:
        c.icon(60, c.height / 2, 9, "bell", "white")
    x = c.width - 30.0
    c.text(c.width - 4, c.height / 2, f"{battery}%", 7, "white", align="right")
    c.icon(x, c.height / 2, 10, "battery", "white")
    for on, icon in zip(flags, ("wifi", "bluetooth", "airplane", "bell_off"), strict=True):
        if on:
            x -= 11
            c.icon(x, c.height / 2, 9, icon, "white")


def paint_nav(c: Canvas) -> None:
    """The bar to swipe home with."""
    c.fill("bg")
    c.box(c.width / 2 - 24, c.height / 2 - 1, 48, 2.4, "muted", 1)


def paint_keyboard(c: Canvas) -> None:
    """All keys."""
    c.fill("faint")
    for key, left, top, width, height in keyboard.layout():
        c.box(left + 1, top + 1.5, width - 2, height - 3, "key", 3)
        x, y = left + width / 2, top + height / 2
        if key in (keyboard.BACKSPACE, keyboard.ENTER):
            c.icon(x, y, 11, key, "text")
        elif key != keyboard.SPACE:
            c.text(x, y, key, BODY, "text", align="center")


def paint_wallpaper_thumb(c: Canvas, number: int, chosen: bool, tint: Color) -> None:
    """A wallpaper to choose, framed if it is the current one."""
    c.fill(tint if chosen else "line")
    edge = 3.0 if chosen else 1.0
    width, height = c.size(c.width - 2 * edge, c.height - 2 * edge)
    c.image(edge, edge, wallpaper(number, width, height))


_SKIES = (
    ((38, 70, 140), (120, 170, 220)),
    ((70, 40, 110), (220, 130, 150)),
    ((20, 80, 90), (110, 190, 170)),
    ((30, 34, 60), (90, 100, 150)),
    ((110, 60, 50), (230, 170, 110)),
    ((30, 60, 40), (130, 170, 120)),
)


WALLPAPER_PHOTOS = ("mountain", "beach", "sunset", "city", "flower", "snow")
"""What stands on the wallpapers that follow the gradients."""


@lru_cache(maxsize=32)
def wallpaper(number: int, width: int, height: int) -> Pixels:
    """A soft gradient with hills, or a photograph for the numbers after the gradients."""
    if number >= len(_SKIES):
        subject = WALLPAPER_PHOTOS[(number - len(_SKIES)) % len(WALLPAPER_PHOTOS)]
        # Darker than in a gallery, so that white labels stand out.
        return (canvas.photo(subject, number, width, height) * 0.78).astype(np.uint8)
    top, bottom = (np.array(color, float) for color in _SKIES[number % len(_SKIES)])
    share = np.linspace(0, 1, height)[:, None, None]
    image = np.broadcast_to(top * (1 - share) + bottom * share, (height, width, 3)).copy()
    across = np.arange(width) / width
    rows = np.arange(height)[:, None] / height
    for layer in range(3):
        ridge = 0.62 + 0.12 * layer + 0.05 * np.sin(across * (5 + 2 * layer) + number + 2 * layer)
        image[rows > ridge] *= 0.82
    return image.astype(np.uint8)
