"""The toolkit's ground: where a page's widgets go, and the text fields among them."""

from __future__ import annotations

from typing import Any

from distrl.devices.phone.state import State
from distrl.devices.phone.ui.look import Look
from distrl.devices.phone.ui.view import (
    CONTENT_BOTTOM,
    KEYBOARD_TOP,
    STATUS_HEIGHT,
    WIDTH,
    Handler,
    Paint,
    View,
    Widget,
)

PAD = 8


class Placing:
    """Where widgets go: below each other in the part that scrolls, or pinned to the screen.

    Bars reserve strips at the top and bottom, and what is placed stands between them. Positions
    are layout units of the screen, with how far the page is scrolled already taken off.
    """

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
        self.look = view.look
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
        # A page makes room for the keyboard, but not in episodes whose nuisance is a keyboard that
        # covers it.
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
        if self.look.words:
            paint, text, description = _reword(self.look, paint, text, description)
        y = self._y
        self._y = y + height
        if y + height <= self._top or y >= self._bottom:
            if text:
                self.view.hidden.append((text, y))
            return None
        widget = Widget(
            paint,
            self._left,
            y,
            self._width,
            height,
            role,
            text,
            description,
            on_tap,
            self._top,
            self._bottom,
        )
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
        if self.look.words:
            paint, text, description = _reword(self.look, paint, text, description)
        x, y, w, h = box
        if y + h <= self._top or y >= self._bottom:
            if text:
                self.view.hidden.append((text, y))
            return None
        widget = Widget(paint, x, y, w, h, role, text, description, on_tap, self._top, self._bottom)
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
        if self.look.words:
            paint, text, description = _reword(self.look, paint, text, description)
        # Not `*box`: with all arguments in place, the call takes half the time.
        x, y, w, h = box
        widget = Widget(paint, x, y, w, h, role, text, description, on_tap)
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
        value, hint = str(self.var(key, "")), self.look.say(hint)
        focused = key == self._focus
        marked = focused and self._selected
        paint = ("field", style, hint, value, icon, focused, marked, self.color, back)
        widget = Widget(paint, *box, "field", value, hint)
        # Fields in forms scroll with the page and are clipped by it; pills stand in fixed bars.
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


def _reword(look: Look, paint: Paint | None, text: str, description: str) -> tuple[Any, str, str]:
    """A widget's looks, text and description in the words of a phone."""
    return _reworded(look, paint), look.say(text), look.say(description)


def _reworded(look: Look, value: Any) -> Any:
    if isinstance(value, str):
        return look.say(value)
    return tuple(_reworded(look, part) for part in value) if isinstance(value, tuple) else value
