"""The phone itself: state in, screen out, touches change the state.

    action -> Phone.act -> hit test on the current View -> handler(Control) -> new state
                                                         -> time passes, nuisances strike
    state  -> Phone.view -> App.build(Ui) -> View        (built when somebody looks)

Phone time moves by a fixed number of seconds per action and never by the wall clock.
"""

from __future__ import annotations

from difflib import get_close_matches

from distrl.actions import direction_of
from distrl.devices.phone import nuisance, phone_time
from distrl.devices.phone.app import App
from distrl.devices.phone.control import Control, new_page
from distrl.devices.phone.factors.misleading import add_claim
from distrl.devices.phone.registry import blamed_on, find, ticking
from distrl.devices.phone.shade import build_shade
from distrl.devices.phone.state import State
from distrl.devices.phone.ui import keyboard
from distrl.devices.phone.ui.look import look_of
from distrl.devices.phone.ui.pickers import PICKERS
from distrl.devices.phone.ui.toolkit import Ui
from distrl.devices.phone.ui.view import (
    CONTENT_BOTTOM,
    HEIGHT,
    KEYBOARD_HEIGHT,
    KEYBOARD_TOP,
    NAV_HEIGHT,
    STATUS_HEIGHT,
    WIDTH,
    View,
    Widget,
    absorb,
)
from distrl.errors import ActionError, ConfigError
from distrl.types import Action, Key, Kind

# Fixed numbers instead of the wall clock: the same seed and the same actions give the same state
# on every machine. A wait is longer than any other action, so that waiting for a page or a timer
# costs an agent fewer steps than touching something meanwhile.
ACTION_SECONDS = 2
WAIT_SECONDS = 5
_SHADE_EDGE = 0.06
"""How near the top a swipe must begin to pull the shade down, as a share of the height.

That is the status bar (14 of 400 units) and a little more: no finger aims at the very edge.
"""


