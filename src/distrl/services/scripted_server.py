"""A fake chat server on the loopback: it answers from a script and injects faults on request.

    with ScriptedServer(lambda request: "tap(3)") as server:
        server.misbehave(Fault.BUSY, Fault.HANG)      # the next two requests; then as scripted
        client = ChatClient(EndpointSettings(base_url=server.base_url, model="m"), clock=...)
        server.requests                               # every request received

Tests use it, and so may anybody who builds on the client. With a `writer` it also serves LoRA
adapters and token completions, as vLLM does.
"""

from __future__ import annotations

import base64
import json
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

_HANG_SECONDS = 60.0
"""Longer than any client's timeout in tests; closing the server ends it early."""


class Fault(StrEnum):
    """Failures that the server can inject."""

    BUSY = "busy"
    """429, with a Retry-After of 2 seconds."""
    BROKEN = "broken"
    """500."""
    REFUSED = "refused"
    """401, with the key that was sent echoed in the body."""
    MOVED = "moved"
    """A redirect."""
    HANG = "hang"
    """No reply until the client times out."""
    DRIP = "drip"
    """A reply that arrives a byte at a time and never ends: no single read times out."""
    GARBAGE = "garbage"
    """200 with a body that is not JSON."""
    TRUNCATED = "truncated"
    """200, and the connection closes in the middle of the JSON."""
    EMPTY = "empty"
    """200 with an empty list of choices."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request as the server received it."""

    body: dict[str, Any]
    key: str | None
    """The bearer token; None without an Authorization header."""
    path: str = ""
    """Route, such as /v1/chat/completions."""

    @property
    def text(self) -> str:
        """The text of all turns, in order."""
        turns = (message["content"] for message in self.body["messages"])
        return "\n".join(turn if isinstance(turn, str) else turn[0]["text"] for turn in turns)

    @property
    def pictures(self) -> tuple[bytes, ...]:
        """All pictures, in order."""
        parts = (
            part
            for message in self.body["messages"]
            if not isinstance(message["content"], str)
            for part in message["content"][1:]
        )
        return tuple(base64.b64decode(part["image_url"]["url"].split(",")[1]) for part in parts)


class TokenModel(Protocol):
    """The model behind the completions route. Called from several threads."""

    def write(self, asked: Mapping[str, Any], adapter: Path) -> Sequence[tuple[int, float]]:
        """Generate tokens, with their log-probabilities, using the adapter in a folder."""
        ...


