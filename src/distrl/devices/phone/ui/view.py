"""What a screen is made of: widgets in paint order, and the elements they report."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from distrl.devices.phone.ui.look import PLAIN, Look
from distrl.types import Element

if TYPE_CHECKING:
    from distrl.devices.phone.control import Control

Handler: TypeAlias = "Callable[[Control], None]"
Drag: TypeAlias = "Callable[[Control, float, float], None]"
"""Called with where the finger ended, as a fraction of the widget, across and down. `on_drag` takes
swipes and drags, `on_drop` only drags, which take hold of a thing before they move it."""
Paint: TypeAlias = tuple[Any, ...]
"""Name of a painter and its arguments: hashable, so that equal ones are drawn once."""

WIDTH, HEIGHT = 180, 400
"""Layout units of a screen, 9:20 as of a real phone; the default picture has a pixel for each."""
STATUS_HEIGHT = 14
NAV_HEIGHT = 10
KEYBOARD_HEIGHT = 124
"""Five rows of keys of 24 units, and an edge of two above and below them."""
CONTENT_BOTTOM = HEIGHT - NAV_HEIGHT
KEYBOARD_TOP = CONTENT_BOTTOM - KEYBOARD_HEIGHT

_LEAST_VISIBLE = 6
"""Units of a clipped widget that must show before it counts as on the screen: what is smaller
can hardly be read or touched."""
# Elements are equal on screen after screen, so each is made once. The limit is for typed texts,
# which make new ones for ever; then all go at once, for counting uses would cost every lookup.
_ELEMENT_CACHE_LIMIT = 100_000
_elements: dict[tuple[Any, ...], Element] = {}


def absorb(_: Control) -> None:
    """A handler for surfaces that swallow touches."""


class Widget:
    """One rectangle of the screen: how it looks, what it reports, what touching it does."""

    # Slots, each set: most widgets live for one screen only, and making and reading them is the
    # largest part of building it. Reading a default from the class takes several times as long.
    __slots__ = (
        "bottom",
        "checked",
        "description",
        "editable",
        "enabled",
        "focused",
        "h",
        "key",
        "on_double",
        "on_drag",
        "on_drop",
        "on_long",
        "on_tap",
        "paint",
        "role",
        "text",
        "top",
        "w",
        "x",
        "y",
    )

    def __init__(
        self,
        paint: Paint | None,
        x: int,
        y: int,
        w: int,
        h: int,
        role: str = "",
        text: str = "",
        description: str = "",
        on_tap: Handler | None = None,
        top: int = 0,
        bottom: int = HEIGHT,
    ) -> None:
        """Place a widget, seen between `top` and `bottom`; what is rare is set afterwards."""
        self.paint = paint
        self.x = x
        self.y = y
        self.w = w
        self.h = h
        self.role = role
        self.text = text
        self.description = description
        self.on_tap = on_tap
        self.top = top
        self.bottom = bottom
        self.on_long: Handler | None = None
        self.on_drag: Drag | None = None
        self.on_drop: Drag | None = None
        self.on_double: Handler | None = None
        self.checked: bool | None = None
        self.enabled = True
        self.focused = False
        self.editable = False
        self.key = ""

    def visible(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom of what the viewport leaves of it, in layout units."""
        top = self.y if self.y > self.top else self.top
        end = self.y + self.h
        return self.x, top, self.x + self.w, end if end < self.bottom else self.bottom

    def element(self) -> Element | None:
        """What the accessibility tree says of it, or None for decoration."""
        found = list_elements((self,))
        return found[0] if found else None


def list_elements(widgets: Iterable[Widget]) -> list[Element]:
    """The elements of the widgets that have one; equal ones are the same object."""
    known, found = _elements, []
    for widget in widgets:
        if not widget.role:
            continue
        # As in `visible`, without a call: this loop runs for every widget of every screen.
        top = widget.y
        bottom = top + widget.h
        if top < widget.top:
            top = widget.top
        if bottom > widget.bottom:
            bottom = widget.bottom
        if bottom - top < _LEAST_VISIBLE:
            continue
        key = (
            widget.role,
            widget.text,
            widget.description,
            widget.x,
            top,
            widget.w,
            bottom,
            widget.enabled,
            widget.checked,
            widget.focused,
            widget.editable,
        )
        element = known.get(key)
        if element is None:
            element = _new_element(widget, top, bottom)
            known[key] = element
        found.append(element)
    return found


def _new_element(widget: Widget, top: int, bottom: int) -> Element:
    if len(_elements) >= _ELEMENT_CACHE_LIMIT:
        _elements.clear()
    left, right = widget.x / WIDTH, (widget.x + widget.w) / WIDTH
    return Element(
        widget.role,
        widget.text,
        widget.description,
        (left, top / HEIGHT, right, bottom / HEIGHT),
        widget.enabled,
        widget.checked,
        widget.focused,
        widget.editable,
    )


class View:
    """A built screen. Never changes; the phone makes a new one after every action."""

    __slots__ = (
        "_elements",
        "app",
        "covered",
        "dark",
        "hidden",
        "keyboard",
        "live",
        "look",
        "max_scroll",
        "page",
        "submit",
        "widgets",
    )

    def __init__(self, app: str, page: str, *, dark: bool, look: Look = PLAIN) -> None:
        """Start an empty screen of a page of an app."""
        self.app, self.page, self.look = app, page, look
        self.dark = dark or look.dark
        self.widgets: list[Widget] = []
        self.live = 0
        """Index of the first widget that is not under a dialog."""
        self.keyboard = False
        self.max_scroll = 0
        self.hidden: list[tuple[str, int]] = []
        """Words and place of what is scrolled out of sight, for oracles."""
        self.submit: Handler | None = None
        """What Enter does in the focused field."""
        self.covered = ""
        """Name of the system surface that covers the app, if any."""
        self._elements: tuple[Element, ...] | None = None

    @property
    def elements(self) -> tuple[Element, ...]:
        """The accessibility tree of what can be touched now, in paint order."""
        if self._elements is None:
            self._elements = tuple(list_elements(self.widgets[self.live :]))
        return self._elements

    def hit(self, x: float, y: float) -> Widget | None:
        """The topmost live widget at a point in layout units that answers to touch."""
        widgets = self.widgets
        for index in range(len(widgets) - 1, self.live - 1, -1):
            widget = widgets[index]
            if (
                widget.x <= x < widget.x + widget.w
                and widget.y <= y < widget.y + widget.h
                and widget.top <= y < widget.bottom
                and (
                    widget.on_tap
                    or widget.on_drag
                    or widget.on_long
                    or widget.on_double
                    or widget.key
                    or not widget.enabled
                )
            ):
                return widget
        return None
