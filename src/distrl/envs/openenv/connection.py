"""One session with an OpenEnv server."""

from __future__ import annotations

import json
import os
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from distrl.errors import ConfigError, DeviceLost, TaskError

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

TOKEN_VARIABLE = "DISTRL_OPENENV_TOKEN"  # noqa: S105 - the name of a variable
"""What is sent as `Authorization: Bearer`, if it is set."""
_OPEN_SECONDS = 10.0
_ANSWER_SECONDS = 60.0
_MOST_BYTES = 64 << 20
"""Of an answer: pictures may be large, but not without end."""


class Connection:
    """Asks and waits for the answer. DeviceLost when there is none in time."""

    def __init__(self, url: str) -> None:
        """Connect when something is first asked; ConfigError without the package for it."""
        try:
            import websockets  # noqa: F401 - only to see whether it is there
        except ModuleNotFoundError as cause:
            raise ConfigError(
                "suites of OpenEnv servers need pip install 'distrl[openenv]' (websockets is "
                "missing)"
            ) from cause
        self.url = url
        self._socket: ClientConnection | None = None
        self._ended = ExitStack()

    def fetch(self, path: str) -> Any:
        """JSON by HTTP."""
        asked = Request(f"{self.url}{path}", headers=_headers())  # noqa: S310 - checked by the suite
        try:
            with urlopen(asked, timeout=_OPEN_SECONDS) as answer:  # noqa: S310
                return json.loads(answer.read(_MOST_BYTES))
        except (OSError, ValueError) as error:
            raise DeviceLost(f"{self.url}{path} gave no answer: {error}") from error

    def ask(self, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        """The data of the answer to one message; TaskError where the server refuses it."""
        from websockets.exceptions import WebSocketException

        try:
            socket = self._open()
            socket.send(json.dumps({"type": kind, "data": data}))
            answer = json.loads(socket.recv(timeout=_ANSWER_SECONDS))
            told, kind_told = answer["data"], answer["type"]
        except (OSError, WebSocketException, ValueError, KeyError, TypeError) as error:
            self.close()
            raise DeviceLost(f"{self.url} gave no answer to {kind}: {error!r}") from error
        if kind_told == "error":
            raise TaskError(f"{self.url} refused {kind}: {told}")
        if not isinstance(told, dict):
            raise DeviceLost(f"{self.url} answered {kind} with {str(told)[:200]}")
        return told

    def close(self) -> None:
        """End the session; the next question begins another one."""
        self._socket = None
        with suppress(Exception):  # whatever is wrong with it, it is not used any more
            self._ended.close()

    def _open(self) -> ClientConnection:
        if self._socket is None:
            from websockets.sync.client import connect

            parts = urlsplit(self.url)
            scheme = "wss" if parts.scheme == "https" else "ws"
            self._socket = self._ended.enter_context(
                connect(
                    f"{scheme}://{parts.netloc}{parts.path}/ws",
                    additional_headers=_headers(),
                    open_timeout=_OPEN_SECONDS,
                    max_size=_MOST_BYTES,
                )
            )
        return self._socket


def _headers() -> dict[str, str]:
    token = os.environ.get(TOKEN_VARIABLE, "").strip()
    return {"Authorization": f"Bearer {token}"} if token else {}
