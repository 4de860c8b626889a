from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl.devices.browser.site import Access, Site, access, alike, content_type, origin_of
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


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("http://shop.test", "http://shop.test"),
        ("http://shop.test/", "http://shop.test"),
        ("http://shop.test:8080/a?b#c", "http://shop.test:8080"),
        ("https://shop.test", "https://shop.test"),
        ("about:blank", ""),
        ("blob:http://shop.test/1", ""),
        ("file:///etc/passwd", ""),
        ("/relative", ""),
        ("", ""),
    ],
)
def test_the_table_of_origins(url: str, origin: str) -> None:
    assert origin_of(url) == origin


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://shop.test@evil.test/", Access.BLOCKED),
        ("http://shop.test.evil.test/", Access.BLOCKED),
        ("http://shop.test:81/", Access.BLOCKED),
        ("https://shop.test/", Access.BLOCKED),
        ("https://cdn.test:443/", Access.BLOCKED),
        ("http://127.0.0.1/", Access.BLOCKED),
        ("http://[::1]/", Access.BLOCKED),
        ("chrome://settings", Access.BLOCKED),
        ("javascript:alert(1)", Access.BLOCKED),
        ("ftp://shop.test/", Access.BLOCKED),
        ("wss://shop.test/", Access.BLOCKED),
        ("//cdn.test/x", Access.BLOCKED),
        ("", Access.BLOCKED),
        ("about:blank", Access.ALLOWED),
        ("blob:http://evil.test/1", Access.ALLOWED),
        ("https://cdn.test", Access.ALLOWED),
    ],
)
def test_addresses_that_only_look_like_a_named_origin_are_blocked(
    site: Site, url: str, expected: Access
) -> None:
    assert access(site, url) is expected


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/deep", "deep/index.html"),
        ("/deep/", "deep/index.html"),
        ("/deep/../index.html", "index.html"),
        ("//index.html", "index.html"),
        ("/%69ndex.html", "index.html"),
    ],
)
def test_folders_answer_with_their_index(site: Site, path: str, name: str) -> None:
    folder = site.folders["http://shop.test"]
    (folder / "deep").mkdir()
    (folder / "deep" / "index.html").write_text("deep")
    assert access(site, f"http://shop.test{path}") == folder / name


def test_folder_without_an_index_has_no_such_file(site: Site) -> None:
    (site.folders["http://shop.test"] / "empty").mkdir()
    assert access(site, "http://shop.test/empty/") is Access.MISSING


def test_link_that_leads_out_of_the_folder_is_not_followed(site: Site, tmp_path: Path) -> None:
    folder = site.folders["http://shop.test"]
    (folder / "out").symlink_to(tmp_path / "secret.txt")
    (folder / "inside").symlink_to(folder / "index.html")
    assert access(site, "http://shop.test/out") is Access.MISSING
    assert access(site, "http://shop.test/inside") == folder / "index.html"


@given(st.text(st.sampled_from("./%2eE\\a:~?#"), max_size=14))
@settings(max_examples=150)
def test_no_path_leads_out_of_the_folder(path: str) -> None:
    root = Path(__file__).parent / "site"
    shop = Site(start="http://shop.test/", folders={"http://shop.test": root})
    try:
        found = access(shop, f"http://shop.test/{path}")
    except ValueError:
        return  # no address at all
    assert found is Access.MISSING or (
        isinstance(found, Path) and found.resolve().is_relative_to(root.resolve())
    )


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({}, True),
        ({"start": "http://shop.test/other"}, True),
        ({"width": 999}, True),
        ({"probe": "1"}, True),
        ({"ignored": ".ad"}, True),
        ({"start": "https://shop.test/"}, False),
        ({"allowed": ()}, False),
        ({"frozen": False}, False),
        ({"hidden": ".ad"}, False),
        ({"folders": {}}, False),
    ],
)
def test_the_table_of_sites_that_one_context_serves(
    site: Site, change: dict[str, object], same: bool
) -> None:
    other = replace(site, **change)  # type: ignore[arg-type]
    assert alike(site, other) is same
    assert alike(other, site) is same


@pytest.mark.parametrize(
    "origin", ["", "shop.test", "http://shop.test/", "http://shop.test/a", "http:"]
)
def test_what_is_no_origin_is_refused_wherever_it_stands(origin: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="an origin is a scheme and a host"):
        Site(start="http://a.test", allowed=(origin,))
    with pytest.raises(ConfigError, match="an origin is a scheme and a host"):
        Site(start="http://a.test", folders={origin: tmp_path})


def test_window_is_what_is_shown_unless_it_is_larger() -> None:
    assert Site(start="http://a.test").viewport == (412, 732)
    assert Site(start="http://a.test", window=(800, 900)).viewport == (800, 900)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.html", "text/html"),
        ("a.css", "text/css"),
        ("a.json", "application/json"),
        ("a.png", "image/png"),
        ("a.svg", "image/svg+xml"),
        ("a", "application/octet-stream"),
        (".html", "application/octet-stream"),
    ],
)
def test_the_table_of_kinds(name: str, kind: str) -> None:
    assert content_type(Path(name)) == kind
