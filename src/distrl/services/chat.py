"""The OpenAI-compatible chat client: deadlines, retries, limits and costs in one place.

complete -> rate limit -> money set aside -> POST -> answer, or wait and again, or ServiceError
"""

from __future__ import annotations

import base64
import logging
import random
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec

from distrl.errors import ConfigError, ServiceError
from distrl.interfaces import Clock
from distrl.services.cost_tracker import Booking, CostTracker, Entry, Prices
from distrl.services.rate_limiter import RateLimiter
from distrl.services.retries import RetrySettings, told_wait, wait_before, worth_again
from distrl.services.secret import read_secret
from distrl.services.transport import Reply, post

_log = logging.getLogger(__name__)
_TOLD = 300
"""Characters of a server's complaint that an error repeats."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation, with pictures as PNG behind its text."""

    role: Literal["system", "user", "assistant"]
    text: str
    pictures: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointSettings:
    """Where a model is, and how it is asked."""

    base_url: str = "http://127.0.0.1:8000/v1"
    """What stands before `/chat/completions`."""
    model: str
    key_env: str = "OPENAI_API_KEY"
    """Name of the environment variable with the key, never the key. Unset sends none."""
    max_tokens: int = 256
    """The longest answer."""
    temperature: float = 0.0
    attempt_seconds: float = 60.0
    """How long one request may take."""
    total_seconds: float = 180.0
    """How long a call may take, with all its retries and waits."""
    per_minute: float | None = None
    """Requests per minute; None for any number."""
    at_once: int = 8
    """Requests on their way at the same time."""
    retries: RetrySettings = field(default_factory=RetrySettings)
    prices: Prices = field(default_factory=Prices)
    picture_tokens: int = 3000
    """The most tokens that one picture counts for; money is set aside for them."""

    def __post_init__(self) -> None:
        """ConfigError for what cannot be asked."""
        try:
            url = urlsplit(self.base_url)
        except ValueError as cause:
            raise ConfigError(f"base_url is no address ({cause})") from None
        if url.username or url.password or url.query or url.fragment:
            raise ConfigError(
                "base_url has a name, a password or a query in it; a key comes from the "
                "environment alone (the address is not shown here)"
            )
        if url.scheme not in ("http", "https") or not url.hostname:
            raise ConfigError(f"base_url must start with http:// or https://, got {self.base_url}")
        if not self.model:
            raise ConfigError("the model of the endpoint has no name")
        for name in ("max_tokens", "attempt_seconds", "total_seconds", "at_once"):
            if not getattr(self, name) > 0:
                raise ConfigError(f"{name} must be above 0, got {getattr(self, name)!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a model said, and what it took."""

    text: str
    model: str
    """As the server names it, which may be more exact than what was asked for."""
    prompt_tokens: int
    completion_tokens: int
    cost: float
    log_prob: float | None
    """Sum over the answer's tokens; None where the server does not say."""
    attempts: int


_Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
"""What a server says it has counted; less than nothing would be money for asking."""


class _Said(msgspec.Struct):
    content: str | None = None


class _Token(msgspec.Struct):
    logprob: float


class _LogProbs(msgspec.Struct):
    content: list[_Token] | None = None


class _Choice(msgspec.Struct):
    message: _Said
    logprobs: _LogProbs | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: _Count = 0
    completion_tokens: _Count = 0


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    model: str = ""
    usage: _Usage | None = None


class _Failure(Exception):  # noqa: N818 - a turn of the loop, not an error of ours
    """One attempt that failed, and whether another may not."""

    def __init__(self, why: str, *, again: bool, told: float | None = None) -> None:
        super().__init__(why)
        self.why, self.again, self.told = why, again, told


class ChatClient:
    """Asks one model at one endpoint; any thread may call."""

    def __init__(
        self,
        settings: EndpointSettings,
        *,
        clock: Clock,
        cost_tracker: CostTracker | None = None,
        draw: Callable[[], float] | None = None,
    ) -> None:
        """The key is read from the environment now. `draw` gives the jitter, in [0, 1)."""
        self.settings = settings
        self.cost_tracker = cost_tracker or CostTracker()
        if self.cost_tracker.cap is not None and settings.prices == Prices():
            raise ConfigError("a cap on costs needs the prices of prompt and completion tokens")
        self._clock = clock
        self._draw = draw or random.SystemRandom().random
        self._key = read_secret(settings.key_env)
        self._url = settings.base_url.rstrip("/") + "/chat/completions"
        self._rate = RateLimiter(clock, per_minute=settings.per_minute)
        self._places = threading.BoundedSemaphore(settings.at_once)

    def complete(
        self, messages: Sequence[Message], *, purpose: str = "chat", log_probs: bool = False
    ) -> Answer:
        """The model's answer; ServiceError when there is none in time, BudgetSpent above the cap.

        `purpose` is what the cost tracker files the costs under.
        """
        body = self._body(messages, log_probs=log_probs)
        most = self._most(messages, purpose)
        ends = self._clock.now() + self.settings.total_seconds
        attempt = 0
        while True:
            attempt += 1
            try:
                return self._attempt(body, most, attempt, ends)
            except _Failure as failure:
                wait = self._patience(failure, attempt, ends)
                if wait is None:
                    raise ServiceError(
                        f"{self.settings.model} at {self.settings.base_url} gave no answer after "
                        f"{attempt} {'attempts' if attempt > 1 else 'attempt'}: {failure.why}"
                    ) from None
                _log.info("attempt %d failed (%s); again in %.1f s", attempt, failure.why, wait)
                self._clock.sleep(wait)

    def _patience(self, failure: _Failure, attempt: int, ends: float) -> float | None:
        """Seconds until the next attempt; None when there is none."""
        if not failure.again:
            return None
        wait = wait_before(attempt, self._draw(), told=failure.told, settings=self.settings.retries)
        if failure.told is not None:
            self._rate.hold(failure.told)
        late = wait is not None and self._clock.now() + wait >= ends
        return None if late else wait

    def _attempt(self, body: bytes, most: Entry, attempt: int, ends: float) -> Answer:
        wait = self._rate.take(within=max(0.0, ends - self._clock.now()))
        if wait is None:
            raise _Failure("the rate limit leaves no turn in time", again=False)
        self._clock.sleep(wait)
        seconds = min(self.settings.attempt_seconds, max(0.001, ends - self._clock.now()))
        with self._place(seconds), self.cost_tracker.booking(most) as booking:
            reply = self._post(body, seconds)
            if reply.status != 200:
                booking.cancel()
                raise _Failure(
                    f"HTTP {reply.status}: {self._shown(reply.body)}",
                    again=worth_again(reply.status),
                    told=told_wait(reply.retry_after),
                )
            return self._read(reply, booking, attempt)

    @contextmanager
    def _place(self, seconds: float) -> Iterator[None]:
        if not self._places.acquire(timeout=seconds):
            raise _Failure(f"{self.settings.at_once} requests were on their way", again=True)
        try:
            yield
        finally:
            self._places.release()

    def _post(self, body: bytes, seconds: float) -> Reply:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key.reveal()}"
        try:
            return post(self._url, body, headers, seconds=seconds)
        except ServiceError as error:
            raise _Failure(self._hidden(str(error)), again=True) from None

    def _read(self, reply: Reply, booking: Booking, attempt: int) -> Answer:
        try:
            found = msgspec.json.decode(reply.body.decode("utf-8", "replace"), type=_Completion)
            choice = found.choices[0]
        except (msgspec.MsgspecError, IndexError, RecursionError) as cause:
            why = self._hidden(f"the answer is no chat completion: {cause}")
            raise _Failure(why, again=True) from None
        usage = found.usage
        if usage is not None:
            cost = self.settings.prices.of(usage.prompt_tokens, usage.completion_tokens)
            booking.settle(usage.prompt_tokens, usage.completion_tokens, cost)
        booked = booking.entry
        assert booked is not None
        tokens = choice.logprobs.content if choice.logprobs is not None else None
        # A server that echoes the key must not bring it into verdicts, episodes or logs.
        return Answer(
            text=self._hidden(choice.message.content or ""),
            model=self._hidden(found.model) or self.settings.model,
            prompt_tokens=booked.prompt_tokens,
            completion_tokens=booked.completion_tokens,
            cost=booked.cost,
            log_prob=None if tokens is None else sum(token.logprob for token in tokens),
            attempts=attempt,
        )

    def _body(self, messages: Sequence[Message], *, log_probs: bool) -> bytes:
        settings = self.settings
        asked: dict[str, object] = {
            "model": settings.model,
            "messages": [_turn(message) for message in messages],
            "max_tokens": settings.max_tokens,
            "temperature": settings.temperature,
        }
        if log_probs:
            asked["logprobs"] = True
        return msgspec.json.encode(asked)

    def _most(self, messages: Sequence[Message], purpose: str) -> Entry:
        """The most that one request can cost: no tokeniser makes more tokens than bytes."""
        letters = sum(len(message.text.encode("utf-8", "replace")) + 16 for message in messages)
        pictures = sum(len(message.pictures) for message in messages)
        prompt = letters + pictures * self.settings.picture_tokens
        return Entry(
            purpose=purpose,
            model=self.settings.model,
            prompt_tokens=prompt,
            completion_tokens=self.settings.max_tokens,
            cost=self.settings.prices.of(prompt, self.settings.max_tokens),
            estimated=True,
        )

    def _shown(self, body: bytes) -> str:
        text = " ".join(body.decode("utf-8", "replace").split())
        return self._hidden(text)[:_TOLD] or "(nothing)"

    def _hidden(self, text: str) -> str:
        return text if self._key is None else self._key.hide_in(text)


def _turn(message: Message) -> Mapping[str, object]:
    # What a screen or a task holds may have halves of characters, which JSON has no way to say.
    text = message.text.encode("utf-8", "replace").decode()
    if not message.pictures:
        return {"role": message.role, "content": text}
    pictures = [
        {
            "type": "image_url",
            "image_url": {"url": f"data:image/png;base64,{base64.b64encode(png).decode()}"},
        }
        for png in message.pictures
    ]
    return {"role": message.role, "content": [{"type": "text", "text": text}, *pictures]}
