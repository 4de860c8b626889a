"""Dialogs and menus."""

from __future__ import annotations

from collections.abc import Sequence

from distrl.devices.phone.paint import fonts
from distrl.devices.phone.paint.fonts import BODY, TITLE
from distrl.devices.phone.ui.layout import Placing
from distrl.devices.phone.ui.view import HEIGHT, KEYBOARD_TOP, STATUS_HEIGHT, WIDTH, Handler, absorb


class Above(Placing):
    """What stands above a page and takes its place until it is closed."""

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
        # Narrower than the 140 units of its box, whose painter leaves a margin at both sides.
        body = self.look.say(body)
        lines = fonts.wrap(body, BODY, self.look.narrow(136)) if body else ()
        lines_height = self.look.enlarge(12 * len(lines))
        choices = self.look.arrange(choices, title, *(label for label, _, _ in choices))
        height = 30 + lines_height + 32 * len(fields) + 24 * len(choices) + 30 * bool(buttons)
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
            box = (20, y, 140, lines_height)
            self.pin(("lines", lines, BODY, "muted", "surface", "left", False), box, "text", body)
            y += lines_height
        for key, hint in fields:
            self._field_at((20, y + 3, 140, 27), key, hint, None, "box")
            # A dialog does not scroll with the page, so the page must not clip its fields.
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
            label = self.look.say(label)
            width = max(40, self.look.enlarge(round(fonts.text_width(label, BODY))) + 16)
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
        items = self.look.arrange(items, *(label for label, _ in items))
        for index, (label, handler) in enumerate(items):
            paint = ("line", label, BODY, "text", "surface", "left", False)
            place = (WIDTH - 98, STATUS_HEIGHT + 8 + 24 * index, 90, 24)
            self.pin(paint, place, "button", label, "", handler)
