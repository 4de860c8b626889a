"""The views of a screen as a tree, parsed from what `uiautomator dump` writes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias
from xml.etree import ElementTree

from distrl.errors import DeviceError
from distrl.types import Bounds

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels."""

MAX_BYTES = 16 * 2**20
"""A screen of a thousand nodes is about 500 kB; beyond this, parsing would take seconds."""
_GLYPHS = re.compile(r"[\s\ue000-\uf8ff\U000f0000-\U0010ffff]*")
"""Characters for private use, by which icon fonts draw pictures, and blanks."""
_BOX = re.compile(r"\[(-?\d{1,7}),(-?\d{1,7})\]\[(-?\d{1,7}),(-?\d{1,7})\]")


@dataclass(slots=True, eq=False)
class View:
    """One node of the hierarchy."""

    kind: str
    """Last part of its class."""
    package: str
    resource: str
    """Its resource id as written, with the package."""
    text: str
    description: str
    """Content description, or else the hint of a field."""
    bounds: Bounds | None
    """The part that lies on the screen, as fractions; None when there is none."""
    aspect: float
    """Width over height of that part in pixels; 0 when there is none."""
    clickable: bool
    long_clickable: bool
    checkable: bool
    checked: bool
    enabled: bool
    focused: bool
    drawing_order: int
    parent: View | None
    children: list[View] = field(default_factory=list)

    @property
    def touchable(self) -> bool:
        """Whether a touch on it does something, by what it says of itself."""
        return self.clickable or self.long_clickable or self.checkable

    @property
    def seen_touchable(self) -> bool:
        """Whether it can be touched where it can be seen."""
        return self.touchable and self.bounds is not None

    @property
    def words(self) -> str:
        """What it says itself; empty when it says nothing, as the glyphs of an icon font do."""
        said = self.text or self.description
        return "" if _GLYPHS.fullmatch(said) else said

    @property
    def area(self) -> float:
        """Share of the screen that it takes."""
        if self.bounds is None:
            return 0.0
        left, top, right, bottom = self.bounds
        return (right - left) * (bottom - top)

    def below(self, *, into: Callable[[View], bool] = lambda _: True) -> Iterator[View]:
        """All views inside, in paint order; nothing inside those that `into` refuses."""
        # A stack instead of recursion: some apps nest deeper than Python's limit.
        waiting = list(reversed(self.children))
        while waiting:
            view = waiting.pop()
            yield view
            if into(view):
                waiting.extend(reversed(view.children))

    def above(self) -> Iterator[View]:
        """What it lies in, the nearest first."""
        view = self.parent
        while view is not None:
            yield view
            view = view.parent


def parse_views(xml: bytes, size: tuple[int, int]) -> View:
    """The tree below a root without any looks; DeviceError when it is no hierarchy.

    Children stand in paint order: by their drawing order where the dump has it.
    """
    root = parse_xml(xml)
    top = _one(root, size, None)
    waiting = [(root, top)]
    while waiting:
        node, view = waiting.pop()
        view.children = [_one(child, size, view) for child in node]
        waiting.extend(zip(node, view.children, strict=True))
        # Stable: views of Compose, Flutter and web pages all have 0, and keep their order.
        view.children.sort(key=lambda child: child.drawing_order)
    return top


def parse_xml(xml: bytes) -> ElementTree.Element:
    """The hierarchy as written; DeviceError when it is none."""
    # Android writes no DOCTYPE: refusing it rules out entity expansion attacks of an app's text.
    if len(xml) > MAX_BYTES or b"<!" in xml[:4096]:
        raise DeviceError(f"the hierarchy is not one that Android writes: {xml[:80]!r}")
    try:
        root = ElementTree.fromstring(xml)  # noqa: S314 - it declares no entities
    except (ElementTree.ParseError, ValueError) as error:
        raise DeviceError(f"the hierarchy cannot be read ({error}): {xml[-80:]!r}") from error
    if root.tag != "hierarchy":
        raise DeviceError(f"the hierarchy begins with <{root.tag}>, not with <hierarchy>")
    return root


def _one(node: ElementTree.Element, size: tuple[int, int], parent: View | None) -> View:
    said = node.attrib
    bounds = seen_part(said.get("bounds", ""), size)
    order = said.get("drawing-order", "")
    return View(
        kind=re.split(r"[.$]", said.get("class", ""))[-1],
        package=said.get("package", ""),
        resource=said.get("resource-id", ""),
        text=said.get("text", ""),
        description=_described(said),
        bounds=bounds,
        aspect=_aspect(bounds, size),
        clickable=said.get("clickable") == "true",
        long_clickable=said.get("long-clickable") == "true",
        checkable=said.get("checkable") == "true",
        checked=said.get("checked") == "true",
        enabled=said.get("enabled") != "false",
        focused=said.get("focused") == "true",
        drawing_order=int(order) if order.isdecimal() and len(order) < 10 else 0,
        parent=parent,
    )


def _described(said: dict[str, str]) -> str:
    described = said.get("content-desc", "")
    # Apps that build descriptions from parts say "null" where there is none.
    return said.get("hint", "") if described in ("", "null") else described


def _aspect(bounds: Bounds | None, size: tuple[int, int]) -> float:
    if bounds is None:
        return 0.0
    left, top, right, bottom = bounds
    return (right - left) * size[0] / ((bottom - top) * size[1])


def parse_box(text: str) -> Box | None:
    """A box as written, such as `[0,66][1080,210]`; None when it is none."""
    found = _BOX.fullmatch(text)
    if found is None:
        return None
    left, top, right, bottom = (int(number) for number in found.groups())
    return left, top, right, bottom


def seen_part(text: str, size: tuple[int, int]) -> Bounds | None:
    """The part of a box that lies on the screen, as fractions; None when there is none."""
    box = parse_box(text)
    if box is None:
        return None
    width, height = size
    left, right = max(0, box[0]), min(width, box[2])
    top, bottom = max(0, box[1]), min(height, box[3])
    if left >= right or top >= bottom:
        return None
    return left / width, top / height, right / width, bottom / height
