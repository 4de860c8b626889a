"""What a page is opened on, and what it may load. Nothing else is reachable from inside."""

from __future__ import annotations

import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from urllib.parse import unquote, urlsplit

from distrl.errors import ConfigError

_PLAIN = ("about", "blob", "data")
"""Schemes that never leave the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One web application, as a device shows it."""

    start: str
    """Where a reset begins."""
    folders: Mapping[str, Path] = field(default_factory=dict)
    """Origins, such as `http://shop.test`, whose files come from a folder without any network."""
    allowed: tuple[str, ...] = ()
    """Further origins that the page may talk to, beside that of `start`."""
    width: int = 412
    height: int = 732
    window: tuple[int, int] | None = None
    """Size of the window where it is larger than what is shown, which is its upper left part."""
    frozen: bool = True
    """Let the page's time pass with actions only. Off, it runs by itself, and what is seen depends
    on how fast the machine is."""
    clock: int | None = None
    """When frozen time begins, in milliseconds since 1970; None for a day that is always the same.
    """
    home: bool = True
    """Whether the home key leads back to `start`; off, it does nothing."""
    ignored: str = ""
    """CSS selector of what is left out of the elements."""
    hidden: str = ""
    """CSS selector of what is not shown at all."""
    probe: str = "null"
    """JavaScript whose value is read along with the elements, at every look."""

    @property
    def viewport(self) -> tuple[int, int]:
        """Width and height of the window."""
        return self.window or (self.width, self.height)

    def __post_init__(self) -> None:
        """Refuse what no page could be opened on."""
        if urlsplit(self.start).scheme not in ("http", "https", "data"):
            raise ConfigError(
                f"a page starts at an http, https or data address, got {self.start!r}"
            )
        if self.width < 1 or self.height < 1:
            raise ConfigError(f"a screen needs a size, got {self.width}x{self.height}")
        for origin in (*self.folders, *self.allowed):
            if origin != origin_of(origin) or not origin:
                raise ConfigError(
                    f"an origin is a scheme and a host, such as http://127.0.0.1:8000, "
                    f"got {origin!r}"
                )


def alike(one: Site, other: Site) -> bool:
    """Whether a page of one can go on as a page of the other."""
    return all(
        getattr(one, name) == getattr(other, name)
        for name in ("folders", "allowed", "frozen", "hidden", "clock")
    ) and origin_of(one.start) == origin_of(other.start)


class Access(Enum):
    """What becomes of a request that no folder answers."""

    ALLOWED = "allowed"
    MISSING = "missing"
    """The folder has no such file."""
    BLOCKED = "blocked"


def origin_of(url: str) -> str:
    """Scheme, host and port; empty where there is no host."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def access(site: Site, url: str) -> Path | Access:
    """The file that answers a request, or what becomes of it."""
    scheme = urlsplit(url).scheme
    if scheme in _PLAIN:
        return Access.ALLOWED
    # A socket belongs to the page's origin as its other requests do.
    web = url.replace("ws", "http", 1) if scheme in ("ws", "wss") else url
    origin = origin_of(web)
    if origin in site.folders:
        return _file(site.folders[origin], urlsplit(web).path)
    known = origin in (origin_of(site.start), *site.allowed)
    return Access.ALLOWED if known and origin else Access.BLOCKED


def _file(folder: Path, path: str) -> Path | Access:
    root = folder.resolve()
    wanted = (root / unquote(path).lstrip("/")).resolve()
    if wanted.is_dir():
        wanted /= "index.html"
    if not wanted.is_relative_to(root) or not wanted.is_file():
        return Access.MISSING
    return wanted


def content_type(path: Path) -> str:
    """What kind of file it is, as a server would say."""
    kind, _ = mimetypes.guess_type(path.name)
    return kind or "application/octet-stream"
