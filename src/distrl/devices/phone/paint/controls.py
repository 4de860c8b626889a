"""Controls: text, rows, fields, buttons, tabs and choices."""

from __future__ import annotations

from distrl.devices.phone.paint import fonts
from distrl.devices.phone.paint.canvas import Canvas, Color
from distrl.devices.phone.paint.fonts import BODY, SMALL


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
    # Lines over the whole width keep the margin of the page; in a box they use its room.
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
    right = draw_trailing(c, trailing, tint, enabled=enabled)
    room = right - x - 2
    ink = "text" if enabled else "muted"
    middle = c.height / 2
    if sub:
        c.text(x, middle - 5.5, fonts.shorten(title, BODY, room), BODY, ink)
        c.text(x, middle + 6, fonts.shorten(sub, SMALL, room), SMALL, "muted")
    else:
        c.text(x, middle, fonts.shorten(title, BODY, room), BODY, ink)


def draw_trailing(c: Canvas, trailing: str, tint: Color, *, enabled: bool) -> float:
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
    accent = c.accent(tint)
    c.text(
        c.width / 2,
        c.height / 2,
        label,
        SMALL,
        accent if chosen else "muted",
        align="center",
        bold=chosen,
    )
    if chosen:
        c.box(4, c.height - 2, c.width - 8, 2, accent)


def paint_bottom_tab(c: Canvas, label: str, icon: str, chosen: bool, tint: Color) -> None:
    """A tab of a bottom bar."""
    c.fill("surface")
    ink = c.accent(tint) if chosen else "muted"
    c.icon(c.width / 2, 10, 13, icon, ink)
    c.text(c.width / 2, c.height - 6, label, 7, ink, align="center")


def paint_fab(c: Canvas, icon: str, tint: Color) -> None:
    """A round button that floats."""
    c.box(0, 0, c.width, c.height, tint, 11)
    c.icon(c.width / 2, c.height / 2, 16, icon, "white")


def paint_panel(c: Canvas, radius: int) -> None:
    """The surface of a dialog or menu."""
    c.box(0, 0, c.width, c.height, "surface", radius)


def paint_divider(c: Canvas) -> None:
    """A thin line."""
    c.fill("bg")
    c.box(0, 1, c.width, 1, "line")
