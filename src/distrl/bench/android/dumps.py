"""What a folder of real `uiautomator dump` files becomes: how much of it a policy could work with.

Clickable nodes are counted in the files as they are, without the reader, and then looked for among
the elements that the reader lists: by their place on the screen, to the pixel.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from distrl.devices.android import hierarchy
from distrl.devices.android.views.tree import parse_box, parse_xml, seen_part
from distrl.errors import ConfigError, DeviceError
from distrl.types import Bounds, Element

_ENDINGS = frozenset({".xml", ".uix"})


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpFigures:
    """What was counted over all dumps of a folder."""

    screens: int
    failed: int
    """Dumps that could not be read."""
    empty: int
    """Dumps without any element, though they have nodes on the screen."""
    clickable: int
    """Nodes that say that they can be clicked, and lie on the screen."""
    missed_share: float
    """Clickable nodes at whose place there is no element, the keys of a keyboard aside."""
    nameless_share: float
    """Clickable nodes whose element has no words at all."""
    as_text_share: float
    """Clickable nodes whose element is called a text."""


@dataclass(slots=True)
class _Count:
    clickable: int = 0
    missed: int = 0
    nameless: int = 0
    as_text: int = 0


def measure_dumps(folder: Path) -> DumpFigures:
    """Read all dumps below a folder; ConfigError when there are none."""
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in _ENDINGS)
    if not files:
        raise ConfigError(
            f"{folder} has no dumps (files that end in {', '.join(sorted(_ENDINGS))})"
        )
    count, failed, empty = _Count(), 0, 0
    for path in files:
        xml = path.read_bytes()
        try:
            boxes = tuple(_boxes(xml))
            size = _size(boxes)
            elements = hierarchy.read(xml, size)
        except DeviceError:
            failed += 1
            continue
        empty += not elements and any(seen_part(box.bounds, size) for box in boxes)
        _add(count, elements, list(_clickable(boxes, size)))
    share = 1 / max(1, count.clickable)
    return DumpFigures(
        screens=len(files),
        failed=failed,
        empty=empty,
        clickable=count.clickable,
        missed_share=count.missed * share,
        nameless_share=count.nameless * share,
        as_text_share=count.as_text * share,
    )


@dataclass(frozen=True, slots=True)
class _Box:
    """A node's place, as written."""

    bounds: str
    clickable: bool
    topmost: bool


def _boxes(xml: bytes) -> Iterator[_Box]:
    root = parse_xml(xml)
    windows = {id(window) for window in root}
    for node in root.iter():
        if node.get("bounds"):
            clickable = node.get("clickable") == "true"
            yield _Box(node.get("bounds", ""), clickable, id(node) in windows)


def _size(boxes: tuple[_Box, ...]) -> tuple[int, int]:
    """The screen's: as far as windows reach, since a dump does not say it."""
    windows = [box for one in boxes if one.topmost and (box := parse_box(one.bounds))]
    return max([1, *(box[2] for box in windows)]), max([1, *(box[3] for box in windows)])


def _clickable(boxes: tuple[_Box, ...], size: tuple[int, int]) -> Iterator[Bounds]:
    for box in boxes:
        seen = seen_part(box.bounds, size) if box.clickable else None
        if seen is not None:
            yield seen


def _add(count: _Count, elements: tuple[Element, ...], clickable: list[Bounds]) -> None:
    places = {element.bounds: element for element in elements if element.role == "text"}
    places |= {element.bounds: element for element in elements if element.role != "text"}
    keyboards = [element.bounds for element in elements if element.role == "keyboard"]
    for bounds in clickable:
        count.clickable += 1
        found = places.get(bounds)
        if found is None:
            count.missed += not any(_holds(outer, bounds) for outer in keyboards)
            continue
        count.nameless += not (found.text or found.description)
        count.as_text += found.role == "text"


def _holds(outer: Bounds, inner: Bounds) -> bool:
    return (
        outer[0] <= inner[0]
        and outer[1] <= inner[1]
        and outer[2] >= inner[2]
        and outer[3] >= inner[3]
    )
