"""Pages of an app that does not exist, for the tests of the toolkit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from distrl.devices.phone.control import Control, new_page
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.ui.toolkit import Ui
from distrl.devices.phone.ui.view import Handler, View, Widget

Page = Callable[[Ui], object]


def build(
    page: Page,
    *,
    version: int = 1,
    scroll: int = 0,
    focus: str = "",
    overlap: bool = False,
    **values: Any,
) -> View:
    """The screen of a page as the phone would build it."""
    state = PhoneDevice().snapshot()
    state = {**state, "ui": {**state["ui"], "overlap": overlap}}
    record = {**new_page("main", {}), "vars": values, "scroll": scroll}
    view = View("test", "main", dark=False)
    cursor = {"key": focus, "all": True} if focus else None
    ui = Ui(view, state, "test", record, version, focus=cursor)
    page(ui)
    ui.finish()
    return view


def find(view: View, text: str) -> Widget:
    """The first widget with these words that reports itself."""
    return next(w for w in view.widgets if text in (w.text, w.description) and w.role)


class Taps:
    """Handlers that note which of them was called."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def __call__(self, name: str) -> Handler:
        """A handler that notes a name."""
        return lambda _: self.heard.append(name)

    def touch(self, view: View, text: str) -> None:
        """Call the handler of the widget with these words."""
        handler = find(view, text).on_tap
        assert handler is not None
        handler(Control({}, "test"))


def overlaps(one: Widget, other: Widget) -> bool:
    """Whether two widgets share a point."""
    return (
        one.x < other.x + other.w
        and other.x < one.x + one.w
        and one.y < other.y + other.h
        and other.y < one.y + one.h
    )
