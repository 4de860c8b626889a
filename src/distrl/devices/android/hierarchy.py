"""The hierarchy of an Android screen, as `uiautomator dump` writes it: written and read.

Both directions stand in one file, since what is written of an embedded phone must be read back as
the same elements: `read(write(elements, size), size) == elements`, as long as the size is a whole
number of pixels for every layout unit and the words are characters that XML has.

Roles travel as widget classes, and as resource ids for the two surfaces that Android builds from
plain layouts: the status bar and a notification that drops in from above.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

from distrl.errors import DeviceError
from distrl.types import Bounds, Element

_CLASSES = {
    "button": "android.widget.Button",
    "text": "android.widget.TextView",
    "field": "android.widget.EditText",
    "switch": "android.widget.Switch",
    "checkbox": "android.widget.CheckBox",
    "radio": "android.widget.RadioButton",
    "slider": "android.widget.SeekBar",
    "tab": "androidx.appcompat.app.ActionBar$Tab",
    "item": "android.widget.LinearLayout",
    "image": "android.widget.ImageView",
    "keyboard": "android.inputmethodservice.KeyboardView",
    "banner": "android.widget.FrameLayout",
    "status": "android.widget.FrameLayout",
}
_IDS = {
    "status": "com.android.systemui:id/status_bar",
    "banner": "com.android.systemui:id/expandableNotificationRow",
    "keyboard": "android:id/inputArea",
}
_ROLES = {
    # By the last part of the class; the first rule that fits counts.
    "EditText": "field",
    "AutoCompleteTextView": "field",
    "SearchAutoComplete": "field",
    "RadioButton": "radio",
    "ToggleButton": "switch",
    "Button": "button",
    "CheckedTextView": "checkbox",
    "TextView": "text",
    "Switch": "switch",
    "SwitchCompat": "switch",
    "SwitchMaterial": "switch",
    "CheckBox": "checkbox",
    "SeekBar": "slider",
    "Slider": "slider",
    "Tab": "tab",
    "TabView": "tab",
    "ImageView": "image",
    "KeyboardView": "keyboard",
}
_LAYOUTS = re.compile(r"(Layout|ViewGroup|RecyclerView|ListView|ScrollView|CardView|WebView)$")
_NAVIGATION = re.compile(r"com\.android\.systemui:id/(nav|back$|home|recent)")
"""Buttons of the navigation bar, and what they lie in."""
_BOUNDS = re.compile(r"\[(-?\d{1,7}),(-?\d{1,7})\]\[(-?\d{1,7}),(-?\d{1,7})\]")
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TRUE = {True: "true", False: "false"}
# A screen of a thousand nodes is about 500 kB; beyond this, parsing would take seconds.
_MAX_BYTES = 16 * 2**20


@dataclass(frozen=True, slots=True)
class Node:
    """One element, and what only a hierarchy says of it."""

    element: Element
    clickable: bool = False
    long_clickable: bool = False


@dataclass(frozen=True, slots=True)
class Owned:
    """One element, and the app that it belongs to."""

    element: Element
    package: str
    """Empty when the hierarchy does not say, and for the navigation bar, which every app has."""


def write(nodes: Iterable[Node], size: tuple[int, int], package: str) -> str:
    """A hierarchy of one window, whose nodes lie in it in paint order.

    Characters that XML does not have become dots, as Android writes them.
    """
    width, height = size
    lines = [
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>",
        '<hierarchy rotation="0">',
        _open(0, "android.widget.FrameLayout", package, (0, 0, width, height)) + ">",
    ]
    for index, node in enumerate(nodes):
        lines.append(_line(index, node, size, package))
    return "".join([*lines, "</node></hierarchy>"])


def read(xml: bytes, size: tuple[int, int]) -> tuple[Element, ...]:
    """What there is to see and to touch, in paint order; DeviceError when it is no hierarchy.

    Listed is what can be touched, what has words, and what is a widget in its own right. A
    container that can be touched and has no words takes those of what it holds, unless something
    in there can be touched by itself.
    """
    return tuple(owned.element for owned in read_owned(xml, size))


def read_owned(xml: bytes, size: tuple[int, int]) -> tuple[Owned, ...]:
    """The same, with whose each element is."""
    root = _parse(xml)
    return tuple(
        Owned(element, "" if _of_navigation(node) else node.get("package", ""))
        for node in _listed(root)
        if (element := _element(node, size, _words_inside(node))) is not None
    )


def _line(index: int, node: Node, size: tuple[int, int], package: str) -> str:
    element = node.element
    width, height = size
    left, top, right, bottom = element.bounds
    box = (round(left * width), round(top * height), round(right * width), round(bottom * height))
    kind = _CLASSES.get(element.role, "android.view.View")
    return (
        _open(index, kind, package, box, _IDS.get(element.role, ""))
        + f" text={_quoted(element.text)} content-desc={_quoted(element.description)}"
        f' checkable="{_TRUE[element.checked is not None]}"'
        f' checked="{_TRUE[bool(element.checked)]}"'
        f' clickable="{_TRUE[node.clickable]}" enabled="{_TRUE[element.enabled]}"'
        f' focusable="{_TRUE[element.editable]}" focused="{_TRUE[element.focused]}"'
        f' scrollable="false" long-clickable="{_TRUE[node.long_clickable]}"'
        ' password="false" selected="false"/>'
    )


def _open(
    index: int, kind: str, package: str, box: tuple[int, int, int, int], resource: str = ""
) -> str:
    left, top, right, bottom = box
    return (
        f'<node index="{index}" resource-id="{resource}" class="{kind}" package={_quoted(package)}'
        f' bounds="[{left},{top}][{right},{bottom}]"'
    )


def _quoted(words: str) -> str:
    written = _NOT_IN_XML.sub(".", words)
    return quoteattr(written, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def _parse(xml: bytes) -> ElementTree.Element:
    # Android writes no DOCTYPE: refusing it rules out entity expansion attacks of an app's text.
    if len(xml) > _MAX_BYTES or b"<!" in xml[:4096]:
        raise DeviceError(f"the hierarchy is not one that Android writes: {xml[:80]!r}")
    try:
        root = ElementTree.fromstring(xml)  # noqa: S314 - it declares no entities
    except (ElementTree.ParseError, ValueError) as error:
        raise DeviceError(f"the hierarchy cannot be read ({error}): {xml[-80:]!r}") from error
    if root.tag != "hierarchy":
        raise DeviceError(f"the hierarchy begins with <{root.tag}>, not with <hierarchy>")
    return root


def _listed(root: ElementTree.Element) -> Iterator[ElementTree.Element]:
    """The nodes that become elements, in document order, which is paint order."""
    # A stack instead of recursion: some apps nest deeper than Python's limit.
    waiting = list(reversed(root))
    while waiting:
        node = waiting.pop()
        if _says_or_does(node):
            yield node
        if not _speaks_for_all(node):
            waiting.extend(reversed(node))


def _says_or_does(node: ElementTree.Element) -> bool:
    return bool(
        _touchable(node)
        or node.get("text")
        or node.get("content-desc")
        or node.get("hint")
        or _kind(node) in _ROLES
        or _named_role(node)
    )


def _touchable(node: ElementTree.Element) -> bool:
    return any(node.get(name) == "true" for name in ("clickable", "long-clickable", "checkable"))


def _speaks_for_all(node: ElementTree.Element) -> bool:
    """Whether a touchable container stands for its children: nothing inside can be touched."""
    if not len(node) or not _touchable(node) or node.get("text") or node.get("content-desc"):
        return False
    return not any(_touchable(inner) for child in node for inner in child.iter())


def _words_inside(node: ElementTree.Element) -> str:
    if not _speaks_for_all(node):
        return ""
    said = [
        words
        for child in node
        for inner in child.iter()
        if (words := inner.get("text") or inner.get("content-desc"))
    ]
    return ", ".join(dict.fromkeys(said))


def _kind(node: ElementTree.Element) -> str:
    """The last part of the class, of a subclass the part that names what it extends."""
    name = re.split(r"[.$]", node.get("class", ""))[-1]
    return next((known for known in _ROLES if name.endswith(known)), name)


def _of_navigation(node: ElementTree.Element) -> bool:
    return _NAVIGATION.match(node.get("resource-id", "")) is not None


def _named_role(node: ElementTree.Element) -> str | None:
    resource = node.get("resource-id", "")
    return next((role for role, name in _IDS.items() if resource == name), None)


def _role(node: ElementTree.Element) -> str:
    kind = _kind(node)
    named = _named_role(node) or _ROLES.get(kind)
    if named is not None:
        return named
    if _LAYOUTS.search(kind):
        return "item"
    return "button" if _touchable(node) else "text"


def _element(node: ElementTree.Element, size: tuple[int, int], words_inside: str) -> Element | None:
    bounds = _bounds(node.get("bounds", ""), size)
    if bounds is None:
        return None
    role = _role(node)
    checkable = node.get("checkable") == "true"
    return Element(
        role=role,
        text=node.get("text") or words_inside,
        description=node.get("content-desc") or node.get("hint") or "",
        bounds=bounds,
        enabled=node.get("enabled") != "false",
        checked=node.get("checked") == "true" if checkable else None,
        focused=node.get("focused") == "true",
        editable=role == "field",
    )


def _bounds(text: str, size: tuple[int, int]) -> Bounds | None:
    """The part that lies on the screen, as fractions; None when there is none."""
    found = _BOUNDS.fullmatch(text)
    if found is None:
        return None
    width, height = size
    left, top, right, bottom = (int(number) for number in found.groups())
    left, right = max(0, left), min(width, right)
    top, bottom = max(0, top), min(height, bottom)
    if left >= right or top >= bottom:
        return None
    return left / width, top / height, right / width, bottom / height
