"""A chat server on the loopback that says what a script says, and misbehaves on request.

    with ScriptedServer(lambda request: "tap(3)") as server:
        server.misbehave(Fault.BUSY, Fault.HANG)      # the next two requests; then as scripted
        client = ChatClient(EndpointSettings(base_url=server.base_url, model="m"), clock=...)
        server.requests                               # everything that was asked

It is the fake beside the real boundary: tests use it, and so may anybody who builds on the client.
With a `writer` it serves adapters too, as vLLM does: those that are loaded write completions.
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
"""How long a hanging answer lasts if the server is not closed before."""


class Fault(StrEnum):
    """What a server can do wrong."""

    BUSY = "busy"
    """429, with a Retry-After of 2 seconds."""
    BROKEN = "broken"
    """500."""
    REFUSED = "refused"
    """401, and the key that was sent is repeated."""
    MOVED = "moved"
    """A redirect."""
    HANG = "hang"
    """No answer at all."""
    DRIP = "drip"
    """An answer that comes a byte at a time and never ends."""
    GARBAGE = "garbage"
    """200, and no JSON."""
    TRUNCATED = "truncated"
    """200, and the connection ends in the middle of the JSON."""
    EMPTY = "empty"
    """200, and no choices."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request as the server got it."""

    body: dict[str, Any]
    key: str | None
    """What was sent as the bearer."""
    path: str = ""
    """What was asked for, such as /v1/chat/completions."""

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


class Writer(Protocol):
    """The model behind the completions route; any thread may ask."""

    def write(self, asked: Mapping[str, Any], adapter: Path) -> Sequence[tuple[int, float]]:
        """Tokens and their log-probabilities, with the adapter in a folder."""
        ...


class ScriptedServer:
    """Answers chat completions until it is closed."""

    def __init__(
        self,
        script: Callable[[Request], str] = lambda _: "",
        *,
        prompt_tokens: int = 10,
        with_usage: bool = True,
        writer: Writer | None = None,
    ) -> None:
        """`script` makes the text of an answer; every prompt counts as `prompt_tokens`.

        Without a `writer`, there are no completions of tokens and no adapters to load.
        """
        self._script, self._writer = script, writer
        self.adapters: dict[str, Path] = {}
        """Folders of those that are loaded, by name."""
        self._prompt_tokens = prompt_tokens if with_usage else None
        self._faults: deque[Fault] = deque()
        self._closing = threading.Event()
        self.requests: list[Request] = []
        owner = self

        class Handler(_Handler):
            server_owner = owner

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self._thread.start()

    @property
    def base_url(self) -> str:
        """What a client is pointed at."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def misbehave(self, *faults: Fault) -> None:
        """Do these, one per request, before following the script again."""
        self._faults.extend(faults)

    def close(self) -> None:
        """Let go of the port and of whoever still waits; a second call does nothing."""
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
        """What the next request is answered with; None for the script."""
        return self._faults.popleft() if self._faults else None

    def wait(self, seconds: float) -> bool:
        """Wait, but not longer than the server lives; True when it has been closed."""
        return self._closing.wait(seconds)

    def answer(self, request: Request) -> tuple[int, bytes]:
        """Code and body of a good answer, or of a refusal."""
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
            "object": "chat.completion",
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
            self.close_connection = True  # the client has had enough

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""
