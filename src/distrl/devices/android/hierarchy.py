"""The hierarchy of an Android screen, as `uiautomator dump` writes it: written and read.

Both directions stand in one file, since what is written of an embedded phone must be read back as
the same elements: `read(write(elements, size), size) == elements`, as long as the size is a whole
number of pixels for every layout unit and the words are characters that XML has.

Roles travel as widget classes, and as resource ids for the surfaces that Android builds from plain
layouts. What becomes of the views of real apps is decided in `views/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from distrl.devices.android.views.listing import Listed as Owned
from distrl.devices.android.views.listing import list_views
from distrl.devices.android.views.roles import CLASSES, IDS
from distrl.devices.android.views.tree import parse_views
from distrl.types import Element

__all__ = ["Node", "Owned", "quoted", "read", "read_owned", "write"]

_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TRUE = {True: "true", False: "false"}


@dataclass(frozen=True, slots=True)
class Node:
    """One element, and what only a hierarchy says of it."""

    element: Element
    clickable: bool = False
    long_clickable: bool = False


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
    """What there is to see and to touch, in paint order; DeviceError when it is no hierarchy."""
    return tuple(owned.element for owned in read_owned(xml, size))


def read_owned(xml: bytes, size: tuple[int, int], keyboard: str = "") -> tuple[Owned, ...]:
    """The same, with whose each element is; `keyboard` is the on-screen keyboard's package."""
    return list_views(parse_views(xml, size), keyboard)


def _line(index: int, node: Node, size: tuple[int, int], package: str) -> str:
    element = node.element
    width, height = size
    left, top, right, bottom = element.bounds
    box = (round(left * width), round(top * height), round(right * width), round(bottom * height))
    kind = CLASSES.get(element.role, "android.view.View")
    return (
        _open(index, kind, package, box, IDS.get(element.role, ""))
        + f" text={quoted(element.text)} content-desc={quoted(element.description)}"
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
        f'<node index="{index}" resource-id="{resource}" class="{kind}" package={quoted(package)}'
        f' bounds="[{left},{top}][{right},{bottom}]"'
    )


def quoted(words: str) -> str:
    """Words as the value of an attribute, with dots for characters that XML does not have."""
    written = _NOT_IN_XML.sub(".", words)
    return quoteattr(written, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
