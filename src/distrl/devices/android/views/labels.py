"""What views are called: by their own words, those inside or beside them, or their ids.

Real apps label few of the things that can be touched. In the order of trust:

    its own words         text, content description, hint
    the words inside      of what cannot be touched by itself: a row takes its title and summary
    the words beside      for switches and boxes, whose row says what they switch
    its id                what a developer called it
    ids inside            of the picture on a button
    the words beside      for anything else that stands alone with them
    what it holds         the first words of what can be touched by itself inside
    its class             where it is the app's own
    its id as it is       a handle, where it says nothing
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from distrl.devices.android.views.id_words import handle_of_id, words_of_id
from distrl.devices.android.views.roles import class_role
from distrl.devices.android.views.tree import View
from distrl.types import Bounds

_LARGE = 0.5
"""Share of the screen from which on a view is a background, whose words inside are not its own."""
_ROW = 0.3
"""Share of the screen that a row with its label takes at most."""
_LEVELS = 4
"""How far up a label is looked for: layouts around a switch are rarely nested deeper."""
_GAP = 0.04
"""Share of the screen's height between a picture and the words below it, at most."""
_STATES = frozenset({"on", "off"})
"""What some switches show as their text: their state, and no label."""


@dataclass(frozen=True, slots=True)
class Label:
    """The words of a view."""

    text: str = ""
    """Words that can be seen."""
    description: str = ""
    """Words that cannot: of a screen reader, or of an id."""
    guessed: bool = False
    """Whether no words of the app stand behind it, but names that developers use."""
    used: tuple[View, ...] = ()
    """Views whose words are in it, and that need not be listed for themselves."""


def label_of(view: View, *, switch: bool) -> Label:
    """The label of a view that can be touched; `switch` for what is on or off."""
    if view.words and not (switch and view.words.strip().casefold() in _STATES):
        return Label(view.text, view.description, used=tuple(_repeated(view)))
    inside, named = _inside(view), words_of_id(view.resource)
    if inside.text and not (named and view.area > _LARGE):
        return inside
    beside = _beside(view, lone=False) if switch else Label()
    return beside if beside.text else _guess(view)


def _guess(view: View) -> Label:
    named = words_of_id(view.resource) or _first(words_of_id(v.resource) for v in _own(view))
    if named:
        return Label(description=named, guessed=True)
    beside = _beside(view, lone=True)
    if beside.text:
        return beside
    held = _first(inner.words for inner in view.below())
    if held:
        return Label(held)
    own = (view, *_own(view))
    named = _first(words_of_id(v.kind) for v in own if class_role(v.kind) is None) or _first(
        handle_of_id(v.resource) for v in own
    )
    return Label(view.text, view.description or named, guessed=bool(named))


def _inside(view: View) -> Label:
    """The words of all that lies in it and cannot be touched by itself."""
    said = [inner for inner in _own(view) if inner.words]
    # The first words are a row's title, by which people name it; what follows are details.
    title, *details = dict.fromkeys(inner.words for inner in said) or ("",)
    # What lies on a background is listed for itself: it would be lost in a label of that length.
    used = () if view.area > _LARGE else tuple(said)
    return Label(title, ", ".join(details), used=used)


def _own(view: View) -> Iterator[View]:
    """What lies in a view, down to what can be touched by itself."""
    found = view.below(into=lambda inner: not inner.seen_touchable)
    return (inner for inner in found if not inner.seen_touchable and inner.bounds is not None)


def _repeated(view: View) -> Iterator[View]:
    """Views inside that say again what the view says itself."""
    said = f"{view.text} {view.description}".casefold()
    return (inner for inner in _own(view) if inner.words and inner.words.casefold() in said)


def _beside(view: View, *, lone: bool) -> Label:
    """The words of its row; with `lone`, only if nothing else there can be touched."""
    for level, row in enumerate(view.above()):
        if level >= _LEVELS or row.bounds is None:
            return Label()
        if row.area > _ROW:
            return Label() if lone else _in_line(row, view)
        if lone and (row.touchable or _is_shared(row, view)):
            return Label()
        said = [v for v in _own(row) if v.words and _near(v, view)]
        if said:
            return Label(joined(v.words for v in said), used=() if row.touchable else tuple(said))
    return Label()


def _in_line(page: View, view: View) -> Label:
    """The nearest words in the line of a switch that lies on a page without rows.

    They are not its own where something else that can be touched lies between.
    """
    said = [v for v in _own(page) if v.words and _centre_in(v, view)]
    nearest = min(said, key=lambda v: _distance(v, view), default=None)
    if nearest is None:
        return Label()
    gap = _distance(nearest, view)
    others = (v for v in page.below() if v.seen_touchable and v is not view)
    if any(_centre_in(v, view) and _distance(v, nearest) < gap for v in others):
        return Label()
    return Label(nearest.text, nearest.description, used=(nearest,))


def _centre_in(one: View, line: View) -> bool:
    """Whether the middle of a view lies between the top and the bottom of another."""
    if one.bounds is None or line.bounds is None:
        return False
    return line.bounds[1] <= (one.bounds[1] + one.bounds[3]) / 2 <= line.bounds[3]


def _distance(one: View, other: View) -> float:
    """How far two views lie apart from left to right; 0 where they overlap."""
    if one.bounds is None or other.bounds is None:
        return 1.0
    return max(0.0, one.bounds[0] - other.bounds[2], other.bounds[0] - one.bounds[2])


def _is_shared(row: View, view: View) -> bool:
    return any(other.seen_touchable for other in row.below() if other is not view)


def _near(label: View, view: View) -> bool:
    """Whether words stand in the same line as a view, or right below it."""
    if label.bounds is None or view.bounds is None:
        return False
    _, top, _, bottom = label.bounds
    middle = (view.bounds[1] + view.bounds[3]) / 2
    in_line = top <= middle <= bottom or view.bounds[1] <= (top + bottom) / 2 <= view.bounds[3]
    below = 0 <= top - view.bounds[3] <= _GAP and _overlaps(label.bounds, view.bounds)
    return in_line or below


def _overlaps(one: Bounds, other: Bounds) -> bool:
    return one[0] < other[2] and other[0] < one[2]


def joined(words: Iterator[str]) -> str:
    """Words in their order, each of them once."""
    return ", ".join(dict.fromkeys(words))


def _first(words: Iterator[str]) -> str:
    return next((found for found in words if found), "")
