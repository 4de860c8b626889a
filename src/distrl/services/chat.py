"""OpenAI-compatible chat client with deadline, retries, rate limit, concurrency limit and costs.

complete -> rate limit -> reserve cost -> POST -> Answer
^-- wait (backoff) <-- retryable failure     else ServiceError
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
from distrl.services.retries import RetrySettings, backoff_seconds, parse_retry_after, should_retry
from distrl.services.secret import read_secret
from distrl.services.transport import Reply, post

_log = logging.getLogger(__name__)
_MAX_COMPLAINT = 300
"""Characters of a server's error message that are repeated in ours."""
_TURN_BYTES = 16
"""Allowance per message for the tokens with which a server's template marks role and end."""
_LEAST_TIMEOUT = 0.001


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation: text, followed by pictures as PNG."""

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
    concurrency: int = 8
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
            raise ConfigError(f"the endpoint is no address ({cause})") from None
        if url.username or url.password or url.query or url.fragment:
            raise ConfigError(
                "the endpoint has a name, a password or a query in it; a key comes from the "
                "environment alone (the address is not shown here)"
            )
        if url.scheme not in ("http", "https") or not url.hostname:
            raise ConfigError(
                f"the endpoint must start with http:// or https://, got {self.base_url}"
            )
        if not self.model:
            raise ConfigError("the model of the endpoint has no name")
        for name in ("max_tokens", "attempt_seconds", "total_seconds", "concurrency"):
            if not getattr(self, name) > 0:
                raise ConfigError(f"{name} must be above 0, got {getattr(self, name)!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A completed chat request: text, token counts, cost and attempts."""

    text: str
    model: str
    """As the server reports it, which may be a more specific version than was requested."""
    prompt_tokens: int
    completion_tokens: int
    cost: float
    log_prob: float | None
    """Log-probability of the answer, summed over its tokens; None if the server sends none."""
    attempts: int


_Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
"""A token count in a reply; a negative one would lower the costs booked so far."""


class _ReplyMessage(msgspec.Struct):
    content: str | None = None


class _Token(msgspec.Struct):
    logprob: float


class _LogProbs(msgspec.Struct):
    content: list[_Token] | None = None


class _Choice(msgspec.Struct):
    message: _ReplyMessage
    logprobs: _LogProbs | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: _Count = 0
    completion_tokens: _Count = 0


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    model: str = ""
    usage: _Usage | None = None


class _AttemptFailed(Exception):  # noqa: N818 - control flow of the retry loop, never seen by callers
    """One failed attempt: why, whether to retry, and the server's Retry-After in seconds."""

    def __init__(self, why: str, *, retry: bool, retry_after: float | None = None) -> None:
        super().__init__(why)
        self.why, self.retry, self.retry_after = why, retry, retry_after