class Phone:
    """One phone. `state` may be read, kept and replaced at any time."""

    __slots__ = ("_state", "_view")

    def __init__(self, state: State) -> None:
        """Start in a state."""
        self._state = state
        self._view: View | None = None

    @property
    def state(self) -> State:
        """The whole state; never changed in place."""
        return self._state

    @state.setter
    def state(self, state: State) -> None:
        self._state = state
        self._view = None

    @property
    def view(self) -> View:
        """The screen that the state shows."""
        if self._view is None:
            self._view = build_view(self._state)
        return self._view

    def act(self, action: Action) -> None:
        """Carry out one action; those that end an episode only let time pass.

        ActionError, and nothing happens, when an app is to be opened that the phone does not have.
        """
        before = self._state
        control = Control(before, before["ui"]["app"])
        if before["ui"]["toast"]:
            control.write_ui("toast", "")
        try:
            self._carry_out(control, action)
        except (ActionError, ConfigError):  # no such app, or a page that could not be built
            raise
        except Exception:  # most likely of a widget's handler, which its app has written
            with blamed_on(before["ui"]["app"]):
                raise
        waits = action.kind is Kind.WAIT
        self._pass_time(control, before, WAIT_SECONDS if waits else ACTION_SECONDS)
        self.state = control.state

    def _carry_out(self, control: Control, action: Action) -> None:
        kind = action.kind
        if kind.touches_point:
            self._touch(control, kind, action.x * WIDTH, action.y * HEIGHT)
        elif kind is Kind.SWIPE:
            self._swipe(control, action)
        elif kind is Kind.DRAG:
            self._drag(control, action)
        elif kind is Kind.TYPE:
            if self.view.keyboard and action.text:
                keyboard.type_into(control, action.text)
        elif kind is Kind.PRESS:
            self._press(control, action.key)
        elif kind is Kind.OPEN_APP:
            open_app(control, action.text)

    def _touch(self, control: Control, kind: Kind, x: float, y: float) -> None:
        if kind is Kind.TAP:
            self._tap(control, x, y)
        elif kind is Kind.LONG_PRESS:
            self._long_press(control, x, y)
        else:
            self._double_tap(control, x, y)

    def _pass_time(self, control: Control, before: State, seconds: int) -> None:
        # Nuisances last: whether one fits depends on the page that is in front by then.
        control.state = {**control.state, "time": control.state["time"] + seconds}
        for name in ticking():
            control.app = name
            find(name).tick(control)
        control.app = control.state["ui"]["app"]
        nuisance.advance(control, before)

    def _tap(self, control: Control, x: float, y: float) -> None:
        view = self.view
        widget = view.hit(x, y)
        if widget is None:
            return
        if widget.role == "keyboard":
            keyboard.press_key(control, keyboard.key_at(x, y), view.submit)
        elif not widget.enabled:
            return
        elif widget.key:
            control.focus(widget.key)
            self._keep_above_keyboard(control, widget)
        elif widget.on_tap is not None:
            widget.on_tap(control)
        elif widget.on_drag is not None:
            widget.on_drag(control, (x - widget.x) / widget.w, (y - widget.y) / widget.h)

    def _keep_above_keyboard(self, control: Control, field: Widget) -> None:
        """Scroll so that the keyboard, which now comes up, does not push the field out of sight."""
        scrolls = field.bottom < HEIGHT and not control.state["ui"]["overlap"]
        excess = field.y + field.h - (field.bottom - KEYBOARD_HEIGHT)
        if scrolls and excess > 0 and not self.view.keyboard:
            _scroll_to(control, control.page["scroll"] + excess)

    def _long_press(self, control: Control, x: float, y: float) -> None:
        widget = self.view.hit(x, y)
        if widget is not None and widget.enabled and widget.on_long is not None:
            widget.on_long(control)

    def _double_tap(self, control: Control, x: float, y: float) -> None:
        """What answers to double taps gets one; everything else is tapped twice."""
        widget = self.view.hit(x, y)
        if widget is not None and widget.enabled and widget.on_double is not None:
            widget.on_double(control)
            return
        self._tap(control, x, y)
        # The second tap hits what the first has brought up, as a quick finger does.
        then = Phone(control.state)
        control.app = control.state["ui"]["app"]
        then._tap(control, x, y)

    def _drag(self, control: Control, action: Action) -> None:
        """Move what can be put elsewhere; everything else follows the finger as in a swipe."""
        widget = self.view.hit(action.x * WIDTH, action.y * HEIGHT)
        if widget is None or not widget.enabled or widget.on_drop is None:
            self._swipe(control, action)
            return
        end_x, end_y = action.x2 * WIDTH, action.y2 * HEIGHT
        widget.on_drop(control, (end_x - widget.x) / widget.w, (end_y - widget.y) / widget.h)

    def _press(self, control: Control, key: Key | None) -> None:
        if key is Key.HOME:
            go_home(control)
        elif key is Key.RECENTS:
            go_home(control)
            control.open("recents")
        elif key is Key.ENTER:
            if self.view.keyboard:
                keyboard.enter(control, self.view.submit)
        else:
            self._back(control)

    def _back(self, control: Control) -> None:
        ui = control.state["ui"]
        if ui["overlay"] is not None and ui["overlay"]["kind"] in ("permission", "update"):
            control.write_ui("overlay", None)
        elif ui["overlay"] is not None and ui["overlay"]["kind"] in nuisance.BLOCKING:
            return
        elif ui["shade"]:
            control.write_ui("shade", to=False)
        elif self.view.keyboard:
            control.focus(None)
        elif len(ui["stacks"][ui["app"]]) > 1:
            control.back()
        elif ui["app"] != "launcher":
            go_home(control)

    def _swipe(self, control: Control, action: Action) -> None:
        ui = control.state["ui"]
        x, y = action.x * WIDTH, action.y * HEIGHT
        down = action.y2 > action.y and abs(action.x2 - action.x) < action.y2 - action.y
        blocked = ui["overlay"] is not None and ui["overlay"]["kind"] in nuisance.BLOCKING
        widget = self.view.hit(x, y)
        # What is dragged comes before the shade and before scrolling: a banner at the very top
        # is wiped away and does not pull the shade down.
        if widget is not None and _drags(widget, action):
            end_x, end_y = action.x2 * WIDTH, action.y2 * HEIGHT
            assert widget.on_drag is not None
            widget.on_drag(control, (end_x - widget.x) / widget.w, (end_y - widget.y) / widget.h)
        elif blocked:
            return
        elif action.y < _SHADE_EDGE and down:
            control.write_ui("focus", None)
            control.write_ui("shade", to=True)
        elif ui["shade"]:
            if action.y2 < action.y:
                control.write_ui("shade", to=False)
        else:
            self._scroll(control, action)

    def _scroll(self, control: Control, action: Action) -> None:
        view = self.view
        dx, dy = action.x2 - action.x, action.y2 - action.y
        sideways = abs(dx) > abs(dy)
        if sideways or view.max_scroll == 0:
            if not find(control.app).is_dialog(control.page["name"]) and not view.page.startswith(
                "@"
            ):
                find(control.app).on_swipe(control, direction_of(action))
            return
        wanted = min(control.page["scroll"], view.max_scroll) - round(dy * HEIGHT)
        _scroll_to(control, min(view.max_scroll, max(0, wanted)))