class ScriptedServer:
    """Answers chat completions until it is closed."""

    def __init__(
        self,
        script: Callable[[Request], str] = lambda _: "",
        *,
        prompt_tokens: int = 10,
        with_usage: bool = True,
        writer: TokenModel | None = None,
    ) -> None:
        """Listen on a free port. `script` returns the text of each answer.

        Every prompt is reported as `prompt_tokens` long. Without a `writer`, the routes for token
        completions and adapters answer 404.
        """
        self._script, self._writer = script, writer
        self.adapters: dict[str, Path] = {}
        """Folder of every loaded adapter, by name."""
        self._prompt_tokens = prompt_tokens if with_usage else None
        self._faults: deque[Fault] = deque()
        self._closing = threading.Event()
        self.requests: list[Request] = []
        owner = self

        class Handler(_Handler):
            server_owner = owner

        # Port 0 takes a free one, so that parallel tests do not collide; daemon threads, so that a
        # hanging handler does not keep the process alive.
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        # The default poll interval of half a second would be added to every `close`.
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self._thread.start()

    @property
    def base_url(self) -> str:
        """The base_url for a client's settings."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def misbehave(self, *faults: Fault) -> None:
        """Inject these faults, one per request; later requests follow the script again."""
        self._faults.extend(faults)

    def close(self) -> None:
        """Close the port and release hanging handlers; a second call does nothing."""
        if not self._closing.is_set():
            self._closing.set()
            self._server.shutdown()
            self._server.server_close()
            self._thread.join(10.0)

    def __enter__(self) -> Self:
        """The server itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    def next_fault(self) -> Fault | None:
        """The fault to inject into the next request; None to follow the script."""
        return self._faults.popleft() if self._faults else None

    def wait(self, seconds: float) -> bool:
        """Wait for `seconds` or until the server is closed; True if it was closed."""
        return self._closing.wait(seconds)

    def answer(self, request: Request) -> tuple[int, bytes]:
        """HTTP status and body for a request that no fault was injected into."""
        match request.path.rsplit("/", 1)[-1]:
            case "load_lora_adapter" if self._writer is not None:
                return self._load(request.body["lora_name"], Path(request.body["lora_path"]))
            case "unload_lora_adapter" if self._writer is not None:
                known = self.adapters.pop(request.body["lora_name"], None) is not None
                return (200, b"Success") if known else _refusal(404, "there is no such adapter")
            case "completions" if not request.path.endswith("/chat/completions"):
                return self._write(request)
            case "load_lora_adapter" | "unload_lora_adapter":
                return 404, b'{"detail": "Not Found"}'
        return 200, self._completion(request)

    def _load(self, name: str, folder: Path) -> tuple[int, bytes]:
        if name in self.adapters:
            return _refusal(400, f"The lora adapter '{name}' has already been loaded.")
        if not (folder / "adapter_config.json").is_file():
            return _refusal(400, f"there is no adapter in {folder}")
        self.adapters[name] = folder
        return 200, b"Success"

    def _write(self, request: Request) -> tuple[int, bytes]:
        name = request.body["model"]
        folder = self.adapters.get(name)
        if self._writer is None or folder is None:
            return _refusal(404, f"The model `{name}` does not exist.")
        written = self._writer.write(request.body, folder)
        found = {
            "tokens": [f"token_id:{token}" for token, _ in written],
            "token_logprobs": [log_prob for _, log_prob in written],
        }
        answer = {
            "object": "text_completion",
            "model": name,
            "choices": [{"index": 0, "text": "", "finish_reason": "stop", "logprobs": found}],
        }
        return 200, json.dumps(answer).encode()

    def _completion(self, request: Request) -> bytes:
        text = self._script(request)
        tokens = [{"token": letter, "logprob": -0.5} for letter in text]
        answer: dict[str, Any] = {
            "id": f"chatcmpl-{len(self.requests)}",
            "object": "chat.completion",
            "created": 0,  # scripted answers are the same at every time
            "model": request.body["model"],
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "stop",
                    "message": {"role": "assistant", "content": text},
                    "logprobs": {"content": tokens} if request.body.get("logprobs") else None,
                }
            ],
        }
        if self._prompt_tokens is not None:
            answer["usage"] = {
                "prompt_tokens": self._prompt_tokens,
                "completion_tokens": len(text),
                "total_tokens": self._prompt_tokens + len(text),
            }
        return json.dumps(answer).encode()


def _refusal(code: int, why: str) -> tuple[int, bytes]:
    return code, json.dumps({"error": {"message": why, "code": code}}).encode()


class _Handler(BaseHTTPRequestHandler):
    server_owner: ScriptedServer

    def do_POST(self) -> None:
        owner = self.server_owner
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        bearer = self.headers.get("Authorization", "").removeprefix("Bearer ")
        request = Request(body, bearer or None, self.path)
        owner.requests.append(request)
        fault = owner.next_fault()
        if fault is None:
            self._send(*owner.answer(request))
        else:
            self._misbehave(fault, request)

    def _misbehave(self, fault: Fault, request: Request) -> None:
        match fault:
            case Fault.BUSY:
                self._send(429, b'{"error": "slow down"}', ("Retry-After", "2"))
            case Fault.BROKEN:
                self._send(500, b"something broke")
            case Fault.REFUSED:
                self._send(401, f"the key {request.key} is wrong".encode())
            case Fault.MOVED:
                self._send(307, b"", ("Location", f"{self.server_owner.base_url}/elsewhere"))
            case Fault.HANG:
                self.server_owner.wait(_HANG_SECONDS)
            case Fault.DRIP:
                self._drip()
            case Fault.GARBAGE:
                self._send(200, b"<html>Welcome to the captive portal</html>")
            case Fault.EMPTY:
                self._send(200, b'{"choices": []}')
            case Fault.TRUNCATED:
                code, whole = self.server_owner.answer(request)
                self._send(code, whole, send=len(whole) // 2)

    def _send(
        self, code: int, body: bytes, *headers: tuple[str, str], send: int | None = None
    ) -> None:
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body if send is None else body[:send])

    def _drip(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        try:
            while not self.server_owner.wait(0.02):
                self.wfile.write(b" ")
                self.wfile.flush()
        except OSError:
            self.close_connection = True  # the client has closed the connection

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: requests are in `requests`."""
