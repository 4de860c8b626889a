"""Client for a server that generates tokens with LoRA adapters, as vLLM does.

    load_adapter(NAME-v12, folder)  --> POST /load_lora_adapter     the server reads the folder
    generate(NAME-v12, prompt)      --> POST /completions           tokens in, tokens out, log-probs
    unload_adapter(NAME-v11)        --> POST /unload_lora_adapter

Routes and fields are those of vLLM; OpenAI's own are the same where it has them.
"""

from __future__ import annotations

import itertools
import logging
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from distrl.errors import ServiceError
from distrl.interfaces import Clock
from distrl.services.chat import EndpointSettings
from distrl.services.retries import backoff_seconds, parse_retry_after, should_retry
from distrl.services.secret import read_secret
from distrl.services.transport import Reply, post

T = TypeVar("T")

_log = logging.getLogger(__name__)
_MAX_COMPLAINT = 300
"""Characters of a server's error message that are repeated in ours."""
_ID_PREFIX = "token_id:"
"""Prefix with which vLLM writes a token's id in place of its text."""
_UNLOAD_SECONDS = 10.0
"""Short, since acting waits for it, and an adapter left loaded only costs the server memory."""
_MAX_SEED = 2**63 - 1
"""vLLM reads the seed as a signed 64-bit integer; ours may be larger."""
_LEAST_TIMEOUT = 0.001
_NO_LORA = (
    "it loads no adapters while it runs; vLLM does when it is started with --enable-lora and "
    "VLLM_ALLOW_RUNTIME_LORA_UPDATING=True"
)


@dataclass(frozen=True, slots=True)
class Completion:
    """The tokens that a model generated."""

    tokens: tuple[int, ...]
    """With the end token, if it was reached before the length limit."""
    log_probs: tuple[float, ...]
    """One log-probability per token."""


class _LogProbs(msgspec.Struct):
    tokens: list[str]
    token_logprobs: list[float | None]


class _Choice(msgspec.Struct):
    logprobs: _LogProbs | None = None


class _CompletionReply(msgspec.Struct):
    choices: list[_Choice]


