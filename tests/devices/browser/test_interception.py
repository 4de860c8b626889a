from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from distrl.devices.browser.interception import answer, wall_around
from distrl.devices.browser.site import Site


@pytest.fixture
def shop(tmp_path: Path) -> Site:
    (tmp_path / "style.css").write_text("body {}")
    return Site(
        start="http://shop.test/",
        folders={"http://shop.test": tmp_path},
        allowed=("http://api.test", "https://safe.test:8443"),
    )


def ask(site: Site, url: str, method: str = "GET", **headers: str) -> tuple[str, dict[str, Any]]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = {"url": url, "method": method, "headers": named}
    done, given = answer(site, {"requestId": "r-1", "request": request})
    assert given["requestId"] == "r-1"
    return done, given


def headers_of(given: dict[str, Any]) -> dict[str, str]:
    return {header["name"]: header["value"] for header in given["responseHeaders"]}


def test_file_of_a_folder_is_the_answer(shop: Site) -> None:
    done, given = ask(shop, "http://shop.test/style.css")
    assert (done, given["responseCode"]) == ("Fetch.fulfillRequest", 200)
    assert base64.b64decode(given["body"]) == b"body {}"
    assert headers_of(given) == {"content-type": "text/css", "content-length": "7"}


def test_file_that_a_folder_does_not_have_is_missing(shop: Site) -> None:
    done, given = ask(shop, "http://shop.test/none.css")
    assert (done, given["responseCode"]) == ("Fetch.fulfillRequest", 404)


@pytest.mark.parametrize("url", ["http://api.test/items", "data:text/css,a"])
def test_what_is_allowed_goes_on(shop: Site, url: str) -> None:
    assert ask(shop, url) == ("Fetch.continueRequest", {"requestId": "r-1"})


@pytest.mark.parametrize("method", ["GET", "OPTIONS"])
@pytest.mark.parametrize("url", ["http://tracker.test/", "file:///etc/passwd"])
def test_anything_else_is_blocked(shop: Site, url: str, method: str) -> None:
    done, given = ask(shop, url, method, Access_Control_Request_Method="PUT")
    assert (done, given["errorReason"]) == ("Fetch.failRequest", "BlockedByClient")


@pytest.mark.parametrize(("origin", "shared"), [("http://shop.test", False), ("null", True)])
def test_document_of_another_origin_may_read_a_file(shop: Site, origin: str, shared: bool) -> None:
    _, given = ask(shop, "http://shop.test/style.css", Origin=origin)
    found = headers_of(given).get("access-control-allow-origin")
    assert found == (origin if shared else None)


def test_question_before_a_request_is_answered_with_yes(shop: Site) -> None:
    _, given = ask(
        shop,
        "http://api.test/items",
        "OPTIONS",
        Origin="http://shop.test",
        Access_Control_Request_Method="PUT",
        Access_Control_Request_Headers="x-key",
    )
    found = headers_of(given)
    assert given["responseCode"] == 204
    assert found["access-control-allow-origin"] == "http://shop.test"
    assert found["access-control-allow-methods"] == "PUT"
    assert found["access-control-allow-headers"] == "x-key"


def test_other_options_go_on(shop: Site) -> None:
    assert ask(shop, "http://api.test/items", "OPTIONS")[0] == "Fetch.continueRequest"


def test_wall_lets_the_hosts_of_a_site_through_and_nothing_else_of_this_machine(shop: Site) -> None:
    passing = wall_around(shop)["proxyBypassList"].split(";")
    assert passing == ["<-loopback>", "shop.test:80", "api.test:80", "safe.test:8443"]
    nowhere = Site(start="data:text/html,hello")
    assert wall_around(nowhere)["proxyBypassList"] == "<-loopback>"
