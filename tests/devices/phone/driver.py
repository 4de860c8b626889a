"""A user's hand for tests of the phone: it finds things by what stands on the screen.

driver = Driver(seed=3, layout=2)
driver.open("clock")
driver.tap("Timer")
driver.tap_field("Minutes")
driver.type("5")
driver.tap("Start")
assert driver.data("clock")["timer"]["running"]
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from typing import Any

from distrl import actions
from distrl.actions import Direction
from distrl.config.devices import PhoneConfig
from distrl.devices.phone.control import Control
from distrl.devices.phone.device import PhoneDevice
from distrl.devices.phone.state import lasting_changes
from distrl.devices.phone.ui.view import HEIGHT, WIDTH, Widget
from distrl.types import Action, Element, Key

_MOST_SCROLLS = 30


class Driver:
    """A phone without nuisances. What is not on the screen is scrolled to, then it is an error."""

    def __init__(
        self,
        seed: int = 0,
        *,
        layout: int = 1,
        nuisance_rate: float = 0.0,
        weights: dict[str, float] | None = None,
    ) -> None:
        settings = PhoneConfig(
            nuisance_rate=nuisance_rate,
            nuisance_weights=weights,
            layout=layout,
        )
        self.device = PhoneDevice("driven", settings)
        self.device.reset(seed)

    # Looking

    @property
    def state(self) -> dict[str, Any]:
        """The whole state."""
        return self.device.snapshot()

    @property
    def page(self) -> str:
        """Name of the page on top of the app in front."""
        name: str = self._top()["name"]
        return name

    @property
    def app(self) -> str:
        """The app in front."""
        name: str = self.state["ui"]["app"]
        return name

    @property
    def elements(self) -> tuple[Element, ...]:
        """The accessibility tree."""
        return self.device.phone.view.elements

    def data(self, app: str) -> dict[str, Any]:
        """An app's lasting data."""
        data: dict[str, Any] = self.state["apps"][app]
        return data

    def var(self, key: str, default: Any = None) -> Any:
        """A value of the page on top, such as the text of a field."""
        return self._top()["vars"].get(key, default)

    def texts(self) -> list[str]:
        """All words on the screen, texts and descriptions, in paint order."""
        return [words for e in self.elements for words in (e.text, e.description) if words]

    def sees(self, text: str) -> bool:
        """Whether an element has exactly these words as its text or description."""
        return text in self.texts()

    def shows(self, text: str) -> bool:
        """Whether these words stand anywhere on the screen, also inside longer ones."""
        return any(text.lower() in words.lower() for words in self.texts())

    def find(self, text: str, role: str = "") -> Widget | None:
        """The topmost visible widget with exactly these words as text, else as description."""
        live = [w for w in self._live() if not role or w.role == role]
        for words in ("text", "description"):
            for widget in reversed(live):
                if getattr(widget, words) == text:
                    return widget
        return None

    def of_role(self, role: str) -> list[str]:
        """The texts of the visible elements of one role, in paint order."""
        return [element.text for element in self.elements if element.role == role]

    def element(self, text: str, role: str = "") -> Element:
        """What the accessibility tree says of the widget with exactly these words."""
        widget = self.find(text, role)
        assert widget is not None, f"{text!r} is not on the screen: {self.texts()}"
        found = widget.element()
        assert found is not None
        return found

    def can_tap(self, text: str, role: str = "button") -> bool:
        """Whether the widget with these words is enabled."""
        return self.element(text, role).enabled

    def looks(self, kind: str) -> list[tuple[Any, ...]]:
        """The paints of one kind on the screen, without the name of the kind."""
        view = self.device.phone.view
        shown = [w.paint for w in view.widgets[view.live :] if w.paint]
        return [paint[1:] for paint in shown if paint[0] == kind]

    @contextmanager
    def changes(self, *paths: str) -> Iterator[None]:
        """What is done inside changes these lasting paths (`*` allowed), each, and no other."""
        before = self.state
        yield
        changed = lasting_changes(before, self.state, ())
        stray = [path for path in changed if not any(fnmatchcase(path, p) for p in paths)]
        missed = [p for p in paths if not any(fnmatchcase(path, p) for path in changed)]
        assert not stray, f"changed as well: {stray}"
        assert not missed, f"did not change: {missed}, only {changed}"

    def scroll_through(self, role: str = "item") -> list[str]:
        """The texts of all elements of one role on the page, from its top to its end."""
        seen = dict.fromkeys(self.of_role(role))
        for _ in range(_MOST_SCROLLS):
            before = self._top()["scroll"]
            self.perform(actions.swipe(0.5, 0.6, 0.5, 0.35))
            seen |= dict.fromkeys(self.of_role(role))
            if self._top()["scroll"] == before:
                break
        return list(seen)

    # Acting

    def perform(self, action: Action) -> None:
        """Any action."""
        self.device.perform(action)

    def open(self, app: str) -> None:
        """Start an app as its icon does, from wherever the phone is."""
        control = Control(self.state, self.app)
        control.start(app)
        self.device.restore(control.state)

    def change(self, *path: str, to: Any) -> None:
        """Put something into the state behind the phone's back, as a task's setup does."""
        control = Control(self.state, self.app)
        control.write_root(*path, to=to)
        self.device.restore(control.state)

    def tap(self, text: str, *, role: str = "") -> None:
        """Touch what has exactly these words, after scrolling to it."""
        self._touch(self._reach(text, role))

    def poke(self, text: str) -> None:
        """Touch where these words stand, whether or not anything there answers."""
        self.perform(actions.tap(*self.element(text).center))

    def long_press(self, text: str, *, role: str = "") -> None:
        """Hold what has exactly these words, after scrolling to it."""
        x, y = _center(self._reach(text, role))
        self.perform(actions.long_press(x, y))

    def tap_icon(self, icon: str, nth: int = 0) -> None:
        """Touch a button by the icon that is painted on it, such as `add` or `delete`."""
        found = [
            w for w in self._live() if w.paint is not None and icon in w.paint[1:3] and w.on_tap
        ]
        assert nth < len(found), f"no icon {icon!r} ({nth}) among {self.icons()}"
        self._touch(found[nth])

    def tap_paint(self, *start: object) -> None:
        """Touch a widget by the beginning of its looks, such as `("photo", "dog")`."""
        for widget in self._live():
            if widget.paint is not None and widget.paint[: len(start)] == start:
                self._touch(widget)
                return
        raise AssertionError(f"nothing looks like {start}")

    def tap_field(self, hint: str) -> None:
        """Put the cursor into a field, by its hint."""
        self._touch(self._reach(hint, "field"))

    def fill(self, hint: str, text: str) -> None:
        """Put a text into a field, by its hint, in place of what it holds."""
        self.tap_field(hint)
        self.type(text)

    def type(self, text: str) -> None:
        """Type into the focused field."""
        self.perform(actions.type_text(text))

    def press(self, key: Key | str) -> None:
        """Press back, home or enter."""
        self.perform(actions.press(key))

    def swipe(self, direction: Direction | str, start: tuple[float, float] | None = None) -> None:
        """Swipe a fixed reach."""
        self.perform(actions.swipe_towards(Direction(direction), start))

    def pull_shade(self) -> None:
        """Pull the notification shade down."""
        self.perform(actions.swipe(0.5, 0.01, 0.5, 0.5))

    def wait(self, times: int = 1) -> None:
        """Let time pass."""
        for _ in range(times):
            self.perform(actions.wait())

    def back(self, times: int = 1) -> None:
        """Press back."""
        for _ in range(times):
            self.press(Key.BACK)

    def icons(self) -> list[str]:
        """The icons of the visible glyph buttons, in paint order."""
        return [str(w.paint[1]) for w in self._live() if w.paint and w.paint[0] == "glyph"]

    # Inside

    def _top(self) -> dict[str, Any]:
        top: dict[str, Any] = self.state["ui"]["stacks"][self.app][-1]
        return top

    def _live(self) -> list[Widget]:
        view = self.device.phone.view
        return [w for w in view.widgets[view.live :] if w.element() is not None]

    def _reach(self, text: str, role: str) -> Widget:
        for _ in range(_MOST_SCROLLS):
            widget = self.find(text, role)
            if widget is not None:
                return widget
            view = self.device.phone.view
            # A widget of which only a sliver shows is no element, but it is not hidden either.
            slivers = [
                (w.text, w.y) for w in view.widgets[view.live :] if w.role and w.element() is None
            ]
            hidden = {**dict(slivers), **dict(view.hidden)}
            if text not in hidden:
                break
            self.swipe(Direction.UP if hidden[text] > HEIGHT // 4 else Direction.DOWN)
        raise AssertionError(f"{text!r} is not on the screen: {self.texts()}")

    def _touch(self, widget: Widget) -> None:
        x, y = _center(widget)
        hit = self.device.phone.view.hit(x * WIDTH, y * HEIGHT)
        assert hit is widget, f"{widget.text or widget.description!r} is covered"
        self.perform(actions.tap(x, y))


def _center(widget: Widget) -> tuple[float, float]:
    element = widget.element()
    assert element is not None
    return element.center
