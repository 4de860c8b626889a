"""What becomes of the requests of a page: a folder answers, the network, or nobody.

Requests of a document and its workers are paused one by one and answered here. The wall around a
context is for all that is never paused, such as sockets: a proxy that nobody serves, for every
host but those of the site.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from distrl.devices.browser.protocol import Session
from distrl.devices.browser.site import Access, Site, access, content_type, origin_of

# A port of this machine that refuses: nothing leaves it, and nothing waits.
_NOBODY = "http://127.0.0.1:9"
_PORTS = {"http": 80, "https": 443}


def wall_around(site: Site) -> dict[str, str]:
    """Options of a browser context that reaches the hosts of a site alone."""
    reachable = [_host_and_port(origin) for origin in (origin_of(site.start), *site.allowed)]
    # Without the first rule, Chromium lets everything on this machine past a proxy.
    passing = ["<-loopback>", *(host for host in reachable if host)]
    return {"proxyServer": _NOBODY, "proxyBypassList": ";".join(passing)}


def _host_and_port(origin: str) -> str:
    parts = urlsplit(origin)
    if not parts.netloc:
        return ""
    return parts.netloc if parts.port else f"{parts.netloc}:{_PORTS[parts.scheme]}"


def answer_requests(session: Session, site: Site) -> None:
    """Answer what a page, a frame or a worker asks for from now on."""
    session.on("Fetch.requestPaused", lambda told: session.tell(*answer(site, told)))


def answer(site: Site, paused: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The method and the parameters that let a paused request go on."""
    request, of = paused["request"], {"requestId": paused["requestId"]}
    found = access(site, request["url"])
    if found is Access.BLOCKED:
        return "Fetch.failRequest", {**of, "errorReason": "BlockedByClient"}
    asked = {name.lower(): value for name, value in request["headers"].items()}
    if request["method"] == "OPTIONS" and "access-control-request-method" in asked:
        return _fulfil(of, 204, {**_sharing(asked), **_permission(asked)})
    if isinstance(found, Path):
        shared = asked.get("origin", origin_of(request["url"])) != origin_of(request["url"])
        headers = {"content-type": content_type(found), **(_sharing(asked) if shared else {})}
        return _fulfil(of, 200, headers, found.read_bytes())
    if found is Access.MISSING:
        return _fulfil(of, 404, {}, b"there is no such file")
    return "Fetch.continueRequest", of


def _sharing(asked: Mapping[str, str]) -> dict[str, str]:
    """Headers that let a document of another origin read the answer."""
    return {
        "access-control-allow-origin": asked.get("origin", "*"),
        "access-control-allow-credentials": "true",
        "vary": "Origin",
    }


def _permission(asked: Mapping[str, str]) -> dict[str, str]:
    """Headers of a preflight: whatever it asks for is allowed."""
    headers = {"access-control-allow-methods": asked["access-control-request-method"]}
    if "access-control-request-headers" in asked:
        headers["access-control-allow-headers"] = asked["access-control-request-headers"]
    return headers


def _fulfil(
    of: Mapping[str, str], status: int, headers: Mapping[str, str], body: bytes = b""
) -> tuple[str, dict[str, Any]]:
    sent = {**headers, "content-length": str(len(body))}
    return "Fetch.fulfillRequest", {
        **of,
        "responseCode": status,
        "responseHeaders": [{"name": name, "value": value} for name, value in sent.items()],
        "body": base64.b64encode(body).decode(),
    }
