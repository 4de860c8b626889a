"""Actions for scripted experts (oracles): they may read the state, but touch only what is visible.

An oracle is written as the whole way to the goal, with every call making sure of one thing:

    hand.open("clock")
    hand.tab("Timer")
    hand.type("minutes", "5")
    hand.tap("Start")

Each call checks one condition. If it holds, the call returns; if not, the call raises `Do` with the
action that brings it nearer, which ends the turn. The next turn starts from the top, so an oracle
keeps no state and recovers from any mistake, its own or a noisy policy's.
"""

from __future__ import annotations

from typing import Any, NoReturn

from distrl import actions
from distrl.actions import Direction
from distrl.devices.phone import phone_time
from distrl.devices.phone.registry import find
from distrl.devices.phone.state import State
from distrl.devices.phone.system import Phone
from distrl.devices.phone.ui.pickers import month_distance
from distrl.devices.phone.ui.view import HEIGHT, WIDTH, View, Widget
from distrl.types import Action, Key


class Do(Exception):  # noqa: N818 - control flow, not an error
    """Raised by `Hand` to end the oracle's turn with an action."""

    def __init__(self, action: Action) -> None:
        """`action` is what the turn ends with."""
        super().__init__(action)
        self.action = action


class Hand:
    """The view of one turn: what is on the phone now, and calls that end the turn."""

    def __init__(self, phone: Phone, before: State | None = None) -> None:
        """Read the phone as it is now; it does not change during a turn.

        `before` is the state at the start, for those who must know what was done since.
        """
        self.state: State = phone.state
        self.before: State = phone.state if before is None else before
        self.view: View = phone.view
        self.say = phone.view.look.say
        """Words as the screen shows them: an oracle names what it looks for in English."""
        self.system: State = self.state["system"]
        self.app: str = self.state["ui"]["app"]
        stack = self.state["ui"]["stacks"][self.app]
        self.page: str = stack[-1]["name"]
        self.args: State = stack[-1]["args"]

    # Looking

    def data(self, app: str) -> State:
        """An app's data."""
        data: State = self.state["apps"][app]
        return data

    def at(self, *pages: str, **arguments: object) -> bool:
        """Whether one of these pages is on top, with at least these arguments."""
        return self.page in pages and all(self.args.get(k) == v for k, v in arguments.items())

    def var(self, key: str, default: Any = None) -> Any:
        """A value of the page on top."""
        return self.state["ui"]["stacks"][self.app][-1]["vars"].get(key, default)

    def sees(self, text: str) -> bool:
        """Whether something on the screen has exactly these words."""
        return self._visible(text) is not None

    def shows(self, text: str) -> bool:
        """Whether words stand anywhere on the screen."""
        wanted = self.say(text).lower()
        return any(wanted in f"{e.text} {e.description}".lower() for e in self.view.elements)

    def _live(self) -> list[Widget]:
        view = self.view
        return [w for w in view.widgets[view.live :] if w.element() is not None]

    def _visible(self, text: str, role: str = "") -> Widget | None:
        wanted = self.say(text).lower()
        for widget in self._live():
            if widget.text.lower() == wanted and (not role or widget.role == role):
                return widget
        return None

    # Acting

    def do(self, action: Action) -> NoReturn:
        """End the turn with an action."""
        raise Do(action)

    def done(self) -> NoReturn:
        """Declare the goal reached."""
        self.do(actions.complete())

    def give_up(self) -> NoReturn:
        """Declare the goal out of reach."""
        self.do(actions.infeasible())

    def back(self) -> NoReturn:
        """Press back."""
        self.do(actions.press(Key.BACK))

    def home(self) -> NoReturn:
        """Press home."""
        self.do(actions.press(Key.HOME))

    def enter(self) -> NoReturn:
        """Press enter."""
        self.do(actions.press(Key.ENTER))

    def wait(self) -> NoReturn:
        """Let time pass."""
        self.do(actions.wait())

    def swipe(self, direction: Direction, start: tuple[float, float] | None = None) -> NoReturn:
        """Swipe a fixed reach."""
        self.do(actions.swipe_towards(direction, start))

    def answer(self, text: object) -> NoReturn:
        """Answer what the goal asks."""
        self.do(actions.answer(str(text)))

    def touch(self, widget: Widget, *, hold: bool = False) -> NoReturn:
        """Touch the middle of a widget, after clearing what covers it."""
        element = widget.element()
        assert element is not None
        x, y = element.center
        hit = self.view.hit(x * WIDTH, y * HEIGHT)
        if hit is not widget:
            if self.view.keyboard:
                self.back()
            self.swipe(Direction.UP)
        self.do(actions.long_press(x, y) if hold else actions.tap(x, y))

    def drag(self, widget: Widget, direction: Direction) -> NoReturn:
        """Swipe from the middle of a widget."""
        element = widget.element()
        assert element is not None
        self.swipe(direction, element.center)

    def scroll_to(self, text: str) -> None:
        """Bring something that is scrolled out of sight nearer; returns if it is not there."""
        wanted = self.say(text).lower()
        for words, y in self.out_of_sight():
            if words.lower() == wanted:
                if y > 0 and self.view.keyboard:
                    self.back()
                above = y < self._viewport_top()
                self.swipe(Direction.DOWN if above else Direction.UP)

    def out_of_sight(self) -> list[tuple[str, int]]:
        """Words and place of what is scrolled out of sight."""
        view = self.view
        # A widget of which only a sliver shows is no element, but it is not hidden either.
        slivers = [
            (w.text, w.y) for w in view.widgets[view.live :] if w.role and w.element() is None
        ]
        return [*view.hidden, *slivers]

    def _viewport_top(self) -> int:
        tops = [w.top for w in self.view.widgets if w.top > 0]
        return min(tops) if tops else 0

    def tap(self, text: str, *, role: str = "", hold: bool = False) -> NoReturn:
        """Touch what has exactly these words, scrolling to it first; go back if it is not here."""
        widget = self._visible(text, role)
        if widget is not None:
            self.touch(widget, hold=hold)
        self.scroll_to(text)
        self.back()

    def tap_if(self, text: str, *, role: str = "") -> None:
        """Touch what has these words if it is on the screen."""
        widget = self._visible(text, role)
        if widget is not None:
            self.touch(widget)

    def find_icon(self, icon: str, nth: int = 0) -> Widget | None:
        """A visible button by the icon that is painted on it."""
        found = [
            w for w in self._live() if w.paint is not None and icon in w.paint[1:3] and w.on_tap
        ]
        return found[nth] if nth < len(found) else None

    def tap_icon(self, icon: str, nth: int = 0) -> NoReturn:
        """Touch an icon; go back if there is none."""
        widget = self.find_icon(icon, nth)
        if widget is not None:
            self.touch(widget)
        self.back()

    def find_paint(self, *start: object) -> Widget | None:
        """A visible widget whose looks begin with these, e.g. ("photo", "dog")."""
        for widget in self._live():
            if widget.paint is not None and widget.paint[: len(start)] == start:
                return widget
        return None

    def tap_paint(self, *start: object) -> NoReturn:
        """Touch a widget by its looks; scroll on while there is more, else go back."""
        widget = self.find_paint(*start)
        if widget is not None:
            self.touch(widget)
        page = self.state["ui"]["stacks"][self.app][-1]
        if page["scroll"] < self.view.max_scroll:
            self.swipe(Direction.UP)
        self.back()

    # Making sure

    def open(self, app: str) -> None:
        """An app is in front."""
        if self.state["ui"]["shade"]:
            self.back()
        if self.app == app:
            return
        if self.app != "launcher":
            self.home()
        known = find(app)
        icon = self.find_paint("app_icon", known.icon, known.color)
        if icon is not None:
            self.touch(icon)
        if self.page == "drawer":
            self.scroll_to(known.title)
            self.back()
        pages = self.data("launcher")["pages"]
        shown = int(self.var("shown", 0))
        for index, page in enumerate(pages):
            if app in page:
                self.swipe(Direction.LEFT if index > shown else Direction.RIGHT)
        self.swipe(Direction.UP)

    def on(self, *pages: str) -> None:
        """One of these pages is on top, or else the way back to it is taken."""
        if self.page not in pages:
            self.back()

    def shade(self) -> None:
        """The notification shade is open."""
        if not self.state["ui"]["shade"]:
            self.drag(next(w for w in self._live() if w.role == "status"), Direction.DOWN)

    def tab(self, label: str) -> None:
        """A tab of the page on top is chosen."""
        widget = self._visible(label, "tab")
        if widget is None:
            self.back()
        if not widget.checked:
            self.touch(widget)

    def field(self, key: str) -> Widget | None:
        """A visible text field by the key of its value."""
        return next((w for w in self._live() if w.key == key), None)

    def type(self, key: str, text: str) -> None:
        """A field holds exactly this text."""
        if str(self.var(key, "")) == text:
            return
        widget = self.field(key)
        if widget is None:
            self.swipe(Direction.UP)
        focus = self.state["ui"]["focus"]
        if focus and focus["key"] == key and (focus["all"] or not self.var(key)):
            self.do(actions.type_text(text))
        self.touch(widget)

    def submit(self, key: str, text: str) -> NoReturn:
        """Fill a field and press enter."""
        self.type(key, text)
        focus = self.state["ui"]["focus"]
        if focus and focus["key"] == key:
            self.enter()
        widget = self.field(key)
        if widget is None:
            self.back()
        self.touch(widget)

    def switch(self, text: str, *, on: bool) -> None:
        """A switch, checkbox or radio with these words is on or off."""
        wanted = self.say(text).lower()
        widget = next(
            (w for w in self._live() if w.text.lower() == wanted and w.checked is not None), None
        )
        if widget is None:
            self.scroll_to(text)
            self.back()
        if widget.checked is not on:
            self.touch(widget)

    def pick_time(self, minutes: int) -> None:
        """The time picker, which is on top, shows this time; then OK is pressed."""
        now = int(self.var("minutes", self.args["minutes"]))
        if now // 720 % 2 != minutes // 720:
            self.tap("PM" if minutes >= 720 else "AM")
        stage = self.var("stage", "hour")
        if now // 60 != minutes // 60:
            if stage != "hour":
                self._touch_described("Select hours")
            self._touch_bead(str(minutes // 60 % 12 or 12))
        if now % 60 != minutes % 60:
            if stage != "minute":
                self._touch_described("Select minutes")
            self._touch_bead(f"{minutes % 60:02d}")
        self.tap("OK")

    def pick_date(self, day: int) -> None:
        """The date picker, which is on top, has this day chosen; then OK is pressed."""
        if int(self.var("day", self.args["day"])) != day:
            distance = month_distance(int(self.args["day"]), day) - int(self.var("month", 0))
            if distance:
                self._touch_described("Next month" if distance > 0 else "Previous month")
            self._touch_bead(str(day_in_month(day)))
        self.tap("OK")

    def _touch_bead(self, label: str) -> NoReturn:
        widget = next(
            w for w in self._live() if w.text == label and w.paint and w.paint[0] == "bead"
        )
        self.touch(widget)

    def _touch_described(self, description: str) -> NoReturn:
        wanted = self.say(description)
        self.touch(next(w for w in self._live() if w.description == wanted))


def day_in_month(day: int) -> int:
    """The number that a calendar shows for a day."""
    return phone_time.moment(day * phone_time.DAY).day


def clear_the_way(hand: Hand) -> None:
    """Deal with whatever nuisance stands above the app, and wait for slow pages."""
    overlay = hand.state["ui"]["overlay"]
    if overlay is not None and hand.view.covered == overlay["kind"]:
        kind = overlay["kind"]
        if kind in ("permission", "update", "consent"):
            hand.tap({"permission": "Allow", "update": "Not now", "consent": "Reject all"}[kind])
        if kind == "ad":
            hand.tap_icon("close")
        if kind == "notice":
            banner = next(w for w in hand.view.widgets if w.role == "banner")
            hand.drag(banner, Direction.UP)
        hand.wait()
    page = hand.state["ui"]["stacks"][hand.app][-1]
    if page.get("ready", 0) > hand.state["time"]:
        hand.wait()
