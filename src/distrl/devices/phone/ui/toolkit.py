"""The widget toolkit: an app's page calls these methods from top to bottom.

    def page_main(self, ui: Ui) -> None:
        ui.bar("Notes")
        for key, note in ui.data["notes"].items():
            ui.row(note["title"], on_tap=lambda c, key=key: c.open("note", id=key))
        ui.fab("add", lambda c: c.open("edit"))

Bars and tabs come first, then what scrolls. Each app has a layout version: the toolkit moves
tabs, primary actions and bars about between versions, so that every app has at least two looks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from distrl.devices.phone.control import Control
from distrl.devices.phone.paint import fonts
from distrl.devices.phone.paint.fonts import BODY, HUGE, LARGE, SMALL, TITLE
from distrl.devices.phone.ui.bars import BAR, TAB, Bars, go_back
from distrl.devices.phone.ui.dialogs import Above
from distrl.devices.phone.ui.layout import PAD
from distrl.devices.phone.ui.view import WIDTH, Handler, Paint, Widget

__all__ = ["BAR", "BODY", "HUGE", "LARGE", "PAD", "SMALL", "TAB", "TITLE", "Ui", "go_back"]

_PROMOS = (
    ("phone", "teal", "The phone of the year"),
    ("shoe", "pink", "Shoes you will love"),
    ("watch", "gray", "Time for an upgrade"),
)


class Ui(Bars, Above):
    """Builds one page. Made anew for every screen; apps keep nothing of it."""

    def header(self, text: str) -> None:
        """A section title."""
        self.place(("line", text, SMALL, self.color, "bg", "left", True), 18, "text", text)

    def row(
        self,
        title: str,
        sub: str = "",
        *,
        icon: str = "",
        tint: Any = None,
        trailing: str = "",
        on_tap: Handler | None = None,
        on_long: Handler | None = None,
        enabled: bool = True,
        description: str | None = None,
    ) -> Widget | None:
        """A list item. `trailing` is words, `>` or `icon:name`; `sub` is the second line."""
        # Taller in even layouts, so that no entry keeps its coordinates between layouts.
        height = (30 if sub else 26) + 3 * (self.version % 2 == 0) + self.look.room
        paint = ("row", title, sub, icon, tint or self.color, trailing, enabled)
        said = sub if description is None else description
        if trailing and trailing != ">" and not trailing.startswith("icon:"):
            said = f"{said} {trailing}".strip()
        widget = self.place(paint, height, "item", title, said, on_tap)
        if widget is not None:
            widget.on_long = on_long
            widget.enabled = enabled
        return widget

    def entry(
        self,
        title: str,
        sub: str = "",
        *,
        letter: str,
        tint: Any,
        trailing: str = "",
        bold: bool = False,
        on_tap: Handler | None = None,
        on_long: Handler | None = None,
        text: str | None = None,
        description: str | None = None,
    ) -> Widget | None:
        """A list item with a round picture of one letter, as of people and mails.

        `text` is the words that it reports, where they are not the title.
        """
        height = (32 if sub else 28) + self.look.room
        paint = ("entry", letter, tint, title, sub, trailing, bold, self.color)
        words = title if text is None else text
        said = sub if description is None else description
        widget = self.place(paint, height, "item", words, said, on_tap)
        if widget is not None:
            widget.on_long = on_long
        return widget

    def _choice(
        self,
        role: str,
        title: str,
        on: bool,
        on_tap: Handler | None,
        sub: str,
        icon: str,
    ) -> None:
        height = (30 if sub else 26) + 3 * (self.version % 2 == 0) + self.look.room
        enabled = on_tap is not None
        paint = ("row", title, sub, icon, self.color, f"{role}:{int(on)}", enabled)
        widget = self.place(paint, height, role, title, sub, on_tap)
        if widget is not None:
            widget.checked = on
            widget.enabled = enabled

    def switch(
        self, title: str, *, on: bool, on_tap: Handler | None, sub: str = "", icon: str = ""
    ) -> None:
        """A row with a toggle; a None handler is disabled."""
        self._choice("switch", title, on, on_tap, sub, icon)

    def checkbox(
        self, title: str, *, on: bool, on_tap: Handler | None, sub: str = "", icon: str = ""
    ) -> None:
        """A row with a box to tick."""
        self._choice("checkbox", title, on, on_tap, sub, icon)

    def radio(
        self, title: str, *, on: bool, on_tap: Handler | None, sub: str = "", icon: str = ""
    ) -> None:
        """A row of which one in a group is chosen."""
        self._choice("radio", title, on, on_tap, sub, icon)

    def slider(
        self, title: str, *, value: int, on_change: Callable[[int], Handler], icon: str = ""
    ) -> None:
        """A value from 0 to 100: tap a place on it, or drag from it."""

        def drag(control: Control, x: float, _: float) -> None:
            # The painted track spans the middle four fifths; a finger beside it means an end.
            on_change(round(100 * min(1.0, max(0.0, (x - 0.1) / 0.8))))(control)

        widget = self.place(("slider", title, value, icon, self.color), 34, "slider", title)
        if widget is not None:
            widget.on_drag = drag
            widget.description = f"{value}%"

    def field(
        self, key: str, hint: str, on_submit: Handler | None = None, *, icon: str = ""
    ) -> None:
        """A text field whose text is the page's value `key`."""
        y = self._y
        self._y = y + 32 + self.look.room
        if y + 32 <= self._top or y >= self._bottom:
            self.view.hidden.append((self.look.say(hint), y))
            self._hold_keyboard(key, on_submit)
            return
        box = (PAD, y + 3, WIDTH - 2 * PAD, 27)
        self._field_at(box, key, hint, on_submit, "box", icon)

    def text(
        self,
        text: str,
        size: int = BODY,
        *,
        ink: Any = "text",
        align: str = "left",
        bold: bool = False,
    ) -> None:
        """A paragraph, broken to the width of the page."""
        text = self.look.say(text)
        lines = fonts.wrap(text, size, self.look.narrow(WIDTH - 2 * PAD))
        height = self.look.enlarge(round(len(lines) * (size + 3) + 5))
        self.place(("lines", lines, size, ink, "bg", align, bold), height, "text", text)

    def button(
        self, label: str, on_tap: Handler | None, *, style: str = "filled", icon: str = ""
    ) -> None:
        """A wide button; a None handler is disabled. Styles: filled, outlined, text."""
        y = self._y
        self._y = y + 28 + self.look.room
        paint = ("button", label, style, self.color, on_tap is not None, icon)
        box = (PAD, y + 2, WIDTH - 2 * PAD, 24 + self.look.room)
        widget = self.place_at(paint, box, "button", label, "", on_tap)
        if widget is not None:
            widget.enabled = on_tap is not None

    def icon_buttons(
        self, items: Sequence[tuple[str, str, Handler]], *, size: int = 26, lit: Sequence[int] = ()
    ) -> None:
        """Icons side by side as (icon, description or "", handler); no words are drawn."""
        y = self._y
        self._y = y + size + 4
        width = WIDTH // len(items)
        for index, (icon, description, handler) in enumerate(items):
            ink = self.color if index in lit else "text"
            box = (index * width, y + 2, width, size)
            self.place_at(("glyph", icon, ink, "bg"), box, "button", "", description, handler)

    def chips(self, items: Sequence[tuple[str, bool, Handler]]) -> None:
        """Small choices of (label, chosen, handler); they wrap to further lines."""
        x, y = PAD, self._y + 3
        for label, chosen, handler in items:
            label = self.look.say(label)
            wide = self.look.enlarge(round(fonts.text_width(label, SMALL))) + 14
            width = min(WIDTH - 2 * PAD, wide)
            # Two units of tolerance: a chip that ends just inside the margin stays on its line.
            if x + width > WIDTH - PAD + 2:
                x, y = PAD, y + 20
            paint = ("chip", label, chosen, self.color)
            widget = self.place_at(paint, (x, y, width, 17), "button", label, "", handler)
            if widget is not None:
                widget.checked = chosen
            x += width + 4
        self._y = y + 21

    def picture(
        self,
        paint: Paint,
        height: int,
        *,
        description: str = "",
        on_tap: Handler | None = None,
        role: str = "image",
    ) -> Widget | None:
        """A wide picture: `paint` is ("photo", subject, variant) or the like."""
        return self.place(paint, height, role, "", description, on_tap)

    def grid(
        self,
        cells: Sequence[tuple[Paint, str, str, Handler | None]],
        *,
        columns: int,
        height: int,
        role: str = "image",
        gap: int = 2,
    ) -> None:
        """Equal cells of (paint, text, description, handler) in rows."""
        width = (WIDTH - gap) // columns
        y = self._y
        for index, (paint, text, description, handler) in enumerate(cells):
            row, column = divmod(index, columns)
            box = (gap + column * width, y + row * height, width - gap, height - gap)
            self.place_at(paint, box, role, text, description, handler)
        self._y = y + -(-len(cells) // columns) * height

    def divider(self) -> None:
        """A thin line."""
        self.place(("divider",), 3)

    def empty(self, text: str, icon: str = "info") -> None:
        """What a page shows when it has nothing to show."""
        self.space(30)
        self.place(("glyph", icon, "muted", "bg"), 34)
        self.text(text, ink="muted", align="center")

    def promo(self) -> None:
        """Sponsored entries above the results, in the episodes that have them."""
        if not self.state["nuisance"]["promo"]:
            return
        for kind, color, title in _PROMOS:
            self.place(("card", kind, color, title, "", "Sponsored", "Ad"), 84, "item", title, "Ad")
