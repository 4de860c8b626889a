"""The base of every app on the phone."""

from __future__ import annotations

from random import Random
from typing import Any

from distrl.actions import Direction
from distrl.devices.phone.control import Control
from distrl.devices.phone.state import State
from distrl.devices.phone.ui.toolkit import Ui


class App:
    """An app: its data, which lives in the phone's state, and one method per page.

    `page_<name>(ui)` builds a page; `dialog_<name>(ui)` builds a dialog or menu that stands above
    the page below it. Pages are opened by name with `Control.open`; the first one is `main`.
    Methods read the state through `ui` and change it only inside handlers, which get a `Control`.
    An app object has no state of its own: one object serves all phones of a process.
    """

    name: str
    """Identifier, also the key of the app's data in the state."""
    title: str
    """What the launcher writes below the icon."""
    icon: str
    color: tuple[int, int, int]
    permission: str = ""
    """What a permission dialog asks for, e.g. `access your location`; empty for never."""
    slow: bool = False
    """Whether its pages come from a network and may need a wait."""
    ticks: bool = False
    """Whether `tick` wants to be called after every action."""

    def create(self, rng: Random) -> State:
        """The app's data on a new phone."""
        del rng
        return {}

    def tick(self, control: Control) -> None:
        """Phone time has passed."""

    def on_swipe(self, control: Control, direction: Direction) -> None:
        """A sideways swipe, or a vertical one on a page that does not scroll."""

    def on_pick(self, control: Control, key: str) -> None:
        """A date or time picker was closed with OK and left its value in the page's var `key`."""

    def page_main(self, ui: Ui) -> None:
        """The first page."""
        raise NotImplementedError

    def build(self, ui: Ui) -> None:
        """Build whichever page `ui` is on."""
        ui.color = self.color
        name = ui.page["name"]
        page: Any = getattr(self, f"page_{name}", None) or getattr(self, f"dialog_{name}", None)
        if page is None:
            raise LookupError(f"{self.name} has no page {name!r}")
        page(ui)

    def is_dialog(self, page: str) -> bool:
        """Whether a page stands above the one below it."""
        return hasattr(self, f"dialog_{page}")
