"""How each kind of widget looks: a painter fills one tile, its arguments are all it needs."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from distrl.devices.phone import art, canvas, fonts, keyboard
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
    back: Color = None,
) -> None:
    """A text field: a box in forms, a pill in bars, whose colour is `back` or else the tint."""
    if style == "pill":
        c.fill(tint if back is None else back)
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
    c.image(0, 0, canvas.photo(subject, variant, c.pixels.shape[1], c.pixels.shape[0]))


def paint_product(c: Canvas, kind: str, color: str) -> None:
    """A picture of something for sale."""
    c.image(0, 0, canvas.product(kind, color, c.pixels.shape[1], c.pixels.shape[0]))


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
    c.image(6, 4, canvas.product(kind, color, width, height))
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


def paint_round_button(c: Canvas, icon: str, ink: Color, tint: Color, back: Color = "bg") -> None:
    """An icon on a coloured disc."""
    c.fill(back)
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
    c.image(0, 0, canvas.photo(subject, variant, width, height))
    c.text(2, c.height - 7, fonts.shorten(label, SMALL, c.width - 4), SMALL, "text")


def paint_avatar(c: Canvas, letter: str, tint: Color, label: str, back: Color = "bg") -> None:
    """A round picture of one letter, with a name below it if there is one."""
    c.fill(back)
    side = min(c.width, c.height - (14 if label else 0)) - 4
    y = 2 + side / 2
    c.box(c.width / 2 - side / 2, 2, side, side, tint, side / 2)
    c.text(c.width / 2, y, letter, max(BODY, side * 0.5), "white", align="center")
    if label:
        shown = fonts.shorten(label, SMALL, c.width - 2)
        c.text(c.width / 2, c.height - 7, shown, SMALL, "text", align="center")


def paint_entry(
    c: Canvas,
    letter: str,
    tint: Color,
    title: str,
    sub: str,
    trailing: str,
    bold: bool,
    accent: Color,
) -> None:
    """A list item with a round letter; bold for what is new."""
    c.fill("bg")
    c.box(34, c.height - 0.6, c.width - 42, 0.6, "line")
    middle = c.height / 2
    c.box(8, middle - 10, 20, 20, tint, 10)
    c.text(18, middle, letter, 11, "white", align="center")
    right = _trailing(c, trailing, accent, enabled=True)
    x, room = 34.0, right - 36
    if sub:
        c.text(x, middle - 5.5, fonts.shorten(title, BODY, room), BODY, "text", bold=bold)
        ink = "text" if bold else "muted"
        c.text(x, middle + 6, fonts.shorten(sub, SMALL, room), SMALL, ink)
    else:
        c.text(x, middle, fonts.shorten(title, BODY, room), BODY, "text", bold=bold)


def paint_tab_card(c: Canvas, title: str, address: str, tint: Color, chosen: bool) -> None:
    """A browser tab as a small page with a coloured head."""
    c.fill("bg")
    c.box(0, 0, c.width, c.height, tint, 6)
    c.box(2, 18, c.width - 4, c.height - 20, "bg", 4)
    c.text(6, 10, fonts.shorten(title, SMALL, c.width - 26), SMALL, "white", bold=chosen)
    c.text(8, 28, fonts.shorten(address or "Empty", SMALL, c.width - 14), SMALL, "muted")
    if address:
        for row in range(4):
            c.box(8, 40 + 10 * row, (c.width - 16) * (0.6 if row == 3 else 1), 4, "faint", 2)
    if chosen:
        c.icon(c.width - 12, c.height - 12, 11, "check", tint)


def paint_teaser(c: Canvas, headline: str, note: str, subject: str, variant: int) -> None:
    """An article in a list: two lines of headline beside a small photo."""
    c.fill("bg")
    side = c.height - 8
    width, height = c.size(side * 1.3, side)
    c.image(c.width - side * 1.3 - 8, 4, canvas.photo(subject, variant, width, height))
    room = c.width - side * 1.3 - 30
    for row, line in enumerate(fonts.wrap(headline, BODY, room)[:2]):
        c.text(8, 9 + 11 * row, fonts.shorten(line, BODY, room), BODY, "text", bold=True)
    c.text(8, c.height - 7, note, 7, "muted")
    c.box(8, c.height - 0.6, c.width - 16, 0.6, "line")


def paint_day(c: Canvas, label: str, look: str, tint: Color, dots: tuple[Color, ...]) -> None:
    """A day of a month with a dot per event; `look` is plain, today or chosen."""
    c.fill("bg")
    side = min(c.width, c.height - 7)
    if look == "chosen":
        c.box((c.width - side) / 2, 0, side, side, tint, side / 2)
    ink = {"plain": "text", "today": tint, "chosen": "white"}[look]
    c.text(c.width / 2, side / 2, label, BODY, ink, align="center", bold=look == "today")
    for index, dot in enumerate(dots):
        x = c.width / 2 - 3.5 * len(dots) + 7 * index + 0.5
        c.box(x, c.height - 7, 6, 6, dot, 3)


def paint_event(c: Canvas, tint: Color, title: str, sub: str, filled: bool) -> None:
    """A calendar entry: a coloured bar beside its words, or the words on the colour."""
    c.fill("bg")
    if filled:
        c.box(0, 1, c.width, c.height - 2, tint, 4)
        c.text(5, c.height / 2, fonts.shorten(title, SMALL, c.width - 8), SMALL, "white")
        return
    c.box(8, 3, 5, c.height - 6, tint, 2)
    room = c.width - 28
    c.text(18, c.height / 2 - 5.5, fonts.shorten(title, BODY, room), BODY, "text")
    c.text(18, c.height / 2 + 6, fonts.shorten(sub, SMALL, room), SMALL, "muted")


def paint_sticky(c: Canvas, tint: Color, title: str, lines: tuple[str, ...], mark: str) -> None:
    """A note on coloured paper, in dark ink in both themes."""
    c.fill("bg")
    c.box(0, 0, c.width, c.height, tint, 6)
    room = c.width - (24 if mark else 12)
    c.text(6, 11, fonts.shorten(title, BODY, room), BODY, (34, 34, 40), bold=True)
    for row, line in enumerate(lines):
        c.text(6, 24 + 11 * row, fonts.shorten(line, SMALL, c.width - 10), SMALL, (70, 70, 78))
    if mark:
        c.icon(c.width - 10, 11, 11, mark, (34, 34, 40))


def paint_media(
    c: Canvas, subject: str, variant: int, title: str, sub: str, ratio: float, mark: str
) -> None:
    """A song, an album or a video in a list: a small photo, two lines and an icon or nothing."""
    c.fill("bg")
    side = c.height - 6
    width, height = c.size(side * ratio, side)
    c.image(6, 3, canvas.photo(subject, variant, width, height))
    x = side * ratio + 12
    room = c.width - x - 6
    if mark:
        c.icon(c.width - 13, c.height / 2, 11, mark, "muted")
        room -= 16
    lines = fonts.wrap(title, BODY, room)[: 2 if c.height >= 40 else 1]
    y = c.height / 2 - 6 * len(lines)
    for row, line in enumerate(lines):
        c.text(x, y + 11 * row, fonts.shorten(line, BODY, room), BODY, "text")
    c.text(x, y + 11 * len(lines) + 1, fonts.shorten(sub, SMALL, room), SMALL, "muted")
    c.box(x, c.height - 0.6, c.width - x - 8, 0.6, "line")


def paint_video_card(
    c: Canvas, subject: str, variant: int, title: str, sub: str, length: str
) -> None:
    """A video in a feed: a wide picture with its length, the title and the channel below."""
    c.fill("bg")
    width, height = c.size(c.width, c.height - 32)
    c.image(0, 0, canvas.photo(subject, variant, width, height))
    room = fonts.text_width(length, 7) + 6
    c.box(c.width - room - 4, c.height - 46, room, 11, (20, 20, 24), 3)
    c.text(c.width - 7, c.height - 40.5, length, 7, "white", align="right")
    c.text(8, c.height - 22, fonts.shorten(title, BODY, c.width - 16), BODY, "text", bold=True)
    c.text(8, c.height - 10, fonts.shorten(sub, SMALL, c.width - 16), SMALL, "muted")


def paint_progress(c: Canvas, percent: int, tint: Color, back: Color = "bg") -> None:
    """A bar that is filled to some part."""
    c.fill(back)
    span, middle = c.width - 16, c.height / 2
    c.box(8, middle - 2, span, 4, "faint", 2)
    if percent > 0:
        c.box(8, middle - 2, max(4, span * percent / 100), 4, tint, 2)


_WALLS = ((196, 212, 224), (226, 208, 188), (190, 214, 196), (214, 200, 222))
_SHIRTS = ((60, 90, 160), (170, 70, 70), (70, 130, 90), (120, 80, 150))
_SKINS = ((236, 196, 168), (198, 148, 112), (140, 96, 70), (246, 212, 190))


def paint_selfie(c: Canvas, variant: int) -> None:
    """Head and shoulders, as the front camera sees who holds the phone."""
    c.fill(_WALLS[variant % 4])
    side = min(c.width, c.height)
    x, y = c.width / 2, c.height / 2
    skin, hair = _SKINS[variant // 2 % 4], (50, 36, 30)
    c.box(x - 0.42 * side, y + 0.26 * side, 0.84 * side, c.height, _SHIRTS[variant // 3 % 4], 20)
    c.box(x - 0.1 * side, y + 0.1 * side, 0.2 * side, 0.22 * side, skin, 4)
    c.box(x - 0.24 * side, y - 0.36 * side, 0.48 * side, 0.44 * side, hair, 0.2 * side)
    c.box(x - 0.2 * side, y - 0.26 * side, 0.4 * side, 0.46 * side, skin, 0.2 * side)
    for eye in (-0.12, 0.06):
        c.box(x + eye * side, y - 0.08 * side, 0.06 * side, 0.06 * side, hair, 0.03 * side)
    c.box(x - 0.08 * side, y + 0.08 * side, 0.16 * side, 0.03 * side, (170, 80, 80), 1)


def paint_shutter(c: Canvas, color: Color) -> None:
    """The round release button of a camera, on black."""
    c.fill((0, 0, 0))
    side = min(c.width, c.height)
    x, y = (c.width - side) / 2, (c.height - side) / 2
    c.box(x, y, side, side, "white", side / 2)
    c.box(x + 2.5, y + 2.5, side - 5, side - 5, (0, 0, 0), side / 2 - 2.5)
    c.box(x + 4.5, y + 4.5, side - 9, side - 9, color, side / 2 - 4.5)


def paint_offer(c: Canvas, kind: str, color: str, price: str, note: str) -> None:
    """A product in a grid: its picture above the price and a remark, without its name."""
    c.fill("bg")
    width, height = c.size(c.width - 6, c.height - 30)
    c.image(3, 3, canvas.product(kind, color, width, height))
    c.text(6, c.height - 19, price, BODY, "text", bold=True)
    c.text(6, c.height - 8, fonts.shorten(note, SMALL, c.width - 8), SMALL, "muted")


def paint_sale(
    c: Canvas, title: str, sub: str, tint: Color, ground: Color, goods: tuple[str, str]
) -> None:
    """A shop's banner: words on the shop's colour beside a product of (kind, color)."""
    c.fill("bg")
    c.box(6, 4, c.width - 12, c.height - 8, tint, 8)
    side = c.height - 20
    c.box(c.width - side - 18, 8, side + 6, c.height - 16, ground, 6)
    width, height = c.size(side, side)
    c.image(c.width - side - 15, 10, canvas.product(*goods, width, height))
    room = c.width - side - 36
    for row, line in enumerate(fonts.wrap(title, 13, room)[:2]):
        c.text(14, 19 + 15 * row, fonts.shorten(line, 13, room), 13, "white", bold=True)
    c.text(14, c.height - 15, fonts.shorten(sub, SMALL, room), SMALL, "white")


def paint_badge(c: Canvas, icon: str, count: int, ink: Color, back: Color) -> None:
    """An icon with a small number at its corner, as of a cart."""
    c.fill(back)
    c.icon(c.width / 2, c.height / 2, min(16, c.height - 4), icon, ink)
    if count:
        c.box(c.width / 2 + 1, 2, 10, 10, "danger", 5)
        c.text(c.width / 2 + 6, 7, str(min(count, 99)), 6.5, "white", align="center")


def paint_sum(c: Canvas, label: str, amount: str, bold: bool) -> None:
    """A line of a bill."""
    c.fill("bg")
    ink = "text" if bold else "muted"
    c.text(8, c.height / 2, label, BODY, ink, bold=bold)
    c.text(c.width - 8, c.height / 2, amount, BODY, ink, bold=bold, align="right")


def paint_map_pin(c: Canvas, icon: str, tint: Color) -> None:
    """A drop on a map with an icon in its head."""
    side = min(c.width, c.height - 5)
    x = (c.width - side) / 2
    for step in range(5):
        width = side * 0.45 * (1 - step / 5)
        c.box(c.width / 2 - width / 2, side - 2 + 1.4 * step, width, 1.6, tint)
    c.box(x, 0, side, side, tint, side / 2)
    c.icon(c.width / 2, side / 2, side * 0.66, icon, "white")


def paint_map_button(c: Canvas, icon: str, ink: Color) -> None:
    """A round white button that floats above a map."""
    c.box(0, 0, c.width, c.height, "surface", c.width / 2)
    c.icon(c.width / 2, c.height / 2, c.width * 0.6, icon, ink)


def paint_icon_tab(c: Canvas, icon: str, chosen: bool, tint: Color) -> None:
    """A tab that is an icon without words."""
    c.fill("surface")
    c.icon(c.width / 2, c.height / 2, 15, icon, tint if chosen else "muted")
    if chosen:
        c.box(6, c.height - 2, c.width - 12, 2, tint)


def paint_app_card(
    c: Canvas, name: str, sub: str, note: str, icon: str, tint: Color, size: int = 24
) -> None:
    """An app in a list of the store: its icon, its name and a line or two about it."""
    c.fill("bg")
    c.box(8, (c.height - size) / 2, size, size, tint, size / 3.4)
    c.icon(8 + size / 2, c.height / 2, size * 0.66, icon, "white")
    x, room = size + 16.0, c.width - size - 22
    lines = [(name, BODY, "text"), (sub, SMALL, "muted"), (note, SMALL, "muted")]
    shown = [line for line in lines if line[0]]
    for row, (text, points, ink) in enumerate(shown):
        y = c.height / 2 + 10.5 * (row - (len(shown) - 1) / 2)
        c.text(x, y, fonts.shorten(text, points, room), points, ink, bold=row == 0)


def paint_tinted(
    c: Canvas, title: str, sub: str, icon: str, value: str, tint: Color, back: Color = "bg"
) -> None:
    """A coloured card: words at the left, an icon and a large value at the right."""
    c.fill(back)
    c.box(6, 3, c.width - 12, c.height - 6, tint, 9)
    room = c.width - 64
    middle = c.height / 2
    c.text(15, middle - 6, fonts.shorten(title, 11, room), 11, "white", bold=True)
    c.text(15, middle + 8, fonts.shorten(sub, SMALL, room), SMALL, (236, 240, 246))
    x = c.width - 26.0
    if value:
        c.text(c.width - 14, middle, value, 17, "white", align="right")
        x -= fonts.text_width(value, 17) + 8
    c.icon(x, middle, 22, icon, "white")


def paint_stacked(c: Canvas, top: str, icon: str, bottom: str, tint: Color) -> None:
    """An icon between two short words, as of one hour in a forecast."""
    c.fill("bg")
    c.text(c.width / 2, 7, top, 7, "muted", align="center")
    c.icon(c.width / 2, c.height / 2, 14, icon, tint)
    c.text(c.width / 2, c.height - 7, bottom, SMALL, "text", align="center")


def paint_hero(c: Canvas, value: str, icon: str, tint: Color) -> None:
    """One large value beside a large icon, on colour."""
    c.fill(tint)
    c.icon(44, c.height / 2, 48, icon, "white")
    c.text(c.width - 20, c.height / 2, value, 38, "white", align="right")


def paint_wave(c: Canvas, seed: int, done: int, tint: Color, back: Color = "bg") -> None:
    """The loudness of a recording over time; what was played is in colour."""
    c.fill(back)
    bars = int((c.width - 16) // 4)
    for index in range(bars):
        loud = (seed * 31 + index * index * 17 + index * 7) % 23 + (index * 5 + seed) % 11
        height = max(2.0, (c.height - 6) * loud / 34)
        ink = tint if index * 100 < done * bars else "muted"
        c.box(8 + 4 * index, (c.height - height) / 2, 2.4, height, ink, 1)


def paint_wallpaper_thumb(c: Canvas, number: int, chosen: bool, tint: Color) -> None:
    """A wallpaper to choose, framed if it is the current one."""
    c.fill(tint if chosen else "line")
    edge = 3.0 if chosen else 1.0
    width, height = c.size(c.width - 2 * edge, c.height - 2 * edge)
    c.image(edge, edge, wallpaper(number, width, height))


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
