"""Settings of who judges the episodes of a run beside the check of the state."""

from __future__ import annotations

import re
from typing import Any, Self
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from distrl import plugins
from distrl.config.base import Config
from distrl.errors import ConfigError, unknown_name
from distrl.plugins import Part

VOTE = "vote:"
"""What stands before the names of judges that vote."""
SCRIPTED = "scripted"
"""The endpoint that is a server of our own, which believes what screens say."""
JUDGE_PARTS = ("ocr", "state", "vlm")
"""Built-in judges that need nobody at the terminal."""
HUMAN = "human"
"""The judge who sits at the terminal."""
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")


def judge_names() -> tuple[str, ...]:
    """Names of all judges that need nobody at the terminal, those of plug-ins last."""
    return (*JUDGE_PARTS, *plugins.names(Part.JUDGE, JUDGE_PARTS))


def judge_parts(name: str, *, built_in: tuple[str, ...] = JUDGE_PARTS) -> tuple[str, ...]:
    """The judges behind a name, of which a vote has several; ConfigError for any other name.

    Each is one of `built_in`, or of a plug-in.
    """
    parts = tuple(name.removeprefix(VOTE).split(",")) if name.startswith(VOTE) else (name,)
    for part in parts:
        if part not in built_in and part not in plugins.names(Part.JUDGE, built_in):
            known = (*built_in, *plugins.names(Part.JUDGE, built_in))
            raise unknown_name("judge", part, (*known, f"{VOTE}NAME,NAME"))
    if name.startswith(VOTE) and len(set(parts)) < max(2, len(parts)):
        raise ConfigError(f"a vote needs two or more different judges, got {name!r}")
    return parts


def opinions_of(name: str, endpoint: str, model: str) -> frozenset[str]:
    """Whose opinions a judge's verdicts are; two judges with one in common are not independent."""
    return frozenset(
        f"vlm ({model or SCRIPTED} at {endpoint})" if part == "vlm" else part
        for part in judge_parts(name)
    )


class JudgeConfig(Config):
    """A judge that looks at episodes between their end and the store, or rewards them."""

    name: str | None = None
    """Who judges: state, ocr, vlm, the name of a plug-in, or vote:NAME,NAME; null for nobody."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Settings of a plug-in's judge, which checks them; each plug-in in a vote gets all of them."""
    rewards: bool = False
    """Whether its verdict is the outcome and the reward. Off, it only looks on, and the state
    check rewards."""
    share: float = Field(1.0, gt=0, le=1)
    """Share of the episodes that it is shown; 1 if it rewards."""
    concurrency: int = Field(4, ge=1)
    """Episodes that are judged at the same time."""
    # A verdict that comes later would hold back the episode, which is stored only when it has been
    # judged.
    seconds: float = Field(60.0, gt=0)
    """Seconds from the end of an episode after which its verdict is void."""
    endpoint: str = ""
    """For vlm: address of an OpenAI-compatible server, such as http://127.0.0.1:8000/v1; scripted
    is a model on this machine that believes what screens say."""
    model: str = ""
    """For vlm: name of the model at the endpoint."""
    key_env: str = "OPENAI_API_KEY"
    """For vlm: name of the environment variable that holds the key, never the key."""
    price_prompt: float = Field(0.0, ge=0)
    """Price of a million prompt tokens."""
    price_completion: float = Field(0.0, ge=0)
    """Price of a million completion tokens."""
    cap: float | None = Field(None, gt=0)
    """The most that may be spent, in the currency of the prices, by each process that collects;
    what would cost more is not asked, and void. Null for no limit."""
    per_minute: float | None = Field(None, gt=0)
    """Requests per minute at most, of each process that collects; null for any number."""

    @field_validator("name")
    @classmethod
    def _is_known(cls, name: str | None) -> str | None:
        if name is not None:
            judge_parts(name)
        return name

    @field_validator("endpoint")
    @classmethod
    def _holds_no_secret(cls, endpoint: str) -> str:
        url = urlsplit(endpoint)
        # Settings are written to run folders and shown on dashboards: a secret in an address would
        # be published with them.
        if url.username or url.password or url.query or url.fragment:
            raise ValueError(
                "the address has a name, a password or a query in it; a key comes from the "
                "environment alone (the address is not shown here)"
            )
        if endpoint not in ("", SCRIPTED) and url.scheme not in ("http", "https"):
            raise ValueError(f"must start with http:// or https://, or be {SCRIPTED}")
        return endpoint

    @field_validator("key_env")
    @classmethod
    def _is_a_name(cls, key_env: str) -> str:
        if not _VARIABLE.fullmatch(key_env):
            raise ValueError(
                "is the name of an environment variable, such as OPENAI_API_KEY (what was given "
                "is not shown, since it may be a key)"
            )
        return key_env

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.rewards and self.name is None:
            raise ValueError("rewards is true and name is null; name the judge that rewards")
        if self.rewards and self.share < 1:
            raise ValueError(
                f"share is {self.share:g} and rewards is true; a judge that rewards sees all "
                "episodes"
            )
        if self.options and set(judge_parts(self.name or JUDGE_PARTS[0])) <= set(JUDGE_PARTS):
            raise ValueError(
                f"options are for judges of plug-ins, and name is {self.name or 'null'}"
            )
        if self.asks_a_model and not (self.endpoint and (self.model or self.endpoint == SCRIPTED)):
            raise ValueError(f"the judge {self.name} needs endpoint and model")
        if self.cap is not None and not (self.price_prompt or self.price_completion):
            raise ValueError("a cap needs price_prompt and price_completion")
        return self

    @property
    def asks_a_model(self) -> bool:
        """Whether the judge, or one that votes, is vlm."""
        return self.name is not None and "vlm" in judge_parts(self.name)
