"""What every site has: a page with its files, a sign of life, and errors in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import resources

import msgspec
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse, Response

from distrl.errors import ConfigError, DistrlError

FOREVER = "public, max-age=31536000, immutable"
"""Of what never changes under its address."""
_TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}

Files = Mapping[str, Callable[[], bytes]]
"""What a page is made of, by name; read when it is asked for."""


def files_in(package: str) -> Files:
    """The files of a package's folder `static`."""
    folder = resources.files(package).joinpath("static")
    return {file.name: file.read_bytes for file in folder.iterdir() if file.is_file()}


def answer(value: object) -> Response:
    """A value as JSON."""
    return Response(msgspec.json.encode(value), media_type="application/json")


def add_front(app: FastAPI, files: Files, *, unchanging: str = "") -> None:
    """Serve `index.html` and the files beside it; browsers may keep the one named `unchanging`."""
    app.add_exception_handler(DistrlError, _explain)

    @app.get("/health")
    def health() -> Response:
        return answer({"ok": True})

    @app.get("/")
    def front() -> Response:
        return Response(files["index.html"](), media_type="text/html")

    @app.get("/static/{name}")
    def static(name: str) -> Response:
        if name not in files:
            raise HTTPException(404, "there is no such file")
        kind = _TYPES.get(name.rsplit(".", 1)[-1], "text/html")
        caching = {"cache-control": FOREVER} if name == unchanging else {}
        return Response(files[name](), media_type=kind, headers=caching)


async def _explain(_: Request, error: Exception) -> Response:
    """What the asker can put right is told; anything else as a failure of ours."""
    return JSONResponse({"detail": str(error)}, 400 if isinstance(error, ConfigError) else 500)
