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

from distrl.devices.phone import fonts
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.view import (
    CONTENT_BOTTOM,
    HEIGHT,
    KEYBOARD_TOP,
    STATUS_HEIGHT,
    WIDTH,
    Handler,
    Paint,
    View,
    Widget,
    absorb,
)

BAR = 26
TAB = 24
PAD = 8
BODY, SMALL, TITLE, LARGE, HUGE = 9, 8, 11, 15, 26
"""Font sizes in layout units."""

_PROMOS = (
    ("phone", "teal", "The phone of the year"),
    ("shoe", "pink", "Shoes you will love"),
    ("watch", "gray", "Time for an upgrade"),
)


class Ui:
    """Builds one page. Made anew for every screen; apps keep nothing of it."""

    def __init__(
        self,
        view: View,
        state: State,
        app: str,
        page: State,
        version: int,
        *,
        focus: State | None,
    ) -> None:
        """Build the page of an app into a view; `focus` is None for all but the top page."""
        self.view = view
        self.state = state
        self.app = app
        self.page = page
        self.version = version
        self.args: State = page["args"]
        self.data: State = state["apps"].get(app, {})
        self.system: State = state["system"]
        self.time: int = state["time"]
        self._focus: str = focus["key"] if focus else ""
        self._selected: bool = bool(focus and focus["all"])
        self._out = view.widgets
        self._left, self._width = 0, WIDTH
        self._top = STATUS_HEIGHT
        resized = bool(focus) and not state["ui"].get("overlap")
        self._bottom = KEYBOARD_TOP if resized else CONTENT_BOTTOM
        self._scroll: int = page["scroll"]
        self._y: int = self._top - self._scroll
        self.color: Any = "primary"

    # Values of the page

    def var(self, key: str, default: Any = None) -> Any:
        """A value that lives as long as the page."""
        return self.page["vars"].get(key, default)

    def text_of(self, key: str) -> str:
        """What a field of the page holds, without outer blanks."""
        return str(self.var(key, "")).strip()

    # Placing

    def place(
        self,
        paint: Paint,
        height: int,
        role: str = "",
        text: str = "",
        description: str = "",
        on_tap: Handler | None = None,
    ) -> Widget | None:
        """Put a widget over the whole width below the last one; None if scrolled out of sight."""
        y = self._y
        self._y = y + height
        if y + height <= self._top or y >= self._bottom:
            if text:
                self.view.hidden.append((text, y))
            return None
        widget = Widget(paint, self._left, y, self._width, height, role, text, description, on_tap)
        widget.top, widget.bottom = self._top, self._bottom
        self._out.append(widget)
        return widget

    def place_at(
        self,
        paint: Paint | None,
        box: tuple[int, int, int, int],
        role: str = "",
        text: str = "",
        description: str = "",
        on_tap: Handler | None = None,
    ) -> Widget | None:
        """Put a widget at left, top, width, height; it scrolls if it stands below the bars."""
        x, y, w, h = box
        if y + h <= self._top or y >= self._bottom:
            if text:
                self.view.hidden.append((text, y))
            return None
        widget = Widget(paint, x, y, w, h, role, text, description, on_tap)
        widget.top, widget.bottom = self._top, self._bottom
        self._out.append(widget)
        return widget

    def pin(
        self,
        paint: Paint | None,
        box: tuple[int, int, int, int],
        role: str = "",
        text: str = "",
        description: str = "",
        on_tap: Handler | None = None,
    ) -> Widget:
        """Put a widget at a fixed place of the screen, above what scrolls."""
        widget = Widget(paint, *box, role, text, description, on_tap)
        self._out.append(widget)
        return widget

    @property
    def y(self) -> int:
        """Where the next widget will stand."""
        return self._y

    def space(self, height: int = 6) -> None:
        """Leave a gap."""
        self._y += height

    def finish(self) -> None:
        """Record how far the page scrolls; called once by the phone."""
        content = self._y + self._scroll - self._top
        self.view.max_scroll = max(0, content - (self._bottom - self._top))

    def _pin_top(self, height: int) -> int:
        """Reserve a strip below the bars so far and return where it starts."""
        y = self._top
        self._top = y + height
        self._y = self._top - self._scroll
        return y

    # Bars

    def bar(
        self,
        title: str,
        actions: Sequence[tuple[str, str, Handler]] = (),
        *,
        up: bool | None = None,
    ) -> None:
        """The title bar; actions are (icon, description or "", handler), drawn at the right."""
        y = self._pin_top(BAR)
        stack = self.state["ui"]["stacks"].get(self.app, ())
        has_up = len(stack) > 1 if up is None else up
        tint = self.color if self.version == 1 else "surface"
        ink = "on_primary" if self.version == 1 else "text"
        room = WIDTH - 22 * len(actions) - (24 if has_up else PAD) - 4
        shown = fonts.shorten(title, TITLE, room)
        x = 24 if has_up else PAD
        self.pin(("fill", tint), (0, y, WIDTH, BAR))
        self.pin(("line", shown, TITLE, ink, tint, "left", True), (x, y, room, BAR), "text", title)
        if has_up:
            self.pin(
                ("glyph", "back", ink, tint), (0, y, 24, BAR), "button", "", "Navigate up", go_back
            )
        self._bar_actions(actions, y, ink, tint)

    def _bar_actions(
        self,
        actions: Sequence[tuple[str, str, Handler]],
        y: int,
        ink: Any,
        tint: Any,
    ) -> None:
        for place, (icon, description, handler) in enumerate(reversed(actions)):
            box = (WIDTH - 22 * (place + 1) - 2, y, 22, BAR)
            self.pin(("glyph", icon, ink, tint), box, "button", "", description, handler)

    def search_bar(
        self,
        key: str,
        hint: str,
        on_submit: Handler,
        actions: Sequence[tuple[str, str, Handler]] = (),
        *,
        up: bool | None = None,
    ) -> None:
        """A bar with a text field; Enter submits it."""
        y = self._pin_top(BAR + 4)
        stack = self.state["ui"]["stacks"].get(self.app, ())
        has_up = len(stack) > 1 if up is None else up
        tint = self.color if self.version == 1 else "surface"
        ink = "on_primary" if self.version == 1 else "text"
        x = 24 if has_up else 6
        self.pin(("fill", tint), (0, y, WIDTH, BAR + 4))
        if has_up:
            box = (0, y, 24, BAR + 4)
            self.pin(("glyph", "back", ink, tint), box, "button", "", "Navigate up", go_back)
        room = WIDTH - x - 6 - 22 * len(actions)
        self._field_at((x, y + 4, room, BAR - 4), key, hint, on_submit, "pill", back=tint)
        self._bar_actions(actions, y + 2, ink, tint)

    def tabs(
        self,
        items: Sequence[tuple[str, str, str]],
        selected: str,
        on_select: Callable[[str], Handler],
    ) -> None:
        """Tabs of (key, label, icon): at the top in odd layout versions, else at the bottom."""
        width = WIDTH // len(items)
        at_bottom = self.version % 2 == 0
        if at_bottom:
            y = self._bottom - TAB - 4
            self._bottom = y
            height = TAB + 4
        else:
            y, height = self._pin_top(TAB), TAB
        self.pin(("fill", "surface"), (0, y, WIDTH, height))
        for index, (key, label, icon) in enumerate(items):
            chosen = key == selected
            style = "bottom_tab" if at_bottom else "top_tab"
            widget = self.pin(
                (style, fonts.shorten(label, SMALL, width - 2), icon, chosen, self.color),
                (index * width, y, width, height),
                "tab",
                label,
                "",
                on_select(key),
            )
            widget.checked = chosen

    def fab(self, icon: str, on_tap: Handler, description: str = "") -> None:
        """The page's main action: a floating button, or in layout 2 an icon in the bar."""
        if self.version % 2 == 0:
            box = (WIDTH - 26, STATUS_HEIGHT, 24, BAR)
            self.pin(("glyph", icon, self.color, "surface"), box, "button", "", description, on_tap)
            return
        box = (WIDTH - 42, self._bottom - 42, 34, 34)
        self.pin(("fab", icon, self.color), box, "button", "", description, on_tap)
        self._y += 40

    def bottom_buttons(self, items: Sequence[tuple[str, Handler | None]]) -> None:
        """Large buttons fixed at the bottom of the page; a None handler is disabled."""
        height = 30
        self._bottom -= height
        y = self._bottom
        self.pin(("fill", "surface"), (0, y, WIDTH, height), on_tap=absorb)
        width = (WIDTH - 6) // len(items)
        for index, (label, handler) in enumerate(items):
            style = "filled" if index == len(items) - 1 else "outlined"
            box = (4 + index * width, y + 3, width - 2, height - 6)
            paint = ("button", label, style, self.color, handler is not None)
            widget = self.pin(paint, box, "button", label, "", handler)
            widget.enabled = handler is not None

    def bottom_strip(self, height: int) -> int:
        """Reserve a strip above the bottom for what is pinned there and return where it starts."""
        self._bottom -= height
        self.pin(("fill", "surface"), (0, self._bottom, WIDTH, height), on_tap=absorb)
        return self._bottom

    def bottom_icons(self, items: Sequence[tuple[str, str, Handler]]) -> None:
        """Icons fixed at the bottom of the page as (icon, description or "", handler)."""
        height = 30
        self._bottom -= height
        y = self._bottom
        self.pin(("fill", "surface"), (0, y, WIDTH, height), on_tap=absorb)
        width = WIDTH // len(items)
        for index, (icon, description, handler) in enumerate(items):
            box = (index * width, y, width, height)
            self.pin(("glyph", icon, "text", "surface"), box, "button", "", description, handler)

    def composer(self, key: str, hint: str, on_send: Handler) -> None:
        """A text field fixed at the bottom of the page, with an icon that sends it."""
        height = 32
        self._bottom -= height
        y = self._bottom
        self.pin(("fill", "bg"), (0, y, WIDTH, height), on_tap=absorb)
        self._field_at((PAD, y + 3, WIDTH - 2 * PAD - 28, 26), key, hint, on_send, "box")
        self._out[-1].bottom = HEIGHT
        box = (WIDTH - PAD - 26, y + 3, 26, 26)
        self.pin(("round_button", "send", "white", self.color), box, "button", "", "", on_send)

    def strip(self, height: int, *, bottom: bool = False) -> int:
        """Reserve a strip below the bars so far, or at the bottom, and return where it starts."""
        if not bottom:
            return self._pin_top(height)
        self._bottom -= height
        return self._bottom

    def pin_field(
        self, box: tuple[int, int, int, int], key: str, hint: str, on_submit: Handler
    ) -> None:
        """A text field at a fixed place of the screen, as a bar of the page's own has it."""
        self._field_at(box, key, hint, on_submit, "pill")

    # What scrolls

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
        height = (30 if sub else 26) + 3 * (self.version % 2 == 0)
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
        height = 32 if sub else 28
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
        height = (30 if sub else 26) + 3 * (self.version % 2 == 0)
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
        self._y = y + 32
        if y + 32 <= self._top or y >= self._bottom:
            self.view.hidden.append((hint, y))
            self._hold_keyboard(key, on_submit)
            return
        box = (PAD, y + 3, WIDTH - 2 * PAD, 27)
        self._field_at(box, key, hint, on_submit, "box", icon)

    def _field_at(
        self,
        box: tuple[int, int, int, int],
        key: str,
        hint: str,
        on_submit: Handler | None,
        style: str,
        icon: str = "",
        back: Any = None,
    ) -> None:
        value = str(self.var(key, ""))
        focused = key == self._focus
        marked = focused and self._selected
        paint = ("field", style, hint, value, icon, focused, marked, self.color, back)
        widget = Widget(paint, *box, "field", value, hint)
        if style == "box":
            widget.top, widget.bottom = self._top, self._bottom
        widget.key, widget.focused, widget.editable = key, focused, True
        self._hold_keyboard(key, on_submit)
        self._out.append(widget)

    def _hold_keyboard(self, key: str, on_submit: Handler | None) -> None:
        """Keep the keyboard up for the focused field, also while it is scrolled out of sight."""
        if key == self._focus:
            self.view.keyboard = True
            self.view.submit = on_submit

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
        lines = fonts.wrap(text, size, WIDTH - 2 * PAD)
        height = round(len(lines) * (size + 3) + 5)
        self.place(("lines", lines, size, ink, "bg", align, bold), height, "text", text)

    def button(
        self, label: str, on_tap: Handler | None, *, style: str = "filled", icon: str = ""
    ) -> None:
        """A wide button; a None handler is disabled. Styles: filled, outlined, text."""
        y = self._y
        self._y = y + 28
        paint = ("button", label, style, self.color, on_tap is not None, icon)
        box = (PAD, y + 2, WIDTH - 2 * PAD, 24)
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
            width = min(WIDTH - 2 * PAD, round(fonts.text_width(label, SMALL)) + 14)
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
    ) -> None:
        """A wide picture: `paint` is ("photo", subject, variant) or the like."""
        self.place(paint, height, role, "", description, on_tap)

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

    # What stands above a page

    def dialog(
        self,
        title: str,
        body: str = "",
        buttons: Sequence[tuple[str, Handler | None]] = (),
        *,
        fields: Sequence[tuple[str, str]] = (),
        choices: Sequence[tuple[str, bool, Handler]] = (),
    ) -> None:
        """A box in the middle with text, fields of (key, hint), radio choices and buttons."""
        lines = fonts.wrap(body, BODY, 136) if body else ()
        height = 30 + 12 * len(lines) + 32 * len(fields) + 24 * len(choices) + 30 * bool(buttons)
        bottom = KEYBOARD_TOP if self._focus else HEIGHT
        y = max(STATUS_HEIGHT + 4, (bottom - height) // 2)
        self.pin(("panel", 10), (14, y, 152, height), on_tap=absorb)
        self.pin(
            ("line", title, TITLE, "text", "surface", "left", True),
            (20, y + 6, 140, 18),
            "text",
            title,
        )
        y += 26
        if lines:
            box = (20, y, 140, 12 * len(lines))
            self.pin(("lines", lines, BODY, "muted", "surface", "left", False), box, "text", body)
            y += 12 * len(lines)
        for key, hint in fields:
            self._field_at((20, y + 3, 140, 27), key, hint, None, "box")
            self._out[-1].top, self._out[-1].bottom = 0, HEIGHT
            y += 32
        for label, chosen, handler in choices:
            paint = ("row", label, "", "", self.color, f"radio:{int(chosen)}", True, "surface")
            self.pin(paint, (16, y, 148, 24), "radio", label, "", handler).checked = chosen
            y += 24
        self._dialog_buttons(buttons, y + 3)

    def _dialog_buttons(self, buttons: Sequence[tuple[str, Handler | None]], y: int) -> None:
        right = 162
        for index, (label, handler) in enumerate(reversed(buttons)):
            width = max(40, round(fonts.text_width(label, BODY)) + 16)
            style = "filled" if index == 0 else "text"
            paint = ("button", label, style, self.color, handler is not None, "", "surface")
            box = (right - width, y, width, 22)
            self.pin(paint, box, "button", label, "", handler).enabled = handler is not None
            right -= width + 3

    def menu(self, items: Sequence[tuple[str, Handler]]) -> None:
        """A menu that hangs from the top right corner."""
        height = 24 * len(items) + 8
        box = (WIDTH - 104, STATUS_HEIGHT + 4, 100, height)
        self.pin(("panel", 4), box, on_tap=absorb)
        for index, (label, handler) in enumerate(items):
            paint = ("line", label, BODY, "text", "surface", "left", False)
            place = (WIDTH - 98, STATUS_HEIGHT + 8 + 24 * index, 90, 24)
            self.pin(paint, place, "button", label, "", handler)


def go_back(control: Control) -> None:
    """The handler of every up arrow."""
    control.back()