def _scroll_to(control: Control, scroll: int) -> None:
    stacks = control.state["ui"]["stacks"]
    stack = [*stacks[control.app][:-1], {**control.page, "scroll": scroll}]
    control.write_ui("stacks", {**stacks, control.app: stack})


def _drags(widget: Widget, action: Action) -> bool:
    """Whether a swipe moves the widget below it; a slider leaves vertical ones to the page."""
    if widget.on_drag is None or not widget.enabled:
        return False
    return widget.role != "slider" or abs(action.x2 - action.x) > abs(action.y2 - action.y)


def go_home(control: Control) -> None:
    """Leave whatever is open for the first home page."""
    ui = dict(control.state["ui"])
    ui.update(app="launcher", focus=None, shade=False, overlay=None)
    ui["stacks"] = {**ui["stacks"], "launcher": [new_page("main", {})]}
    control.app = "launcher"
    control.state = {**control.state, "ui": ui}


def open_app(control: Control, title: str) -> None:
    """Start an installed app as its icon does; ActionError when none has this name."""
    named = {find(name).title.casefold(): name for name in control.system["installed"]}
    app = named.get(" ".join(title.split()).casefold())
    if app is None:
        near = get_close_matches(title.casefold(), named, 1)
        hint = f" (did you mean {find(named[near[0]]).title!r}?)" if near else ""
        raise ActionError(f"no app is called {title[:40]!r}{hint}")
    go_home(control)
    control.start(app)


def build_view(state: State) -> View:
    """The screen of a state: a pure function.

    Built from the topmost page that is no dialog upwards, each dialog above a dimmed layer, and
    what belongs to the system (keyboard, shade, overlays, toast, bars) last.
    """
    ui_state = state["ui"]
    name = ui_state["app"]
    app = find(name)
    stack = ui_state["stacks"][name]
    base = len(stack) - 1
    while base > 0 and (stack[base]["name"][0] == "@" or app.is_dialog(stack[base]["name"])):
        base -= 1
    system = state["system"]
    view = View(name, stack[-1]["name"], dark=system["dark"], look=look_of(state))
    version = system["layouts"].get(name, 1)
    overlay = ui_state["overlay"]
    blocked = ui_state["shade"] or (overlay is not None and overlay["kind"] in nuisance.BLOCKING)
    for index in range(base, len(stack)):
        on_top = index == len(stack) - 1
        page = stack[index]
        if index > base:
            _cover(view)
        focus = None if blocked or not on_top else ui_state["focus"]
        start = len(view.widgets)
        _build_page(Ui(view, state, name, page, version, focus=focus), app)
        lost_focus = focus is not None and not view.keyboard
        if lost_focus or page["scroll"] > view.max_scroll:
            # What the page holds has changed since it was scrolled or its field was focused.
            del view.widgets[start:]
            view.hidden.clear()
            page = {**page, "scroll": min(page["scroll"], view.max_scroll)}
            focus = None if lost_focus else focus
            _build_page(Ui(view, state, name, page, version, focus=focus), app)
    _build_system(view, state, blocked=blocked)
    return view


