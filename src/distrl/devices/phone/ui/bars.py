"""Bars, tabs and whatever else is pinned to the edges of a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from distrl.devices.phone.control import Control
from distrl.devices.phone.paint import fonts
from distrl.devices.phone.paint.fonts import SMALL, TITLE
from distrl.devices.phone.ui.layout import PAD, Placing
from distrl.devices.phone.ui.view import HEIGHT, STATUS_HEIGHT, WIDTH, Handler, absorb

BAR = 26
"""Height of a title bar: an icon of 16 units and room for a finger."""
TAB = 24
"""Height of tabs at the top; at the bottom they are four units taller, for icon and label."""


class Bars(Placing):
    """What stays in place while a page scrolls."""

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
        title = self.look.say(title)
        shown = fonts.shorten(title, TITLE, self.look.narrow(room))
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
        actions = self.look.arrange(actions, *(icon for icon, _, _ in actions))
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
        items = self.look.arrange(items, *(key for key, _, _ in items))
        width = WIDTH // len(items)
        room = self.look.narrow(width - 2)
        at_bottom = self.version % 2 == 0
        if at_bottom:
            y = self._bottom - TAB - 4
            self._bottom = y
            height = TAB + 4
        else:
            y, height = self._pin_top(TAB), TAB
        self.pin(("fill", "surface"), (0, y, WIDTH, height))
        for index, (key, label, icon) in enumerate(items):
            chosen, label = key == selected, self.look.say(label)
            style = "bottom_tab" if at_bottom else "top_tab"
            widget = self.pin(
                (style, fonts.shorten(label, SMALL, room), icon, chosen, self.color),
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
        # Room below the last row, so that it can be scrolled out from under the button.
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
        items = self.look.arrange(items, *(icon for icon, _, _ in items))
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
        # Pinned below the part that scrolls, which would clip it otherwise.
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


def go_back(control: Control) -> None:
    """The handler of every up arrow."""
    control.back()
