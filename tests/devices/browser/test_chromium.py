from __future__ import annotations

from pathlib import Path

import pytest

from distrl.devices.browser.chromium import find_chromium
from distrl.errors import ConfigError


def test_browser_that_is_named_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    browser = tmp_path / "my-browser"
    browser.write_text("#!/bin/sh\n")
    browser.chmod(0o755)
    monkeypatch.setenv("DISTRL_CHROMIUM", str(browser))
    assert find_chromium() == browser


def test_missing_browser_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISTRL_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ConfigError, match="apt-get install chromium"):
        find_chromium()
    monkeypatch.setenv("DISTRL_CHROMIUM", "/no/such/browser")
    with pytest.raises(ConfigError, match="looked for: /no/such/browser"):
        find_chromium()
