"""The completions route of a server, in tokens, and the adapters that it serves by name.

    load_adapter(NAME-v12, folder)  --> POST /load_lora_adapter     the server reads the folder
    write(NAME-v12, prompt)         --> POST /completions           tokens in, tokens out, log-probs
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
from distrl.services.retries import told_wait, wait_before, worth_again
from distrl.services.secret import read_secret
from distrl.services.transport import Reply, post

T = TypeVar("T")

_log = logging.getLogger(__name__)
_TOLD = 300
"""Characters of a server's complaint that an error repeats."""
_NUMBERED = "token_id:"
"""What stands before the number of a token where tokens are told by number."""
_UNLOAD_SECONDS = 10.0
_LARGEST_SEED = 2**63 - 1
_NO_LORA = (
    "it loads no adapters while it runs; vLLM does when it is started with --enable-lora and "
    "VLLM_ALLOW_RUNTIME_LORA_UPDATING=True"
)


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote."""

    tokens: tuple[int, ...]
    """With the one that ended it, if one did."""
    log_probs: tuple[float, ...]
    """Of each of them."""


class _LogProbs(msgspec.Struct):
    tokens: list[str]
    token_logprobs: list[float | None]


class _Choice(msgspec.Struct):
    logprobs: _LogProbs | None = None


class _Completion(msgspec.Struct):
    choices: list[_Choice]


class CompletionClient:
    """Asks one server; any thread may call. ServiceError for whatever it does not do in time."""

    def __init__(
        self,
        settings: EndpointSettings,
        *,
        clock: Clock,
        draw: Callable[[], float] | None = None,
    ) -> None:
        """The key is read from the environment now. `draw` gives the jitter, in [0, 1)."""
        self.settings = settings
        self._clock = clock
        self._draw = draw or random.SystemRandom().random
        self._key = read_secret(settings.key_env)

    def write(self, model: str, prompt: Sequence[int], *, end: int, seed: int) -> Written:
        """Go on after a prompt until the token `end`, or for as long as the settings allow.

        Tokens are drawn from all there are, whatever defaults a server has: their probabilities
        would be others otherwise.
        """
        asked = {
            "model": model,
            "prompt": list(prompt),
            "max_tokens": self.settings.max_tokens,
            "temperature": self.settings.temperature,
            "seed": seed & _LARGEST_SEED,
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
        return self._ask("completions", asked, _read)

    def load_adapter(self, name: str, folder: Path) -> None:
        """Have the server read an adapter; one of this name that it has already is the same."""
        asked = {"lora_name": name, "lora_path": str(folder)}
        self._ask(
            "load_lora_adapter",
            asked,
            _ignore,
            hints={404: _NO_LORA, 405: _NO_LORA},
            done="already been loaded",
        )

    def unload_adapter(self, name: str) -> None:
        """Have the server forget an adapter; it is not waited for as long as for an answer."""
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
        """The answer, as `read` reads it, which may raise ServiceError.

        A refusal in the words of `done` is an answer; `hints` explain refusals by their code.
        It takes `most` seconds, or what the settings say if that is less.
        """
        body = msgspec.json.encode(asked)
        ends = self._clock.now() + min(most, self.settings.total_seconds)
        for attempt in itertools.count(1):
            reply = None
            try:
                reply = self._post(route, body, ends)
                text = self._hidden(reply.body.decode("utf-8", "replace"))
                if reply.status == 200 or (done is not None and done in text):
                    return read(text)
                why = f"HTTP {reply.status}: {' '.join(text.split())[:_TOLD] or '(nothing)'}"
                if hint := (hints or {}).get(reply.status):
                    why = f"{why} ({hint})"
            except ServiceError as error:
                why = self._hidden(str(error))
            wait = self._patience(reply, attempt, ends)
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
        seconds = min(self.settings.attempt_seconds, max(0.001, ends - self._clock.now()))
        url = f"{self.settings.base_url.rstrip('/')}/{route}"
        return post(url, body, headers, seconds=seconds)

    def _patience(self, reply: Reply | None, attempt: int, ends: float) -> float | None:
        """Seconds until the next attempt; None when there is none."""
        if reply is not None and reply.status != 200 and not worth_again(reply.status):
            return None
        told = None if reply is None else told_wait(reply.retry_after)
        wait = wait_before(attempt, self._draw(), told=told, settings=self.settings.retries)
        late = wait is not None and self._clock.now() + wait >= ends
        return None if late else wait

    def _hidden(self, text: str) -> str:
        return text if self._key is None else self._key.hide_in(text)


def _ignore(text: str) -> None:
    """That it was done is all that there is to know."""
    del text


def _read(text: str) -> Written:
    try:
        (choice,) = msgspec.json.decode(text, type=_Completion).choices
    except (msgspec.MsgspecError, ValueError, RecursionError) as cause:
        raise ServiceError(f"the answer is no completion: {cause}") from None
    found = choice.logprobs
    if found is None or not found.tokens:
        raise ServiceError("the answer has no log-probabilities")
    log_probs = tuple(number for number in found.token_logprobs if number is not None)
    if len(log_probs) != len(found.tokens):
        raise ServiceError("the answer has tokens without a log-probability")
    return Written(tuple(_number(name) for name in found.tokens), log_probs)


def _number(name: str) -> int:
    number = name.removeprefix(_NUMBERED)
    if number == name or not number.isdecimal():
        raise ServiceError("the answer has tokens by their text: which ones they are is not said")
    return int(number)
