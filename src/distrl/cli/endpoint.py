"""Options of every command that asks a model behind the network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from distrl.errors import ConfigError

if TYPE_CHECKING:
    from distrl.services import ChatClient
    from distrl.services.scripted_server import Request

SCRIPTED = "scripted"
"""The endpoint that is a server of our own, where a command has a script for it."""


@dataclass(frozen=True, kw_only=True)
class EndpointArguments:
    """Where a model is. The key comes from the environment alone."""

    endpoint: str = ""
    """Address of an OpenAI-compatible server, such as http://127.0.0.1:8000/v1; none by default."""
    model: str = ""
    """Name of the model at the endpoint."""
    key_env: str = "OPENAI_API_KEY"
    """Name of the environment variable that holds the key."""
    price_prompt: float = 0.0
    """Price of a million prompt tokens, in any currency."""
    price_completion: float = 0.0
    """Price of a million completion tokens, in the same currency."""
    cap: float | None = None
    """The most that may be spent, in the currency of the prices; no limit by default."""
    costs: Path | None = None
    """File that the costs of requests are appended to; what it holds counts towards --cap."""
    per_minute: float | None = None
    """Requests per minute at most; as many as are asked by default."""


@contextmanager
def open_client(
    arguments: EndpointArguments,
    *,
    what: str,
    script: Callable[[Request], str] | None = None,
    temperature: float = 0.0,
) -> Iterator[ChatClient]:
    """A client for the endpoint that `what` needs; ConfigError when none is named.

    With a `script`, the endpoint `scripted` is a server on this machine that follows it.
    """
    if not arguments.endpoint:
        raise ConfigError(f"{what} needs --endpoint URL and --model NAME")
    if arguments.endpoint == SCRIPTED and script is not None:
        from distrl.services.scripted_server import ScriptedServer

        with ScriptedServer(script) as server:
            yield _client(arguments, server.base_url, arguments.model or SCRIPTED, temperature)
    else:
        yield _client(arguments, arguments.endpoint, arguments.model, temperature)


def _client(
    arguments: EndpointArguments, base_url: str, model: str, temperature: float
) -> ChatClient:
    from distrl.clock import RealClock
    from distrl.services import ChatClient, CostTracker, EndpointSettings, Prices

    settings = EndpointSettings(
        base_url=base_url,
        model=model,
        temperature=temperature,
        key_env=arguments.key_env,
        per_minute=arguments.per_minute,
        prices=Prices(prompt=arguments.price_prompt, completion=arguments.price_completion),
    )
    cost_tracker = CostTracker(cap=arguments.cap, path=arguments.costs)
    return ChatClient(settings, clock=RealClock(), cost_tracker=cost_tracker)