class ChatClient:
    """Sends chat requests to one model at one endpoint. Thread-safe."""

    def __init__(
        self,
        settings: EndpointSettings,
        *,
        clock: Clock,
        cost_tracker: CostTracker | None = None,
        draw: Callable[[], float] | None = None,
    ) -> None:
        """Read the key from the environment. `draw` returns the backoff jitter, in [0, 1)."""
        self.settings = settings
        self.cost_tracker = cost_tracker or CostTracker()
        if self.cost_tracker.cap is not None and settings.prices == Prices():
            raise ConfigError("a cap on costs needs the prices of prompt and completion tokens")
        self._clock = clock
        self._draw = draw or random.SystemRandom().random
        self._key = read_secret(settings.key_env)
        self._url = settings.base_url.rstrip("/") + "/chat/completions"
        self._rate = RateLimiter(clock, per_minute=settings.per_minute)
        self._slots = threading.BoundedSemaphore(settings.concurrency)

    def complete(
        self, messages: Sequence[Message], *, purpose: str = "chat", log_probs: bool = False
    ) -> Answer:
        """Return the model's answer.

        ServiceError if there is none before the deadline or after the last retry; BudgetSpent if
        the request could exceed the cost cap. `purpose` labels the entry in the cost log.
        """
        body = self._body(messages, log_probs=log_probs)
        most = self._worst_case(messages, purpose)
        # One deadline over all attempts and waits: retries must not multiply the caller's timeout.
        ends = self._clock.now() + self.settings.total_seconds
        attempt = 0
        while True:
            attempt += 1
            try:
                return self._attempt(body, most, attempt, ends)
            except _AttemptFailed as failure:
                wait = self._next_wait(failure, attempt, ends)
                if wait is None:
                    raise ServiceError(
                        f"{self.settings.model} at {self.settings.base_url} gave no answer after "
                        f"{attempt} {'attempts' if attempt > 1 else 'attempt'}: {failure.why}"
                    ) from None
                _log.info("attempt %d failed (%s); again in %.1f s", attempt, failure.why, wait)
                self._clock.sleep(wait)

    def _next_wait(self, failure: _AttemptFailed, attempt: int, ends: float) -> float | None:
        """Seconds until the next attempt; None if the failure is final or the deadline too near."""
        if not failure.retry:
            return None
        retry_after = failure.retry_after
        wait = backoff_seconds(
            attempt, self._draw(), retry_after=retry_after, settings=self.settings.retries
        )
        if retry_after is not None:
            # The limit is the account's: requests of other threads would be refused as well.
            self._rate.hold(retry_after)
        late = wait is not None and self._clock.now() + wait >= ends
        return None if late else wait

    def _attempt(self, body: bytes, most: Entry, attempt: int, ends: float) -> Answer:
        wait = self._rate.take(within=max(0.0, ends - self._clock.now()))
        if wait is None:
            raise _AttemptFailed("the rate limit leaves no turn in time", retry=False)
        self._clock.sleep(wait)
        seconds = min(self.settings.attempt_seconds, max(_LEAST_TIMEOUT, ends - self._clock.now()))
        # Money is reserved last, so that threads waiting for a slot do not hold any.
        with self._slot(seconds), self.cost_tracker.booking(most) as booking:
            reply = self._post(body, seconds)
            if reply.status != 200:
                booking.cancel()
                raise _AttemptFailed(
                    f"HTTP {reply.status}: {self._excerpt(reply.body)}",
                    retry=should_retry(reply.status),
                    retry_after=parse_retry_after(reply.retry_after),
                )
            return self._read(reply, booking, attempt)

    @contextmanager
    def _slot(self, seconds: float) -> Iterator[None]:
        """Hold one of the `concurrency` slots."""
        if not self._slots.acquire(timeout=seconds):
            raise _AttemptFailed(
                f"{self.settings.concurrency} requests were on their way", retry=True
            )
        try:
            yield
        finally:
            self._slots.release()

    def _post(self, body: bytes, seconds: float) -> Reply:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        # The key is revealed here only, so that no object that may be logged holds it.
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key.reveal()}"
        try:
            return post(self._url, body, headers, seconds=seconds)
        except ServiceError as error:
            raise _AttemptFailed(self._redacted(str(error)), retry=True) from None

    def _read(self, reply: Reply, booking: Booking, attempt: int) -> Answer:
        try:
            found = msgspec.json.decode(reply.body.decode("utf-8", "replace"), type=_Completion)
            choice = found.choices[0]
        except (msgspec.MsgspecError, IndexError, RecursionError) as cause:
            why = self._redacted(f"the answer is no chat completion: {cause}")
            raise _AttemptFailed(why, retry=True) from None
        usage = found.usage
        if usage is not None:
            cost = self.settings.prices.of(usage.prompt_tokens, usage.completion_tokens)
            booking.settle(usage.prompt_tokens, usage.completion_tokens, cost)
        # Without usage in the reply, the worst case stays booked: costs are never underestimated.
        booked = booking.entry
        assert booked is not None
        tokens = choice.logprobs.content if choice.logprobs is not None else None
        # A server that echoes the key must not bring it into verdicts, episodes or logs.
        return Answer(
            text=self._redacted(choice.message.content or ""),
            model=self._redacted(found.model) or self.settings.model,
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
            "messages": [_wire_message(message) for message in messages],
            "max_tokens": settings.max_tokens,
            "temperature": settings.temperature,
        }
        if log_probs:
            asked["logprobs"] = True
        return msgspec.json.encode(asked)

    def _worst_case(self, messages: Sequence[Message], purpose: str) -> Entry:
        """The most that one request can cost."""
        # Bytes bound the tokens from above: no tokenizer makes more tokens than there are bytes.
        texts = [message.text.encode("utf-8", "replace") for message in messages]
        pictures = sum(len(message.pictures) for message in messages)
        prompt = (
            sum(len(text) + _TURN_BYTES for text in texts) + pictures * self.settings.picture_tokens
        )
        return Entry(
            purpose=purpose,
            model=self.settings.model,
            prompt_tokens=prompt,
            completion_tokens=self.settings.max_tokens,
            cost=self.settings.prices.of(prompt, self.settings.max_tokens),
            estimated=True,
        )

    def _excerpt(self, body: bytes) -> str:
        text = " ".join(body.decode("utf-8", "replace").split())
        return self._redacted(text)[:_MAX_COMPLAINT] or "(nothing)"

    def _redacted(self, text: str) -> str:
        return text if self._key is None else self._key.redact(text)


def _wire_message(message: Message) -> Mapping[str, object]:
    # Text from a screen may hold lone surrogates, which UTF-8 and so JSON cannot encode.
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
