"""Hierarchies as untidy as those of real apps, of the same screens.

    a row               a layout that can be clicked, with its words in texts inside
    a switch in a row   a switch without words beside the row's text, which cannot be clicked alone
    an icon             an image without a description; most have a resource id, some have nothing
    an icon with words  a text that can be clicked, as launchers have them
    everything          in layouts inside layouts, with decoration between, written in another order
                        than it is painted in (`drawing-order` says which)

What can be touched, and where, stays as it is. A screen is always written alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from distrl.devices.android.hierarchy import quoted
from distrl.devices.android.views.roles import CLASSES, IDS
from distrl.types import Element

_LAYOUT, _TEXT, _IMAGE = "android.widget.LinearLayout", CLASSES["text"], CLASSES["image"]
_SWITCHES = frozenset({"switch", "checkbox", "radio"})
_LABEL = 40
"""Pixels of the words that stand beside a switch."""
_ICONS_WITH_IDS = 0.73
"""Share of real icons without words that have a resource id."""


@dataclass(frozen=True, slots=True)
class UntidyNode:
    """One element, and what its app knows of it."""

    element: Element
    clickable: bool
    long_clickable: bool
    icon: str = ""
    """What the picture on it is called in the app's own code."""


Box = tuple[int, int, int, int]


def write_untidy(nodes: list[UntidyNode], size: tuple[int, int], package: str) -> str:
    """A hierarchy of one window, as a real app would have it written."""
    writer = _Writer(size, package)
    parts = [writer.part(node, order) for order, node in enumerate(nodes, 1)]
    # Another order than that of painting, and the same one whenever the screen is written.
    parts = [part for _, part in sorted((_draw(f"{package}{part}"), part) for part in parts)]
    whole = (0, 0, *size)
    inside = writer.node("android.widget.FrameLayout", whole, "".join(parts), id="content")
    top = writer.node("android.widget.FrameLayout", whole, inside)
    head = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
    return f'{head}<hierarchy rotation="0">{top}</hierarchy>'


class _Writer:
    def __init__(self, size: tuple[int, int], package: str) -> None:
        self._size, self._package = size, package

    def part(self, node: UntidyNode, order: int) -> str:
        """One element with all that an app builds it from."""
        element = node.element
        said = {
            "enabled": _true(element.enabled),
            "focused": _true(element.focused),
            "clickable": _true(node.clickable),
            "long-clickable": _true(node.long_clickable),
            "drawing-order": str(order),
        }
        if element.role in _SWITCHES:
            return self._switch(node, said)
        said["checkable"] = _true(element.checked is not None)
        said["checked"] = _true(bool(element.checked))
        if element.role == "item" and node.clickable and element.text:
            return self._row(element, said)
        if element.role in ("button", "tab", "image") and not (element.text or element.description):
            return self._icon(node, said)
        if element.role == "text":
            inner = self.node(_TEXT, self._box(element), **_words(element))
            return self.node(_LAYOUT, self._box(element), inner, **said)
        kind = CLASSES.get(element.role, "android.view.View")
        resource = IDS.get(element.role, "")
        return self.node(kind, self._box(element), id=resource, **_words(element), **said)

    def _row(self, element: Element, said: dict[str, str]) -> str:
        box = self._box(element)
        if not element.description and _draw(element.text) < 0.5:
            return self.node(_LAYOUT, box, self.node(_TEXT, box, text=element.text), **said)
        left, top, right, bottom = box
        middle = (top + bottom) // 2
        title = self.node(_TEXT, (left, top, right, middle), text=element.text, id="title")
        below = self.node(_TEXT, (left, middle, right, bottom), text=element.description)
        decoration = self.node(_IMAGE, (left, top, left + 8, top + 8))
        inner = self.node("android.widget.RelativeLayout", box, decoration + title + below)
        return self.node(_LAYOUT, box, inner, **said)

    def _switch(self, node: UntidyNode, said: dict[str, str]) -> str:
        """Its words beside it; where it fills its row, the row is what can be clicked."""
        element = node.element
        left, top, right, bottom = box = self._box(element)
        state = {"checkable": "true", "checked": _true(bool(element.checked))}
        kind = CLASSES.get(element.role, CLASSES["switch"])
        order = said.pop("drawing-order")
        if right - left > self._size[0] // 2:
            label = self.node(_TEXT, (left, top, (left + right) // 2, bottom), **_words(element))
            end = (right - (right - left) // 4, top, right, bottom)
            part = self.node(kind, end, id="switch_widget", **state)
            return self.node(_LAYOUT, box, label + part, **{**said, "drawing-order": order})
        part = self.node(kind, box, id="switch_widget", **state, **said)
        beside = (left - _LABEL, left) if left >= _LABEL else (right, right + _LABEL)
        label = self.node(_TEXT, (beside[0], top, beside[1], bottom), **_words(element))
        around = (min(left, beside[0]), top, max(right, beside[1]), bottom)
        return self.node(_LAYOUT, around, label + part, **{"drawing-order": order})

    def _icon(self, node: UntidyNode, said: dict[str, str]) -> str:
        kind = CLASSES[node.element.role]
        has_id = node.icon and _draw(f"{self._package}{node.icon}") < _ICONS_WITH_IDS
        resource = f"btn_{node.icon}" if has_id else ""
        return self.node(kind, self._box(node.element), id=resource, **said)

    def _box(self, element: Element) -> Box:
        width, height = self._size
        left, top, right, bottom = element.bounds
        return (
            round(left * width),
            round(top * height),
            round(right * width),
            round(bottom * height),
        )

    def node(self, kind: str, box: Box, inside: str = "", *, id: str = "", **said: str) -> str:
        """A node with what it says of itself; an id without a package is one of the app's own."""
        left, top, right, bottom = box
        resource = id if not id or ":" in id else f"{self._package}:id/{id}"
        given = {
            "class": kind,
            "package": self._package,
            "resource-id": resource,
            "bounds": f"[{left},{top}][{right},{bottom}]",
            **said,
        }
        words = " ".join(f"{name}={quoted(value)}" for name, value in given.items())
        return f"<node {words}>{inside}</node>" if inside else f"<node {words}/>"


def _words(element: Element) -> dict[str, str]:
    return {"text": element.text, "content-desc": element.description}


def _true(holds: bool) -> str:
    return "true" if holds else "false"


def _draw(words: str) -> float:
    """A number from 0 to 1 that is always the same for the same words."""
    return int.from_bytes(sha256(words.encode("utf-8", "replace")).digest()[:4], "big") / 2**32
