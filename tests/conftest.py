"""Settings for all tests, and what many of them use."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from distrl import plugins
from distrl.tasks.suites import load_suite

# The same examples on every run: a failure on one machine is a failure on all. No deadline per
# example, since a busy machine is not a bug; pytest-timeout ends what hangs.
settings.register_profile("distrl", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("distrl")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of packages that this process can import; forgotten afterwards."""
    folder = tmp_path / "site"
    folder.mkdir()
    before = set(sys.modules)
    monkeypatch.syspath_prepend(folder)
    plugins.tell_once.cache_clear()
    yield folder
    load_suite.cache_clear()
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
            del sys.modules[name]
