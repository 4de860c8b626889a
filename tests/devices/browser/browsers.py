"""What tests of browser devices share: a small shop, and whether there is a browser at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from distrl.devices.browser.chromium import find_chromium
from distrl.devices.browser.site import Site
from distrl.errors import ConfigError
from distrl.types import Element, Observation

SHOP = Site(
    start="http://shop.test/index.html",
    folders={"http://shop.test": Path(__file__).with_name("site")},
    width=360,
    height=600,
    probe="document.title",
)


def _missing() -> str:
    """Why no browser can be started here; empty when one can."""
    try:
        find_chromium()
    except ConfigError as error:
        return str(error)
    return ""


MISSING = _missing()
needs_chromium = pytest.mark.skipif(bool(MISSING), reason=MISSING or "there is one")


def find(seen: Observation, text: str) -> Element:
    """The element that says so, or is described so."""
    for element in seen.elements or ():
        if text in (element.text, element.description):
            return element
    raise AssertionError(f"no {text!r} among {[e.text for e in seen.elements or ()]}")
