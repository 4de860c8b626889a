"""How each kind of widget looks: a painter fills one tile, its arguments are all it needs."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from distrl.devices.phone import art, fonts, keyboard
from distrl.devices.phone.canvas import Canvas
from distrl.types import Pixels

Color = Any
"""A colour name or three numbers."""

BODY, SMALL = 9, 8


def paint_fill(c: Canvas, color: Color) -> None:
    """One colour."""
    c.fill(color)


def paint_line(
    c: Canvas,
    text: str,
    size: int,
    ink: Color,
    back: Color,
    align: str,
    bold: bool,
) -> None:
    """One line of text, in the middle of its height."""
    c.fill(back)
    x = {"left": 2 if c.width < 150 else 8, "center": c.width / 2, "right": c.width - 4}[align]
    c.text(
        x, c.height / 2, fonts.shorten(text, size, c.width - 2), size, ink, bold=bold, align=align
    )


def paint_lines(
    c: Canvas,
    lines: tuple[str, ...],
    size: int,
    ink: Color,
    back: Color,
    align: str,
    bold: bool,
) -> None:
    """A paragraph."""
    c.fill(back)
    left = 8 if c.width > 170 else 2
    x = {"left": left, "center": c.width / 2, "right": c.width - left}[align]
    for row, line in enumerate(lines):
        c.text(x, 2 + (row + 0.5) * (size + 3), line, size, ink, bold=bold, align=align)


def paint_glyph(c: Canvas, icon: str, ink: Color, back: Color) -> None:
    """An icon alone."""
    c.fill(back)
    c.icon(c.width / 2, c.height / 2, min(16, c.height - 4), icon, ink)


def paint_row(
    c: Canvas,
    title: str,
    sub: str,
    icon: str,
    tint: Color,
    trailing: str,
    enabled: bool,
    back: Color = "bg",
) -> None:
    """A list item."""
    c.fill(back)
    c.box(8, c.height - 0.6, c.width - 16, 0.6, "line")
    x = 8.0
    if icon:
        c.icon(15, c.height / 2, 14, icon, tint if enabled else "muted")
        x = 28.0
    right = _trailing(c, trailing, tint, enabled=enabled)
    room = right - x - 2
    ink = "text" if enabled else "muted"
    middle = c.height / 2
    if sub:
        c.text(x, middle - 5.5, fonts.shorten(title, BODY, room), BODY, ink)
        c.text(x, middle + 6, fonts.shorten(sub, SMALL, room), SMALL, "muted")
    else:
        c.text(x, middle, fonts.shorten(title, BODY, room), BODY, ink)


def _trailing(c: Canvas, trailing: str, tint: Color, *, enabled: bool) -> float:
    """Draw what stands at the end of a row and return where it begins."""
    middle, right = c.height / 2, c.width - 8
    if not trailing:
        return right
    kind, _, value = trailing.partition(":")
    live = tint if enabled else "muted"
    if trailing == ">":
        c.icon(right - 4, middle, 10, "chevron_right", "muted")
        return right - 10
    if kind == "icon":
        c.icon(right - 6, middle, 12, value, live)
        return right - 14
    if kind == "switch":
        c.box(right - 20, middle - 5, 20, 10, live if value == "1" else "faint", 5)
        x = right - 9.5 if value == "1" else right - 19
        c.box(x, middle - 4, 8, 8, "white", 4)
        return right - 24
    if kind in ("checkbox", "radio"):
        name = {"checkbox": "box", "radio": "radio"}[kind] + ("_on" if value == "1" else "_off")
        c.icon(right - 6, middle, 12, name, live if value == "1" else "muted")
        return right - 16
    c.text(right, middle, trailing, SMALL, "muted", align="right")
    return right - fonts.text_width(trailing, SMALL) - 4


def paint_slider(
    c: Canvas, title: str, value: int, icon: str, tint: Color, back: Color = "bg"
) -> None:
    """A track with a thumb; the track spans the middle four fifths."""
    c.fill(back)
    left, span = 0.1 * c.width, 0.8 * c.width
    c.text(left, 8, title, SMALL, "text")
    if icon:
        c.icon(9, c.height - 11, 11, icon, "muted")
    y = c.height - 11
    c.box(left, y - 2, span, 4, "faint", 2)
    if value > 0:
        c.box(left, y - 2, span * value / 100, 4, tint, 2)
    c.box(left + span * value / 100 - 5, y - 5, 10, 10, tint, 5)


def paint_field(
    c: Canvas,
    style: str,
    hint: str,
    value: str,
    icon: str,
    focused: bool,
    selected: bool,
    tint: Color,
) -> None:
    """A text field: a box in forms, a pill in bars."""
    if style == "pill":
        c.fill(tint)
        c.box(0, 0, c.width, c.height, "key", c.height / 2)
        c.icon(10, c.height / 2, 10, "search", "muted")
        x = 18.0
    else:
        c.fill("bg")
        c.box(0, 0, c.width, c.height, tint if focused else "line", 4)
        c.box(1, 1, c.width - 2, c.height - 2, "bg", 3)
        x = 6.0
        if icon:
            c.icon(12, c.height / 2, 12, icon, "muted")
            x = 22.0
    room = c.width - x - 6
    middle = c.height / 2
    if value and style == "box":
        c.text(x, 6.5, hint, 6.5, tint if focused else "muted")
        middle += 4
    shown = fonts.shorten(value or hint, BODY, room)
    if selected and value:
        c.box(x - 1, middle - 5.5, fonts.text_width(shown, BODY) + 2, 11, (170, 200, 250))
    c.text(x, middle, shown, BODY, "text" if value else "muted")
    if focused and not (selected and value):
        at = x + (fonts.text_width(shown, BODY) if value else 0)
        c.box(at + 0.5, middle - 5, 1, 10, tint)


def paint_button(
    c: Canvas,
    label: str,
    style: str,
    tint: Color,
    enabled: bool,
    icon: str = "",
    back: Color = "bg",
) -> None:
    """A button: filled, outlined or plain."""
    c.fill(back)
    color = tint if enabled else "faint"
    ink: Color = "muted" if not enabled else ("white" if style == "filled" else tint)
    radius = min(8.0, c.height / 2)
    if style == "filled":
        c.box(0, 0, c.width, c.height, color, radius)
    elif style == "outlined":
        c.box(0, 0, c.width, c.height, color, radius)
        c.box(1, 1, c.width - 2, c.height - 2, back, radius - 1)
    middle = c.width / 2
    if icon:
        width = fonts.text_width(label, BODY)
        c.icon(middle - width / 2 - 4, c.height / 2, 11, icon, ink)
        middle += 7
    c.text(middle, c.height / 2, fonts.shorten(label, BODY, c.width - 4), BODY, ink, align="center")


def paint_chip(c: Canvas, label: str, chosen: bool, tint: Color, back: Color = "bg") -> None:
    """A small pill."""
    c.fill(back)
    c.box(0, 0, c.width, c.height, tint if chosen else "faint", c.height / 2)
    ink = "white" if chosen else "text"
    c.text(
        c.width / 2,
        c.height / 2,
        fonts.shorten(label, SMALL, c.width - 4),
        SMALL,
        ink,
        align="center",
    )


def paint_bead(c: Canvas, label: str, chosen: bool, tint: Color, back: Color) -> None:
    """A number on a dial or in a calendar."""
    c.fill(back)
    if chosen:
        side = min(c.width, c.height)
        c.box((c.width - side) / 2, (c.height - side) / 2, side, side, tint, side / 2)
    c.text(c.width / 2, c.height / 2, label, BODY, "white" if chosen else "text", align="center")


def paint_disc(c: Canvas, color: Color, back: Color) -> None:
    """A circle."""
    c.fill(back)
    c.box(0, 0, c.width, c.height, color, c.width / 2)


def paint_swatch(c: Canvas, color: Color, chosen: bool, back: Color = "bg") -> None:
    """A round sample of a colour."""
    c.fill(back)
    side = min(c.width, c.height)
    x, y = (c.width - side) / 2, (c.height - side) / 2
    c.box(x, y, side, side, "text" if chosen else "line", side / 2)
    c.box(x + 2, y + 2, side - 4, side - 4, color, side / 2 - 2)


def paint_top_tab(c: Canvas, label: str, icon: str, chosen: bool, tint: Color) -> None:
    """A tab below the title bar."""
    del icon
    c.fill("surface")
    c.text(
        c.width / 2,
        c.height / 2,
        label,
        SMALL,
        tint if chosen else "muted",
        align="center",
        bold=chosen,
    )
    if chosen:
        c.box(4, c.height - 2, c.width - 8, 2, tint)


def paint_bottom_tab(c: Canvas, label: str, icon: str, chosen: bool, tint: Color) -> None:
    """A tab of a bottom bar."""
    c.fill("surface")
    ink = tint if chosen else "muted"
    c.icon(c.width / 2, 10, 13, icon, ink)
    c.text(c.width / 2, c.height - 6, label, 7, ink, align="center")


def paint_fab(c: Canvas, icon: str, tint: Color) -> None:
    """A round button that floats."""
    c.box(0, 0, c.width, c.height, tint, 11)
    c.icon(c.width / 2, c.height / 2, 16, icon, "white")


def paint_panel(c: Canvas, radius: int) -> None:
    """The surface of a dialog or menu."""
    c.box(0, 0, c.width, c.height, "surface", radius)


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


def paint_divider(c: Canvas) -> None:
    """A thin line."""
    c.fill("bg")
    c.box(0, 1, c.width, 1, "line")


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


def paint_photo(c: Canvas, subject: str, variant: int) -> None:
    """A picture from the gallery."""
    c.image(0, 0, art.photo(subject, variant, c.pixels.shape[1], c.pixels.shape[0]))


def paint_product(c: Canvas, kind: str, color: str) -> None:
    """A picture of something for sale."""
    c.image(0, 0, art.product(kind, color, c.pixels.shape[1], c.pixels.shape[0]))


def paint_map(c: Canvas, seed: int, zoom: int) -> None:
    """A piece of a map."""
    c.image(0, 0, art.map_tile(seed, c.pixels.shape[1], c.pixels.shape[0], zoom=zoom))


def paint_card(
    c: Canvas, kind: str, color: str, title: str, price: str, note: str, badge: str
) -> None:
    """A product in a list: picture, name, price and a line of remarks."""
    c.fill("bg")
    side = c.height - 8
    width, height = c.size(side, side)
    c.image(6, 4, art.product(kind, color, width, height))
    x = side + 12
    room = c.width - x - 4
    for row, line in enumerate(fonts.wrap(title, BODY, room)[:2]):
        c.text(x, 9 + 11 * row, fonts.shorten(line, BODY, room), BODY, "text")
    c.text(x, c.height - 20, price, BODY, "text", bold=True)
    c.text(x, c.height - 8, fonts.shorten(note, SMALL, room), SMALL, "muted")
    if badge:
        c.text(c.width - 6, c.height - 20, badge, SMALL, "warn", align="right")
    c.box(8, c.height - 0.6, c.width - 16, 0.6, "line")


def paint_bubble(c: Canvas, lines: tuple[str, ...], mine: bool, tint: Color) -> None:
    """A chat message."""
    c.fill("bg")
    width = max(fonts.text_width(line, BODY) for line in lines) + 14
    x = c.width - width - 6 if mine else 6
    c.box(x, 2, width, c.height - 4, tint if mine else "faint", 7)
    for row, line in enumerate(lines):
        c.text(x + 7, 4 + (row + 0.5) * 12, line, BODY, "white" if mine else "text")


def paint_round_button(c: Canvas, icon: str, ink: Color, tint: Color) -> None:
    """An icon on a coloured disc."""
    c.fill("bg")
    side = min(c.width, c.height) - 2
    c.box((c.width - side) / 2, (c.height - side) / 2, side, side, tint, side / 2)
    c.icon(c.width / 2, c.height / 2, side * 0.55, icon, ink)


def paint_key(c: Canvas, label: str, tint: Color, ink: Color) -> None:
    """A large key, as of a calculator or a dial pad."""
    c.fill("bg")
    c.box(1.5, 1.5, c.width - 3, c.height - 3, tint, min(c.width, c.height) / 3)
    c.text(c.width / 2, c.height / 2, label, 13, ink, align="center")


def paint_labelled(c: Canvas, icon: str, label: str, tint: Color) -> None:
    """An icon above its label, as in grids of folders or categories."""
    c.fill("bg")
    c.icon(c.width / 2, c.height / 2 - 6, min(24, c.height - 20), icon, tint)
    c.text(
        c.width / 2,
        c.height - 8,
        fonts.shorten(label, SMALL, c.width - 2),
        SMALL,
        "text",
        align="center",
    )


def paint_captioned(c: Canvas, subject: str, variant: int, label: str) -> None:
    """A photo above its caption."""
    c.fill("bg")
    width, height = c.size(c.width, c.height - 14)
    c.image(0, 0, art.photo(subject, variant, width, height))
    c.text(2, c.height - 7, fonts.shorten(label, SMALL, c.width - 4), SMALL, "text")


PAINTERS: dict[str, Callable[..., None]] = {
    name.removeprefix("paint_"): function
    for name, function in list(globals().items())
    if name.startswith("paint_")
}

_SKIES = (
    ((38, 70, 140), (120, 170, 220)),
    ((70, 40, 110), (220, 130, 150)),
    ((20, 80, 90), (110, 190, 170)),
    ((30, 34, 60), (90, 100, 150)),
    ((110, 60, 50), (230, 170, 110)),
    ((30, 60, 40), (130, 170, 120)),
)


@lru_cache(maxsize=32)
def wallpaper(number: int, width: int, height: int) -> Pixels:
    """A soft gradient with hills."""
    top, bottom = (np.array(color, float) for color in _SKIES[number % len(_SKIES)])
    share = np.linspace(0, 1, height)[:, None, None]
    image = np.broadcast_to(top * (1 - share) + bottom * share, (height, width, 3)).copy()
    across = np.arange(width) / width
    rows = np.arange(height)[:, None] / height
    for layer in range(3):
        ridge = 0.62 + 0.12 * layer + 0.05 * np.sin(across * (5 + 2 * layer) + number + 2 * layer)
        image[rows > ridge] *= 0.82
    return image.astype(np.uint8)
