"""A checkout that stands in for AndroidWorld's, and a package that stands in for android-env."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from distrl.tasks.android_world import checkout as checkouts
from distrl.tasks.suites import load_suite

SMALL = Path(__file__).parent / "small_checkout"


def forget() -> None:
    """As in a process that has not imported any checkout."""
    for name in [n for n in sys.modules if n.partition(".")[0] in ("android_world", "android_env")]:
        del sys.modules[name]
    checkouts._opened.cache_clear()
    load_suite.cache_clear()


@pytest.fixture
def alone() -> Iterator[None]:
    """Without anything that was imported before, or is imported now."""
    forget()
    yield
    forget()


@pytest.fixture
def small(alone: None, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of the small checkout, with all that it needs."""
    monkeypatch.syspath_prepend(str(SMALL / "installed"))
    return f"androidworld:{SMALL}"