class CompletionClient:
    """Talks to one server. Thread-safe; ServiceError for anything that fails until the deadline."""

    def __init__(
        self,
        settings: EndpointSettings,
        *,
        clock: Clock,
        draw: Callable[[], float] | None = None,
    ) -> None:
        """Read the key from the environment. `draw` returns the backoff jitter, in [0, 1)."""
        self.settings = settings
        self._clock = clock
        self._draw = draw or random.SystemRandom().random
        self._key = read_secret(settings.key_env)

    def generate(self, model: str, prompt: Sequence[int], *, end: int, seed: int) -> Completion:
        """Sample tokens after a prompt until the token `end` or `max_tokens`."""
        # Every sampling option that reshapes the distribution is switched off explicitly, whatever
        # the server's defaults: log mu must be the log-probability of the plain softmax.
        asked = {
            "model": model,
            "prompt": list(prompt),
            "max_tokens": self.settings.max_tokens,
            "temperature": self.settings.temperature,
            "seed": seed & _MAX_SEED,
            "top_p": 1.0,
            "top_k": -1,
            "min_p": 0.0,
            "repetition_penalty": 1.0,
            "presence_penalty": 0.0,
            "frequency_penalty": 0.0,
            "stop_token_ids": [end],
            "ignore_eos": True,
            "logprobs": 1,
            "return_tokens_as_token_ids": True,
        }
        return self._ask("completions", asked, _parse_completion)

    def load_adapter(self, name: str, folder: Path) -> None:
        """Have the server load a LoRA adapter. Names are unique, so "already loaded" is success."""
        asked = {"lora_name": name, "lora_path": str(folder)}
        self._ask(
            "load_lora_adapter",
            asked,
            _ignore,
            hints={404: _NO_LORA, 405: _NO_LORA},
            done="already been loaded",
        )

    def unload_adapter(self, name: str) -> None:
        """Have the server unload a LoRA adapter."""
        self._ask("unload_lora_adapter", {"lora_name": name}, _ignore, most=_UNLOAD_SECONDS)

    def _ask(
        self,
        route: str,
        asked: Mapping[str, object],
        read: Callable[[str], T],
        *,
        hints: Mapping[int, str] | None = None,
        done: str | None = None,
        most: float = math.inf,
    ) -> T:
        """POST with retries and return `read(body)`; a ServiceError of `read` is retried as well.

        A refusal whose text contains `done` counts as success. `hints` add an explanation to
        errors by HTTP status. The deadline is `most` seconds, or `total_seconds` if that is less.
        """
        body = msgspec.json.encode(asked)
        ends = self._clock.now() + min(most, self.settings.total_seconds)
        for attempt in itertools.count(1):
            reply = None
            try:
                reply = self._post(route, body, ends)
                text = self._redacted(reply.body.decode("utf-8", "replace"))
                if reply.status == 200 or (done is not None and done in text):
                    return read(text)
                why = (
                    f"HTTP {reply.status}: {' '.join(text.split())[:_MAX_COMPLAINT] or '(nothing)'}"
                )
                if hint := (hints or {}).get(reply.status):
                    why = f"{why} ({hint})"
            except ServiceError as error:
                why = self._redacted(str(error))
            wait = self._next_wait(reply, attempt, ends)
            if wait is None:
                raise ServiceError(
                    f"{self.settings.base_url}/{route} gave no answer that can be used after "
                    f"{attempt} {'attempts' if attempt > 1 else 'attempt'}: {why}"
                )
            _log.info("attempt %d at %s failed (%s); again in %.1f s", attempt, route, why, wait)
            self._clock.sleep(wait)
        raise AssertionError("counting has no end")

    def _post(self, route: str, body: bytes, ends: float) -> Reply:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key.reveal()}"
        seconds = min(self.settings.attempt_seconds, max(_LEAST_TIMEOUT, ends - self._clock.now()))
        url = f"{self.settings.base_url.rstrip('/')}/{route}"
        return post(url, body, headers, seconds=seconds)

    def _next_wait(self, reply: Reply | None, attempt: int, ends: float) -> float | None:
        """Seconds until the next attempt; None if the failure is final or the deadline too near."""
        if reply is not None and reply.status != 200 and not should_retry(reply.status):
            return None
        retry_after = None if reply is None else parse_retry_after(reply.retry_after)
        wait = backoff_seconds(
            attempt, self._draw(), retry_after=retry_after, settings=self.settings.retries
        )
        late = wait is not None and self._clock.now() + wait >= ends
        return None if late else wait

    def _redacted(self, text: str) -> str:
        return text if self._key is None else self._key.redact(text)


def _ignore(text: str) -> None:
    """Ignore the body: the status says it all."""
    del text


def _parse_completion(text: str) -> Completion:
    try:
        (choice,) = msgspec.json.decode(text, type=_CompletionReply).choices
    except (msgspec.MsgspecError, ValueError, RecursionError) as cause:
        raise ServiceError(f"the answer is no completion: {cause}") from None
    found = choice.logprobs
    if found is None or not found.tokens:
        raise ServiceError("the answer has no log-probabilities")
    log_probs = tuple(number for number in found.token_logprobs if number is not None)
    if len(log_probs) != len(found.tokens):
        raise ServiceError("the answer has tokens without a log-probability")
    return Completion(tuple(_token_id(name) for name in found.tokens), log_probs)


def _token_id(name: str) -> int:
    # Text does not identify a token: several ids can decode to the same characters.
    number = name.removeprefix(_ID_PREFIX)
    if number == name or not number.isdecimal():
        raise ServiceError("the answer has tokens by their text: which ones they are is not said")
    return int(number)
