"""Which views of a screen become elements, with what role and label, and in which order.

Listed is what can be touched, what has words, and pictures that are large enough to be content.
A row is merged with the only switch in it, a view with the one that fills it, and the keyboard is
one element. The app's elements come first, then those of the system's bars, then the keyboard: a
policy that reads no more than so many of them reads the app.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from distrl.devices.android.danger_words import SYSTEM_UI
from distrl.devices.android.views.labels import Label, joined, label_of
from distrl.devices.android.views.roles import IDS, SURFACES, role_of
from distrl.devices.android.views.tree import View
from distrl.types import Bounds, Element

_NAVIGATION = re.compile(r"com\.android\.systemui:id/(nav|back$|home|recent)")
"""Buttons of the navigation bar, and what they lie in."""
_CONTENT = 0.01
"""Share of the screen from which on a picture without words is content; smaller ones decorate."""
_KEYBOARD_APPS = re.compile(
    r"inputmethod|honeyboard|swiftkey|\.keyboard|\.ime\b|\.latin\b|baidu\.input|input_(mi|vivo|oppo)"
)
_SWITCHES = frozenset({"switch", "checkbox", "radio"})
_OPERATED = _SWITCHES | {"field", "slider"}
"""Roles of what can be operated even where it does not say so."""
_PLAIN = frozenset({"item", "button", "image"})
"""Roles that give way to that of a view which fills the same place."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One element of a screen."""

    element: Element
    package: str
    """Empty when the hierarchy does not say, and for the navigation bar, which every app has."""
    guessed: bool = False
    """Whether its words are not the app's own but made from a developer's name for it."""


@dataclass(slots=True)
class _Found:
    """What is known of a view that will be an element."""

    view: View
    role: str
    label: Label
    checked: bool | None

    @property
    def bounds(self) -> Bounds:
        assert self.view.bounds is not None
        return self.view.bounds


def list_views(root: View, keyboard: str = "") -> tuple[Listed, ...]:
    """The elements of a screen; `keyboard` is the package of the on-screen keyboard, if known."""
    keyboards = _keyboards(root, keyboard)
    hidden: set[int] = set()
    found: list[_Found] = []
    # Rows before their parts: what a row has taken for itself is not listed again.
    for view in root.below(into=lambda one: id(one) not in keyboards and not _whole(one)):
        if view.bounds is None or id(view) in hidden:
            continue
        one = _keyboard(view) if id(view) in keyboards else _found(view, hidden)
        if one is not None:
            found.append(one)
            hidden.update(id(used) for used in one.label.used)
    # A label may stand before the switch that it was taken for.
    kept = _without_repeats([one for one in found if id(one.view) not in hidden])
    kept = list({_key(one): one for one in kept}.values())
    return tuple(_listed(one) for one in sorted(kept, key=lambda one: _layer(one.view, keyboards)))


def _found(view: View, hidden: set[int]) -> _Found | None:
    role = role_of(view)
    checked = view.checked if view.checkable else None
    if role in SURFACES:
        return _Found(view, role, _surface(view, role), checked)
    if view.touchable or role in _OPERATED:
        switch = _lone_switch(view)
        if switch is not None:
            return _merged(view, switch, hidden)
        return _Found(view, role, label_of(view, switch=role in _SWITCHES), checked)
    if view.words or (role == "image" and not view.children and view.area >= _CONTENT):
        return _Found(view, role, Label(view.text, view.description), checked)
    return None


def _surface(view: View, role: str) -> Label:
    """A surface of the system: what it says, or else all that it shows."""
    if view.words or role == "keyboard":
        return Label(view.text, view.description)
    said = [inner for inner in view.below() if inner.words and not inner.seen_touchable]
    return Label(joined(inner.words for inner in said), used=tuple(said))


def _lone_switch(view: View) -> View | None:
    """The only part of a row that has a state of its own and does nothing else."""
    if not view.clickable or view.checkable or role_of(view) in _OPERATED:
        return None
    parts = [inner for inner in view.below() if inner.seen_touchable]
    if len(parts) != 1 or parts[0].clickable or parts[0].long_clickable:
        return None
    return parts[0]


def _merged(row: View, switch: View, hidden: set[int]) -> _Found:
    """A row and its switch as one element: the row's place, the switch's role and state."""
    hidden.add(id(switch))
    label = label_of(row, switch=False)
    if label.guessed and switch.words:
        label = Label(switch.text, switch.description)
    return _Found(row, role_of(switch), label, switch.checked)


def _without_repeats(found: list[_Found]) -> list[_Found]:
    """Of views that fill the same place one behind the other, one with the words of both."""
    kept: list[_Found] = []
    for one in found:
        last = kept[-1] if kept else None
        if last is not None and last.bounds == one.bounds and _is_inside(one.view, last.view):
            kept[-1] = _one_of(last, one)
        else:
            kept.append(one)
    return kept


def _key(one: _Found) -> object:
    """What makes an element another one: some apps pile up the same view at one place."""
    return (
        one.role,
        one.label.text,
        one.label.description,
        one.bounds,
        one.checked,
        one.view.focused,
    )


def _is_inside(inner: View, outer: View) -> bool:
    return any(above is outer for above in inner.above())


def _one_of(outer: _Found, inner: _Found) -> _Found:
    """The inner one if it can be touched, for touches reach it first; else the outer one."""
    touched, other = (inner, outer) if _can_touch(inner) else (outer, inner)
    label = touched.label
    if label.guessed or not (label.text or label.description):
        label = other.label if other.label.text or other.label.description else label
    says_more = touched.role in _PLAIN and other.role not in _PLAIN and _can_touch(other)
    role = other.role if says_more else touched.role
    checked = other.checked if touched.checked is None else touched.checked
    return _Found(touched.view, role, label, checked)


def _can_touch(one: _Found) -> bool:
    return one.view.touchable or one.role in _OPERATED


# The keyboard


def _keyboards(root: View, package: str) -> frozenset[int]:
    """The topmost views of on-screen keyboards."""
    found = []
    several = len({child.package for child in root.children}) > 1
    for window in root.children:
        named = window.package == package if package else _KEYBOARD_APPS.search(window.package)
        # Alone on the screen, it is the keyboard app's own settings and no keyboard.
        if window.package and named and several:
            found.append(id(window))
    return frozenset(found)


def _whole(view: View) -> bool:
    """Whether a surface stands for all that lies in it."""
    return view.resource == IDS["keyboard"]


def _keyboard(view: View) -> _Found | None:
    boxes = [inner.bounds for inner in (view, *view.below()) if _is_key(inner) and inner.bounds]
    if not boxes:
        return None
    view.bounds = _around(boxes)
    return _Found(view, "keyboard", Label(description="Keyboard"), None)


def _is_key(view: View) -> bool:
    return view.touchable or view.resource == IDS["keyboard"] or bool(view.words)


def _around(boxes: Iterable[Bounds]) -> Bounds:
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


# Elements


def _layer(view: View, keyboards: frozenset[int]) -> int:
    if id(view) in keyboards:
        return 2
    return 1 if view.package == SYSTEM_UI else 0


def _listed(one: _Found) -> Listed:
    view = one.view
    element = Element(
        role=one.role,
        text=one.label.text,
        description=one.label.description,
        bounds=one.bounds,
        enabled=view.enabled,
        checked=one.checked,
        focused=view.focused,
        editable=one.role == "field",
    )
    of_navigation = _NAVIGATION.match(view.resource) is not None
    return Listed(element, "" if of_navigation else view.package, one.label.guessed)