def _build_page(ui: Ui, app: App) -> None:
    name = ui.page["name"]
    if name[0] == "@":
        ui.color = app.color
        PICKERS[name](ui)
    elif ui.page.get("ready", 0) > ui.time:
        ui.color = app.color
        _build_loading(ui, app.title)
    else:
        if ui.look.misleading and ui.app != "launcher" and not app.is_dialog(name):
            add_claim(ui)
        app.build(ui)
    ui.finish()


def _cover(view: View) -> None:
    """Dim what is there so far and take it out of reach."""
    scrim = Widget(("scrim",), 0, 0, WIDTH, HEIGHT)
    scrim.on_tap = absorb
    view.live = len(view.widgets)
    view.widgets.append(scrim)
    view.hidden.clear()


def _build_loading(ui: Ui, title: str) -> None:
    ui.bar(title)
    ui.space(90)
    ui.place(("spinner",), 40)
    ui.text("Loading...", ink="muted", align="center")


def _build_system(view: View, state: State, *, blocked: bool) -> None:
    ui_state, system = state["ui"], state["system"]
    overlay = ui_state["overlay"]
    if view.keyboard and not blocked:
        box = (0, KEYBOARD_TOP, WIDTH, KEYBOARD_HEIGHT)
        widget = Widget(("keyboard",), *box, "keyboard", "", "Keyboard", absorb)
        view.widgets.append(widget)
    version = system["layouts"].get("system", 1)
    if ui_state["shade"] or overlay is not None:
        page = new_page("system", {})
        ui = Ui(view, state, "launcher", page, version, focus=None)
        if ui_state["shade"]:
            _cover(view)
            build_shade(ui)
            view.covered, view.max_scroll = "shade", 0
        if overlay is not None and (not ui_state["shade"] or overlay["kind"] in nuisance.BLOCKING):
            if overlay["kind"] in nuisance.BLOCKING:
                _cover(view)
                view.max_scroll = 0
            nuisance.build_overlay(ui, overlay)
            view.covered = overlay["kind"]
    if ui_state["toast"]:
        top = (KEYBOARD_TOP if view.keyboard else CONTENT_BOTTOM) - 34
        box = (20, top, WIDTH - 40, 22)
        said = view.look.say(ui_state["toast"])
        view.widgets.append(Widget(("toast", said), *box, "text", said))
    _build_edges(view, state)


def _build_edges(view: View, state: State) -> None:
    system = state["system"]
    clock = phone_time.clock_text(phone_time.minute_of(state["time"]), hour24=system["hour24"])
    flags = (system["wifi"], system["bluetooth"], system["airplane"], system["dnd"])
    # The charge in steps of five: fewer different status bars to paint and to cache.
    paint = ("status", clock, flags, system["battery"] // 5 * 5, bool(state["notices"]))
    # The status bar is an element because that is where the shade is pulled down from.
    bar = Widget(paint, 0, 0, WIDTH, STATUS_HEIGHT, "status", "", "Status bar")
    view.widgets.append(bar)
    view.widgets.append(Widget(("nav",), 0, CONTENT_BOTTOM, WIDTH, NAV_HEIGHT))
