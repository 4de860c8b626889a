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


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder for what Playwright downloads, on a machine that has no browser."""
    monkeypatch.delenv("DISTRL_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    return tmp_path


def test_what_playwright_downloaded_is_found_the_newest_without_windows_first(bare: Path) -> None:
    names = (
        "chromium-1187/chrome-linux/chrome",
        "chromium_headless_shell-1187/chrome-linux/headless_shell",
        "chromium_headless_shell-1208/chrome-linux/headless_shell",
        "chromium_headless_shell-987/chrome-linux/headless_shell",
    )
    for name in names:
        (bare / name).parent.mkdir(parents=True)
        (bare / name).touch(mode=0o755)
    assert find_chromium() == bare / names[2]
    assert find_chromium(full=True) == bare / names[0]


@pytest.mark.usefixtures("bare")
def test_missing_browser_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="apt-get install chromium"):
        find_chromium()
    monkeypatch.setenv("DISTRL_CHROMIUM", "/no/such/browser")
    with pytest.raises(ConfigError, match="looked for: /no/such/browser"):
        find_chromium()
