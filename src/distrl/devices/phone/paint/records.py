"""What apps list: messages, events, notes, tabs, readings."""

from __future__ import annotations

from distrl.devices.phone.paint import fonts
from distrl.devices.phone.paint.canvas import Canvas, Color
from distrl.devices.phone.paint.controls import draw_trailing
from distrl.devices.phone.paint.fonts import BODY, SMALL


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
    right = draw_trailing(c, trailing, accent, enabled=True)
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


def paint_progress(c: Canvas, percent: int, tint: Color, back: Color = "bg") -> None:
    """A bar that is filled to some part."""
    c.fill(back)
    span, middle = c.width - 16, c.height / 2
    c.box(8, middle - 2, span, 4, "faint", 2)
    if percent > 0:
        c.box(8, middle - 2, max(4, span * percent / 100), 4, tint, 2)


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
