"""What a server shows, as a screen with elements. Pure functions.

A picture is the screen. Texts and numbers are lines, and below them stands what can be done: a
field for a text, a button for each value. Where there is no picture, the screen is the lines.
Elements of our own servers are taken over as they are.
"""

from __future__ import annotations

import base64
import binascii
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, UnidentifiedImageError

from distrl.envs.openenv.form import Form
from distrl.types import Element, Observation, Picture, Pixels

_GOALS = ("goal", "instruction", "prompt", "question", "task_description", "task")
"""Fields that say what an episode is about, the likeliest first."""
_WIDTH, _HEIGHT = 360, 640
_MOST_LINES = 40
_LONGEST_LINE = 400
_PICTURES = ("iVBOR", "/9j/", "data:image/", "UklGR")
"""How PNG, JPEG, data URLs and WebP begin in base64."""
_MOST_PIXELS = 16_000_000
_ELEMENT_FIELDS = tuple(Element.__dataclass_fields__)


def goal_in(shown: Mapping[str, Any]) -> str:
    """What the server says that the episode is about; "" if it does not."""
    for name in _GOALS:
        if isinstance(said := shown.get(name), str) and said.strip() and not is_picture(said):
            return said.strip()
    return ""


def observation_of(shown: Mapping[str, Any], form: Form) -> Observation:
    """What the server shows."""
    own = elements_in(shown) if form.actions else None
    elements = _laid_out(list(lines_of(shown))[:_MOST_LINES], form) if own is None else own
    pixels = picture_in(shown)
    # A field takes text whether or not something shows a keyboard.
    keyboard = bool(shown.get("keyboard")) if form.actions else form.text is not None
    picture = Picture(pixels) if pixels is not None else Picture(lambda: _drawn(elements))
    return Observation(picture, elements, keyboard, str(shown.get("app") or "openenv")[:80])


def button_number(element: Element | None) -> int | None:
    """Which of the form's values a button stands for."""
    if element is None or element.role != "button" or not element.description.isdecimal():
        return None
    return int(element.description) - 1


def is_picture(text: str) -> bool:
    """Whether a text looks like a picture in base64."""
    return len(text) > 64 and text.startswith(_PICTURES)


def picture_in(shown: Mapping[str, Any]) -> Pixels | None:
    """The first picture among the fields; None if there is none that can be read."""
    for value in shown.values():
        if isinstance(value, str) and is_picture(value):
            try:
                raw = base64.b64decode(value.rpartition(",")[2], validate=True)
                with Image.open(io.BytesIO(raw)) as image:
                    if image.width * image.height <= _MOST_PIXELS:
                        return np.asarray(image.convert("RGB"), np.uint8).copy()
            except (binascii.Error, UnidentifiedImageError, OSError, ValueError):
                continue
    return None


def elements_in(shown: Mapping[str, Any]) -> tuple[Element, ...] | None:
    """Elements as a server of ours sends them; None where the device has none."""
    listed = shown.get("elements")
    if not isinstance(listed, list):
        return None
    return tuple(
        Element(**{**{n: e[n] for n in _ELEMENT_FIELDS if n in e}, "bounds": tuple(e["bounds"])})
        for e in listed
    )


def lines_of(shown: Any, name: str = "") -> Iterator[str]:
    """Texts and numbers of an observation, each with its name, in one line."""
    if isinstance(shown, Mapping):
        for key, value in shown.items():
            if key != "metadata":
                yield from lines_of(value, f"{name}.{key}" if name else str(key))
    elif isinstance(shown, list):
        for value in shown:
            yield from lines_of(value, name)
    elif shown is not None and not (isinstance(shown, str) and is_picture(shown)):
        said = " ".join(str(shown).split())[:_LONGEST_LINE]
        if said:
            yield f"{name}: {said}" if name else said


def _laid_out(lines: Sequence[str], form: Form) -> tuple[Element, ...]:
    """Lines above, what can be done below; all of the same height."""
    rows: list[Element] = [Element("text", line) for line in lines]
    if form.text is not None:
        rows.append(Element("field", "", form.text, focused=True, editable=True))
    rows += [Element("button", str(value), str(n)) for n, value in enumerate(form.values, 1)]
    height = 1.0 / max(16, len(rows))
    return tuple(
        Element(
            role=row.role,
            text=row.text,
            description=row.description,
            bounds=(0.0, place * height, 1.0, (place + 1) * height),
            focused=row.focused,
            editable=row.editable,
        )
        for place, row in enumerate(rows)
    )


def _drawn(elements: Sequence[Element]) -> Pixels:
    """The elements as words, black on white."""
    image = Image.new("RGB", (_WIDTH, _HEIGHT), "white")
    draw = ImageDraw.Draw(image)
    for element in elements:
        left, top, right, bottom = element.bounds
        box = (left * _WIDTH, top * _HEIGHT, right * _WIDTH - 1, bottom * _HEIGHT - 1)
        if element.role != "text":
            draw.rectangle(box, outline="black")
        draw.text((box[0] + 4, box[1] + 2), element.text or element.description, fill="black")
    return np.asarray(image, np.uint8).copy()
