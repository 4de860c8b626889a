from __future__ import annotations

from pathlib import Path

import pytest

from distrl.devices.browser.site import Access, Site, access, content_type, origin_of
from distrl.errors import ConfigError


@pytest.fixture
def site(tmp_path: Path) -> Site:
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "index.html").write_text("start")
    (folder / "a b.js").write_text("1")
    (tmp_path / "secret.txt").write_text("no")
    return Site(
        start="http://shop.test/",
        folders={"http://shop.test": folder},
        allowed=("https://cdn.test",),
    )


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("http://shop.test/", "index.html"),
        ("http://shop.test/index.html?q=1#top", "index.html"),
        ("http://shop.test/a%20b.js", "a b.js"),
    ],
)
def test_folder_answers_for_its_origin(site: Site, url: str, file: str) -> None:
    assert access(site, url) == site.folders["http://shop.test"] / file


@pytest.mark.parametrize(
    "url",
    [
        "http://shop.test/none.html",
        "http://shop.test/../secret.txt",
        "http://shop.test/%2e%2e/secret.txt",
        "http://shop.test//etc/passwd",
    ],
)
def test_nothing_outside_the_folder_is_served(site: Site, url: str) -> None:
    assert access(site, url) is Access.MISSING


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://cdn.test/lib.js", Access.ALLOWED),
        ("wss://cdn.test/live", Access.ALLOWED),
        ("data:text/html,hello", Access.ALLOWED),
        ("http://cdn.test/lib.js", Access.BLOCKED),
        ("https://cdn.test.evil/lib.js", Access.BLOCKED),
        ("https://other.test/", Access.BLOCKED),
        ("file:///etc/passwd", Access.BLOCKED),
        ("ws://other.test/live", Access.BLOCKED),
    ],
)
def test_only_named_origins_are_reached(site: Site, url: str, expected: Access) -> None:
    assert access(site, url) is expected


def test_start_is_reached_without_being_named() -> None:
    site = Site(start="http://127.0.0.1:8000/app")
    assert access(site, "http://127.0.0.1:8000/other?x=1") is Access.ALLOWED
    assert access(site, "http://127.0.0.1:8001/") is Access.BLOCKED


@pytest.mark.parametrize("start", ["file:///etc/passwd", "shop.test", "chrome://version"])
def test_start_that_is_no_web_page_is_refused(start: str) -> None:
    with pytest.raises(ConfigError, match="http, https or data"):
        Site(start=start)


def test_origin_with_a_path_is_refused() -> None:
    with pytest.raises(ConfigError, match="an origin is a scheme and a host"):
        Site(start="http://a.test", allowed=("http://b.test/path",))


def test_screen_without_a_size_is_refused() -> None:
    with pytest.raises(ConfigError, match="0x10"):
        Site(start="http://a.test", width=0, height=10)


def test_files_are_called_what_they_are() -> None:
    assert content_type(Path("a.html")) == "text/html"
    assert content_type(Path("a.unknown-kind")) == "application/octet-stream"
    assert origin_of("data:text/html,x") == ""
