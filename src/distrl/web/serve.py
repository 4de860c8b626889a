"""Serves pages: on the loopback, behind a token, until somebody says stop."""

from __future__ import annotations

import errno
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from distrl.clock import RealClock
from distrl.errors import ConfigError, PipelineError
from distrl.web.guard import Access, App, Guard

_START_SECONDS = 30.0
_STOP_SECONDS = 10.0
_GRACE_SECONDS = 3
"""Until answers that are being given are cut off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a page is served, and who may do what there."""

    host: str = "127.0.0.1"
    port: int = 0
    """0 takes any that is free."""
    names: tuple[str, ...] = ()
    """Other names that this machine is asked under, for the Host header."""
    token: str | None = None
    """None makes a new one."""
    allow_control: bool = False


@dataclass(frozen=True, slots=True)
class Served:
    """A page that is being served."""

    origin: str
    """Such as http://127.0.0.1:8321."""
    access: Access

    @property
    def address(self) -> str:
        """What to open first; later the cookie is enough."""
        return f"{self.origin}/?token={self.access.token}"


@contextmanager
def serving(paths: Sequence[Path], place: Place | None = None) -> Iterator[Served]:
    """Serve the runs in some folders from a thread, for the time of a `with`.

    ConfigError when there is no run, or when the port is taken.
    """
    # Imported here: whoever serves another site needs none of the dashboard's packages.
    from distrl.web.app import make_app
    from distrl.web.runs import Runs

    runs = Runs(paths)
    with ExitStack() as ended:
        ended.callback(runs.close)

        def open_site(access: Access) -> Site:
            app = make_app(runs, access)
            ended.callback(app.state.site.thinker.close)
            return Site(app, app.state.site.closing.set)

        yield ended.enter_context(serving_site(open_site, place or Place()))


@dataclass(frozen=True, slots=True)
class Site:
    """What is served."""

    app: App
    """The application without its guard."""
    stop_waiting: Callable[[], None]
    """Called when the server is about to stop: answers that wait for news end."""
    socket_bytes: int = 0
    """Most bytes of a message over WebSocket; 0 for a site that has no WebSockets."""


@contextmanager
def serving_site(open_site: Callable[[Access], Site], place: Place) -> Iterator[Served]:
    """Serve a site behind its guard from a thread, for the time of a `with`.

    ConfigError when the port is taken.
    """
    with _listen(place) as listener:
        port: int = listener.getsockname()[1]
        access = Access.at(
            port, names=(place.host, *place.names), token=place.token,
            allow_control=place.allow_control,
        )  # fmt: skip
        site = open_site(access)
        server = uvicorn.Server(
            uvicorn.Config(
                Guard(site.app, access),
                log_level="warning",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=_GRACE_SECONDS,
                # Without compression: on the loopback it costs more time than it saves.
                ws="websockets-sansio" if site.socket_bytes else "none",
                ws_max_size=site.socket_bytes,
                ws_per_message_deflate=False,
            )
        )
        thread = threading.Thread(
            target=server.run, kwargs={"sockets": [listener]}, name="web-server", daemon=True
        )
        thread.start()
        try:
            RealClock().wait_until(
                lambda: server.started or not thread.is_alive(), timeout=_START_SECONDS
            )
            if not server.started:
                raise PipelineError(f"the server did not start within {_START_SECONDS:g} s")
            shown = f"[{place.host}]" if ":" in place.host else place.host
            yield Served(f"http://{shown}:{port}", access)
        finally:
            site.stop_waiting()
            server.should_exit = True
            thread.join(_STOP_SECONDS)


@contextmanager
def _listen(place: Place) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((place.host, place.port))
        except OSError as cause:
            of_host = isinstance(cause, socket.gaierror) or cause.errno == errno.EADDRNOTAVAIL
            raise ConfigError(
                f"cannot serve on {place.host}:{place.port} ({cause.strerror}); "
                + (
                    f"--host {place.host} is no address of this machine: 127.0.0.1 is, and 0.0.0.0 "
                    "stands for all that it has"
                    if of_host
                    else "choose another --port, or 0 for any that is free"
                )
            ) from cause
        yield listener
